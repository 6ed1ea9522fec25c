// SPDX-License-Identifier: GPL-3.0-or-later
// Commit, then publish: whatever anybody was told is there after SIGKILL at any instant. Slow games, for
// they begin at once.
import { Person, Site, eventually, holds, runTests, same, sleep, slow, test } from "./harness.mjs";

const opera = ("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 " +
  "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8").split(" ");
const rounds = Number(process.env.JADOUBE_CRASH_ROUNDS ?? 6);
const seed = Number(process.env.JADOUBE_CRASH_SEED ?? 1); // another one to look further
let state = seed >>> 0;
const random = () => (state = (state * 1664525 + 1013904223) >>> 0) / 2 ** 32;

const site = await Site.start({ flags: ["--rate-limits", "off"] });

// One game played as fast as answers come, by HTTP, until the program is gone. told: what was heard.
async function play(game) {
  while (game.told < opera.length) {
    const mover = game.told % 2 === 0 ? game.white : game.black;
    let answer;
    try {
      answer = await mover.post(`/api/v1/games/${game.id}/move`, { ply: game.told, uci: opera[game.told] });
    } catch {
      return;
    }
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    game.told = answer.json.ply;
    game.fen = answer.json.fen;
  }
}

test(`nothing that was told is lost in ${rounds} kills (seed ${seed})`, async () => {
  const people = [];
  for (let i = 0; i < 6; i++) people.push(await Person.register(site));
  let games = [];
  let told = 0;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i + 1 < people.length; i += 2) {
      const [white, black] = [people[i], people[i + 1]];
      const challenge = (await white.post("/api/v1/challenges", { control: slow, color: "white", rated: false })).json;
      const { game } = (await black.post(`/api/v1/challenges/${challenge.id}/join`)).json;
      games.push({ id: game, white, black, told: 0 });
    }
    const playing = games.filter((game) => game.told < opera.length).map(play);
    await sleep(5 + random() * 120);
    // In the last round somebody has been told something, however slow the disk is.
    if (round === rounds - 1 && told === 0) await eventually("a move is told", () => games.some((game) => game.told > 0));
    await site.kill();
    await Promise.all(playing);
    await site.restart();
    for (const game of games) {
      const now = (await game.white.get(`/api/v1/games/${game.id}`)).json;
      holds(now.ply >= game.told, `game ${game.id}: ply ${now.ply}, told of ${game.told}`);
      same(now.moves.map((m) => m.uci), opera.slice(0, now.ply), "its moves");
      if (now.ply === game.told && game.fen) same(now.fen, game.fen, "its position");
      told += game.told;
      game.told = now.ply;
      game.fen = now.fen; // this has been told now
    }
    games = games.filter((game) => game.told < opera.length);
  }
  holds(told > 0, "something was told");
  await Promise.all(games.map(play));
  for (const game of games) same(game.told, opera.length, "played to the end");
});

await runTests();
