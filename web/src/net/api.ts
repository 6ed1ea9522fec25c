// SPDX-License-Identifier: GPL-3.0-or-later
//
// The HTTP half of the protocol: one function per request, errors as ApiError with the code the
// catalogues translate.
import type { Fact } from "../core/tutor";
import type {
  Bell,
  BlockedPlayer,
  Blocks,
  Captcha,
  CaptchaWay,
  Challenge,
  ChallengeForm,
  ChatLine,
  Color,
  Control,
  Device,
  Game,
  GameRow,
  Form,
  Language,
  Layout,
  Me,
  Notices,
  Player,
  PushDevices,
  SiteInfo,
  Room,
  Vacation,
} from "./types";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field?: string,
    readonly retryAfter?: number,
    readonly ref?: string,
    readonly article?: string, // of the Laws, where they refused
  ) {
    super(message);
  }

  // What the server said inside {"error": ...} or in an error message of the WebSocket.
  static of(body: unknown): ApiError {
    const e = (body ?? {}) as Record<string, unknown>;
    const text = (name: string): string | undefined =>
      typeof e[name] === "string" ? (e[name] as string) : undefined;
    return new ApiError(
      text("code") ?? "internal",
      text("message") ?? "",
      text("field"),
      typeof e.retry_after === "number" ? e.retry_after : undefined,
      text("ref"),
      text("article"),
    );
  }
}

// No answer came at all: the code is the client's own.
const unreachable = (): ApiError => new ApiError("unreachable", "no answer from the server");

export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin" };
  if (method !== "GET") {
    init.headers = { "Content-Type": "application/json" };
    if (body !== undefined) init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch("/api/v1" + path, init);
  } catch {
    throw unreachable();
  }
  if (response.status === 204) return undefined as T;
  let answer: unknown;
  try {
    answer = await response.json();
  } catch {
    throw response.ok ? unreachable() : new ApiError("internal", `HTTP ${response.status}`);
  }
  if (!response.ok) throw ApiError.of((answer as { error?: unknown }).error);
  return answer as T;
}

const part = encodeURIComponent;

// Preferences by their names on the wire; null takes one back to its default.
type Layouts = { layouts: Layout[] };
export type WirePrefs = Record<string, string | number | boolean | null>;

export interface Registration {
  nick: string;
  email?: string;
  password: string;
  password2: string;
  language: Language;
  accept_rules: boolean;
  captcha?: string;
  oidc?: boolean; // linked to whom a provider vouches for in this browser
}

export interface Computers {
  available: boolean;
  engine: string | null;
  levels: { level: number; name: string; elo: number }[];
}

// score: for the player.
export interface HintMove {
  uci: string;
  san: string;
  score: { cp: number } | { mate: number } | null;
  line: string[];
  facts: Fact[];
  reason: Fact | null;
  objection: Fact | null;
}
export interface Hint {
  hints: number;
  best: HintMove;
  considered: HintMove | null;
}

// looks: of each position, for White.
export interface ServerReport {
  state: "working" | "done";
  done: number;
  of: number;
  looks: { score: { cp: number } | { mate: number }; pv: string[] }[] | null;
}

export interface ComputerForm {
  level: number;
  color: Color | "random";
  control: Control;
  edition: string;
  take_backs: boolean;
  fen?: string;
}

export const api = {
  rule: (game: string, form: { result: string; reason: string }) =>
    request<{ game: string; before: string; after: string }>("POST", `/games/${part(game)}/result`, form),
  site: () => request<SiteInfo>("GET", "/site"),
  confirmEmail: (token: string) => request<void>("POST", "/confirm", { token }),
  confirmAgain: () => request<object>("POST", "/me/confirm", {}),
  changeEmail: (form: { email: string; password: string }) => request<{ me: Me }>("POST", "/me/email", form),
  captcha: (form: { way: CaptchaWay; language: Language; email?: string; instead_of?: string }) =>
    request<Captcha>("POST", "/captcha", form),
  answerCaptcha: (id: string, form: { cells?: number[]; text?: string }) =>
    request<{ pass: string | null; next: Captcha | null }>("POST", `/captcha/${part(id)}`, form),
  recover: (form: { email: string; captcha?: string }) => request<object>("POST", "/recover", form),
  finishRecover: (form: { token: string; password: string; password2: string }) =>
    request<void>("POST", "/recover/finish", form),
  register: (form: Registration) => request<{ me: Me }>("POST", "/register", form),
  login: (form: { login: string; password: string; remember: boolean; captcha?: string; oidc?: boolean }) =>
    request<{ me: Me; warning?: "anonymizer" }>("POST", "/login", form),
  logout: () => request<void>("POST", "/logout", {}),
  me: () => request<{ me: Me | null }>("GET", "/me"),
  changePassword: (form: { password: string; new_password: string; new_password2: string }) =>
    request<void>("POST", "/me/password", form),
  vacation: () => request<Vacation>("GET", "/me/vacation"),
  setVacation: (days: number) => request<Vacation>("PUT", "/me/vacation", { days }),
  notices: () => request<Notices>("GET", "/me/notices"),
  setNotices: ({ digest_hour, ...rest }: Notices) =>
    request<Notices>("PUT", "/me/notices", digest_hour === null ? rest : { ...rest, digest_hour }),
  noticesOff: (token: string) => request<void>("POST", `/notices/off/${part(token)}`, {}),
  push: () => request<PushDevices>("GET", "/me/push"),
  pushOn: (form: { endpoint: string; p256dh: string; auth: string }) => request<PushDevices>("POST", "/me/push", form),
  pushEnd: (id: number) => request<void>("DELETE", `/me/push/${id}`),
  bell: () => request<Bell>("GET", "/me/bell"),
  bellSeen: (seen: number) => request<void>("POST", "/me/bell", { seen }),
  setLanguage: (language: Language) => request<{ me: Me }>("POST", "/me/prefs", { language }),
  prefs: () => request<{ prefs: WirePrefs }>("GET", "/me/prefs"),
  savePrefs: (changes: WirePrefs) => request<{ prefs: WirePrefs }>("PUT", "/me/prefs", changes),
  devices: () => request<{ devices: Device[] }>("GET", "/me/devices"),
  endDevice: (id: number) => request<void>("DELETE", `/me/devices/${id}`),
  misuse: (form: { password: string; new_password: string; new_password2: string; text: string }) =>
    request<void>("POST", "/me/misuse", form),
  appeal: (text: string) => request<void>("POST", "/me/appeal", { text }),
  blocks: () => request<{ blocks: BlockedPlayer[] }>("GET", "/me/blocks"),
  block: (nick: string) => request<void>("POST", "/me/blocks", { nick }),
  unblock: (nick: string) => request<void>("DELETE", `/me/blocks/${part(nick)}`),
  stay: () => request<{ me: Me }>("POST", "/me/stay", {}),
  layouts: () => request<Layouts>("GET", "/me/layouts"),
  saveLayout: (name: string, form: Form, blocks: Blocks, fresh: boolean) =>
    request<Layouts>("PUT", `/me/layouts/${part(name)}`, { form, blocks, new: fresh }),
  renameLayout: (name: string, to: string) =>
    request<Layouts>("POST", `/me/layouts/${part(name)}`, { name: to }),
  restoreLayout: (name: string, form: Form) =>
    request<Layouts>("POST", `/me/layouts/${part(name)}`, { previous: form }),
  deleteLayout: (name: string) => request<Layouts>("DELETE", `/me/layouts/${part(name)}`),
  deleteAccount: (password: string) => request<void>("POST", "/me/delete", { password }),

  player: (nick: string) => request<Player>("GET", `/players/${part(nick)}`),
  playerGames: (nick: string, limit: number, after: string | null) =>
    request<{ games: GameRow[]; after: string | null }>(
      "GET",
      `/players/${part(nick)}/games?limit=${limit}${after === null ? "" : `&after=${part(after)}`}`,
    ),

  createChallenge: (form: ChallengeForm) => request<Challenge>("POST", "/challenges", form),
  // The game, when the opponent had asked already.
  rematch: (game: string) =>
    request<Challenge | { game: string }>("POST", "/challenges", { rematch: game }),
  declineChallenge: (id: string) => request<void>("POST", `/challenges/${part(id)}/decline`, {}),
  cancelChallenge: (id: string) => request<void>("DELETE", `/challenges/${part(id)}`),
  joinChallenge: (id: string) =>
    request<{ game: string }>("POST", `/challenges/${part(id)}/join`, {}),
  game: (id: string) => request<Game>("GET", `/games/${part(id)}`),
  chat: (id: string, room: Room) =>
    request<{ lines: ChatLine[] }>("GET", `/games/${part(id)}/chat?room=${room}`),

  computers: () => request<Computers>("GET", "/computers"),
  guest: (language: Language) => request<{ me: Me }>("POST", "/guest", { language }),
  playComputer: (form: ComputerForm) => request<{ game: string }>("POST", "/computer-games", form),
  // Of a game that is over; begun when nobody has asked for it yet.
  report: (game: string) => request<ServerReport>("POST", `/games/${part(game)}/report`, {}),
  // uci: a move one thinks of, to be looked at as well.
  hint: (game: string, ply: number, uci?: string) =>
    request<Hint>("POST", `/games/${part(game)}/hint`, uci === undefined ? { ply } : { ply, uci }),
  takeBack: (game: string) => request<Game>("POST", `/games/${part(game)}/takeback`, {}),
};

export const pgnUrl = (id: string): string => `/api/v1/games/${part(id)}.pgn`;
