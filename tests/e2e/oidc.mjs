// SPDX-License-Identifier: GPL-3.0-or-later
// Log-in by a provider of OpenID Connect (npm oidc-provider) in a real browser: S-010 to S-012 in three
// languages, wide and narrow, the plain page without scripts, linking and unlinking in the settings.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realProvider } from "../net/oidc_peers.mjs";
import { Mailbox } from "../net/mailbox.mjs";
import { Person, Site, accessible, eventually, openBrowser, run, same } from "./site.mjs";

const folder = mkdtempSync(join(tmpdir(), "jadoube-oidc-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "secret"), "a secret");
const people = {};
for (const n of [1, 2, 3]) {
  people[`known-${n}`] = { email: `known-${n}@chess.example`, email_verified: true };
  people[`new-${n}`] = { email: `new-${n}@chess.example`, email_verified: true };
}
people.other = { email: "other@chess.example", email_verified: false };
const provider = await realProvider(people);
const mailbox = await Mailbox.start();
if (!mailbox) process.exit(77);
const site = await Site.start({
  flags: ["--oidc", `club-id,${provider.issuer},club,${join(folder, "secret")},Club ID`, "--rate-limits", "off", "--smtp", mailbox.url, "--mail-from", "club@chess.example"],
});
await provider.admit(site.url, [{ id: "club", secret: "a secret", name: "club-id" }]);
const browser = await openBrowser();
const password = "correct horse 64";
const pictures = process.env.JADOUBE_PICTURES; // a folder: every page is drawn into it

// Pages of ours send nobody anything; the way to the provider is a page of its own.
async function open(nick, options = {}) {
  const person = await Person.open(browser, site, nick, options);
  person.page.removeAllListeners("request");
  // The provider's development pages want a font from afar.
  await person.context.route((url) => url.hostname.endsWith(".googleapis.com"), (route) => route.abort());
  person.page.on("request", (request) => {
    const url = request.url();
    const there = url.startsWith(provider.issuer) ? request.isNavigationRequest() : request.headers().referer?.startsWith(provider.issuer);
    if (!url.startsWith(site.url) && !url.startsWith("data:") && !there) person.faults.push(`foreign request: ${url}`);
  });
  return person;
}

async function clean(person, name) {
  if (pictures) await person.page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  await accessible(person, name);
}

// The provider's own pages: who, then consent.
async function atProvider(person, login) {
  const { page } = person;
  await page.waitForURL(/\/interaction\//);
  await page.fill('input[name="login"]', login);
  await page.fill('input[name="password"]', "any");
  await Promise.all([page.waitForNavigation(), page.click('button[type="submit"]')]);
  if (/\/interaction\//.test(page.url())) await Promise.all([page.waitForURL(site.url + "/**"), page.click('button[type="submit"]')]);
  await page.waitForURL(site.url + "/**");
}

async function confirmed(nick, email) {
  const answer = await fetch(`${site.url}/api/v1/register`, {
    method: "POST", headers: { "Content-Type": "application/json", Origin: site.url },
    body: JSON.stringify({ nick, email, password, password2: password, language: "en", accept_rules: true }),
  });
  same(answer.status, 201, `${nick} is registered`);
  const letter = await mailbox.letter(email, (one) => /\/confirm\//.test(one.link));
  const done = await fetch(`${site.url}/api/v1/confirm`, {
    method: "POST", headers: { "Content-Type": "application/json", Origin: site.url },
    body: JSON.stringify({ token: letter.link.split("/").at(-1) }),
  });
  same(done.status, 204, `${email} is confirmed`);
}

const ways = [
  { n: 1, locale: "en-GB", lang: "en", theme: "light", viewport: { width: 1280, height: 800 }, with: "Log in with Club ID", none: "No account here has the confirmed address" },
  { n: 2, locale: "ru-RU", lang: "ru", theme: "dark", viewport: { width: 360, height: 740 }, with: "Войти через Club ID", none: "Учётной записи с подтверждённым адресом" },
  { n: 3, locale: "ro-RO", lang: "ro", theme: "light", viewport: { width: 360, height: 740 }, with: "Autentificare cu Club ID", none: "Niciun cont de aici nu are adresa confirmată" },
];
const cases = {};
for (const way of ways) {
  const name = `${way.lang}-${way.viewport.width}`;
  cases[`${name}: S-010, S-011 the button leads there and back, into the account of that address`] = async () => {
    await confirmed(`Known-${way.n}`, `known-${way.n}@chess.example`);
    const person = await open(`Known-${way.n}`, way);
    await person.go("/login?next=/games");
    const button = person.id("provider-club-id");
    await button.waitFor();
    await eventually("the button", () => button.innerText(), way.with);
    await clean(person, `login-${name}`);
    await button.click();
    await atProvider(person, `known-${way.n}`);
    await person.page.waitForURL(site.url + "/games");
    await eventually("logged in", async () => (await (await person.page.request.get(`${site.url}/api/v1/me`)).json()).me.nick, person.nick);
    await person.go("/account/logins");
    await person.id("unlink-club-id").waitFor();
    await clean(person, `logins-${name}`);
    same(person.faults, [], "faults");
    await person.context.close();
  };
  cases[`${name}: S-012 nobody's address: the warning, and a new account with the address filled in`] = async () => {
    const person = await open(`New-${way.n}`, way);
    await person.go("/login");
    await person.id("provider-club-id").click();
    await atProvider(person, `new-${way.n}`);
    const notice = person.id("social-unknown");
    await notice.waitFor();
    await eventually(() => notice.innerText(), async () => (await notice.innerText()).includes(way.none));
    await eventually("the address is named", async () => (await notice.innerText()).includes(`new-${way.n}@chess.example`));
    await clean(person, `unknown-${name}`);
    await person.id("social-register").click();
    await person.id("social-notice").waitFor();
    // Filled in when the provider's answer has been asked for.
    await person.page.waitForFunction((email) => document.querySelector('input[name="email"]').value === email, `new-${way.n}@chess.example`);
    await clean(person, `register-${name}`);
    await person.page.fill('input[name="nick"]', person.nick);
    await person.page.fill('input[name="password"]', password);
    await person.page.fill('input[name="password2"]', password);
    await person.page.check('input[name="accept"]');
    await person.id("register").click();
    await person.page.waitForURL(site.url + "/");
    const { me } = await (await person.page.request.get(`${site.url}/api/v1/me`)).json();
    same([me.nick, me.email, me.confirmed], [person.nick, `new-${way.n}@chess.example`, true], "the account");
    same(person.faults, [], "faults");
    await person.context.close();
  };
}

cases["S-012 log in by password and link; S-010 unlink and link again in the settings"] = async () => {
  await confirmed("Other", "elsewhere@chess.example");
  const person = await open("Other");
  await person.go("/login");
  await person.id("provider-club-id").click();
  await atProvider(person, "other");
  await person.id("social-unknown").waitFor();
  await person.page.fill('input[name="login"]', "Other");
  await person.page.fill('input[name="password"]', password);
  await person.id("login").click();
  await person.page.waitForURL(site.url + "/");
  await person.go("/account/logins");
  await person.id("unlink-club-id").click();
  await clean(person, "unlink-en-1280");
  await person.page.fill("#login_password_club-id", "not the password");
  await person.page.locator('[data-testid="ask-club-id"] button.primary').click();
  await person.page.locator("#login_password_club-id-error").waitFor();
  await person.page.fill("#login_password_club-id", password);
  await person.page.locator('[data-testid="ask-club-id"] button.primary').click();
  await person.id("link-club-id").waitFor();
  await person.id("link-club-id").click();
  await person.page.fill("#login_password_club-id", password);
  await person.page.locator('[data-testid="ask-club-id"] button.primary').click();
  // The provider still knows who he is.
  await person.id("unlink-club-id").waitFor();
  same(new URL(person.page.url()).pathname + new URL(person.page.url()).search, "/account/logins", "back in the settings");
  await eventually("it is said", async () => (await person.id("flash").innerText()).includes("linked"));
  same(person.faults, [], "faults");
  await person.context.close();
};

cases["S-010 the plain page works without scripts; called off at the provider is said in words"] = async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: "en-GB", viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${site.url}/login/classic`);
  await page.click("text=Log in with Club ID");
  await page.fill('input[name="login"]', "known-1");
  await page.fill('input[name="password"]', "any");
  await page.click('button[type="submit"]');
  if (/\/interaction\//.test(page.url())) await page.click('button[type="submit"]');
  await page.waitForURL(site.url + "/login/classic**");
  await eventually(() => page.innerText("main"), async () => (await page.innerText("main")).includes("You are logged in as Known-1"));
  if (pictures) await page.screenshot({ path: join(pictures, "classic-inside.png") });
  await context.close();

  const person = await open("Nobody");
  await person.go("/login");
  await person.id("provider-club-id").click();
  await person.page.waitForURL(/\/interaction\//);
  await person.page.click("text=/Cancel/i");
  await person.page.waitForURL(/social=refused/);
  await person.page.locator("text=The log-in was called off at the provider.").waitFor();
  await person.context.close();
};

cases["S-010 a provider that is down is said to be"] = async () => {
  const other = await Site.start({ flags: ["--oidc", "gone,http://127.0.0.1:9,club,", "--oidc", "second,http://127.0.0.1:10,club,,Second one"] });
  const person = await Person.open(browser, other, "Nobody", { viewport: { width: 360, height: 740 } });
  await person.go("/login");
  await person.id("provider-gone").click();
  await person.page.locator("text=The provider does not answer.").waitFor();
  await clean(person, "down-en-360");
  await person.context.close();
  await other.stop();
};

await run(cases, async () => {
  await browser.close();
  await site.stop();
  await mailbox.end();
  await provider.end();
});
