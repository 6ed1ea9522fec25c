// SPDX-License-Identifier: GPL-3.0-or-later
// Many people at many boards: they play whatever is legal as fast as answers come, talk, offer draws, look on, and
// come back by themselves when the site was away. Whatever they are told the observer hears.
import http from "node:http";
import { Chess } from "chessops/chess";
import { makeUci, parseUci } from "chessops/util";
import { Socket, host, slow, sleep, within } from "../net/harness.mjs";

const fast = { kind: "clock", base_ms: 900000, increment_ms: 0, delay_ms: 0 };
const steady = { kind: "clock", base_ms: 300000, increment_ms: 2000, delay_ms: 0 };
const gone = Symbol("the line broke");
// What a player may be told who knew less than the server, or came in the wrong moment.
const lawful = new Set(["unavailable", "stale_ply", "game_over", "clocks_stopped", "not_your_turn", "offer_too_soon", "offer_stands", "draw_too_early",
  "draw_forbidden", "no_offer", "not_found", "seat_taken", "closed", "conflict", "not_started", "illegal_move", "too_many_challenges", "not_allowed"]);

// Castling as people write it; the library takes the rook.
const castlings = { e1h1: "e1g1", e1a1: "e1c1", e8h8: "e8g8", e8a8: "e8c8" };
function written(position, move) {
  const uci = makeUci(move);
  const castles = position.board.get(move.from).role === "king" && position.board.get(move.to)?.color === position.turn;
  return castles ? castlings[uci] : uci;
}

export function anyMove(position, random) {
  const all = [...position.allDests()].filter(([, to]) => to.nonEmpty());
  const [from, squares] = all[Math.floor(random() * all.length)];
  const to = [...squares][Math.floor(random() * squares.size())];
  const promotes = position.board.get(from).role === "pawn" && (to < 8 || to >= 56);
  return written(position, { from, to, promotion: promotes ? ["queen", "knight", "rook", "bishop"][Math.floor(random() * 4)] : undefined });
}

// A line of somebody's: what he has seen of each channel, and whether anything was missing in it.
class Line {
  constructor(load, person) {
    this.load = load;
    this.person = person; // undefined: a guest
    this.channels = new Map(); // channel -> number of the last message
    this.boards = new Map(); // game -> moves, as this line has seen them
    this.open = false;
    this.asked = new Map();
    this.posted = new Set();
    this.said = []; // when, of late
  }

  async connect() {
    const { site } = this.load;
    this.socket = await Socket.open(site, { cookie: this.person?.cookie });
    this.asked = new Map();
    this.tokens = 17;
    this.counted = Date.now();
    const socket = this.socket;
    socket.take = (message) => this.take(message);
    socket.closed.then(() => {
      this.open = false;
      for (const done of this.asked.values()) done(gone);
    });
    const welcome = await this.ask("hello");
    if (welcome === gone) throw new Error("cut at once");
    this.load.ahead = welcome.d.now - Date.now();
    for (const [channel, since] of this.channels) {
      const answer = await this.ask("sub", since === undefined ? { ch: channel } : { ch: channel, since });
      if (answer === gone) throw new Error("cut at once");
      if (answer.t === "error") this.channels.delete(channel);
    }
    this.open = true;
  }

  async follow(channel) {
    if (this.channels.has(channel)) return;
    this.channels.set(channel, undefined);
    const { socket } = this;
    await this.allowed();
    if (this.open && this.socket === socket) await this.ask("sub", { ch: channel }); // else the new line has asked already
  }

  leave(channel) {
    if (!this.channels.delete(channel)) return;
    this.boards.delete(channel.slice(5));
    const { socket } = this;
    this.allowed().then(() => {
      if (this.open && this.socket === socket && !this.channels.has(channel)) this.ask("unsub", { ch: channel });
    });
  }

  // Whether one more message is within the rate a connection has (20 in 5 s), some kept for subscriptions.
  mayAsk() {
    const now = Date.now();
    this.tokens = Math.min(17, this.tokens + (now - this.counted) / 300);
    this.counted = now;
    return this.tokens >= 1;
  }

  async allowed() {
    while (!this.mayAsk()) await sleep(20);
  }

  // Whether one more line is within the rate an account has (5 in 10 s).
  maySay() {
    const now = Date.now();
    this.said = this.said.filter((at) => now - at < 11_000);
    return this.said.length < 5 && this.mayAsk();
  }

  // The same by HTTP, as bots do: {t, d} as a line would answer.
  post(path, body) {
    const { site } = this.load;
    return new Promise((resolve) => {
      const done = (answer) => {
        this.posted.delete(done);
        resolve(answer);
      };
      done.what = `POST ${path}`;
      this.posted.add(done);
      const headers = { "Content-Type": "application/json", Origin: site.origin, Cookie: this.person.cookie };
      const call = http.request({ host, port: site.port, method: "POST", path, headers, agent: this.load.agent }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", () => done(gone));
        answer.on("end", () => {
          try {
            const json = JSON.parse(Buffer.concat(parts).toString());
            done(answer.statusCode < 300 ? { t: "ack", d: json } : { t: "error", d: json.error });
          } catch {
            done(gone); // cut in the middle
          }
        });
      });
      call.on("error", () => done(gone));
      call.end(JSON.stringify(body));
    });
  }

  ask(t, d = {}) {
    const id = this.socket.next++;
    return new Promise((done) => {
      done.what = `${t} ${JSON.stringify(d)}`;
      if (this.socket.ws.readyState !== 1) {
        done(gone);
        return;
      }
      this.asked.set(id, done);
      this.tokens--;
      this.socket.send(t, d, id);
    });
  }

  // ---- what comes -----------------------------------------------------------------------------------

  take(message) {
    if (message.id !== undefined && this.asked.has(message.id)) {
      this.asked.get(message.id)(message);
      this.asked.delete(message.id);
      return;
    }
    const { t, d } = message;
    const channel = t.startsWith("lobby") ? "lobby" : ["games", "challenge+", "challenge-", "started", "row"].includes(t) ? "me" : `game:${d.game ?? d.id}`;
    // What ended long ago has no numbers any more.
    const numbered = d.seq > 0 && t !== "said";
    if (numbered && this.channels.has(channel)) this.count(channel, t, d.seq);
    this.load.heard(t, d);
    if (t === "game") this.board(d);
    if (t === "moved") this.moved(d);
  }

  // Numbers grow by one; a full state may come with any that is not lower.
  count(channel, t, seq) {
    const last = this.channels.get(channel);
    const whole = ["lobby", "games", "game"].includes(t);
    if (last !== undefined && (whole ? seq < last : seq !== last + 1))
      this.load.observer.fault(`${this.name}: ${channel}, ${t} has number ${seq} after ${last}`);
    this.channels.set(channel, seq);
  }

  get name() {
    return this.person?.nick ?? "a guest";
  }

  board(d) {
    const moves = d.moves.map((move) => move.uci);
    const before = this.boards.get(d.id) ?? [];
    if (before.some((uci, i) => moves[i] !== uci))
      this.load.observer.fault(`${this.name} saw ${before.join(" ")} in ${d.id}, then ${moves.join(" ")}`);
    this.boards.set(d.id, moves);
  }

  moved(d) {
    const moves = this.boards.get(d.game);
    if (!moves) return;
    if (d.ply !== moves.length + 1) this.load.observer.fault(`${this.name}: ply ${d.ply} of ${d.game} came after ${moves.length}`);
    moves.push(d.uci);
  }
}

// Two people at one board after the other.
class Table {
  constructor(load, number, people) {
    this.load = load;
    this.number = number;
    this.people = people;
    this.lines = people.map((person) => person.line);
    this.games = 0;
  }

  async run() {
    for (;;) {
      await this.load.turn();
      if (this.load.over) return;
      try {
        await this.act();
      } catch (error) {
        if (error !== gone) throw error;
        await sleep(2);
      }
    }
  }

  async ask(line, t, d) {
    const { game, challenge, ...rest } = d;
    const path = game ? `/api/v1/games/${game}/${t}` : challenge ? `/api/v1/challenges/${challenge}/${t}` : "/api/v1/challenges";
    const answer = t === "say" || line.mayAsk() ? await line.ask(t, d) : await line.post(path, t === "challenge" ? d : rest);
    if (answer === gone) throw gone;
    if (answer.t === "error" && !lawful.has(answer.d.code)) this.load.observer.fault(`${t} ${JSON.stringify(d)} was refused: ${JSON.stringify(answer.d)}`);
    if (answer.t === "error" && answer.d.code === "unavailable") await sleep(15);
    return answer;
  }

  async act() {
    const { observer } = this.load;
    if (!this.game) return this.begin();
    if (this.load.ended.has(this.game)) return this.end();
    const moves = this.lines[0].boards.get(this.game);
    if (!moves) return sleep(2);
    const color = moves.length % 2;
    const line = this.lines[color];
    const chance = this.load.random();
    if (chance < 0.03 && line.maySay()) return this.say(line);
    if (chance < 0.05) {
      await this.ask(line, "draw", { game: this.game, ply: moves.length, act: "offer" });
      return;
    }
    if (chance < 0.055 || moves.length > 120) {
      const answer = await this.ask(line, "resign", { game: this.game });
      // The result may have to wait: who can still mate is found out beside the game.
      if (answer.t === "ack") observer.note({ kind: "resigned", game: this.game });
      return;
    }
    const ply = moves.length; // the list grows by what is heard
    const position = this.positionAfter(moves);
    if (position.isEnd()) {
      await sleep(5); // the end is being told
      return;
    }
    const uci = anyMove(position, this.load.random);
    const answer = await this.ask(line, "move", { game: this.game, ply, uci });
    if (answer.t === "ack") {
      observer.ply(this.game, ply + 1, uci);
      if (answer.d.moves) this.load.state(answer.d);
      await this.load.seen(() => this.lines.every((seat) => !seat.open || (seat.boards.get(this.game)?.length ?? 0) > ply));
    } else if (answer.d.code === "illegal_move") {
      observer.fault(`${this.game}: ${uci} at ply ${ply} was called illegal`);
    } else if (answer.d.code !== "unavailable") {
      await sleep(5);
    }
  }

  positionAfter(moves) {
    if (!this.position || this.placed > moves.length) {
      this.position = Chess.default();
      this.placed = 0;
    }
    for (; this.placed < moves.length; this.placed++) this.position.play(parseUci(moves[this.placed]));
    return this.position;
  }

  async say(line) {
    const text = `line ${++this.load.spoken}`;
    line.said.push(Date.now());
    await this.ask(line, "say", { ch: `game:${this.game}`, text });
  }

  // The key makes a challenge that was made and not told the same one again.
  async begin() {
    const [white, black] = this.lines;
    const { observer } = this.load;
    const running = this.load.running.get(this.people.map((person) => person.nick).join(" "));
    if (running) return this.sit(running);
    if (!this.challenge) {
      const control = [fast, steady, slow][this.number % 3];
      const key = `${this.number}-${this.games}`;
      const made = await this.ask(white, "challenge", { control, color: "white", rated: this.number % 2 === 0, key });
      if (made.t === "error") return undefined;
      if (made.d.game) return this.sit(made.d.game);
      const challenge = made.d.challenge ?? made.d; // by WebSocket, by HTTP
      observer.challenge(challenge);
      this.challenge = challenge.id;
    }
    const joined = await this.ask(black, "join", { challenge: this.challenge });
    if (joined.t !== "error") return this.sit(joined.d.game);
    if (joined.d.code !== "unavailable") {
      this.challenge = undefined;
      this.games++;
    }
    return undefined;
  }

  async sit(game) {
    this.load.observer.note({ kind: "game", game });
    this.challenge = undefined;
    this.games++;
    this.game = game;
    this.position = undefined;
    for (const line of [...this.lines, this.load.guests[this.number % this.load.guests.length]]) await line.follow(`game:${game}`);
    await this.load.seen(() => this.lines.every((line) => line.boards.has(game) || !line.open));
  }

  end() {
    for (const line of [...this.lines, ...this.load.guests]) line.leave(`game:${this.game}`);
    this.game = undefined;
  }
}

export class Load {
  constructor(site, observer, random, people, tables, guests) {
    this.site = site;
    this.observer = observer;
    this.random = random;
    this.people = people;
    this.ended = new Set();
    this.spoken = 0;
    this.ahead = 0; // of the server's clock before ours
    this.going = false;
    this.idle = 0;
    this.waiting = [];
    this.watchers = [];
    for (const person of people) {
      person.line = new Line(this, person);
      person.line.channels.set("me", undefined);
    }
    this.guests = Array.from({ length: guests }, () => new Line(this));
    if (guests > 0) this.guests[0].channels.set("lobby", undefined);
    this.tables = [];
    const count = people.length;
    for (let i = 0; i < tables; i++) this.tables.push(new Table(this, i, [people[i % count], people[(i + 1 + Math.floor(i / count)) % count]]));
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 48 });
    this.settings = people.slice(0, 2);
    this.running = new Map(); // "white black" -> their game
    this.failed = Promise.race([...this.tables.map((table) => table.run()), this.settle()]);
    this.failed.catch(() => {});
  }

  get lines() {
    return [...this.people.map((person) => person.line), ...this.guests];
  }

  // ---- the world comes and goes ---------------------------------------------------------------------

  async connect() {
    await Promise.all(this.lines.filter((line) => !line.open).map((line) => line.connect()));
  }

  cut() {
    return Promise.all(this.lines.map((line) => line.socket.closed));
  }

  // How far the server's clock is before ours, asked now.
  async aheadNow() {
    const line = this.guests.find((guest) => guest.open);
    const asked = Date.now();
    const answer = await line.ask("ping", { c: 1 });
    return answer.d.now - Math.round((asked + Date.now()) / 2);
  }

  serverNow() {
    return Date.now() + this.ahead;
  }

  go() {
    this.going = true;
    for (const done of this.waiting.splice(0)) done();
  }

  // Everybody finishes what he is about; resolves when all hands are still.
  async rest(ms) {
    this.going = false;
    const workers = this.tables.length + 1;
    const still = async () => {
      while (this.waiting.length < workers) await sleep(2);
    };
    await within(ms, "everybody has his answer", Promise.race([this.failed, still()])).catch((error) => {
      for (const line of this.lines)
        for (const what of [...line.asked.values(), ...line.posted]) if (what.what) error.message += `\n${line.name} waits for the answer to ${what.what}`;
      throw error;
    });
  }

  async stop() {
    this.over = true;
    this.go();
    await sleep(20);
    for (const line of this.lines) line.socket?.close();
    this.agent.destroy();
  }

  // A worker's leave to act: once everybody is back.
  async turn() {
    while (!this.going || !this.lines.every((line) => line.open)) {
      if (!this.going) await new Promise((done) => this.waiting.push(done));
      else await sleep(2);
    }
  }

  async seen(fits) {
    for (let i = 0; i < 400 && !fits(); i++) await new Promise((done) => (i < 50 ? setImmediate(done) : setTimeout(done, 5)));
  }

  // Somebody turns his volume up and down all the while: the tables of the pages are under load as well.
  async settle() {
    for (let value = 0; ; value = (value + 1) % 101) {
      await this.turn();
      if (this.over) return;
      const person = this.settings[value % this.settings.length];
      const { nick } = person;
      this.observer.prefSent(nick, value);
      try {
        const answer = await person.put("/api/v1/me/prefs", { volume: value });
        if (answer.status === 200) this.observer.prefAcked(nick, value);
        else if (answer.status !== 503) this.observer.fault(`a setting was answered with ${answer.status} ${answer.text}`);
      } catch {
        // nobody answered
      }
      await sleep(10);
    }
  }

  // ---- what anybody hears ---------------------------------------------------------------------------

  heard(t, d) {
    const { observer } = this;
    observer.told++;
    if (t === "moved") observer.ply(d.game, d.ply, d.uci, { clock: d.clock, at: d.at });
    else if (t === "game") this.state(d);
    else if (t === "end") this.finish(d.game, d.result, d.reason);
    else if (t === "row") this.row(d.game);
    else if (t === "games") for (const row of d.games) this.row(row);
    else if (t === "said") observer.note({ kind: "said", game: d.game, seq: d.seq, text: d.text });
    else if (t === "lobby+" || t === "challenge+") observer.challenge(d.challenge);
    else if (t === "offer" && d.act === "offer") observer.offer(d.game, d.by === "white" ? 0 : 1, d.seq);
    else if (t === "started") observer.note({ kind: "game", game: d.game });
  }

  state(d) {
    d.moves.forEach((move, i) => this.observer.ply(d.id, i + 1, move.uci, { clock: move.clock, at: move.at }));
    if (d.state === "ended" || d.state === "annulled") this.finish(d.id, d.result, d.reason);
  }

  row(row) {
    this.observer.note({ kind: "game", game: row.id });
    if (row.ended !== null) this.finish(row.id, row.result, row.reason);
    else this.running.set(`${row.white.nick} ${row.black.nick}`, row.id);
  }

  finish(game, result, reason) {
    this.ended.add(game);
    for (const [pair, id] of this.running) if (id === game) this.running.delete(pair);
    this.observer.note({ kind: "end", game, result, reason });
  }
}
