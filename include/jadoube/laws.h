// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FIDE Laws of Chess as a pure state machine: laws_apply(game, event, now) -> verdict.
//
// A game is the fold of its events. Time is an input; nothing here reads a clock, allocates, or
// keeps a global. Every verdict names the article that justifies it. An edition of the Laws is a
// row of parameters (LawsRules), never a branch.
#ifndef JADOUBE_LAWS_H
#define JADOUBE_LAWS_H

#include <jadoube/base.h>
#include <jadoube/chess.h>
#include <jadoube/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- editions
// ----------------------------------------------------------------------------------------

// Numbers go into logs and are never reused.
typedef enum LawsEdition {
    LAWS_FIDE_1997 = 1,
    LAWS_FIDE_2005 = 2,
    LAWS_FIDE_2009 = 3,
    LAWS_FIDE_2014 = 4,
    LAWS_FIDE_2023 = 5,
} LawsEdition;
#define LAWS_EDITION_COUNT 6 // index 0 is unused

typedef enum LawsPace { LAWS_STANDARD = 1, LAWS_RAPID = 2, LAWS_BLITZ = 3 } LawsPace;

// Who may call a flag (section 2.3 of the specification).
typedef enum LawsFlagCaller {
    LAWS_FLAG_BY_ARBITER_OR_PLAYER = 1, // the program sees the flag: a fall ends the game by itself
    LAWS_FLAG_BY_PLAYER_ONLY = 2,       // a flag falls only by a player's claim
} LawsFlagCaller;

// One edition at one pace: the parameters of spec section 2. A field that is 0 means the edition
// has no such rule. Spans are in milliseconds.
typedef struct LawsRules {
    uint8_t edition; // LawsEdition
    uint8_t pace;    // LawsPace
    uint8_t supervised;
    uint8_t pace_increment_factor;
    uint8_t flag_caller; // LawsFlagCaller
    uint8_t flag_claim_needs_own_flag_up;
    uint8_t flag_win_needs_helpmate;
    uint8_t resign_loss_needs_helpmate;
    uint8_t both_flags_draw; // both flags down in the last period, order unknown: draw
    uint8_t illegal_limit;   // the n-th illegal move loses
    uint8_t illegal_bonus_needs_claim;
    uint8_t illegal_loss_needs_helpmate;
    uint8_t claim_repetitions;  // 3: Article 9.2
    uint8_t claim_moves;        // 50, by each side: Article 9.3
    uint8_t forced_repetitions; // 5: Article 9.6.1; 0: none
    uint8_t forced_moves;       // 75: Article 9.6.2; 0: none
    uint8_t claim_lost_by_touch;
    uint8_t claim_is_offer;
    uint8_t wrong_claim_cuts_time; // 1997, 2005: the claimant's own time is cut as well
    uint8_t wrong_claim_binds_move;
    uint8_t draw_restriction_allowed;
    uint8_t agreement_min_own_moves; // 2023: 1 by each
    uint8_t quickplay_finish;
    uint8_t scoresheet_required;
    int64_t illegal_bonus_ms;
    int64_t wrong_claim_bonus_ms;
    int64_t default_time_ms;
    int64_t quickplay_threshold_ms;
    int64_t scoresheet_exempt_below_ms;
} LawsRules;

// The row, or NULL when the edition, pace or their combination is unknown.
JD_API const LawsRules *laws_rules(LawsEdition edition, LawsPace pace, bool supervised);

// "fide-2023" and kin. NULL / false when unknown.
JD_API const char *laws_edition_name(LawsEdition edition);
JD_MUST_USE JD_API bool laws_edition_parse(JdStr name, LawsEdition *out);
JD_API const char *laws_pace_name(LawsPace pace); // "standard", "rapid", "blitz"
JD_MUST_USE JD_API bool laws_pace_parse(JdStr name, LawsPace *out);

// ---- time control
// ------------------------------------------------------------------------------------

typedef enum LawsDelayKind {
    LAWS_NO_DELAY = 0,
    LAWS_SIMPLE_DELAY = 1,
    LAWS_BRONSTEIN = 2
} LawsDelayKind;

typedef struct LawsPeriod {
    uint32_t moves;           // own completed moves this period asks for; 0: all remaining
    uint32_t increment_moves; // own completed moves that earn the increment; 0: all
    int64_t time_ms;
    int64_t increment_ms; // Fischer: added when a move is completed (Article 6.3)
    int64_t delay_ms;     // main time stands still this long at each move
    uint8_t delay_kind;   // LawsDelayKind
    uint8_t reserved[7];
} LawsPeriod;

// A time control (spec section 5.1): periods, or a fixed time for every move.
typedef struct LawsControl {
    LawsPeriod periods[LAWS_PERIODS_MAX];
    int64_t move_ms; // above 0: days-per-move control, periods are unused
    uint8_t period_count;
    uint8_t repeat;          // the last period begins again and again
    uint8_t first_increment; // increment before the first move as well (over the board)
    uint8_t reserved[5];
} LawsControl;

// Checks a control for use in a game: spans not negative, not all zero, only the last period
// without a move quota, increment and delay not together, sums far from overflow. err: field and
// reason.
JD_MUST_USE JD_API bool laws_control_check(const LawsControl *control, JdErr *err);
// Pace of a control under an edition (section 2.1).
JD_API LawsPace laws_control_pace(LawsEdition edition, const LawsControl *control);
#define LAWS_CONTROL_TEXT_SIZE 128
// PGN TimeControl text: "900+10", "40/7200:3600", "1/259200" for three days a move, "-" for none;
// simple delay "900d10", Bronstein "900b10". Writes a NUL, returns the size without it.
JD_API size_t laws_control_write(const LawsControl *control, char out[LAWS_CONTROL_TEXT_SIZE]);
JD_MUST_USE JD_API bool laws_control_parse(JdStr text, LawsControl *out, JdErr *err);

// ---- a game
// ------------------------------------------------------------------------------------------

typedef enum LawsState {
    LAWS_SCHEDULED = 1,
    LAWS_RUNNING = 2,
    LAWS_STOPPED = 3,
    LAWS_SEALING = 4,
    LAWS_ADJOURNED = 5,
    LAWS_ENDED = 6,
    LAWS_ANNULLED = 7,
} LawsState;

// Why a game ended (spec section 0). Numbers go into logs and are never reused.
typedef enum LawsReason {
    LAWS_NOT_ENDED = 0,
    LAWS_CHECKMATE = 1,
    LAWS_STALEMATE = 2,
    LAWS_DEAD_POSITION = 3,
    LAWS_RESIGNATION = 4,
    LAWS_RESIGN_DRAW = 5, // resigned, but the opponent could not mate (2023, Article 5.1.2)
    LAWS_AGREEMENT = 6,
    LAWS_CLAIM_REPETITION = 7,
    LAWS_CLAIM_50 = 8,
    LAWS_AUTO_REPETITION = 9,
    LAWS_AUTO_75 = 10,
    LAWS_FLAG = 11,
    LAWS_FLAG_DRAW = 12, // flag fell, but the opponent could not mate
    LAWS_BOTH_FLAGS = 13,
    LAWS_QPF_DRAW = 14,
    LAWS_QPF_PENDING = 15,
    LAWS_ILLEGAL_LIMIT = 16,
    LAWS_ILLEGAL_CLAIM = 17,
    LAWS_ILLEGAL_DRAW = 18,
    LAWS_ILLEGAL_POSITION_DRAW = 19,
    LAWS_DEFAULT = 20,
    LAWS_BOTH_DEFAULT = 21,
    LAWS_SEALED_FAULT = 22,
    LAWS_DEVICE = 23,
    LAWS_PENALTY = 24,
    LAWS_BOTH_GUILTY = 25,
    LAWS_ARBITER = 26,
    LAWS_ANNULLED_REASON = 27,
    // House rules of the site, no article of the Laws:
    LAWS_ABORTED = 64,   // before both sides had moved: no result
    LAWS_ABANDONED = 65, // a player left a live game
    LAWS_BLOCKED = 66,
} LawsReason;
// "checkmate", "flag_draw" ...: stable names for JSON and message catalogues.
JD_API const char *laws_reason_name(LawsReason reason);

// One made ply of the record; the caller provides the array.
typedef struct LawsPly {
    uint64_t zobrist_key; // of the position after the move
    int64_t clock_ms;     // the mover's reading after the move, increment included
    int64_t at_ms;        // when the move was made
    ChessMove move;
    uint8_t irreversible;       // capture, pawn move or loss of a castling right
    uint8_t offered_draw;       // the move travelled with a draw offer
    uint8_t halfmove_clock_low; // halfmove clock after the move, stopped at 255
    uint8_t reserved[3];
} LawsPly;

// What a game is played under; fixed at its creation.
typedef struct LawsSetup {
    ChessPosition start;
    LawsControl control[2]; // by ChessColor; may differ (odds)
    uint8_t edition;        // LawsEdition
    uint8_t pace;           // LawsPace
    uint8_t supervised;     // online games are: the server watches and records
    uint8_t arbiter_present;
    uint8_t separate_press; // move and clock press are two events (over the board)
    uint8_t touch_move;
    uint8_t unchecked_moves;
    uint8_t slow_no_penalty; // wrong claims cost no time (slow games, an override of the site)
    uint16_t draw_min_moves; // agreements barred before this move number (Article 9.1.1); 0: none
    uint8_t draw_never;
    uint8_t reserved[5];
} LawsSetup;

typedef struct LawsClock {
    int64_t remaining_ms[2];  // at the start of the running turn; at the stop for the other
    int64_t run_start_ms;     // instant the running clock was started
    uint32_t moves_done[2];   // completed moves, all periods
    uint32_t period_start[2]; // moves_done at the start of the current period
    uint8_t period[2];        // index of the current period
    uint8_t running;          // 0 none, 1 white's, 2 black's
    uint8_t flag_down[2];
    uint8_t reserved[3];
} LawsClock;

typedef struct LawsGame {
    LawsSetup setup;
    ChessPosition position;
    LawsClock clock;
    LawsPly *plies; // caller's memory
    uint32_t ply_capacity;
    uint32_t ply_count;
    uint32_t events;    // events accepted so far
    uint8_t state;      // LawsState
    uint8_t reason;     // LawsReason
    uint8_t result[2];  // half-points, valid when ENDED
    uint8_t offer[2];   // a draw offer of that colour stands
    uint8_t claim_lost; // the right to claim is lost for this move (Article 9.4)
    uint8_t reserved0;
    ChessMove bound_move; // obligatory after a wrong claim with a written move; CHESS_NO_MOVE: none
    uint16_t wrong_claims[2];
    uint8_t reserved[6];
    int64_t started_ms;
    int64_t ended_ms;
    int64_t now_ms; // time of the last accepted event; later events are never earlier
} LawsGame;

// ---- events
// ------------------------------------------------------------------------------------------

typedef enum LawsActor {
    LAWS_WHITE = 0,
    LAWS_BLACK = 1,
    LAWS_ARBITER_ACTOR = 2,
    LAWS_SERVER = 3
} LawsActor;

// Spec section 4.3. Numbers go into logs and are never reused.
typedef enum LawsEventKind {
    LAWS_EVENT_START = 1,
    LAWS_EVENT_MOVE = 2, // move, flag_offer: the offer travels with the move; credit_ms
    LAWS_EVENT_OFFER = 3,
    LAWS_EVENT_ACCEPT = 4,
    LAWS_EVENT_DECLINE = 5,
    LAWS_EVENT_RESIGN = 6,
    LAWS_EVENT_CLAIM_REP = 7, // move: the intended move, or CHESS_NO_MOVE
    LAWS_EVENT_CLAIM_50 = 8,  // move: the intended move, or CHESS_NO_MOVE
    LAWS_EVENT_CLAIM_FLAG = 9,
    LAWS_EVENT_TICK = 10,         // looks at the running clock (observed mode)
    LAWS_EVENT_INTERRUPTION = 11, // span_ms before now is charged to no clock
    LAWS_EVENT_ABORT = 12,
    LAWS_EVENT_ABANDONED = 13, // side: who left; draw: the claimant chose a draw
    LAWS_EVENT_DEFAULT = 14,
    LAWS_EVENT_CLAIM_DRAW = 15, // online button: repetition if right, else 50 moves, else wrong
    // 16 to 99 are kept for the rest of section 4.3.
} LawsEventKind;

typedef struct LawsEvent {
    uint8_t kind;  // LawsEventKind
    uint8_t actor; // LawsActor
    uint8_t offer; // MOVE: with a draw offer
    uint8_t side;  // ABANDONED: ChessColor who left
    ChessMove move;
    uint8_t draw; // ABANDONED: ends as a draw
    uint8_t reserved;
    int64_t span_ms; // INTERRUPTION: its length; MOVE: network delay credited to the mover
} LawsEvent;

// The form events have in a log: kind and actor stand beside the body there.
#define LAWS_EVENT_BODY_SIZE 32
JD_API size_t laws_event_write(const LawsEvent *event, unsigned char out[LAWS_EVENT_BODY_SIZE]);
// Reads a body back; kind and actor are given. Any bytes may be asked; err says what is wrong.
JD_MUST_USE JD_API bool laws_event_read(uint8_t kind, uint8_t actor, const unsigned char *body,
                                        size_t size, LawsEvent *out, JdErr *err);
// The same for a setup (what a creation record holds); versioned and compact.
#define LAWS_SETUP_BODY_SIZE 1024
JD_API size_t laws_setup_write(const LawsSetup *setup, unsigned char out[LAWS_SETUP_BODY_SIZE]);
JD_MUST_USE JD_API bool laws_setup_read(const unsigned char *body, size_t size, LawsSetup *out,
                                        JdErr *err);

// ---- verdicts
// ----------------------------------------------------------------------------------------

typedef enum LawsRefusal {
    LAWS_NOT_REFUSED = 0,
    LAWS_REFUSED_GAME_OVER = 1,
    LAWS_REFUSED_NOT_STARTED = 2,
    LAWS_REFUSED_NOT_YOUR_TURN = 3,
    LAWS_REFUSED_ILLEGAL_MOVE = 4,
    LAWS_REFUSED_NO_OFFER = 5,
    LAWS_REFUSED_OFFER_STANDS = 6,
    LAWS_REFUSED_DRAW_TOO_EARLY = 7,
    LAWS_REFUSED_DRAW_FORBIDDEN = 8,
    LAWS_REFUSED_RIGHT_LOST = 9,
    LAWS_REFUSED_BOUND_MOVE = 10, // an announced move must be made (Article 9.5.3)
    LAWS_REFUSED_FLAG_NOT_DOWN = 11,
    LAWS_REFUSED_TOO_LATE = 12, // abort after both have moved
    LAWS_REFUSED_ALREADY_STARTED = 13,
    LAWS_REFUSED_NOT_ALLOWED = 14, // this actor may not raise this event
    LAWS_REFUSED_RECORD_FULL = 15, // ply_capacity reached: give more memory
    LAWS_REFUSED_UNKNOWN_EVENT = 16,
    LAWS_REFUSED_TIME_BACKWARDS = 17,
} LawsRefusal;
// "game_over", "not_your_turn", "illegal_move" ...: the error codes of the API.
JD_API const char *laws_refusal_name(LawsRefusal refusal);

// What an accepted event changed.
enum {
    LAWS_CHANGED_BOARD = 1,
    LAWS_CHANGED_CLOCK = 2,
    LAWS_CHANGED_OFFER = 4,
    LAWS_CHANGED_STATE = 8, // started, ended, annulled
    LAWS_CHANGED_NOTHING = 0,
};

typedef struct LawsVerdict {
    uint8_t refusal; // LawsRefusal; LAWS_NOT_REFUSED: accepted
    uint8_t changed; // LAWS_CHANGED_* bits; may be set on a refusal when the implied TICK found a
                     // fallen flag before the event was looked at
    uint8_t claim_wrong; // an accepted claim that was not right
    uint8_t reserved;
    char article[12]; // "9.5.3": the article that justifies the verdict, in the numbering of the
                      // game's edition; empty for house rules
} LawsVerdict;

// Starts a game record in the caller's struct. plies is the caller's array (may be moved and grown
// between events: set game->plies and game->ply_capacity). The setup must be sound (control
// checked).
JD_API void laws_game_init(LawsGame *game, const LawsSetup *setup, LawsPly *plies,
                           uint32_t ply_capacity);

// Applies one event at one instant. A refused event changes nothing, byte for byte - except that a
// TICK at now comes first, as in all of section 4.3: when a flag had fallen before now in observed
// mode the game ends by that, at the exact time of the fall, and the event meets an ended game. A
// caller that logs events therefore applies TICK itself when laws_deadline has passed, and logs it
// when it changed something.
JD_API LawsVerdict laws_apply(LawsGame *game, const LawsEvent *event, JdInstant now);

// Reading of a player's clock, in ms; 0 when the flag is down. In a days-per-move game: of this
// move.
JD_API int64_t laws_clock_reading(const LawsGame *game, ChessColor color, JdInstant now);
// The part of a simple or Bronstein delay still to run for the running clock, in ms.
JD_API int64_t laws_clock_delay_left(const LawsGame *game, JdInstant now);
// The instant at which a TICK would find a fallen flag; false when nothing is due by itself.
JD_API bool laws_deadline(const LawsGame *game, JdInstant *out);

// How often the position on the board has occurred (Article 9.2), now included; the position after
// move when move is not CHESS_NO_MOVE.
JD_API int laws_repetition_count(const LawsGame *game, ChessMove move);
// Whether a claim by the side to move would be right now (with an intended move or CHESS_NO_MOVE).
JD_API bool laws_claim_is_right(const LawsGame *game, ChessMove move);

// ---- dead positions
// ------------------------------------------------------------------------------------

typedef enum LawsMate {
    LAWS_MATE_IMPOSSIBLE = 0,   // proved: no series of legal moves mates
    LAWS_MATE_NOT_EXCLUDED = 1, // the sound lemmas of section 7.2 do not exclude it
} LawsMate;
// Whether color might still mate by some series of legal moves (Articles 5.2.2, 6.9): the material
// lemmas L1 to L5; they prove "cannot", never "can".
JD_API LawsMate laws_mate(const ChessPosition *pos, ChessColor color);
// Both sides proved unable to mate.
JD_API bool laws_is_dead(const ChessPosition *pos);

// A digest of everything the game is (setup, position, record, clocks, offers, result) that is the
// same on every platform; two games that agree in it are the same game.
JD_API uint64_t laws_game_digest(const LawsGame *game);

// ---- score sheet
// ---------------------------------------------------------------------------------------

// "1-0", "0-1", "1/2-1/2", "*"; other half-point pairs as "0-0", "1/2-0", "0-1/2".
JD_API const char *laws_result_text(const LawsGame *game);

#ifdef __cplusplus
}
#endif
#endif
