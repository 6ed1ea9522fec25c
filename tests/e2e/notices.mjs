// SPDX-License-Identifier: GPL-3.0-or-later
// X-007 in the browser: notices by push turned on and off, shown by the service worker, opened and ended
// by a click; the bell on every page. Chromium's own push service is out of reach, so the subscription is
// one of a service on this machine, and what that service hears is handed to the worker by the debugger.
import assert from "node:assert/strict";

const { Person, Site, eventually, holds, openBrowser, run } = await import("./site.mjs").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.log("skipped: run `npm ci` in tests/ first (./dev test does)");
  process.exit(77);
});
const { PushService } = await import("../net/push_service.mjs");
const service = await PushService.start();
const site = await Site.start({ flags: ["--push-local", "on"] });
const browser = await openBrowser();
const cases = {};

async function person(nick, options = {}) {
  const one = await Person.open(browser, site, nick, options);
  await one.register();
  return one;
}

// Gives the page's PushManager the subscription of the service.
async function subscriptions(one, subscription) {
  await one.context.addInitScript((form) => {
    let current = null;
    const made = () => ({
      endpoint: form.endpoint,
      options: { applicationServerKey: made.key },
      toJSON: () => ({ endpoint: form.endpoint, keys: { p256dh: form.p256dh, auth: form.auth } }),
      unsubscribe: async () => ((current = null), true),
    });
    PushManager.prototype.subscribe = async (options) => {
      made.key = options.applicationServerKey.buffer ?? options.applicationServerKey;
      return (current = made());
    };
    PushManager.prototype.getSubscription = async () => current;
  }, subscription.form);
}

cases["push: explained, asked for by a click alone, heard, shown, opened, ended by the notice's button (X-007)"] = async () => {
  const anna = await person("Anna");
  const { page, context } = anna;
  const phone = service.subscribe();
  await subscriptions(anna, phone);
  await context.grantPermissions(["notifications"], { origin: site.url });
  const asked = [];
  await page.exposeFunction("asked", () => asked.push(1));
  await page.addInitScript(() => {
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = (...rest) => (window.asked(), ask(...rest));
  });
  await anna.go("/account/notices");
  await anna.id("push-on").waitFor();
  assert.equal(asked.length, 0, "nothing is asked before the click");
  await eventually("no worker either", () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await anna.id("push-on").click();
  await anna.id("push-is-on").waitFor();
  assert.equal(asked.length, 1);
  const welcome = await service.heard(phone, 1);
  assert.equal(welcome.message.title, "Notices are on");

  // The worker is given what the service heard.
  const cdp = await context.newCDPSession(page);
  const registrations = [];
  cdp.on("ServiceWorker.workerRegistrationUpdated", (e) => registrations.push(...e.registrations));
  await cdp.send("ServiceWorker.enable");
  await eventually("the worker is registered", () => registrations.at(-1)?.scopeURL, site.url + "/");
  // Chromium forgets a notice whose list is asked for while it is being shown, so nobody looks before it is.
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate(() => {
    self.shown = 0;
    const { showNotification } = ServiceWorkerRegistration.prototype;
    ServiceWorkerRegistration.prototype.showNotification = function (...of) {
      return showNotification.apply(this, of).finally(() => self.shown++);
    };
  });
  let delivered = 0;
  const deliver = async (message) => {
    await cdp.send("ServiceWorker.deliverPushMessage", { origin: site.url, registrationId: registrations.at(-1).registrationId, data: JSON.stringify(message) });
    if (typeof message.title === "string") delivered++;
    await eventually("the worker has shown it", () => worker.evaluate(() => self.shown), delivered);
  };
  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => ({ title: n.title, body: n.body, tag: n.tag, data: n.data, lang: n.lang, actions: n.actions.map((a) => [a.action, a.title]) })),
    );
  const until = async (what, holds) => {
    let now;
    await eventually(() => `${what}: ${JSON.stringify(now)}`, async () => holds((now = await shown())));
    return now;
  };
  await deliver({ ...welcome.message, title: "Your move against Boris", url: "/game/abcdefghijkl", tag: "/game/abcdefghijkl" });
  const [notice] = await until("the notice is shown", (list) => list.length === 1);
  assert.deepEqual([notice.title, notice.tag, notice.data, notice.lang], ["Your move against Boris", "/game/abcdefghijkl", "/game/abcdefghijkl", "en"]);
  assert.deepEqual(notice.actions, [["off", "Turn off"]]);
  await deliver({ ...welcome.message, title: "Less than a day left", url: "/game/abcdefghijkl", tag: "/game/abcdefghijkl" });
  await until("the later one takes its place", (list) => list.length === 1 && list[0].title === "Less than a day left");
  await deliver({ title: 5 });
  await page.waitForTimeout(300);
  assert.equal((await shown()).length, 1, "what is not ours is not shown");

  // Clicks on the notice itself are the worker's alone: it is told of them as the browser would.
  await worker.evaluate(async (endpoint) => {
    const [notification] = await self.registration.getNotifications();
    PushManager.prototype.getSubscription = async () => ({ endpoint, unsubscribe: async () => true });
    const event = new NotificationEvent("notificationclick", { notification, action: "off" });
    self.dispatchEvent(event);
  }, phone.form.endpoint);
  await until("the notice is closed", (list) => list.length === 0);
  await eventually("ended at the site, too", async () => (await page.evaluate(() => fetch("/api/v1/me/push").then((r) => r.json()))).devices.length, 0);
  await page.reload();
  await anna.id("push-on").waitFor();

  // On and off again by the page; a second device is listed and can be ended from here.
  await anna.id("push-on").click();
  await anna.id("push-is-on").waitFor();
  await anna.id("push-off").click();
  await anna.id("push-on").waitFor();
  assert.deepEqual(anna.faults, []);
};

cases["push that the browser forbids says how to allow it (X-007)"] = async () => {
  const ion = await person("Ion", { locale: "ro-RO" });
  await ion.page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await ion.go("/account/notices");
  await ion.id("push-denied").waitFor();
  await eventually("how to allow it", async () => /setările browserului/.test(await ion.id("push-denied").textContent()));
  await eventually("nothing to press", () => ion.id("push-on").count(), 0);
  assert.deepEqual(ion.faults, []);
};

cases["the bell rings on every page without a reload, and what was seen is seen (S-047)"] = async () => {
  const vera = await person("Vera");
  const oleg = await person("Oleg", { locale: "ru-RU" });
  await oleg.go("/ratings/blitz");
  await oleg.id("bell").waitFor();
  await eventually("seen", () => oleg.id("bell").getAttribute("data-unseen"), "0");
  await vera.go("/player/Oleg");
  await vera.page.evaluate(() => fetch("/api/v1/me/friends/Oleg", { method: "PUT", headers: { "Content-Type": "application/json" }, body: "{}" }));
  await oleg.page.locator('[data-testid="bell"][data-unseen="1"]').waitFor();
  await eventually("what Vera asks", async () => /Vera предлагает вам дружбу/.test(await oleg.id("flash").textContent()));
  const other = await oleg.context.newPage();
  await other.goto(site.url + "/watch");
  await other.locator('[data-testid="bell"][data-unseen="1"]').waitFor();
  await other.close();
  await oleg.id("bell").click();
  await oleg.id("bell-list").waitFor();
  await eventually("what Vera asks", async () => /Vera предлагает вам дружбу/.test(await oleg.id("bell-list").textContent()));
  await eventually("seen", () => oleg.id("bell").getAttribute("data-unseen"), "0");
  await oleg.page.keyboard.press("Escape");
  await eventually("closed by Escape", () => oleg.id("bell-list").count(), 0);
  await oleg.page.reload();
  await oleg.id("bell").waitFor();
  await oleg.page.waitForLoadState("networkidle");
  await eventually("seen, after a reload too", () => oleg.id("bell").getAttribute("data-unseen"), "0");
  assert.deepEqual([...vera.faults, ...oleg.faults], []);
};

await run(cases, async () => {
  await browser.close();
  service.stop();
  await site.stop();
});
