// SPDX-License-Identifier: GPL-3.0-or-later
//
// The objects of docs/protocol.md, as they cross the wire. Times are UTC milliseconds, spans
// milliseconds.

export type Color = "white" | "black";
export type Language = "en" | "ru" | "ro";

export interface Me {
  id: string;
  nick: string;
  language: Language;
  email: string | null;
  // Takes the place of email once it is confirmed.
  email_pending: string | null;
  confirmed: boolean;
  created: number;
  roles: ("admin" | "moderator" | "committee" | "arbiter")[];
  // Asked to be erased, and will be then.
  erase_after: number | null;
  blocked: { from: number; until: number | null } | null;
}

export interface BlockedPlayer {
  nick: string;
  created: number;
}

export interface Device {
  id: number;
  created: number;
  seen: number;
  agent: string;
  own: boolean;
}

// What the site can do here.
export interface SiteInfo {
  mail: boolean;
  registration: boolean;
  captcha: "pictures" | "question" | "off";
  edition: Edition; // of new games whose maker chooses none
  supervised: boolean;
  oidc: { name: string; label: string }[]; // providers of OpenID Connect
}

export type CaptchaWay = "pictures" | "question" | "code";

export interface Captcha {
  id: string;
  way: CaptchaWay;
  expires: number;
  question?: string;
  piece?: "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";
  level?: number;
  side?: number;
  grid?: number;
  grids?: number;
  picture?: string;
}

export interface Player {
  nick: string;
  created: number;
  online: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

export type Control =
  | { kind: "clock"; base_ms: number; increment_ms: number; delay_ms: number }
  | {
      kind: "periods";
      periods: { moves: number; time_ms: number; increment_ms: number; delay_ms: number }[];
    }
  | { kind: "days"; days: number }
  | { kind: "bank"; base_ms: number; increment_ms: number; increment_moves: number };

export type Category = "blitz" | "rapid" | "standard";
// What a challenge may ask for; games against the computer begin in another way.
export type GameType = "classic" | "advance" | "blitz";
export type RatingList = "classic" | "advance" | "rapid" | "blitz";
export const EDITIONS = ["fide-2023", "fide-2014", "fide-2009", "fide-2005", "fide-1997"] as const;
export type Edition = (typeof EDITIONS)[number];
export type FlagMode = "auto" | "claim";

// What is played, of a challenge and of a game alike.
export interface Played {
  type: GameType | "computer";
  control: Control;
  category: Category;
  list: RatingList;
  edition: Edition;
  pace: Category;
  flag: FlagMode;
  touch: boolean;
  rated: boolean;
}

export interface ChallengeForm {
  control: Control;
  color: Color | "random";
  rated: boolean;
  type?: GameType;
  edition?: Edition;
  flag?: FlagMode;
  touch?: boolean;
  rating?: [number, number];
  confirmed?: boolean;
  fen?: string;
  to?: string;
  key?: string;
}

// Of the 30 days of a year `left` are left.
export interface Vacation {
  year: number;
  left: number;
  current: { from: number; until: number } | null;
}

// Letters about games by days; digest_hour: UTC.
export interface Notices {
  moves: boolean;
  day: boolean;
  hours: boolean;
  invitations: boolean;
  digest_hour: number | null;
}

// A line behind the bell. nick: who it comes from; null: a former player.
export interface Notice {
  kind: "challenge" | "rematch" | "friend_asks" | "friend";
  nick: string | null;
  ref: string | null; // the challenge, or the game a rematch is asked for
  at: number;
}

export interface Bell {
  notices: Notice[];
  seen: number;
}

// The browsers that are told by push, and the key to subscribe with.
export interface PushDevices {
  key: string;
  devices: { id: number; created: number; agent: string; own: boolean }[];
}

export interface Challenge extends Played {
  id: string;
  nick: string;
  color: Color | "random";
  rating: number;
  provisional: boolean;
  range: [number, number] | null;
  confirmed: boolean;
  fen: string | null; // it begins there; null: with the initial position
  to: string | null;
  rematch: string | null;
  created: number;
}

// nick null: a former player. The rating is that of the game's list.
export interface Seat {
  nick: string | null;
  online: boolean;
  rating: number;
  provisional: boolean;
  vacation_until: number | null; // his clocks by days stand until then
  level: number | null; // of the computer that sits there
}

export interface RatingChange {
  before: number;
  after: number;
  k: number;
  // Hundredths of a point.
  e: number;
}
export type Rated = Record<Color, RatingChange>;

export type Result = "1-0" | "0-1" | "1/2-1/2" | "*" | (string & {});

export interface GameRow extends Played {
  id: string;
  white: Seat;
  black: Seat;
  started: number | null;
  ended: number | null;
  deadline: number | null; // the running clock falls then
  result: Result;
  reason: string | null;
  plies: number;
  turn: Color;
  offer: Color | null;
}

// Readings at server time `at`; the running one goes down once delay_left has passed.
export interface Clocks {
  white: number;
  black: number;
  running: Color | null;
  delay_left: number;
  at: number;
}

export interface Move {
  uci: string;
  san: string;
  fen: string;
  clock: number;
  at: number;
  draw: boolean;
}

export interface Game extends Played {
  id: string;
  seq: number;
  state: "scheduled" | "running" | "stopped" | "ended" | "annulled";
  white: Seat;
  black: Seat;
  start_fen: string;
  fen: string;
  ply: number;
  turn: Color;
  moves: Move[];
  clocks: Clocks;
  offer: Color | null;
  check: boolean;
  bound_move: string | null;
  result: Result;
  reason: string | null;
  article: string | null;
  spectators: number;
  take_backs: boolean; // against the computer: moves may be taken back
  hints: number; // against the computer: how many were given
  created: number;
  started: number | null;
  ended: number | null;
  deadline: number | null; // the running clock falls then
  first_move_by: number | null;
  abandon_claim_at: number | null;
  // An arbiter has set another result than the game gave.
  corrected: boolean;
  ratings: Rated | null;
  touched: Touched | null;
}

// What the side to move has touched, in games with touch mode.
export interface Touched {
  squares: string[];
  adjusting: boolean;
  binds: boolean;
  allowed: string[] | null; // null: all legal moves
}

export interface ChatLine {
  seq: number;
  by: Color | null;
  nick: string | null;
  at: number;
  text: string;
}
export type Room = "players" | "watchers";

// ---- messages of the channel game:ID

export interface Moved {
  game: string;
  seq: number;
  ply: number;
  uci: string;
  san: string;
  fen: string;
  clocks: Clocks;
  check: boolean;
  draw: boolean;
  at: number;
  clock: number;
  first_move_by: number | null;
}
export interface ClockMessage {
  game: string;
  seq: number;
  clocks: Clocks;
  first_move_by: number | null;
}
export interface OfferMessage {
  game: string;
  seq: number;
  offer: Color | null;
  by: Color;
  act: "offer" | "decline" | "claim_wrong";
  article?: string;
  bonus_ms?: number;
  bound_move: string | null;
}
export interface EndMessage {
  game: string;
  seq: number;
  result: Result;
  reason: string;
  article: string | null;
  clocks: Clocks;
}
export interface RatedMessage extends Rated {
  game: string;
  seq: number;
}
export interface TouchedMessage {
  game: string;
  seq: number;
  by: Color;
  act: "touch" | "adjust" | "claim";
  square: string | null;
  touched: Touched;
}
export interface FalseFlagMessage {
  game: string;
  seq: number;
  by: Color;
  presses: number;
}
// To the player himself: the move in advance that waits at the server.
export interface PremoveMessage {
  game: string;
  ply: number;
  uci: string | null;
  dropped: boolean;
}
export interface SaidMessage extends ChatLine {
  game: string;
  room: Room;
}
export interface ChatMessage {
  game: string;
  white: boolean;
  black: boolean;
}
export interface PresenceMessage {
  game: string;
  seq: number;
  white: boolean;
  black: boolean;
  spectators: number;
  abandon_claim_at: number | null;
}

// x, y, width, height in the cells of the game zone.
export type Cells = readonly [number, number, number, number];
export type Form = "wide" | "narrow";
export type Blocks = Readonly<
  Record<"board" | "top" | "bottom" | "moves" | "captured" | "actions" | "chat" | "info" | "notes", Cells>
>;
export interface Layout {
  name: string;
  saved: number;
  wide: Blocks | null;
  narrow: Blocks | null;
  previous: Record<Form, Blocks | null>;
}
