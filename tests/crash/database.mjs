// SPDX-License-Identifier: GPL-3.0-or-later
// The database as somebody else sees it: read with sqlite3 and psql and decoded here, by the forms that
// src/laws/wire.c and src/store/record.c describe, with no code of the program's own.
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const roomy = { maxBuffer: 2 ** 30 };

// Kinds of log entries, by their numbers in logs.
export const START = 1, MOVE = 2, OFFER = 3, ACCEPT = 4, DECLINE = 5, RESIGN = 6, INTERRUPTION = 11, GAME_CREATED = 100, CHALLENGE_CREATED = 110;

const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);

// Departure in bits 0 to 5, arrival in 6 to 11 (castling: the rook's square), above them what sort of move it is.
function uciOf(bits) {
  const from = bits & 63;
  let to = (bits >> 6) & 63;
  const sort = bits >> 12;
  if (sort === 2) to = (to & 56) + (to > from ? 6 : 2);
  return squareName(from) + squareName(to) + (sort >= 4 ? "nbrq"[sort - 4] : "");
}

export function decode(event) {
  const { kind, body } = event;
  const at = body[0] === 2 && kind < 100 ? 2 : 1;
  if (kind === MOVE) return { ...event, offer: body[at], uci: uciOf(body.readUInt16LE(at + 1)), credit: body.readUInt16LE(at + 3) };
  if (kind === INTERRUPTION) return { ...event, span: Number(body.readBigInt64LE(at)) };
  if (kind === GAME_CREATED)
    return { ...event, rated: body[1], players: [Number(body.readBigInt64LE(2)), Number(body.readBigInt64LE(10))], challenge: body.toString("latin1", 18, 30) };
  return event;
}

// All events of a folded game out of its record.
export function decodeRecord(game, body) {
  let at = 1;
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = body[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const events = [];
  let arrival = 0, seq = 0, time = 0n;
  while (at < body.length - 8) {
    arrival += Number(number());
    seq += Number(number());
    const step = number();
    time += step & 1n ? -((step + 1n) >> 1n) : step >> 1n;
    const actor = body[at++];
    const kind = Number(number());
    const size = Number(number());
    events.push({ arrival, game, seq, time: Number(time), actor, kind, body: body.subarray(at, at + size) });
    at += size;
  }
  return events;
}

// What both databases are asked; hex(x) says how bytes and texts are to be told.
const queries = (hex, after) => ({
  events: `SELECT arrival, game, seq, time_ms, actor, kind, ${hex("body")} FROM game_event WHERE arrival > ${after} ORDER BY arrival`,
  records: `SELECT game, ended, events, ${hex("body")} FROM game_record`,
  open: "SELECT entity FROM log_open",
  games: "SELECT id, white, black, rated, result, reason, plies, coalesce(ended_ms, 0) FROM game",
  accounts: `SELECT id, ${hex("coalesce(nick, '')")} FROM account`,
  chat: `SELECT game, seq, account, ${hex("text")} FROM game_chat ORDER BY game, seq`,
  prefs: `SELECT account, name, ${hex("value")} FROM prefs`,
  changes: "SELECT account, list, game, before, after FROM rating_change ORDER BY account, list, ended_ms, game",
  ratings: "SELECT account, list, rating, games FROM rating",
});

const text = (hex) => Buffer.from(hex, "hex").toString("utf8");
const shapes = {
  events: ([arrival, game, seq, time, actor, kind, body]) =>
    ({ arrival: Number(arrival), game, seq: Number(seq), time: Number(time), actor: Number(actor), kind: Number(kind), body: Buffer.from(body, "hex") }),
  records: ([game, ended, events, body]) => ({ game, ended: Number(ended), events: Number(events), body: Buffer.from(body, "hex") }),
  open: ([entity]) => entity,
  games: ([id, white, black, rated, result, reason, plies, ended]) =>
    ({ id, white: Number(white), black: Number(black), rated: Number(rated), result, reason, plies: Number(plies), ended: Number(ended) }),
  accounts: ([id, nick]) => ({ id: Number(id), nick: text(nick) }),
  chat: ([game, seq, account, said]) => ({ game, seq: Number(seq), account: Number(account), text: text(said) }),
  prefs: ([account, name, value]) => ({ account: Number(account), name, value: text(value) }),
  changes: ([account, list, game, before, after]) => ({ account: Number(account), list: Number(list), game, before: Number(before), after: Number(after) }),
  ratings: ([account, list, rating, games]) => ({ account: Number(account), list: Number(list), rating: Number(rating), games: Number(games) }),
};

function shaped(out, names) {
  const result = Object.fromEntries(names.map((name) => [name, []]));
  let name;
  for (const line of out.split("\n")) {
    if (line.startsWith("== ")) name = line.slice(3);
    else if (line !== "" && name) result[name].push(shapes[name](line.split("|")));
  }
  return result;
}

// Everything, or what came after an arrival and the small tables. one state of the database.
export class SqliteFile {
  constructor(path) {
    this.path = path;
  }

  async sql(...lines) {
    const { stdout } = await run("sqlite3", ["-batch", "-noheader", "-cmd", ".timeout 5000", this.path, ...lines], roomy);
    return stdout;
  }

  async read(after = 0, names = Object.keys(shapes)) {
    const all = queries((column) => `hex(${column})`, after);
    return shaped(await this.sql("BEGIN", ...names.flatMap((name) => [`SELECT '== ${name}'`, all[name]]), "COMMIT"), names);
  }

  // What is wrong with the file, in SQLite's words; empty when nothing is.
  async faults(whole) {
    const said = (await this.sql(`PRAGMA ${whole ? "integrity_check" : "quick_check"}`, "PRAGMA foreign_key_check")).trim();
    return said === "ok" ? "" : said;
  }
}

// The files as a crash left them, beside them: looking at them changes nothing of what the program finds.
export function copyOf(data, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["jadoube.db", "jadoube.db-wal"])
    if (existsSync(join(data, name))) copyFileSync(join(data, name), join(folder, name));
  return new SqliteFile(join(folder, "jadoube.db"));
}

export class PostgresSchema {
  constructor(url, schema) {
    this.url = url;
    this.schema = schema;
  }

  async sql(...lines) {
    const commands = [`SET search_path = "${this.schema}"`, ...lines].flatMap((line) => ["-c", line]);
    const { stdout } = await run("psql", ["-X", "-q", "-A", "-t", "-F", "|", "-v", "ON_ERROR_STOP=1", "-d", this.url, ...commands], roomy);
    return stdout;
  }

  async read(after = 0, names = Object.keys(shapes)) {
    const hex = (column) => `encode(${column === "body" ? column : `convert_to(${column}, 'UTF8')`}, 'hex')`;
    const all = queries(hex, after);
    const out = await this.sql("BEGIN ISOLATION LEVEL REPEATABLE READ", ...names.flatMap((name) => [`SELECT '== ${name}'`, all[name]]), "COMMIT");
    return shaped(out, names);
  }

  // Every index against its table (amcheck, of PostgreSQL's own).
  async faults(whole) {
    if (!whole) return "";
    const check = `SELECT bt_index_check(index => c.oid, heapallindexed => true) FROM pg_class c JOIN pg_am a ON a.oid = c.relam
      WHERE a.amname = 'btree' AND c.relnamespace = '"${this.schema}"'::regnamespace`;
    try {
      await this.sql("SET client_min_messages = warning", "CREATE EXTENSION IF NOT EXISTS amcheck SCHEMA public", "SET search_path = public", check);
      return "";
    } catch (error) {
      return error.stderr || String(error);
    }
  }
}
