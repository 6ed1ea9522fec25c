// SPDX-License-Identifier: GPL-3.0-or-later
// A game by days over simulated days, in real browsers, with letters in a real mailbox: it sleeps between
// the moves, a letter brings the player back, a vacation is seen, and the flag falls (S-097, X-007, X-008).
import { Clock, day, hour, minute } from "../net/clock.mjs";
import { Mailbox } from "../net/mailbox.mjs";

const clock = new Clock();
Object.assign(process.env, clock.env);
const box = await Mailbox.start();
if (!box) {
  console.log("skipped: python3-aiosmtpd is not installed (./dev test installs it)");
  process.exit(77);
}
const { Person, Site, eventually, openBrowser, run, same } = await import("./site.mjs");
const site = await Site.start({ flags: ["--rate-limits", "off", "--smtp", box.url, "--mail-from", "club@chess.example"] });
const browser = await openBrowser();

const call = (person, method, path, data) =>
  person.page.request.fetch(`${site.url}/api/v1${path}`, { method, data, headers: { Origin: site.url } });

async function confirm(person, address) {
  await call(person, "POST", "/me/email", { email: address, password: "correct horse 64" });
  const letter = await box.letter(address);
  await call(person, "POST", "/confirm", { token: letter.link.split("/").at(-1) });
}

// In a game by days a move counts when it is confirmed (S-054).
async function moves(person, san) {
  await person.type(san);
  await person.id("confirm-move").click();
}

// Everybody goes away, and the game falls asleep: ten minutes after the last window was closed.
async function away(...people) {
  for (const person of people) await person.page.goto("about:blank");
  let looks = 0;
  await eventually("the game falls asleep", async () => {
    if (looks++ % 20 === 0) clock.pass(11 * minute);
    return (await site.metric("games_in_memory")) === 0;
  });
}

async function daysGoBy() {
  const anna = await Person.open(browser, site, "Anna");
  const boris = await Person.open(browser, site, "Boris");
  await Promise.all([anna.register(), boris.register()]);
  await confirm(boris, "boris@example.org");
  const made = await call(anna, "POST", "/challenges", { control: { kind: "days", days: 3 }, color: "white", rated: false });
  const joined = await call(boris, "POST", `/challenges/${(await made.json()).id}/join`, {});
  const id = (await joined.json()).game;

  await anna.go(`/game/${id}`);
  await anna.onBoard();
  await moves(anna, "e4");
  await anna.seesPly(1);
  await away(anna, boris);
  // Letters are looked for once a minute, perhaps just before the game fell asleep: a later look finds it.
  const toMove = (l) => l.to === "boris@example.org" && l.subject.startsWith("Your move against Anna");
  let looks = 0;
  await eventually("a letter says so", () => {
    if (looks++ % 20 === 0) clock.pass(2 * minute);
    return box.letters().some(toMove);
  });
  const letter = box.letters().find(toMove);
  await boris.page.goto(letter.link);
  await boris.seesPly(1);
  await moves(boris, "e5");
  await boris.seesPly(2);

  // A vacation, by its page; the opponent sees it at the board.
  await boris.go("/account/vacation");
  await boris.id("vacation-days").selectOption("2");
  await boris.id("vacation-begin").click();
  await boris.id("vacation-now").waitFor();
  await anna.go(`/game/${id}`);
  await anna.id("vacation-black").waitFor();
  await moves(anna, "Nf3");
  await anna.seesPly(3);
  await eventually("his clock stands", async () => (await anna.game(id)).clocks.running, null);
  await away(anna, boris);
  // Two days of vacation, three days of his own, and a little: nobody looks, and the flag falls.
  clock.pass(2 * day + hour);
  await eventually("it runs again", async () => (await anna.game(id)).clocks.running, "black");
  await away();
  clock.pass(3 * day);
  await boris.page.goto(`${site.url}/game/${id}`);
  await boris.id("game-result").waitFor();
  await eventually("reason", () => boris.id("game-result").getAttribute("data-reason"), "flag");

  // The link in the letter ends the letters.
  await boris.page.goto(letter.body.match(/https?:\S+\/notices\/off\/\S+/)[0]);
  await boris.page.getByText("No more notices about games will be sent.").waitFor();
  await boris.go("/account/notices");
  await eventually("moves", () => boris.page.locator("#notice-moves").isChecked(), false);
  for (const person of [anna, boris]) {
    same(person.faults, [], `${person.nick}'s browser`);
    await person.context.close();
  }
}

await run({ "days go by": daysGoBy }, async () => {
  await browser.close();
  await site.stop();
  await box.end();
});
