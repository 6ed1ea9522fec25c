// SPDX-License-Identifier: GPL-3.0-or-later
// An account from its first page to its last, with letters in a real mailbox: the captcha, confirming an
// address, a forgotten password, devices, blocked players, one's data, leaving and coming back, and the
// log-in page in a browser without scripts.
import { readFileSync } from "node:fs";
import { Mailbox } from "../net/mailbox.mjs";
import { Person, Site, accessible, eventually, openBrowser, run, same } from "./site.mjs";

const box = await Mailbox.start();
if (!box) {
  console.log("skipped: python3-aiosmtpd is not installed (./dev test installs it)");
  process.exit(77);
}
process.once("exit", () => box.process.kill("SIGKILL"));
const site = await Site.start({ flags: ["--rate-limits", "off", "--captcha", "pictures", "--smtp", box.url, "--mail-from", "club@chess.example"] });
const browser = await openBrowser();
const word = "correct horse 64";
const email = "anna@example.org";
const anna = await Person.open(browser, site, "Anna");

const path = (link) => link.slice(site.url.length);
// The code of a captcha goes to the person's mailbox, as to anybody who does not see the pictures.
async function passCaptcha(person, address) {
  const { page } = person;
  await person.id("captcha-words").click();
  await page.fill("#captcha_email", address);
  await page.click('button:text-is("Send the code")');
  const letter = await box.letter(address, (l) => /^Your code: \d{6}$/.test(l.subject));
  await page.fill("#captcha_text", letter.subject.slice(-6));
  await person.id("captcha-check").click();
  await person.id("captcha-passed").waitFor();
}

await run({
  "S-006 to S-009: pictures, others, a harder grid after an error, a code by letter": async () => {
    await anna.go("/register");
    await anna.page.locator(".captcha-grid img").waitFor();
    await accessible(anna, "registration");
    const first = await anna.page.locator(".captcha-grid img").getAttribute("src");
    await anna.id("captcha-other").click();
    await anna.page.waitForFunction((old) => document.querySelector(".captcha-grid img").src !== old, first);
    for (const cells of [9, 16]) {
      // No piece stands on none of the cells, so nothing chosen is never right.
      await eventually("level 1 and 2 have nine", () => anna.page.locator(".captcha-cells button").count(), 9);
      await anna.id("captcha-check").click();
      await anna.page.locator('[data-testid="captcha-error"]:not(:empty)').waitFor();
      await anna.page.waitForFunction((n) => document.querySelectorAll(".captcha-cells button").length === n, cells);
      await anna.page.locator('[data-testid="captcha-check"]:not([disabled])').waitFor();
    }
    await anna.page.locator(".captcha-cells button").first().click();
    await eventually("chosen", () => anna.page.locator('.captcha-cells button[aria-pressed="true"]').count(), 1);
    await passCaptcha(anna, email);
  },
  "S-001, S-004, S-020: registering, and the address confirmed from the mailbox": async () => {
    const { page } = anna;
    for (const [name, value] of Object.entries({ nick: "Anna", email, password: word, password2: word })) await page.fill(`input[name="${name}"]`, value);
    await page.click("details.rules summary");
    await eventually("S-020: said before one agrees", async () => (await page.locator("details.rules").innerText()).includes("You answer for everything done under your name."));
    await page.check('input[name="accept"]');
    await anna.id("register").click();
    await page.waitForURL(`${site.url}/`);
    const letter = await box.letter(email, (l) => l.link?.includes("/confirm/"));
    await anna.go(path(letter.link));
    await anna.id("confirm").click();
    await anna.id("confirmed").waitFor();
    await anna.go("/account");
    await page.locator('[data-testid="email-state"]:has-text("(confirmed)")').waitFor();
    await accessible(anna, "settings");
  },
  "S-022: another device, signed out from the list": async () => {
    const other = await Person.open(browser, site, "Anna", { mobile: true, viewport: { width: 360, height: 640 } });
    await other.go("/login");
    await other.page.fill('input[name="login"]', "anna");
    await other.page.fill('input[name="password"]', word);
    await other.id("login").click();
    await other.page.waitForURL(`${site.url}/`);
    await other.go("/account");
    await other.id("devices").locator("li").nth(1).waitFor();
    await accessible(other, "settings on a phone");
    await anna.go("/account/devices");
    await anna.id("devices").locator("button").first().click();
    await anna.page.waitForFunction(() => document.querySelectorAll('[data-testid="devices"] li').length === 1);
    await other.go("/account");
    await other.page.waitForURL(/\/login/);
    await other.context.close();
  },
  "X-016: a player is blocked and unblocked": async () => {
    await anna.go("/account/blocks?nick=Nobody-there");
    await anna.page.click('[data-testid="block-form"] button');
    await anna.page.locator("#block_nick-error").waitFor();
    const boris = await Person.open(browser, site, "Boris");
    await boris.go("/register");
    await passCaptcha(boris, "boris@example.org");
    for (const [name, value] of Object.entries({ nick: "Boris", password: word, password2: word })) await boris.page.fill(`input[name="${name}"]`, value);
    await boris.page.check('input[name="accept"]');
    await boris.id("register").click();
    await boris.page.waitForURL(`${site.url}/`);
    await boris.context.close();
    await anna.go("/player/Boris");
    await anna.id("block-player").click();
    await anna.page.click('[data-testid="block-form"] button');
    await anna.id("blocks").locator('a:text-is("Boris")').waitFor();
    await anna.id("blocks").locator("button").click();
    await anna.page.waitForFunction(() => document.querySelectorAll('[data-testid="blocks"] li').length === 0);
  },
  "X-009: the archive of one's data": async () => {
    const [download] = await Promise.all([anna.page.waitForEvent("download"), anna.id("export").click()]);
    const bytes = readFileSync(await download.path());
    same(bytes.subarray(0, 2).toString(), "PK", "a ZIP");
  },
  "S-015: a forgotten password, by letter": async () => {
    await anna.context.clearCookies();
    await anna.go("/recover");
    await passCaptcha(anna, "reader@example.org");
    await anna.page.fill('input[name="email"]', email);
    await anna.id("recover").click();
    await anna.id("recover-sent").waitFor();
    const letter = await box.letter(email, (l) => l.link?.includes("/recover/"));
    await anna.go(path(letter.link));
    await anna.page.fill('input[name="password"]', "a brand new word");
    await anna.page.fill('input[name="password2"]', "a brand new word");
    await accessible(anna, "a new password");
    await anna.id("finish").click();
    await anna.id("password-set").waitFor();
  },
  "S-013: the plain log-in page, without scripts": async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: "ru-RU" });
    const page = await context.newPage();
    await page.goto(`${site.url}/login/classic`);
    await eventually("in the browser's language", () => page.locator("html").getAttribute("lang"), "ru");
    await page.fill("#login", "Anna");
    await page.fill("#password", "a brand new word");
    await page.click("button");
    await page.locator("text=Вы вошли как Anna.").waitFor();
    await page.click('button:text-is("Выйти")');
    await page.locator("#login").waitFor();
    await context.close();
    await anna.go("/login/classic");
    await accessible(anna, "plain log-in");
  },
  "X-009: leaving, and coming back within fourteen days": async () => {
    await anna.go("/login");
    await anna.page.fill('input[name="login"]', email);
    await anna.page.fill('input[name="password"]', "a brand new word");
    await anna.id("login").click();
    await anna.page.waitForURL(`${site.url}/`);
    await anna.go("/account/data");
    await anna.id("delete-account").click();
    await anna.page.fill('input[name="delete_password"]', "a brand new word");
    await anna.id("delete-yes").click();
    await box.letter(email, (l) => l.subject === "Your account will be deleted");
    await anna.id("nav-login").waitFor();
    await anna.go("/login");
    await anna.page.fill('input[name="login"]', email);
    await anna.page.fill('input[name="password"]', "a brand new word");
    await anna.id("login").click();
    await anna.id("account-notice").locator("a").click();
    await anna.id("stay").click();
    await anna.page.waitForFunction(() => !document.querySelector('[data-testid="leaving-notice"]'));
    // every request of these pages went to the site itself, and nothing broke its content policy.
    same(anna.faults, [], "no fault in the browser");
  },
}, async () => {
  await browser.close();
  same(await site.stop(), 0, "a clean stop");
  await box.end();
});
