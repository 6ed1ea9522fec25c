// SPDX-License-Identifier: GPL-3.0-or-later
//
// The WebSocket half of the protocol: one connection that heals itself, requests with answers, and
// channels whose messages arrive complete and in order (a gap makes it ask for what was missed).
import { tab } from "../app/local";
import { createStore } from "../app/store";
import { ApiError } from "./api";
import { noteServerTime } from "./clock_offset";
import type { Game } from "./types";

export interface Message {
  t: string;
  id?: number;
  d: Record<string, unknown>;
}

// "connecting" is the first try; "lost" means that it had worked or was refused, and is tried again;
// "crowded" that a newer window of the same account took its place, and only the person decides.
export type SocketStatus = "connecting" | "open" | "lost" | "crowded";
export const socketStatus = createStore<SocketStatus>("connecting");
socketStatus.subscribe(() => (document.documentElement.dataset.line = socketStatus.get()));

// What a WebSocket is to us, and what stands in for it (polling.ts).
export interface Transport {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}
// The messages go by HTTP, for this network lets no WebSocket through.
export const overHttp = createStore(false);
let byHttp = tab.get("polling") !== null; // the way that is tried now
const OPEN_MS = 8000; // a WebSocket that is not open by then is blocked by silence
const TRIES_BY_SOCKET = 2;
// As the standard numbers them.
const CONNECTING = 0;
const OPEN = 1;

const PING_MS = 15_000;
const SILENCE_MS = 40_000; // the server's own limit is 45 s
const ANSWER_MS = 12_000;
const BACKOFF_MS = [300, 700, 1500, 3000, 6000, 10_000];
const CLOSED_FOR_A_NEWER = 4001;
const STATES = new Set(["lobby", "games", "game"]);
// Messages of a game that are not of its row of numbers.
const UNNUMBERED = new Set(["said", "chat", "premove"]);

interface Pending {
  resolve: (d: Record<string, unknown>) => void;
  reject: (error: ApiError) => void;
  timer: number;
}

export interface ChannelListener {
  message: (message: Message) => void;
  refused?: (error: ApiError) => void;
}

interface Channel {
  name: string;
  seq: number | null;
  // Between asking for what was missed and the answer, nothing newer is taken.
  asking: boolean;
  listeners: Set<ChannelListener>;
  // The last state and what came since: a second listener needs no other round trip.
  heard: Message[];
}
const HEARD_MAX = 200;

// Told who the server takes us for, at every new connection.
let welcomed: (me: unknown) => void = () => {};
export function onWelcome(listener: (me: unknown) => void): void {
  welcomed = listener;
}

let socket: Transport | null = null;
let failures = 0;
let everOpen = false; // a WebSocket, in this page
let openTimer = 0;

let lastHeard = 0;
let nextId = 1;
let retryTimer = 0;
let pingTimer = 0;
let started = false;
// Who waits for the first connection.
let early: { resolve: () => void; reject: (error: ApiError) => void }[] = [];
const pending = new Map<number, Pending>();
const channels = new Map<string, Channel>();

export function startSocket(): void {
  if (started) return;
  started = true;
  window.addEventListener("online", () => retryNow());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    // A phone that slept may hold a dead connection without knowing it.
    if (socketStatus.get() === "open") ping(4000);
    else if (socketStatus.get() !== "crowded") retryNow();
  });
  connect();
}

// A new connection, with the cookie of now: after logging in or out.
export function restartSocket(): void {
  if (!started) return;
  failures = 0;
  for (const channel of channels.values()) {
    channel.seq = null;
    channel.heard = [];
  }
  drop();
  connect();
}

export function retryNow(): void {
  if (socketStatus.get() === "open" || (socket && socket.readyState === CONNECTING)) return;
  failures = 0;
  drop();
  connect();
}

// Sends one message and waits for its answer. Rejects with an ApiError: the server's own, or
// "unreachable" when the connection is down or breaks before the answer. Before the first connection
// stands it is waited for: a board may be there earlier than the line (game_page.c).
export function ask(t: string, d: object): Promise<Record<string, unknown>> {
  if (socket && (socketStatus.get() === "open" || (socketStatus.get() === "connecting" && isUp())))
    return transmit(t, d, ANSWER_MS);
  if (socketStatus.get() === "connecting")
    return new Promise<void>((resolve, reject) => early.push({ resolve, reject })).then(() => ask(t, d));
  return Promise.reject(new ApiError("unreachable", "not connected"));
}

function first(up: boolean): void {
  const waiting = early;
  early = [];
  for (const one of waiting) {
    if (up) one.resolve();
    else one.reject(new ApiError("unreachable", "not connected"));
  }
}

// Follows a channel until the answer is called. The first message is the channel's state, which the
// page may have brought along: then only what it missed since is asked for.
export function follow(name: string, listener: ChannelListener, known?: Game): () => void {
  let channel = channels.get(name);
  if (!channel) {
    channel = { name, seq: null, asking: false, listeners: new Set(), heard: [] };
    if (known) {
      channel.seq = known.seq;
      channel.heard = [{ t: "game", d: known as unknown as Message["d"] }];
    }
    channels.set(name, channel);
    channel.listeners.add(listener);
    if (isUp()) subscribe(channel);
  } else {
    channel.listeners.add(listener);
    // A second listener needs the state as well.
    if (channel.heard.length > 0) catchUp(channel, listener);
    else if (!channel.asking) {
      channel.seq = null;
      if (isUp()) subscribe(channel);
    }
  }
  return () => {
    channel.listeners.delete(listener);
    if (channel.listeners.size > 0 || channels.get(name) !== channel) return;
    channels.delete(name);
    if (socketStatus.get() === "open") transmit("unsub", { ch: name }, ANSWER_MS).catch(() => {});
  };
}

// Gives a new listener what the others have heard, after its owner is done with making it.
function catchUp(channel: Channel, listener: ChannelListener): void {
  const heard = channel.heard.slice();
  queueMicrotask(() => {
    for (const message of heard) if (channel.listeners.has(listener)) listener.message(message);
  });
}

// Asks for the whole state anew.
export function refresh(name: string): void {
  const channel = channels.get(name);
  if (!channel || socketStatus.get() !== "open") return;
  channel.seq = null;
  subscribe(channel);
}

function transmit(t: string, d: object, timeoutMs: number): Promise<Record<string, unknown>> {
  const id = nextId++;
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(() => {
      pending.delete(id);
      reject(new ApiError("unreachable", "no answer in time"));
    }, timeoutMs);
    pending.set(id, { resolve, reject, timer });
    socket!.send(JSON.stringify({ t, id, d }));
  });
}

const isUp = (): boolean => socket !== null && socket.readyState === OPEN;

function subscribe(channel: Channel): void {
  const since = channel.seq;
  channel.asking = true;
  transmit("sub", since === null ? { ch: channel.name } : { ch: channel.name, since }, ANSWER_MS)
    .then(() => {
      channel.asking = false;
    })
    .catch((error: ApiError) => {
      channel.asking = false;
      if (error.code !== "unreachable")
        for (const listener of [...channel.listeners]) listener.refused?.(error);
    });
}

const webSocket = (): WebSocket =>
  new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`, "chess.v1");

function connect(): void {
  window.clearTimeout(retryTimer);
  if (byHttp) {
    void import("./polling").then(({ PollSocket }) => {
      if (socket === null && byHttp) use(new PollSocket(webSocket, socketAgain));
    }, fail);
    return;
  }
  try {
    use(webSocket() as Transport);
  } catch {
    fail();
  }
}

// A WebSocket that never opened, or questions that nobody answers: the other way is tried. One that had
// opened and broke says nothing against the network.
function changeWay(): void {
  if (byHttp ? overHttp.get() && failures + 1 < TRIES_BY_SOCKET : everOpen || failures + 1 < TRIES_BY_SOCKET) return;
  byHttp = !byHttp;
  tab.set("polling", null);
  overHttp.set(false);
}

function opened(): void {
  if (!byHttp) {
    everOpen = true;
    return;
  }
  overHttp.set(true);
  tab.set("polling", "1"); // the next page of this window need not find out
}

// The network is another one by now.
function socketAgain(): void {
  if (!byHttp) return;
  byHttp = false;
  overHttp.set(false);
  tab.set("polling", null);
  drop();
  connect();
}

function use(mine: Transport): void {
  socket = mine;
  openTimer = window.setTimeout(() => socket === mine && fail(), OPEN_MS);
  mine.onopen = () => {
    if (socket !== mine) return;
    window.clearTimeout(openTimer);
    opened();
    lastHeard = Date.now();
    const sentAt = Date.now();
    transmit("hello", {}, ANSWER_MS).then(
      (d) => {
        if (socket !== mine) return;
        if (typeof d.now === "number") noteServerTime(d.now, sentAt, Date.now());
        failures = 0;
        welcomed(d.me);
        pingTimer = window.setInterval(beat, PING_MS);
        socketStatus.set("open");
        window.setTimeout(() => ping(ANSWER_MS), 1500); // a second sample for the clock
      },
      () => socket === mine && mine.close(),
    );
    // The server knows us by the cookie and needs no greeting first: one round trip less.
    for (const channel of channels.values()) subscribe(channel);
    first(true);
  };
  mine.onmessage = (event) => {
    if (socket !== mine) return;
    lastHeard = Date.now();
    let message: Message;
    try {
      message = JSON.parse(String(event.data)) as Message;
    } catch {
      return;
    }
    receive(message);
  };
  mine.onclose = (event) => {
    if (socket !== mine) return;
    if (event.code !== CLOSED_FOR_A_NEWER) return fail();
    drop();
    socketStatus.set("crowded");
    first(false);
  };
}

function fail(): void {
  drop();
  changeWay();
  socketStatus.set("lost");
  first(false);
  const wait = BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)]!;
  retryTimer = window.setTimeout(connect, wait * (0.75 + Math.random() / 2));
}

// Lets go of the connection; whoever waits for an answer is told.
function drop(): void {
  window.clearTimeout(retryTimer);
  window.clearInterval(pingTimer);
  window.clearTimeout(openTimer);
  const old = socket;
  socket = null;
  if (old) {
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }
  const waiting = [...pending.values()];
  pending.clear();
  for (const p of waiting) {
    window.clearTimeout(p.timer);
    p.reject(new ApiError("unreachable", "the connection broke"));
  }
  if (socketStatus.get() === "open") socketStatus.set("lost");
}

function beat(): void {
  if (Date.now() - lastHeard > SILENCE_MS) fail();
  else ping(ANSWER_MS);
}

function ping(timeoutMs: number): void {
  const mine = socket;
  if (!mine || mine.readyState !== OPEN) return;
  const sentAt = Date.now();
  transmit("ping", { c: nextId }, timeoutMs).then(
    (d) => {
      if (typeof d.now === "number") noteServerTime(d.now, sentAt, Date.now());
    },
    () => socket === mine && Date.now() - lastHeard >= timeoutMs && fail(),
  );
}

function channelOf(message: Message): string | null {
  switch (message.t) {
    case "lobby":
    case "lobby+":
    case "lobby-":
      return "lobby";
    case "games":
    case "challenge+":
    case "challenge-":
    case "started":
    case "corrected":
    case "row":
    case "count":
    case "notice":
      return "me";
    case "game":
      return `game:${String(message.d.id)}`;
    default:
      return typeof message.d.game === "string" &&
        (typeof message.d.seq === "number" || UNNUMBERED.has(message.t))
        ? `game:${message.d.game}`
        : null;
  }
}

function receive(message: Message): void {
  if (message.id !== undefined) {
    const waiting = pending.get(message.id);
    if (waiting) {
      pending.delete(message.id);
      window.clearTimeout(waiting.timer);
      if (message.t === "error") waiting.reject(ApiError.of(message.d));
      else waiting.resolve(message.d);
      // The state that answers a subscription may carry its number, too.
      if (!STATES.has(message.t)) return;
    }
  }
  const name = message.d && channelOf(message);
  const channel = name ? channels.get(name) : undefined;
  if (!channel) return;
  const seq =
    typeof message.d.seq === "number" && !UNNUMBERED.has(message.t) ? message.d.seq : null;
  if (STATES.has(message.t)) {
    channel.seq = seq;
  } else if (seq !== null) {
    if (channel.seq === null || seq <= channel.seq) return;
    if (seq !== channel.seq + 1) {
      if (!channel.asking) subscribe(channel);
      return;
    }
    channel.seq = seq;
  }
  if (STATES.has(message.t)) channel.heard = [message];
  else if (channel.heard.length > 0 && channel.heard.length < HEARD_MAX) channel.heard.push(message);
  else channel.heard = [];
  for (const listener of [...channel.listeners]) listener.message(message);
}
