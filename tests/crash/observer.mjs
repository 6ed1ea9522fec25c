// SPDX-License-Identifier: GPL-3.0-or-later
// The independent observer: writes down everything that anybody was told, and holds it against the database.
// It knows the Laws from another library (chessops), reckons clocks by itself, and knows when the site was away.
import { Chess } from "chessops/chess";
import { parseUci } from "chessops/util";
import * as db from "./database.mjs";

// What may be charged of one outage (docs/protocol.md), and what the reckoning from outside may be wrong by on a
// machine that has time for us; `late` says by how much it had not.
const promised = 1000;
const slack = 350;

class GameLog {
  constructor(created, control) {
    this.id = created.game;
    this.challenge = created.challenge;
    this.players = created.players;
    this.rated = created.rated;
    this.control = control;
    this.position = Chess.default();
    this.moves = [];
    this.clocks = control ? [control.base_ms, control.base_ms] : undefined;
    this.credit = [0, 0];
    this.offers = [0, 0];
    this.spans = 0;
    this.parts = []; // of spans
    this.over = false;
  }

  // The mover's clock after his move (Article 6.3; R-021: the network's delay within its bounds).
  press(event, color) {
    if (!this.clocks) return undefined;
    const elapsed = Math.max(0, event.time - this.turnBegan - this.spans);
    if (Math.floor(this.moves.length / 2) % 10 === 0) this.credit[color] = 0;
    const granted = Math.max(0, Math.min(event.credit, 300, 1000 - this.credit[color], elapsed));
    this.credit[color] += granted;
    this.clocks[color] += this.control.increment_ms - (elapsed - granted);
    return this.clocks[color];
  }
}

export class Observer {
  constructor() {
    this.faults = [];
    this.fresh = [];
    this.plies = new Map(); // "game ply" -> what was told of it
    this.controls = new Map(); // challenge -> control
    this.prefs = new Map(); // nick -> values from the last acknowledged one on
    this.offers = new Map(); // "game color" -> numbers of the messages that told of one
    this.outages = [];
    this.pauses = []; // ms that the program says it had no processor or no commit
    this.known = new Set(); // games that were told
    this.told = 0;
    this.late = 0;
    this.reset();
  }

  // The log is read from its beginning again.
  reset() {
    this.arrival = 0;
    this.entities = new Map();
    this.games = new Map();
    this.events = 0;
  }

  fault(what) {
    if (this.faults.length < 50) this.faults.push(what);
  }

  // ---- what was told --------------------------------------------------------------------------------

  note(fact) {
    this.told++;
    if (fact.kind === "game") {
      if (this.known.has(fact.game)) return;
      this.known.add(fact.game);
    }
    this.fresh.push(fact);
  }

  ply(game, ply, uci, more = {}) {
    const key = `${game} ${ply}`;
    const before = this.plies.get(key);
    if (before && before.uci !== uci) this.fault(`${game}: ply ${ply} was told as ${before.uci} and as ${uci}`);
    if (before?.clock !== undefined && more.clock !== undefined && (before.clock !== more.clock || before.at !== more.at))
      this.fault(`${game}: ply ${ply} was told at ${before.at} with ${before.clock} ms and at ${more.at} with ${more.clock} ms`);
    const fact = { kind: "ply", game, ply, uci, ...before, ...more };
    this.plies.set(key, fact);
    if (!before || (before.clock === undefined && more.clock !== undefined)) this.fresh.push(fact);
  }

  challenge({ id, control }) {
    this.controls.set(id, control);
    this.note({ kind: "challenge", id });
  }

  // A setting that was sent; acknowledged, none from before it may be there any more.
  prefSent(nick, value) {
    if (!this.prefs.has(nick)) this.prefs.set(nick, { acked: false, values: [] });
    this.prefs.get(nick).values.push(value);
  }
  prefAcked(nick, value) {
    const kept = this.prefs.get(nick);
    kept.acked = true;
    kept.values = kept.values.slice(kept.values.indexOf(value));
    this.told++;
  }

  offer(game, color, seq) {
    const key = `${game} ${color}`;
    if (!this.offers.has(key)) this.offers.set(key, new Set());
    this.offers.get(key).add(seq);
    this.told++;
  }

  // Our own timers came so much too late: we had no processor.
  lag(ms) {
    this.late = Math.max(ms, this.late * 0.98);
  }

  outage(from, to) {
    this.outages.push({ from, to });
  }

  // ---- the log, event by event ----------------------------------------------------------------------

  controlOf(challenge) {
    const control = this.controls.get(challenge);
    return control?.kind === "clock" ? control : undefined;
  }

  take(event) {
    if (event.arrival <= this.arrival) this.fault(`arrival ${event.arrival} after ${this.arrival}`);
    this.arrival = event.arrival;
    this.events++;
    const last = this.entities.get(event.game) ?? { seq: 0, time: 0 };
    if (event.seq !== last.seq + 1) this.fault(`${event.game}: entry ${event.seq} follows entry ${last.seq}`);
    if (event.time < last.time) this.fault(`${event.game}: entry ${event.seq} is earlier than the one before`);
    this.entities.set(event.game, { seq: event.seq, time: event.time });
    const entry = db.decode(event);
    if (entry.kind === db.GAME_CREATED) {
      if (this.games.has(entry.game)) this.fault(`${entry.game}: created twice`);
      this.games.set(entry.game, new GameLog(entry, this.controlOf(entry.challenge)));
      return;
    }
    const game = this.games.get(entry.game);
    if (!game) return; // a challenge
    if (game.over && entry.kind === db.MOVE) this.fault(`${game.id}: a move after the end`);
    if (entry.kind === db.START) game.turnBegan = entry.time;
    else if (entry.kind === db.MOVE) this.move(game, entry);
    else if (entry.kind === db.INTERRUPTION) {
      game.spans += entry.span;
      game.parts.push(entry.span);
    }
    else if (entry.kind === db.OFFER) game.offers[entry.actor]++;
    else if ([db.ACCEPT, db.RESIGN, 12, 13].includes(entry.kind)) game.over = true;
  }

  move(game, entry) {
    const ply = game.moves.length + 1;
    const color = game.moves.length % 2;
    const move = parseUci(entry.uci);
    if (entry.actor !== color) this.fault(`${game.id}: ply ${ply} was made by ${entry.actor}`);
    if (game.over || !game.position.isLegal(move)) {
      this.fault(`${game.id}: ply ${ply}, ${entry.uci}, is forbidden by the Laws`);
      game.over = true;
      return;
    }
    game.position.play(move);
    game.over = game.position.isCheckmate() || game.position.isStalemate();
    if (entry.offer) game.offers[color]++;
    if (!this.again) this.charge(game, entry, ply); // as late as we were then
    const clock = game.press(entry, color);
    game.moves.push({ uci: entry.uci, at: entry.time, clock });
    game.turnBegan = entry.time;
    game.spans = 0;
    game.parts = [];
  }

  // What the program logged of itself. A machine with other work may keep it, or its database, from running for some
  // seconds; no more is believed.
  said(log) {
    this.pauses = [...log.matchAll(/(?:a commit took|stood still for) (\d+) ms/g)].map((found) => Number(found[1])).filter((ms) => ms < 4000);
  }

  // Nobody pays for an outage, and nobody is given time.
  charge(game, entry, ply) {
    const met = this.outages.filter(({ from, to }) => from < entry.time && to > game.turnBegan);
    const away = met.reduce((sum, { from, to }) => sum + Math.min(to, entry.time) - Math.max(from, game.turnBegan), 0);
    const elapsed = entry.time - game.turnBegan;
    const charged = elapsed - game.spans;
    const there = elapsed - away;
    const what = `${game.id}: ply ${ply} was charged ${charged} ms; the site was there for ${there} of ${elapsed} ms (${met.length} outages)`;
    const wrong = slack + 3 * this.late;
    if (charged > there + promised * met.length + wrong) this.fault(`${what}: somebody paid for an outage`);
    const paused = game.parts.filter((span) => this.pauses.some((ms) => Math.abs(ms - span) < 50)).reduce((sum, span) => sum + span, 0);
    if (charged < there - paused - wrong * (met.length + 1)) this.fault(`${what}: somebody was given time`);
  }

  // ---- judging --------------------------------------------------------------------------------------

  // Holds everything told since the last time against what the database holds now.
  judge(found) {
    for (const event of found.events) this.take(event);
    const rows = new Map(found.games.map((row) => [row.id, row]));
    const nicks = new Map(found.accounts.map((row) => [row.nick, row.id]));
    const chat = new Map(found.chat.map((row) => [`${row.game} ${row.seq}`, row]));
    for (const fact of this.fresh) this.weigh(fact, { rows, nicks, chat });
    this.fresh = [];
    if (new Set(found.chat.map((row) => row.text)).size !== found.chat.length) this.fault("a line of chat is there twice");
    const prefs = new Map(found.prefs.filter((row) => row.name === "volume").map((row) => [row.account, row.value]));
    for (const [nick, { acked, values }] of this.prefs) {
      const value = prefs.get(nicks.get(nick));
      if (acked && !values.includes(Number(value))) this.fault(`${nick}'s setting is ${value}, told ${values[0]}`);
    }
    for (const [key, seqs] of this.offers) {
      const [id, color] = key.split(" ");
      const kept = this.games.get(id)?.offers[color] ?? 0;
      if (kept < seqs.size) this.fault(`${key}: ${seqs.size} offers were told, ${kept} are kept`);
    }
    for (const game of this.games.values()) {
      const row = rows.get(game.id);
      if (!row) this.fault(`${game.id}: no row in the table of games`);
      else if (row.ended > 0 && row.plies !== game.moves.length) this.fault(`${game.id}: ended after ${row.plies} plies, its log has ${game.moves.length}`);
    }
  }

  weigh(fact, { rows, nicks, chat }) {
    const game = this.games.get(fact.game);
    if (fact.kind === "ply") {
      const move = game?.moves[fact.ply - 1];
      if (!move) this.fault(`${fact.game}: ply ${fact.ply}, ${fact.uci}, was told and is not in the log`);
      else if (move.uci !== fact.uci) this.fault(`${fact.game}: ply ${fact.ply} was told as ${fact.uci}, the log has ${move.uci}`);
      else if (fact.at !== undefined && move.at !== fact.at) this.fault(`${fact.game}: ply ${fact.ply} was told at ${fact.at}, the log has ${move.at}`);
      else if (fact.clock !== undefined && move.clock !== undefined && move.clock !== fact.clock)
        this.fault(`${fact.game}: ply ${fact.ply} left ${fact.clock} ms as told, ${move.clock} by the log`);
    } else if (fact.kind === "end") {
      const row = rows.get(fact.game);
      if (row?.result !== fact.result || (fact.reason && row.reason !== fact.reason))
        this.fault(`${fact.game}: told ${fact.result} ${fact.reason}, kept ${row?.result} ${row?.reason}`);
    } else if (fact.kind === "resigned") {
      if (!game?.over) this.fault(`${fact.game}: a resignation was told and is not in the log`);
    } else if (fact.kind === "game") {
      if (!game) this.fault(`${fact.game}: the game was told and is not in the log`);
    } else if (fact.kind === "challenge") {
      if (!this.entities.has(fact.id)) this.fault(`${fact.id}: the challenge was told and is not in the log`);
    } else if (fact.kind === "account") {
      if (!nicks.has(fact.nick)) this.fault(`the account ${fact.nick} was told and is not there`);
    } else if (fact.kind === "said") {
      const line = chat.get(`${fact.game} ${fact.seq}`);
      if (line?.text !== fact.text) this.fault(`${fact.game}: line ${fact.seq} was told as "${fact.text}", kept is "${line?.text}"`);
    }
  }

  // The rest, once a database is done with: everything again from the first entry, records and ratings.
  judgeAll(found) {
    const before = { events: this.events, moves: new Map([...this.games].map(([id, game]) => [id, game.moves.map((move) => move.uci).join(" ")])) };
    this.reset();
    this.again = true;
    this.fresh = [...this.plies.values()];
    this.judge(found);
    if (this.events < before.events) this.fault(`the log had ${before.events} entries and has ${this.events}`);
    for (const [id, moves] of before.moves) {
      const now = this.games.get(id)?.moves.map((move) => move.uci).join(" ") ?? "";
      if (!now.startsWith(moves)) this.fault(`${id}: the log had ${moves} and has ${now}`);
    }
    const byGame = new Map();
    for (const event of found.events) {
      if (!byGame.has(event.game)) byGame.set(event.game, []);
      byGame.get(event.game).push(event);
    }
    for (const record of found.records) {
      const events = db.decodeRecord(record.game, record.body);
      const form = (event) => [event.arrival, event.seq, event.time, event.actor, event.kind, event.body.toString("hex")].join();
      const logged = (byGame.get(record.game) ?? []).slice(0, events.length);
      if (events.map(form).join(" ") !== logged.map(form).join(" ")) this.fault(`${record.game}: its record is not its log`);
      if (record.ended && events.length !== byGame.get(record.game).length) this.fault(`${record.game}: entries after its end`);
    }
    this.judgeRatings(found);
  }

  judgeRatings(found) {
    const now = new Map(found.ratings.map((row) => [`${row.account} ${row.list}`, row]));
    const seen = new Set();
    const chain = new Map();
    for (const change of found.changes) {
      const key = `${change.account} ${change.list}`;
      if (seen.has(`${change.account} ${change.game}`)) this.fault(`${change.game} counts twice for ${change.account}`);
      seen.add(`${change.account} ${change.game}`);
      const before = chain.get(key);
      if (before && before.after !== change.before) this.fault(`${key}: a rating of ${before.after} went on as ${change.before}`);
      chain.set(key, { after: change.after, games: (before?.games ?? 0) + 1 });
    }
    for (const [key, { after, games }] of chain)
      if (now.get(key)?.rating !== after || now.get(key)?.games !== games)
        this.fault(`${key}: ${after} after ${games} games, kept are ${now.get(key)?.rating} and ${now.get(key)?.games}`);
  }
}
