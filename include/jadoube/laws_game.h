// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game as the Laws know it: setup, record, clock, what lies on the arbiter's desk, state and
// result. Part of laws.h.
#ifndef JADOUBE_LAWS_GAME_H
#define JADOUBE_LAWS_GAME_H

#include <jadoube/base.h>
#include <jadoube/chess.h>
#include <jadoube/laws_control.h>
#include <jadoube/laws_rules.h>
#include <jadoube/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

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
// "scheduled", "running" ...
JD_API const char *laws_state_name(LawsState state);

// One made ply of the record; the caller provides the array.
typedef struct LawsPly {
    uint64_t zobrist_key; // of the position after the move
    int64_t clock_ms;     // the mover's reading after the move, increment included
    int64_t at_ms;        // when the move was made
    ChessMove move;
    uint8_t irreversible;       // capture, pawn move or loss of a castling right
    uint8_t offered_draw;       // the move travelled with a draw offer
    uint8_t halfmove_clock_low; // halfmove clock after the move, stopped at 255
    uint8_t flags;              // LAWS_PLY_* bits
    uint8_t time_held;          // periods of the mover whose time waits for zero on the display
    uint8_t reserved;
} LawsPly;

// What the record knows of a ply beyond its move.
enum {
    LAWS_PLY_ILLEGAL = 1,       // against Article 3 (only where unchecked moves may be entered)
    LAWS_PLY_FORCED = 2,        // made on, or leads to, a board that is no legal position
    LAWS_PLY_STANDS = 4,        // illegal, but nobody may complain of it any more
    LAWS_PLY_OFFER = 8,         // (=): the mover offered a draw with or after it (Article 9.1)
    LAWS_PLY_TOUCH_BROKEN = 16, // against the obligations of Article 4
    LAWS_PLY_UNFINISHED = 32,   // a pawn was left on the last rank
    LAWS_PLY_SEALED = 64,       // from an envelope
};

// Makes one ply of a record on the position before it. Any ply of a record may be given, illegal
// ones as well; a position after one need not be legal: see LawsDesk.loose.
JD_API void laws_ply_make(ChessPosition *pos, const LawsPly *ply);

// Who sees a flag fall (section 0).
typedef enum LawsFlagMode {
    LAWS_FLAGS_BY_EDITION = 0, // observed where the edition lets an arbiter call the flag
    LAWS_FLAGS_OBSERVED = 1,   // the program sees it
    LAWS_FLAGS_CLAIMED = 2,    // only a claim makes a flag fall; not in slow games
} LawsFlagMode;

// How it is found out whether a side can still mate (Articles 5.1.2, 5.2.2, 6.9 and kin).
typedef enum LawsMating {
    LAWS_MATING_BY_MATERIAL = 0, // by the lemmas of material alone, which are not exact: games
                                 // whose setups were written before there was more
    LAWS_MATING_EXACT = 1, // exactly (dead.h); what takes long is asked of the caller: LawsQuestion
    LAWS_MATING_ASKED = 2, // exactly; everything beyond the lemmas is asked of the caller
} LawsMating;

// A parameter of the edition that the event's regulations set otherwise (Preface).
typedef struct LawsOverride {
    int64_t value;
    uint16_t parameter; // LawsParameter.number
    uint8_t reserved[6];
} LawsOverride;

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
    uint16_t draw_min_moves; // agreements barred until both have made so many moves (Article
                             // 9.1.1); 0: none
    uint8_t draw_never;
    uint8_t fide_strict;      // no override of the Laws and no house event
    uint8_t flag_mode;        // LawsFlagMode
    uint8_t ignore_fen_clock; // the start position's halfmove clock does not count for 9.3, 9.6.2
    uint8_t identity_exercisable; // compare castling moves legal now, not rights (section 6)
    uint8_t offer_gap_moves;      // own moves between two offers of one player; 0: no such rule
    int64_t default_ms;           // default time of the event; 0: as the edition says
    // Games over the board and other competition regulations; all 0 in plain online games.
    int64_t session_ms;          // length of a playing session; 0: not adjourned by time
    uint8_t default_given;       // the event names the default time, be it 0
    uint8_t attendance;          // a scheduled start: players ARRIVE or lose by default
    uint8_t rules_announced;     // the event says whether A.3 or A.4 holds (supervised tells which)
    uint8_t ruled_later;         // no arbiter at hand, but somebody rules afterwards (App. D)
    uint8_t manual_scoresheet;   // each player keeps a record of his own (Article 8)
    uint8_t accessible;          // bit per colour: moves are announced before the clock is pressed
    uint8_t strict_display;      // no counters and no signals for players (6.15, 13.6)
    uint8_t add_at_zero;         // a period's time is added when the display reaches zero
    uint8_t delay_drops_main;    // O12, literally: main time is not carried over in delay mode
    uint8_t quickplay_announced; // the guidelines on quickplay finishes hold (2014, 2023)
    uint8_t king_capture_wins;   // O10: taking a king left in check wins a blitz game of 1997
    uint8_t colors_reversed;     // the players sit with the other colours than the pairing says
    uint8_t clock_side;          // where the clock stands; display only
    uint8_t offer_spam_after;    // offers without a move of the opponent between; 0: three
    uint8_t sheet_language[2];   // ChessLanguage of each player's score sheet
    uint8_t has_declared;        // declared holds the position the game should have begun with
    uint8_t declared[32];        // ChessPiece by square, two to a byte, the lower square low
    uint8_t override_count;
    uint8_t mating; // LawsMating
    uint8_t reserved[5];
    LawsOverride overrides[LAWS_OVERRIDES_MAX];
} LawsSetup;

// Adds an override by the name of the parameter. err: unknown name, a value out of range, a
// parameter that no event may change, too many. A strict game refuses it (laws_setup_check).
JD_MUST_USE JD_API bool laws_setup_override(LawsSetup *setup, JdStr parameter, int64_t value,
                                            JdErr *err);
// Declares the position the game should begin with; what stands in start is what did stand.
JD_API void laws_setup_declare(LawsSetup *setup, const ChessPosition *declared);

// Checks a setup for use in a game: edition and pace known, controls sound or both absent, a start
// position with a legal move that is not dead, switches 0 or 1, restrictions the edition allows,
// no override where fide_strict is set. err: code LAWS_FAULT_SETUP or LAWS_FAULT_CONTROL, field and
// reason; an override is named by its parameter.
JD_MUST_USE JD_API bool laws_setup_check(const LawsSetup *setup, JdErr *err);

typedef struct LawsClock {
    int64_t remaining_ms[2];  // at the start of the running turn; at the stop for the other
    int64_t run_start_ms;     // instant the running clock was started
    uint32_t moves_done[2];   // completed moves, all periods
    uint32_t period_start[2]; // moves_done at the start of the current period
    uint8_t period[2];        // index of the current period
    uint8_t running;          // 0 none, 1 white's, 2 black's
    uint8_t flag_down[2];     // the flag has fallen; in claimed mode that alone ends nothing
    uint8_t reserved[3];
    uint16_t credit_ms[2]; // network credit given within the current ten moves
    uint8_t reserved2[4];
    int64_t held_ms[2];         // time of a period begun that comes when the display reaches zero
    int64_t extra_increment_ms; // granted on request in a quickplay finish, to both
} LawsClock;

// Why the clocks stand (state LAWS_STOPPED).
typedef enum LawsStop {
    LAWS_NOT_STOPPED = 0,
    LAWS_STOP_BY_PLAYER = 1,  // SUMMON
    LAWS_STOP_BY_ARBITER = 2, // ARB_STOP
    LAWS_STOP_CLAIM_QPF = 3,
    LAWS_STOP_CLAIM_TOUCH = 4,
    LAWS_STOP_CLAIM_SETUP = 5, // set-up or colours
    LAWS_STOP_CLAIM_CLOCK = 6,
    LAWS_STOP_REQUEST_INCREMENT = 7,
    LAWS_STOP_ILLEGAL = 8,  // an illegal move was corrected; the arbiter sets the times
    LAWS_STOP_SHEETS = 9,   // a flag fell that does not lose: both complete their sheets (8.5)
    LAWS_STOP_VERDICT = 10, // the game is over, but for the question whether the winner can mate
} LawsStop;
// "by_player", "claim_qpf" ...
JD_API const char *laws_stop_name(LawsStop stop);

#define LAWS_TOUCHED_MAX 8
#define LAWS_COMMITMENT_SIZE 32

// What happens at a board beyond moves and clocks. All zero in plain online games.
typedef struct LawsDesk {
    uint8_t is_active;   // something here may matter
    uint8_t loose;       // the board holds no legal position: only position.board is to be read
    uint8_t due[2];      // a made move of that colour has not been completed by a press
    uint8_t stop;        // LawsStop
    uint8_t stop_code;   // reason given with it
    uint8_t claimant;    // colour
    uint8_t arrived;     // bit per colour (attendance)
    uint8_t waived;      // bit per colour: the arbiter waived the default
    uint8_t on_hold;     // bit per colour
    uint8_t consent;     // the arbiter allows an agreement
    uint8_t qpf_pending; // 1 + claimant: a claim of Article 10.2 is open
    uint8_t qpf_fallen;  // 1 + colour whose flag fell meanwhile
    // Article 4
    uint8_t touched_count;
    uint8_t touched[LAWS_TOUCHED_MAX]; // squares in the order of touching
    uint8_t adjusting;
    uint8_t release_from;  // 1 + square
    uint8_t release_to;    // 1 + square
    uint8_t promotion;     // ChessKind bound by touching the square
    uint8_t enforced;      // obligations that were ruled, wherever rulings come on request only
    uint8_t touched_since; // bit per colour: has touched since the opponent's move (4.8)
    uint8_t last_touched_count;
    uint8_t last_touched[LAWS_TOUCHED_MAX]; // of the move just made
    // Article 7
    uint8_t illegal_count[2];
    uint8_t press_fault;  // 1 + colour who pressed without a move
    uint8_t illegal_wait; // an illegal position waits for the next completed move (A.4d)
    uint8_t take_back;    // bit per colour: agrees to take an illegal move back
    // Article 8
    uint8_t exempt;         // bit per colour: no duty to record
    uint8_t sheet_due;      // bit per colour: the sheet must be complete before the next move
    uint8_t record_step[2]; // rungs climbed of the ladder for recording in advance
    uint8_t sheet_views[2];
    uint16_t recorded[2]; // plies on the sheet
    // Articles 9, 12, 13
    uint8_t offers_since_move[2];
    uint8_t offer_mark; // bit per colour: the next own ply carries (=)
    uint8_t warnings[2];
    int8_t points[2]; // half-points taken or given as penalties
    uint8_t expelled; // bit per colour
    uint8_t excluded; // bit per colour: from rounds to come
    uint8_t fined;    // bit per colour
    uint8_t appealed; // bit per colour
    uint8_t overruled;
    uint8_t verified;  // App. D: the opponent has confirmed position and record
    uint8_t signed_by; // bit per colour: has signed the result
    uint8_t signed_result[2][2];
    uint8_t signed_differs; // both signed another result than the board gave
    uint16_t incidents;
    uint8_t duties[2];    // LAWS_DUTY_* bits of each player's assistant
    uint8_t is_announced; // the last made move was announced
    uint8_t echo_differs;
    ChessMove announced;
    uint32_t assistant[2]; // who he is; 0: none
    // Adjournment
    uint8_t sealer;        // colour
    uint8_t sealed;        // an envelope holds a move
    uint8_t seal_on_board; // made on the board after the order: it must be sealed as made
    uint8_t seal_early;
    uint8_t seal_opened;
    uint8_t seal_unclear; // the arbiter decides what the text means
    uint8_t reply_sealed;
    uint8_t envelope_checked;
    uint8_t is_resumed; // the resumption has begun
    uint8_t present;    // bit per colour, at the resumption
    uint8_t adjournments;
    uint8_t claim_clock_closed;                  // bit per colour: has moved since the resumption
    ChessMove sealed_move;                       // known only when made on the board
    uint8_t commitment[2][LAWS_COMMITMENT_SIZE]; // sealed move, sealed reply
    int64_t session_start_ms;
    int64_t resume_ms;
    int64_t adjourned_ms;
    // While LAWS_STOP_VERDICT: who wins if he can mate (1 + colour), by what, since when.
    uint8_t verdict_winner;
    uint8_t verdict_reason; // LawsReason of a win
    int64_t verdict_ms;
} LawsDesk;

typedef struct LawsGame {
    LawsSetup setup;
    ChessPosition position;
    LawsClock clock;
    LawsPly *plies; // caller's memory
    uint32_t ply_capacity;
    uint32_t ply_count;
    uint32_t events;      // events accepted so far
    uint8_t state;        // LawsState
    uint8_t reason;       // LawsReason
    uint8_t result[2];    // half-points, valid when ENDED
    uint8_t offer[2];     // a draw offer of that colour stands
    uint8_t claim_lost;   // the right to claim is lost for this move (Article 9.4)
    uint8_t mating;       // LAWS_MATING_* bits of the event being applied; 0 between events
    ChessMove bound_move; // obligatory after a wrong claim with a written move; CHESS_NO_MOVE: none
    uint16_t wrong_claims[2];
    uint16_t offer_made[2]; // own moves made at the last offer, plus one; 0: none yet
    uint8_t bound_from;     // square, plus one, of the piece an illegal written move binds; 0: none
    uint8_t mating_found;   // what was found of it; 0 between events
    int64_t started_ms;
    int64_t ended_ms;
    int64_t now_ms;         // time of the last accepted event; later events are never earlier
    int64_t interrupted_ms; // sum of all interruptions; the default time is later by it
    LawsDesk desk;
} LawsGame;

// The parameters the game is played under, overrides included; *space is written only where there
// are overrides, and must outlive the answer.
JD_API const LawsRules *laws_game_rules(const LawsGame *game, LawsRules *space);
// The legal moves the side to move may make now: all, or those that announced moves, touched and
// released pieces leave (Articles 4, 9.5). On a loose board the moves that are legal by its
// squares.
JD_API void laws_moves_allowed(const LawsGame *game, ChessMoveList *out);
// Moves made so far by that colour, completed or not.
JD_API uint32_t laws_moves_made(const LawsGame *game, ChessColor color);

#ifdef __cplusplus
}
#endif
#endif
