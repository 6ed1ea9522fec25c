// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engine in the reader's browser (web/src/analysis/engine.ts), with a worker that plays a slow machine: its time is over before it
// has found anything. A graph would lack a point, a report would take the position for even.
import { load, report, same } from "./load.mjs";

const said = [];
const FOUND = "info depth 1 seldepth 1 multipv 1 score cp 35 nodes 20 nps 1000 pv e2e4";
let answers = {};
globalThis.ENGINE_URL = "engine.js";
globalThis.window = globalThis;
globalThis.Worker = class extends EventTarget {
  postMessage(command) {
    said.push(command);
    const lines = { uci: ["id name Slow", "uciok"], isready: ["readyok"], ...answers }[command] ?? [];
    for (const data of lines) setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }
  terminate() {}
};
const { Engine } = await load("src/analysis/engine.ts");
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const engine = new Engine((why) => {
  throw new Error(why);
});
const asked = () => said.splice(0).filter((command) => /^(go|stop)/.test(command));
const look = (limits) => engine.think(START, { lines: 1, depth: 0, ...limits }, () => {});

answers = { "go movetime 200": ["bestmove e2e4"], "go depth 1": [FOUND, "bestmove e2e4"] };
same((await look({ ms: 200 })).lines[0]?.score, { cp: 35 }, "a score though the time was over");
same(asked(), ["go movetime 200", "go depth 1"], "by one ply");

answers = { "go movetime 200": [FOUND, "bestmove e2e4"] };
same((await look({ ms: 200 })).lines.length, 1, "found in time");
same(asked(), ["go movetime 200"], "and nothing else is asked");

// No move is left: there is nothing to be found.
answers = { "go movetime 200": ["bestmove (none)"], "go depth 1": ["bestmove (none)"] };
same((await look({ ms: 200 })).lines, [], "nothing");
same(asked(), ["go movetime 200", "go depth 1"], "asked once more and not for ever");

// Who is stopped has found what he has found.
answers = { stop: ["bestmove e2e4"] };
const thinking = look({ ms: 200 });
await new Promise((done) => setTimeout(done, 20));
await engine.stop();
same((await thinking).lines, [], "stopped");
same(asked(), ["go movetime 200", "stop"], "and not begun again");

engine.quit();
report();
