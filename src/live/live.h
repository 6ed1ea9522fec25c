// SPDX-License-Identifier: GPL-3.0-or-later
//
// The running site in memory: lobby, games, presence, channels. Commands go in, effects come out.
//
// Single-threaded, deterministic, pure: no sockets, no SQL, no clock, no chance of its own. The
// shell around it (src/net) owns all of those and keeps four promises:
//
// 1. Commit, then publish. The effects of a step are carried out in their order, and none of them
//    before every LOG effect that stands before it (in this step or an earlier one) is durable. The
//    LOG effects of one step become durable together (one transaction) or not at all; only those of
//    LIVE_TIMER, LIVE_STALLED and live_replay_done, which may be thousands, may be cut before any
//    LOG effect. GAME_ROW, GAME_FOLD and CHALLENGE_CLOSED belong to the LOG before them.
// 2. Time. `now` is UTC milliseconds; a `now` earlier than an earlier one is taken as the latest
//    seen. When live_next_deadline has passed, the shell sends LIVE_TIMER (any other command serves
//    too: what is due is done before the command is looked at).
// 3. A sign of life. While a game runs the shell notes the time somewhere that survives SIGKILL at
//    least every heartbeat (a second or less), and hands the last one to live_replay_done after a
//    restart. The first sign of a run comes after the effects of live_replay_done are durable: else
//    a second crash would take the first outage for playing time.
// 4. When a commit takes longer than LIVE_STALL_MS, the shell holds timers and commands back until
//    it is through, sends LIVE_STALLED with the time it took, then the rest: the span is charged to
//    no clock, and no flag falls in it.
// 5. Games that sleep. A slow game that nobody needs leaves memory (LIVE_FX_GAME_SLEEP). Before a
//    command the shell asks live_need what must be in memory for it, and brings it back with
//    live_wake first; it also wakes every sleeping game a little before the instant that came with
//    its SLEEP, so that what is due there happens in time.
//
// Names. The log holds account numbers, never nicks: whoever is renamed or deleted is so in every
// old game as well. Commands bring the nick of their account along; after a replay the shell names
// the accounts (live_account_next, live_account_name). The same goes for ratings: commands that
// make an account known bring its LiveProfile, LIVE_ACCOUNT_PROFILE tells of every change after
// that.
//
// Memory comes through LiveMemory, which must never answer NULL: a shell that is out of memory ends
// the process, and the log brings everything back. live bounds itself by the limits of limits.h and
// refuses with "unavailable" beyond them.
#ifndef JADOUBE_LIVE_LIVE_H
#define JADOUBE_LIVE_LIVE_H

#include <jadoube/base.h>
#include <jadoube/chess.h>
#include <jadoube/laws.h>
#include <jadoube/limits.h>
#include <jadoube/rating.h>

typedef struct Live Live;

// ---- ids, memory --------------------------------------------------------------------------------

#define LIVE_ID_CHARS 12
#define LIVE_NICK_SIZE 64 // bytes with the NUL: 20 characters (S-002), Latin or Cyrillic
#define LIVE_KEY_MAX 64   // bytes of an idempotency key

// Id of a game or a challenge: 12 characters of A-Za-z0-9_- and a NUL. All zero: none.
typedef struct LiveId {
    char text[LIVE_ID_CHARS + 1];
} LiveId;

// Reads an id as users send it; false when it is not 12 characters of the alphabet.
JD_MUST_USE bool live_id_parse(JdStr text, LiveId *out);
// The id that nine random bytes make (base64url).
LiveId live_id_of_bytes(const uint8_t bytes[9]);
bool live_id_equal(const LiveId *a, const LiveId *b);

// The number of an account in the database, above 0. 0: a guest, or nobody.
typedef int64_t LiveAccount;

// What the database knows of an account and live goes by. parts says which fields are given; what
// is not given stays as it is, or as it is for a newcomer: the default rating, no games, not
// confirmed, nobody blocked.
#define LIVE_PROFILE_RATINGS 1
#define LIVE_PROFILE_CONFIRMED 2
#define LIVE_PROFILE_BLOCKED 4
typedef struct LiveProfile {
    uint8_t parts; // LIVE_PROFILE_*
    bool confirmed;
    uint16_t blocked_count;       // at most LIVE_BLOCKED_MAX
    int32_t rating[RATING_LISTS]; // by RatingList
    uint32_t games[RATING_LISTS]; // rated games in each
    const LiveAccount *blocked;   // whom the account does not want to deal with; read at once
} LiveProfile;

typedef struct LiveMemory {
    void *context;
    // realloc and free in one: block NULL allocates, new_size 0 frees (and answers NULL); old_size
    // is what was asked for. Never NULL otherwise.
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
} LiveMemory;

Live *live_open(const LiveMemory *memory, JdInstant now);
void live_close(Live *live);

// The accounts under which the computer plays, before anything is replayed; level counts from 1.
#define LIVE_LEVELS_MAX 16
void live_set_level(Live *live, uint8_t level, LiveAccount account, JdStr nick);

// ---- time controls as people write them ---------------------------------------------------------

typedef enum LiveControlKind {
    LIVE_CONTROL_CLOCK = 1,   // periods[0], all moves
    LIVE_CONTROL_PERIODS = 2, // periods[0 .. period_count-1], the last with moves 0
    LIVE_CONTROL_DAYS = 3,    // days for every move
    LIVE_CONTROL_BANK = 4,    // periods[0]: the bank of Advance, with an increment (S-100)
} LiveControlKind;

typedef struct LivePeriod {
    uint32_t moves;           // 0: all remaining
    uint32_t increment_moves; // BANK: so many own moves earn the increment; else 0
    int64_t time_ms;          // base_ms of the wire
    int64_t increment_ms;
    int64_t delay_ms; // simple delay (S-102)
} LivePeriod;

// The wire's Control.
typedef struct LiveControl {
    uint8_t kind; // LiveControlKind
    uint8_t period_count;
    uint8_t days; // 1 to 14
    uint8_t reserved[5];
    LivePeriod periods[LAWS_PERIODS_MAX];
} LiveControl;

// Checks a control by S-032 and R-011 and makes the one the Laws know. Base 0 to 180 min in steps
// of half a minute below 5 minutes, else of one; increment or delay 0 to 180 s in whole seconds,
// not both; not 0+0; periods: whole seconds of time, 1 to 200 moves in all but the last; a bank is
// that of S-100. err->field names the fault.
JD_MUST_USE bool live_control_to_laws(const LiveControl *control, LawsControl *out, JdErr *err);
// The way back; any control that the function above made.
LiveControl live_control_from_laws(const LawsControl *control);

// The one bank there is: 10 days, and 2 minutes for each of the first 360 moves (S-100).
#define LIVE_BANK_MS (INT64_C(10) * 86400000)
#define LIVE_BANK_INCREMENT_MS 120000
#define LIVE_BANK_MOVES 360

// ---- kinds of games -----------------------------------------------------------------------------

// What people choose first (S-031). Numbers go into logs and are never reused.
typedef enum LiveType {
    LIVE_CLASSIC = 1,          // slow, without help
    LIVE_ADVANCE = 2,          // slow, engines allowed
    LIVE_BLITZ = 3,            // on the clock, whatever its category
    LIVE_AGAINST_COMPUTER = 4, // any control, never rated; not to be had by a challenge
} LiveType;
// "classic", "advance", "blitz", "computer"; NULL when unknown.
const char *live_type_name(uint8_t type);

// Whether the control counts days, not minutes.
bool live_control_is_slow(const LiveControl *control);
// The category of a sound control, which is the same in every edition; slow ones
// are LAWS_STANDARD.
LawsPace live_control_category(const LiveControl *control);
// The list a game counts in: that of its type, in live games that of its category.
RatingList live_list(uint8_t type, const LiveControl *control);

// How a flag falls, as a challenge chooses it.
typedef enum LiveFlag {
    LIVE_FLAG_BY_LAWS = 0, // as the edition has it at that pace
    LIVE_FLAG_AUTO = 1,    // the server sees it
    LIVE_FLAG_CLAIM = 2,   // only a player's claim makes it fall
} LiveFlag;

// ---- commands -----------------------------------------------------------------------------------

// Where an answer goes. live returns it untouched in the ANSWER effect; every command but those
// marked "no answer" is answered exactly once, in the step that took it.
typedef struct LiveOrigin {
    uint64_t connection; // the WebSocket connection; 0: an HTTP request
    uint64_t token;      // the shell's own word: the id of the message, or a handle of the request
} LiveOrigin;

// Numbers are for tests' traces; they go into no log.
typedef enum LiveCommandKind {
    LIVE_TIMER = 0,            // no answer. Does what is due at now
    LIVE_CONNECT = 1,          // no answer. origin.connection is new; account, nick
    LIVE_DISCONNECT = 2,       // no answer. origin.connection is gone (unknown ones are ignored)
    LIVE_SUBSCRIBE = 3,        // channel, since: OK, then state or missed messages by SEND
    LIVE_UNSUBSCRIBE = 4,      // channel: OK (also when it was not followed)
    LIVE_CHALLENGE = 5,        // form, random: CHALLENGE
    LIVE_CANCEL = 6,           // id of a challenge: OK
    LIVE_JOIN = 7,             // id of a challenge, random: GAME_ID
    LIVE_MOVE = 8,             // id, ply, uci, draw, delay_ms: ACK
    LIVE_DRAW = 9,             // id, ply, act, uci: ACK
    LIVE_RESIGN = 10,          // id: ACK
    LIVE_ABORT = 11,           // id: ACK
    LIVE_FLAG = 12,            // id: ACK
    LIVE_ABANDON = 13,         // id, draw: ACK. The opponent has left
    LIVE_QUERY_GAME = 14,      // id: GAME, or error not_found: then look into game_record
    LIVE_QUERY_LOBBY = 15,     // LOBBY
    LIVE_QUERY_GAMES = 16,     // the account's running games: GAMES
    LIVE_ACCOUNT_CHANGED = 17, // no answer. account; nick is the new one, empty: deleted
    LIVE_STALLED = 18,         // no answer. span_ms before now no commit went through
    LIVE_DECLINE = 20,         // id of a challenge that is directed to the account: OK
    LIVE_SAY = 30,             // id, room, text (a line as pages_line makes it): OK
    LIVE_CHAT_SWITCH = 31,     // id, on: the mini-chat for oneself: OK
    LIVE_TOUCH = 32,          // id, ply, square, binds: ACK. A piece is touched (touch mode, S-090)
    LIVE_ADJUST = 33,         // id, ply: ACK. "J'adoube"
    LIVE_CLAIM_TOUCH = 34,    // id: ACK. The opponent did not keep to what he touched
    LIVE_PREMOVE = 35,        // id, ply at which it is to be made, uci (empty: none any more): OK
    LIVE_ACCOUNT_LEAVES = 50, // no answer. account: challenges go, running games end (S-250)
    LIVE_ACCOUNT_PROFILE = 60, // no answer. account; profile
    LIVE_QUERY_WATCH = 62,     // the games on the clock that run, most followed first: WATCH
    LIVE_RATED = 61,           // no answer. id; ratings: what the game did to the ratings
    LIVE_PLAY_COMPUTER = 80,   // level, color, control, edition, fen, take_backs, random: GAME_ID
    LIVE_TAKE_BACK = 81,       // id of a game against the computer: ACK, then the full state
    LIVE_HINT = 180,   // id of a game against the computer, ply: ACK with the game. Counted (L-024)
    LIVE_VERDICT = 90, // no answer. id, ply, act: LAWS_MATING_* bits, the answer to a DECIDE
    LIVE_SLEPT = 40,   // no answer. id, ply: what LIVE_FX_GAME_SLEEP said of that entry is durable
    LIVE_OVERRULED =
        170, // no answer. id, entry, account, to: an administrator has set another result
             // for a game that is over (S-104); entry is durable, account and to played
    LIVE_VACATION = 42,      // days (0: the one that lasts ends), used_days: VACATION
    LIVE_VACATION_TOLD = 43, // no answer. vacation: another node has begun or ended it; the games
                             // here follow, and nothing is kept (no LIVE_FX_VACATION). Told twice,
                             // or its end before its beginning, it is the same
    LIVE_SUMMONED = 41,      // no answer. account, since: its games that slept then have been woken
} LiveCommandKind;

typedef enum LiveRoom {
    LIVE_ROOM_PLAYERS = 1,  // the mini-chat (S-071)
    LIVE_ROOM_WATCHERS = 2, // everybody at the board, once the game has ended
} LiveRoom;

typedef enum LiveChannelKind {
    LIVE_CHANNEL_LOBBY = 1,
    LIVE_CHANNEL_ME = 2,   // account
    LIVE_CHANNEL_GAME = 3, // game
} LiveChannelKind;

typedef struct LiveChannel {
    uint8_t kind; // LiveChannelKind
    LiveAccount account;
    LiveId game;
} LiveChannel;
bool live_channel_equal(const LiveChannel *a, const LiveChannel *b);

typedef enum LiveDrawAct {
    LIVE_DRAW_OFFER = 1,
    LIVE_DRAW_ACCEPT = 2,
    LIVE_DRAW_DECLINE = 3,
    LIVE_DRAW_CLAIM = 4,
    LIVE_DRAW_CLAIM_WITH = 5, // uci: the intended move (S-070). A wrong claim plays it
} LiveDrawAct;

typedef enum LiveColorChoice {
    LIVE_COLOR_WHITE = 0, // the creator takes White
    LIVE_COLOR_BLACK = 1,
    LIVE_COLOR_RANDOM = 2, // a fair coin at joining (S-033)
} LiveColorChoice;

// What a rated game did to its players' ratings, by ChessColor.
typedef struct LiveRated {
    RatingChange change[2];
} LiveRated;

// Bytes 0 to 8 make the id of what is created, bit 0 of byte 9 is the coin (1: creator White).
#define LIVE_RANDOM_SIZE 16
#define LIVE_COIN_BYTE 9

typedef struct LiveVacation LiveVacation;

// One input. Fields that a kind does not name are ignored. Text is read during the step only.
typedef struct LiveCommand {
    LiveOrigin origin;
    LiveAccount account; // who asks; 0: a guest
    JdStr nick;          // the nick of that account now, at most LIVE_NICK_SIZE-1 bytes
    // Of that account, for CONNECT, CHALLENGE, JOIN; NULL: nothing is known. The ratings in it are
    // taken when live does not know the account yet: later ones come by ACCOUNT_PROFILE only, so
    // that none is overtaken.
    const LiveProfile *profile;
    const LiveRated *ratings;            // RATED; NULL: the game counts no more
    const struct LiveLogEvent *entry;    // OVERRULED: what was added to the game's log
    const struct LiveVacation *vacation; // VACATION_TOLD
    uint8_t kind;                        // LiveCommandKind
    uint8_t draw;        // MOVE: with a draw offer; ABANDON: a draw is claimed, not the win
    uint8_t act;         // DRAW: LiveDrawAct; VERDICT: LAWS_MATING_* bits
    uint8_t color;       // CHALLENGE: LiveColorChoice
    uint8_t rated;       // CHALLENGE
    bool has_since;      // SUBSCRIBE
    uint8_t days;        // VACATION
    uint8_t used_days;   // VACATION: of this year's, already
    uint8_t type;        // CHALLENGE: LiveType; 0: CLASSIC by days, else BLITZ
    uint8_t edition;     // CHALLENGE: LawsEdition; 0: LAWS_FIDE_2023
    uint8_t flag;        // CHALLENGE: LiveFlag
    uint8_t touch;       // CHALLENGE: touch mode (S-090)
    uint8_t unwatched;   // CHALLENGE: the site does not supervise its games (laws.supervised 0)
    bool confirmed_only; // CHALLENGE: only confirmed accounts may join (S-035)
    bool declines;       // CHALLENGE: whoever it is directed to wants no challenges (S-041)
    uint8_t room;        // SAY: LiveRoom
    uint8_t square;      // TOUCH
    bool on;             // CHAT_SWITCH; TOUCH: it binds although j'adoube was said before
    uint8_t level;       // PLAY_COMPUTER: 1 to LIVE_LEVELS_MAX
    uint8_t take_backs;  // PLAY_COMPUTER: moves may be taken back
    uint16_t rating_min; // CHALLENGE: in the list of the game, both included (S-035);
    uint16_t rating_max; // 0, 0: any
    uint32_t ply;        // MOVE, DRAW: plies already made, as the sender sees it; SLEPT: last_seq
    uint32_t delay_ms;   // MOVE: network delay the shell measured, and the time the last message of
                         // the game waited for its commit; credited within R-021
    int64_t span_ms;     // STALLED
    uint64_t since;      // SUBSCRIBE: the last number seen; SUMMONED: live_sleeps when it began
    LiveId id;           // of the game or challenge
    LiveChannel channel; // kind and game; for "me" the account is taken from above
    JdStr uci;           // MOVE, DRAW, PREMOVE
    JdStr text;          // SAY: at most LIVE_CHAT_BYTES_MAX bytes
    JdStr key;           // CHALLENGE: idempotency key, may be empty
    JdStr fen;           // CHALLENGE, PLAY_COMPUTER: position to begin with; empty: the initial one
    LiveControl control; // CHALLENGE
    LiveAccount to;      // CHALLENGE: directed to this account alone (S-041); 0: to everybody
    JdStr to_nick;       // its nick now, and what live may not know of it yet
    const LiveProfile *to_profile;
    LiveId rematch;                   // CHALLENGE: of this game (live_rematch); all zero: of none
    uint8_t random[LIVE_RANDOM_SIZE]; // CHALLENGE, JOIN: fresh random bytes of the shell
} LiveCommand;

// ---- what messages hold (the wire's objects, not yet JSON) --------------------------------------

// Seat. In Game and presence `online` means: follows the game's channel; in GameRow: has a
// connection to the site.
typedef struct LiveSeat {
    LiveAccount account;
    char nick[LIVE_NICK_SIZE]; // NUL-terminated; empty: former player, null on the wire
    bool online;
    bool provisional;          // fewer than RATING_NEW_GAMES rated games
    int32_t rating;            // in the game's list, as it is now (S-061)
    int64_t vacation_until_ms; // his clock stands until then; LIVE_NEVER: no vacation
} LiveSeat;

typedef struct LiveClocks {
    int64_t ms[2];   // readings by ChessColor at at_ms
    uint8_t running; // 0 none, 1 white's, 2 black's
    int64_t delay_left_ms;
    int64_t at_ms;
} LiveClocks;

typedef struct LiveChallenge {
    LiveId id;
    LiveAccount account;
    char nick[LIVE_NICK_SIZE];
    LiveControl control;
    uint8_t category; // LawsPace of live_control_category
    uint8_t color;    // LiveColorChoice
    uint8_t rated;
    uint8_t type;    // LiveType
    uint8_t edition; // LawsEdition
    uint8_t pace;    // LawsPace of that edition
    uint8_t flag;    // LIVE_FLAG_AUTO or LIVE_FLAG_CLAIM
    uint8_t touch;
    bool provisional;
    int32_t rating; // of the creator, in the list of these terms
    int64_t created_ms;
    LiveAccount to; // 0: to everybody
    char to_nick[LIVE_NICK_SIZE];
    LiveId rematch; // all zero: of no game
    bool confirmed_only;
    uint16_t rating_min;
    uint16_t rating_max;      // 0: any
    char fen[CHESS_FEN_SIZE]; // it begins there; empty: with the initial position
} LiveChallenge;

// Why a challenge has gone.
typedef enum LiveGone {
    LIVE_GONE_CANCELLED = 1,
    LIVE_GONE_EXPIRED = 2,
    LIVE_GONE_JOINED = 3,
    LIVE_GONE_DECLINED = 4,
} LiveGone;

#define LIVE_ALLOWED_MAX 64  // moves left by a touch: a queen has 27, a piece is taken by fewer
#define LIVE_NO_COLOR 2      // in fields that hold a ChessColor or none
#define LIVE_NEVER INT64_MIN // in *_ms fields: null on the wire

// GameRow, and the row of the projection table `game`.
typedef struct LiveGameRow {
    LiveId id;
    LiveSeat seats[2]; // by ChessColor
    LiveControl control;
    uint8_t edition;  // LawsEdition
    uint8_t pace;     // LawsPace of that edition
    uint8_t category; // LawsPace of live_control_category
    uint8_t type;     // LiveType
    uint8_t flag;     // LIVE_FLAG_AUTO or LIVE_FLAG_CLAIM
    uint8_t touch;
    uint8_t rated;
    uint8_t take_backs; // against the computer: moves may be taken back
    uint16_t hints;     // that its player was given (L-024)
    uint8_t state;      // LawsState
    uint8_t reason;     // LawsReason; LAWS_NOT_ENDED: null
    uint8_t turn;       // ChessColor
    uint8_t offer;      // ChessColor, or LIVE_NO_COLOR
    uint8_t halves[2];  // half-points by ChessColor, valid when state is LAWS_ENDED
    const char *result; // "1-0" ... "*": a constant
    uint32_t plies;
    uint32_t last_seq; // of the last event in the log
    int64_t created_ms;
    int64_t started_ms;  // or LIVE_NEVER
    int64_t ended_ms;    // or LIVE_NEVER
    int64_t deadline_ms; // the running clock falls then, or LIVE_NEVER
} LiveGameRow;

typedef struct LiveMoveRow {
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    char fen[CHESS_FEN_SIZE]; // after the move
    int64_t clock_ms;         // the mover's, after the move
    int64_t at_ms;
    bool draw; // travelled with an offer
} LiveMoveRow;

// What the side to move has touched (Article 4), in games with touch mode.
typedef struct LiveTouched {
    uint8_t count;
    uint8_t squares[LAWS_TOUCHED_MAX]; // in the order of touching
    bool adjusting;                    // j'adoube was said: touches are free
    bool binds; // what is touched obliges; false: only if the opponent claims
    // The moves left to the player where touching has narrowed them; 0: all legal ones.
    uint8_t allowed_count;
    char allowed[LIVE_ALLOWED_MAX][CHESS_UCI_SIZE];
} LiveTouched;

// Game: the full state.
typedef struct LiveGameView {
    LiveGameRow row; // seats' online: follows the game's channel
    uint64_t seq;    // of the channel: the state holds everything up to this message
    char start_fen[CHESS_FEN_SIZE];
    char fen[CHESS_FEN_SIZE];
    const LiveMoveRow *moves; // row.plies of them
    LiveClocks clocks;
    bool check;
    char bound_move[CHESS_UCI_SIZE]; // empty: none
    char article[12];                // empty: none
    uint32_t spectators;
    int64_t first_move_by_ms;    // or LIVE_NEVER
    int64_t abandon_claim_at_ms; // or LIVE_NEVER
    LiveTouched touched;         // in touch mode, else count 0
    uint64_t digest;             // laws_game_digest
    bool corrected;              // an arbiter has set another result than the game gave (S-104)
    bool has_ratings;            // ratings is known: the game was rated and has been counted
    LiveRated ratings;
} LiveGameView;

typedef enum LiveTouchAct {
    LIVE_TOUCH_TOUCHED = 1,
    LIVE_TOUCH_ADJUSTING = 2, // j'adoube
    LIVE_TOUCH_CLAIMED = 3,   // the opponent asked for what was touched to be kept to
} LiveTouchAct;

typedef struct LiveTouch {
    uint8_t by;     // ChessColor
    uint8_t act;    // LiveTouchAct
    uint8_t square; // TOUCHED
    LiveTouched touched;
} LiveTouch;

typedef struct LiveSaid {
    uint8_t room; // LiveRoom
    uint8_t by;   // ChessColor of a player, or LIVE_NO_COLOR
    LiveAccount account;
    char nick[LIVE_NICK_SIZE];
    int64_t at_ms;
    JdStr text;
} LiveSaid;

// Message types of the server, as docs/protocol.md names them.
typedef enum LiveMessageKind {
    LIVE_MSG_LOBBY = 1,             // list
    LIVE_MSG_LOBBY_ADD = 2,         // "lobby+": challenge
    LIVE_MSG_LOBBY_REMOVE = 3,      // "lobby-": id
    LIVE_MSG_GAMES = 4,             // rows
    LIVE_MSG_STARTED = 5,           // id
    LIVE_MSG_ROW = 6,               // row
    LIVE_MSG_GAME = 7,              // game
    LIVE_MSG_MOVED = 8,             // id, moved
    LIVE_MSG_CLOCK = 9,             // id, clock
    LIVE_MSG_OFFER = 10,            // id, offer
    LIVE_MSG_END = 11,              // id, end
    LIVE_MSG_PRESENCE = 12,         // id, presence
    LIVE_MSG_CHALLENGE_ADD = 20,    // "challenge+": challenge, to those it concerns
    LIVE_MSG_CHALLENGE_REMOVE = 21, // "challenge-": id, gone
    LIVE_MSG_SAID = 30,             // id, said; seq is that of the line, not of the channel
    LIVE_MSG_CHAT = 31,             // id, chat: who has the mini-chat on. No number
    LIVE_MSG_TOUCHED = 32,          // id, touch
    LIVE_MSG_PREMOVE = 33,          // id, premove: to its player only. No number
    LIVE_MSG_FALSE_FLAG = 34,       // id, false_flag
    LIVE_MSG_RATED = 60,            // id, rated
    LIVE_MSG_CORRECTED = 170,       // id: the result of a game of his is another one now
} LiveMessageKind;

typedef enum LiveOfferAct {
    LIVE_OFFERED = 1,          // "offer"
    LIVE_OFFER_DECLINED = 2,   // "decline": by word, or by a move
    LIVE_OFFER_CLAIM_WRONG = 3 // "claim_wrong": a wrong claim, which is an offer too
} LiveOfferAct;

typedef struct LiveMoved {
    uint32_t ply; // plies made, this one included
    LiveMoveRow move;
    LiveClocks clocks;
    bool check;
    int64_t first_move_by_ms;
} LiveMoved;

typedef struct LiveClockChange {
    LiveClocks clocks;
    int64_t first_move_by_ms;
} LiveClockChange;

typedef struct LiveOffer {
    uint8_t offer;                   // the offer that stands now: ChessColor, or LIVE_NO_COLOR
    uint8_t by;                      // ChessColor
    uint8_t act;                     // LiveOfferAct
    char article[12];                // empty: none
    int64_t bonus_ms;                // CLAIM_WRONG: what the opponent got; 0: none
    char bound_move[CHESS_UCI_SIZE]; // empty: none
} LiveOffer;

typedef struct LiveEnd {
    const char *result; // a constant
    uint8_t state;      // LAWS_ENDED or LAWS_ANNULLED
    uint8_t reason;     // LawsReason
    char article[12];
    LiveClocks clocks;
} LiveEnd;

typedef struct LivePresence {
    bool online[2]; // by ChessColor
    uint32_t spectators;
    int64_t abandon_claim_at_ms;
} LivePresence;

typedef struct LivePremove {
    uint32_t ply;             // at which it will be made
    char uci[CHESS_UCI_SIZE]; // empty: none any more
    bool dropped;             // because it was illegal
} LivePremove;

typedef struct LiveFalseFlag {
    uint8_t by; // ChessColor
    uint32_t presses;
} LiveFalseFlag;

typedef struct LiveMessage {
    uint8_t kind;     // LiveMessageKind
    uint64_t seq;     // of the channel
    uint32_t waiting; // GAMES, ROW: games in which it is the move of the player who is told (S-047)
    LiveId id;        // game or challenge
    union {
        struct {
            const LiveChallenge *challenges; // newest first
            size_t count;
        } lobby;
        const LiveChallenge *challenge;
        struct {
            const LiveGameRow *rows;    // own move first, then by deadline, then by id
            const uint32_t *spectators; // of each, in the answer WATCH; else NULL
            size_t count;
            const LiveChallenge *challenges; // his own open ones and those directed to him
            size_t challenge_count;          // newest first
        } games;
        LiveGone gone;
        const LiveGameRow *row;
        const LiveGameView *game;
        const LiveMoved *moved;
        const LiveClockChange *clock;
        const LiveOffer *offer;
        const LiveEnd *end;
        const LivePresence *presence;
        const LiveSaid *said;
        struct {
            bool on[2]; // by ChessColor
        } chat;
        const LiveTouch *touch;
        const LivePremove *premove;
        LiveFalseFlag false_flag;
        const LiveRated *rated;
    };
} LiveMessage;

// ---- the log ------------------------------------------------------------------------------------

// One entry of the log `game_event`. Games and challenges are entities; seq counts from 1 in each.
typedef struct LiveLogEvent {
    LiveId id;
    uint32_t seq;
    JdInstant at;
    uint8_t actor; // LawsActor
    uint8_t kind;  // LawsEventKind (1 to 99) or LiveEventKind
    const unsigned char *body;
    size_t body_size; // at most LIVE_EVENT_BODY_MAX
} LiveLogEvent;

#define LIVE_EVENT_BODY_MAX (LAWS_SETUP_BODY_SIZE + 128)

// Numbers stand in logs and are never reused.
typedef enum LiveEventKind {
    LIVE_EVENT_GAME_CREATED = 100,      // seq 1 of every game: players, setup, rated
    LIVE_EVENT_CHALLENGE_CREATED = 110, // seq 1 of every challenge
    LIVE_EVENT_CHALLENGE_CANCELLED = 111,
    LIVE_EVENT_CHALLENGE_EXPIRED = 112,
    LIVE_EVENT_CHALLENGE_JOINED = 113, // by whom, and the game
    LIVE_EVENT_CHALLENGE_DECLINED = 114,
    // Of a game, beside what the Laws know: they change nothing of it.
    LIVE_EVENT_CHAT_SWITCHED = 121, // by a player; body: 1 on, 0 off
    LIVE_EVENT_FALSE_FLAGS = 122,   // by a player; body: how often he has pressed in vain
    LIVE_EVENT_FLAG_SETTLED = 123,  // by the server: the claim that follows is its own
    LIVE_EVENT_VACATION =
        130,               // of a game: a player's vacation until then; his HOLD follows
    LIVE_EVENT_HINT = 180, // of a game: a player was given a hint; body: 1 (L-024)
} LiveEventKind;

// ---- effects ------------------------------------------------------------------------------------

typedef enum LiveEffectKind {
    LIVE_FX_LOG = 1,       // log: to be committed
    LIVE_FX_GAME_ROW = 2,  // row: write the projection: at creation, start and end; of a slow
                           // game at every event
    LIVE_FX_GAME_FOLD = 3, // id: the game has ended; fold its events into game_record
    LIVE_FX_CHALLENGE_CLOSED = 4, // id: its events need not be replayed any more (they may be)
    LIVE_FX_ANSWER = 5,           // origin, answer
    LIVE_FX_SEND = 6,             // connection, message
    LIVE_FX_PUBLISH = 7,          // channel, message: to all connections that follow it
    LIVE_FX_ADD = 8,              // connection follows channel from here on
    LIVE_FX_REMOVE = 9,           // connection follows channel no more
    LIVE_FX_CLOSE = 10,  // connection, close_code: close it. live has forgotten it already,
                         // with all it followed (no REMOVE is sent for it)
    LIVE_FX_CHAT = 30,   // id, said, seq: a line to be kept; durable before what follows, as LOG
    LIVE_FX_THINK = 80,  // id, think: a computer is to move. Its answer is a LIVE_MOVE or
                         // LIVE_DRAW of its account with ply = think->move_count
    LIVE_FX_DECIDE = 90, // id, question: find out who can mate (dead.h), which may take long, and
                         // tell live by a VERDICT; it is asked again after LIVE_ASK_AGAIN_MS
    LIVE_FX_GAME_SLEEP = 40, // id, sleep: put its events into game_record and let it sleep; when
                             // that is durable, send LIVE_SLEPT. An event of it wakes it again
    LIVE_FX_INVITED = 160,   // id, invited: a challenge was directed to somebody; tell him
    LIVE_FX_OUTAGE = 41,     // outage: keep it; sleeping games are credited with it when they wake
    LIVE_FX_VACATION = 42,   // vacation: keep it; a later one of the same beginning takes its place
} LiveEffectKind;

#define LIVE_CLOSE_REPLACED 4001     // a sixth connection of the account: the oldest goes
#define LIVE_CLOSE_FULL 1013         // LIVE_CONNECTIONS_MAX reached: try again later
#define LIVE_CLOSE_ACCOUNT_GONE 4002 // the account was deleted

typedef enum LiveAnswerKind {
    LIVE_ANSWER_ERROR = 0,
    LIVE_ANSWER_OK = 1,
    LIVE_ANSWER_CHALLENGE = 2, // challenge (a repeated key gives the first one again)
    LIVE_ANSWER_GAME_ID = 3,   // id
    LIVE_ANSWER_ACK = 4,       // id, ply (made now), claim_wrong; game for HTTP requests
    LIVE_ANSWER_GAME = 5,      // game
    LIVE_ANSWER_LOBBY = 6,     // message
    LIVE_ANSWER_GAMES = 7,     // message
    LIVE_ANSWER_VACATION = 40, // vacation
    LIVE_ANSWER_WATCH = 60,    // message: games with spectators
} LiveAnswerKind;

// A vacation of a player.
struct LiveVacation {
    LiveAccount account;
    int64_t from_ms;
    int64_t until_ms;
    int64_t ended_ms; // before its time, or LIVE_NEVER
};

// Error codes of the wire. Names of LawsRefusal come through under their own names: game_over,
// not_started, not_your_turn, illegal_move, no_offer, offer_stands, draw_too_early, draw_forbidden,
// right_lost, bound_move, flag_not_down, too_late, not_allowed, record_full. live adds:
// bad_request, auth_required, forbidden, not_found, control_range, flag_mode, touch_mode,
// too_many_challenges, own_challenge, unconfirmed, range_bad, rating_range, declines, conflict,
// seat_taken, stale_ply, offer_too_soon, not_abandoned, unavailable, touch_move, not_due, chat_off,
// too_long, rate_limited.
typedef struct LiveAnswer {
    uint8_t kind;     // LiveAnswerKind
    bool claim_wrong; // ACK
    uint32_t ply;     // ACK
    LiveId id;
    const LiveChallenge *challenge;
    const LiveGameView *game; // GAME; ACK and a refused move over HTTP (else NULL)
    const LiveMessage *message;
    LiveVacation vacation; // times LIVE_NEVER: none lasts
    const char *code;      // ERROR: a constant
    char article[12];      // ERROR: of the Laws, where they refuse; empty: none
    JdErr err;             // ERROR: text for developers, and the field ("" when none)
    int64_t retry_ms;      // ERROR rate_limited: how long to wait; else 0
} LiveAnswer;

// A span that no clock pays for: it ended at at_ms.
typedef struct LiveOutage {
    int64_t at_ms;
    int64_t span_ms;
    bool adopted; // of the entities of a live_adopt alone, not of those that were here
} LiveOutage;

typedef struct LiveSleep {
    int64_t wake_ms;   // something is due then, if no outage comes between
    uint32_t last_seq; // of its last entry in the log
} LiveSleep;

// What a computer has to decide. Asked once for a ply; after a restart, and after moves were taken
// back, anew. An answer to another ply than the game stands at is refused like anybody's.
typedef struct LiveThink {
    LiveAccount account; // the computer's
    uint8_t level;
    bool is_offered;      // its opponent offers a draw
    ChessMove bound_move; // it must play this one (Article 9.5); CHESS_NO_MOVE: free
    ChessPosition start;
    const ChessMove *moves; // move_count of them
    uint32_t move_count;
    int64_t left_ms; // on its clock; 0: no clock presses
    int64_t increment_ms;
} LiveThink;

// Who is invited, and by whom.
typedef struct LiveInvited {
    LiveAccount to;
    LiveAccount from;
    char nick[LIVE_NICK_SIZE]; // of whom it comes from
    LiveId rematch;            // all zero: of no game
    int64_t at_ms;
    bool away; // he has no connection
} LiveInvited;

typedef struct LiveEffect {
    uint8_t kind; // LiveEffectKind
    uint16_t close_code;
    uint64_t connection;
    LiveOrigin origin;
    LiveId id;
    LiveChannel channel;
    union {
        const LiveLogEvent *log;
        const LiveGameRow *row;
        const LiveAnswer *answer;
        const LiveMessage *message;
        const LawsQuestion *question;
        struct {
            const LiveSaid *said;
            uint64_t seq;
        } chat;
        LiveSleep sleep;
        LiveOutage outage;
        const LiveThink *think;
        LiveVacation vacation;
        LiveInvited invited;
    };
} LiveEffect;

// The effects of one or more steps, in order. Everything they point at belongs to the list and
// stays until live_effects_clear, whatever live does meanwhile: a shell keeps one list for each
// group being committed.
typedef struct LiveEffects {
    LiveEffect *list;
    size_t count;
    // live's own:
    LiveMemory memory;
    size_t capacity;
    struct LiveChunk *chunks;
} LiveEffects;

void live_effects_open(LiveEffects *effects, const LiveMemory *memory);
// Empties the list and keeps some memory for the next steps.
void live_effects_clear(LiveEffects *effects);
void live_effects_close(LiveEffects *effects);

// Whether a command of that kind changes the game or challenge `id`. The others make one, ask, or
// tell a fact. For a shell that shares the site with others: only its owner steps such a command.
bool live_changes_entity(uint8_t kind);

// One step: does what is due at now, then the command, and appends what follows from it to effects.
// Bad input is answered and changes nothing. A command for a connection that live does not know (it
// was closed a moment ago) is dropped without an answer.
void live_step(Live *live, const LiveCommand *command, JdInstant now, LiveEffects *effects);

// The instant of the next thing due; false: nothing.
bool live_next_deadline(const Live *live, JdInstant *out);

// ---- games that sleep ---------------------------------------------------------------------------
// A game by days that has been quiet for LIVE_SLEEP_AFTER_MS, that nobody follows and whose players
// are both away is nowhere in live: neither memory nor start-up grow with such games. Nothing is
// written when one is woken; its next event makes it an unfinished game of the log again.

typedef struct LiveNeed {
    bool game;    // id: this game, if it sleeps
    bool account; // all sleeping games of the account
    LiveId id;
} LiveNeed;

// What must be in memory before the command is stepped, as far as it is not; false: nothing.
bool live_need(const Live *live, const LiveCommand *command, LiveNeed *out);

typedef struct LiveSleeper {
    const LiveLogEvent *events; // all of one game
    size_t count;
    JdStr nicks[2]; // by ChessColor; empty: former player. Taken for accounts not known yet,
    const LiveProfile *profiles[2]; // as these; NULL: nothing is known
    // Where many nodes keep outages of their own (live_adopt): those of the nodes that owned this
    // game, by their instants, from its last event on, those on their way into the database
    // included. Else those that live knows are taken.
    bool has_outages;
    const LiveOutage *outages;
    size_t outage_count;
} LiveSleeper;

// A step: replays a sleeping game and does what came due while it slept, each thing at its own
// instant and with the outages of that time credited: the game is what it would be had it never
// slept. One that is in memory is left as it is. err: the events are no such game; nothing changed.
JD_MUST_USE bool live_wake(Live *live, const LiveSleeper *game, JdInstant now, LiveEffects *effects,
                           JdErr *err);

// Whether games of an account in memory may sleep: one fell asleep while they were being woken.
bool live_is_partial(const Live *live, LiveAccount account);

// The players of a game, by ChessColor, from its first event.
JD_MUST_USE bool live_birth_players(const LiveLogEvent *first, LiveAccount out[2], JdErr *err);

// How many games have left memory asleep, ever; see LIVE_SUMMONED.
uint64_t live_sleeps(const Live *live);

// ---- games and challenges that change hands -----------------------------------------------------
// Where many nodes share a site each entity is in the memory of one of them. When it gets another
// owner, the old one drops it and the new one adopts it from the log, while both go on serving the
// rest.

typedef struct LivePerson {
    LiveAccount account;
    JdStr nick;                 // empty: deleted
    const LiveProfile *profile; // NULL: nothing is known
} LivePerson;

typedef struct LiveAdoption {
    const LiveLogEvent *events; // all of the entities' events, of each in its order
    size_t count;
    // Everybody live_birth_accounts names in the events; of those live knows already nothing is
    // taken. Somebody who is neither here nor known makes the adoption fail: ask again.
    const LivePerson *people;
    size_t people_count;
    // The former owner's newest sign of life and how often it gave one, as for live_replay_done. Of
    // a planned hand-over the instant of the release, which is exact: heartbeat 0. Shards of
    // several owners are several adoptions. What an entity's own log says later than that counts
    // for that entity alone.
    JdInstant last_alive;
    JdSpan heartbeat;
} LiveAdoption;

// A step: entities of other nodes are replayed, and go on as live_replay_done lets them after a
// restart: an INTERRUPTION for the time without an owner, flags that fell before it have fallen,
// who is not connected here counts as away from now, 15 seconds to come anew, questions and
// computers asked again, challenges run out on time. Channel numbers go on above those given
// before; who follows the lobby, or "me" of somebody concerned, gets the full state. LIVE_FX_OUTAGE
// with `adopted` tells what games of those shards that sleep are to be credited with (see
// LiveSleeper.outages); live itself does not keep it. The new shards may hold games that sleep: no
// list of games is whole any more (live_need). Vacations that began or ended while nobody owned a
// game are made up for.
//
// False: one of the entities is here already, the events do not fit, or people are missing; nothing
// changed. err says which.
//
// The shell's part, beside what it owes every step:
// - When the newest event or last_alive lies ahead of `now` (clocks of machines differ), time here
//   jumps there (a heartbeat beyond last_alive: so long the former owner may have lived), and an
//   INTERRUPTION of the difference credits all other games. The shell then sets its own clock
//   forward to live_now, as it does after a restart.
// - The LOG effects may be cut like those of live_replay_done. Until all of them are durable, the
//   shell may not let its own sign of life stand for these shards: who takes them over from it must
//   still find the last_alive of before, or this outage would be charged as if it had been played.
//   The same goes for every other credit (LIVE_STALLED): no sign of life while one is on its way.
// - Past its lease, by its own clock, it steps and answers nothing: others may own everything.
// - Of a vacation that lasts it tells once more (LIVE_VACATION_TOLD): for games that sleep.
JD_MUST_USE bool live_adopt(Live *live, const LiveAdoption *adoption, JdInstant now,
                            LiveEffects *effects, JdErr *err);

// The instant of the last step, or what it jumped to.
JdInstant live_now(const Live *live);

// The accounts that the first event of a game or challenge names: how many, at most 2. Other events
// name none.
JD_MUST_USE bool live_birth_accounts(const LiveLogEvent *event, LiveAccount out[2], size_t *count,
                                     JdErr *err);
// Whether the account is known: it need not be read again.
bool live_knows(const Live *live, LiveAccount account);

typedef bool (*LiveBelongsFn)(void *context, const LiveId *id);

// A step: games and challenges that belong leave memory, without a log entry and without a message.
// Connections that follow such a game follow it no more (LIVE_FX_REMOVE). Timers, moves in advance
// and what was said lately go with them. What was logged before and is not durable yet still will
// be: so live_drop comes first, STORE_SHARDS_RELEASE after those entries.
void live_drop(Live *live, LiveBelongsFn belongs, void *context, LiveEffects *effects);

// ---- restart ------------------------------------------------------------------------------------
// live_open; live_replay_event for every event of the entities that have not ended, in the order
// of the log; live_account_name for the accounts of live_account_next; live_replay_done. No step
// before that. Entities that have ended in the log may be replayed as well: ended games stay for
// the usual ten minutes, closed challenges answer a repeated key.

// err says what is wrong with the entry; the entity is then as it was before it. A log that the
// program wrote itself never fails: the shell stops and shows the error.
JD_MUST_USE bool live_replay_event(Live *live, const LiveLogEvent *event, JdErr *err);

// An outage of an earlier run (LIVE_FX_OUTAGE); in the order of their instants.
// A vacation that lasts (LIVE_FX_VACATION).
void live_replay_vacation(Live *live, LiveAccount account, int64_t from_ms, int64_t until_ms);
void live_replay_outage(Live *live, const LiveOutage *outage);

typedef struct LiveResume {
    JdInstant last_alive; // the newest sign of life found; 0: none but the log's own times
    JdSpan heartbeat;     // how often it was written at least
} LiveResume;

// Ends the replay. Every running game gets an INTERRUPTION for the outage, which is charged to no
// clock: from (the newest of last_alive and the log's entries other than interruptions, plus
// heartbeat) to now. The heartbeat is added because the program may have lived that long after the
// last sign: so no clock ever gets back time that was really used, and at most one heartbeat of the
// outage is charged. Flags that fell before it have fallen. Nobody is connected after it; whoever
// was away counts as away from now; games that had not started get their 15 seconds anew.
void live_replay_done(Live *live, const LiveResume *resume, JdInstant now, LiveEffects *effects);

// The accounts live knows, in no order: start with *cursor = 0; false at the end. Names are set
// without effects; an empty nick is a deleted account, whose challenges live_replay_done cancels.
bool live_account_next(const Live *live, size_t *cursor, LiveAccount *out);
void live_account_name(Live *live, LiveAccount account, JdStr nick);
void live_account_profile(Live *live, LiveAccount account, const LiveProfile *profile);

// Channel numbers. Within one run of the program the numbers of a channel grow by one with each
// message. After a restart, or when a channel had been forgotten, they go on from the time of
// that moment in milliseconds, which is above every number given before; a client whose `since`
// lies outside of what is remembered gets the full state.

// ---- finished games -----------------------------------------------------------------------------

// Memory that live_game_decode needs for a game of that many events.
size_t live_game_decode_size(size_t event_count);

// Folds the events of one game into the state people are shown (readings as of now). What out
// points at lies in arena. Seats hold account numbers and empty nicks: the caller fills in the
// nicks. False: the events are no game; err says which and why.
JD_MUST_USE bool live_game_decode(const LiveLogEvent *events, size_t count, JdInstant now,
                                  JdArena *arena, LiveGameView *out, JdErr *err);

// S-104: another result for a game that has ended, by Article 11 and the arbiter's hand. entry is
// the event to be added to the game's log (its body lies in arena), row the game as it is then;
// seats hold account numbers. reason has at most LAWS_EVENT_TEXT_MAX bytes. False: err says why
// not.
JD_MUST_USE bool live_game_overrule(const LiveLogEvent *events, size_t count,
                                    const uint8_t halves[2], JdStr reason, JdInstant now,
                                    JdArena *arena, LiveLogEvent *entry, LiveGameRow *row,
                                    JdErr *err);

typedef struct LivePgnTags {
    JdStr event; // "Casual game"; empty: "?"
    JdStr site;  // address of the game's page; empty: "?"
} LivePgnTags;

// The game in PGN export format: Seven Tag Roster, UTCDate, UTCTime, TimeControl, Termination
// (and SetUp, FEN where the start differs), moves with {[%clk h:mm:ss]}, lines of at most 80
// columns (tags aside), one empty line at the end. Appended to out; see jd_out_fits.
void live_game_pgn(const LiveGameView *game, const LivePgnTags *tags, JdOut *out);
// A capacity that suffices.
size_t live_game_pgn_size(const LiveGameView *game, const LivePgnTags *tags);

// ---- figures ------------------------------------------------------------------------------------

typedef struct LiveStats {
    uint64_t connections;
    uint64_t accounts;      // known: connected, with a challenge or with a game in memory
    uint64_t challenges;    // open
    uint64_t games_running; // not ended, those waiting for their start included
    uint64_t games_in_memory;
    uint64_t games_slept; // left memory asleep, since live_open
    uint64_t games_woken;
    uint64_t commands; // since live_open
    uint64_t refusals;
    uint64_t moves;
    uint64_t games_started;
    uint64_t games_ended;
    uint64_t questions;    // DECIDE effects
    uint64_t memory_bytes; // taken through LiveMemory, effect lists aside
} LiveStats;
LiveStats live_stats(const Live *live);

// Whether the answer to a DECIDE of that ply would still be taken.
bool live_wants_verdict(const Live *live, const LiveId *game, uint32_t ply);
// Every question who can mate is put to the shell in games created from here on, those as well that
// take no time: for tests.
void live_ask_always(Live *live);

// A game in memory as a row; false when it is not there.
bool live_game_row(const Live *live, const LiveId *id, LiveGameRow *out);

// The position a game in memory began with, as FEN; empty: the initial one, or it is not there.
void live_start_fen(const Live *live, const LiveId *id, char out[CHESS_FEN_SIZE]);

// What a player of an ended game asks for with a rematch: the same terms with colours reversed,
// directed to the opponent. Fills in rematch, to, color, rated and the terms; the caller adds what
// is known of the opponent. False: nobody can, code says why.
JD_MUST_USE bool live_rematch(const LiveGameRow *row, LiveAccount who, LiveCommand *out,
                              const char **code);

// Whether no engine of the site may show that account anything of these positions: he plays a game
// on the clock against a person, or one of them stands on a board between people (S-065). Games of
// his own that sleep are not seen: see LIVE_QUERY_GAMES.
bool live_forbids_engine(const Live *live, LiveAccount asker, const ChessPosition *list,
                         size_t count);

// The second half of it: one of the positions stands on a board between people.
bool live_stands_on_a_board(const Live *live, LiveAccount asker, const ChessPosition *list,
                            size_t count);
// Of several nodes: the position of which all others must say that before the command is stepped,
// or, for a HINT, all of live_forbids_engine. False: none.
bool live_fair_question(const Live *live, const LiveCommand *command, ChessPosition *out);
// Whether it is a game against the computer from a set-up position: of a move made in advance there
// nobody can be asked in time.
bool live_leads_on(const Live *live, const LiveId *game);

// Whether a connection of the account is there (Player.online).
bool live_is_online(const Live *live, LiveAccount account);

// Laws digest of a game in memory, for tests and the audit: false when it is not there.
bool live_game_digest(const Live *live, const LiveId *id, uint64_t *out);

#endif
