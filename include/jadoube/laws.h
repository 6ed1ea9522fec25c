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

// ---- editions -----------------------------------------------------------------------------------

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

// What happens when both flags are down and nobody knows which fell first.
typedef enum LawsBothFlags {
    LAWS_BOTH_FLAGS_CONTINUE = 0,
    LAWS_BOTH_FLAGS_DRAW = 1,
    LAWS_BOTH_FLAGS_DRAW_IN_QUICKPLAY = 2, // 1997: draw in a quickplay finish (10.3), else continue
} LawsBothFlags;

// A duty or a freedom, where an edition words it in one of three ways.
typedef enum LawsDuty { LAWS_NO_RULE = 0, LAWS_MUST = 1, LAWS_MAY = 2, LAWS_SHALL = 3 } LawsDuty;

// Who may raise an illegal move.
typedef enum LawsRaiser {
    LAWS_RAISED_BY_ANYONE = 0,   // at any time in the game
    LAWS_RAISED_BY_OPPONENT = 1, // alone
    LAWS_RAISED_BY_OPPONENT_OR_ARBITER = 2,
    LAWS_RAISED_BY_OPPONENT_GROSS_BY_ARBITER = 3, // the arbiter: both kings in check, promotion
                                                  // unfinished
} LawsRaiser;

// Until when an illegal move may be raised.
typedef enum LawsDeadline {
    LAWS_NO_DEADLINE = 0,
    LAWS_UNTIL_CLAIMANT_TOUCHES = 1,
    LAWS_UNTIL_CLAIMANT_MOVES = 2,
} LawsDeadline;

// A pawn left on the last rank with the clock pressed.
typedef enum LawsUnfinishedPromotion {
    LAWS_PROMOTION_ILLEGAL = 0,       // by the general rule
    LAWS_PROMOTION_ILLEGAL_NAMED = 1, // by name
    LAWS_PROMOTION_BECOMES_QUEEN = 2, // illegal, and the pawn becomes a queen
} LawsUnfinishedPromotion;

// Taking the king.
typedef enum LawsKingCapture {
    LAWS_KING_CAPTURE_ILLEGAL = 0,       // by the general rule
    LAWS_KING_CAPTURE_ILLEGAL_NAMED = 1, // by name
} LawsKingCapture;

// An illegal position in rapid and blitz: both kings in check, a pawn on the last rank.
typedef enum LawsIllegalPosition {
    LAWS_ILLEGAL_POSITION_NO_RULE = 0,
    LAWS_ILLEGAL_POSITION_ARBITER = 1,   // the arbiter intervenes
    LAWS_ILLEGAL_POSITION_WAIT_DRAW = 2, // wait for the next move; still illegal: draw
} LawsIllegalPosition;

// Castling after a wrong set-up that stands.
typedef enum LawsSetupCastling {
    LAWS_SETUP_CASTLING_SWAPPED_KING = 0, // king and queen swapped: not with that king
    LAWS_SETUP_CASTLING_BY_PIECE = 1, // king misplaced: none; rook misplaced: not with that rook
} LawsSetupCastling;

// A telephone or other device.
typedef enum LawsDevice {
    LAWS_DEVICE_NO_RULE = 0,
    LAWS_DEVICE_RINGING_LOSES = 1,         // opponent's score by the arbiter
    LAWS_DEVICE_RINGING_LOSES_OR_HALF = 2, // opponent 1, but 1/2 when he cannot mate
    LAWS_DEVICE_CARRYING_LOSES = 3,        // events may soften it
} LawsDevice;

// One edition at one pace: the parameters of spec section 2. A field that is 0 means the edition
// has no such rule, or the first meaning of its enumeration. Spans are in milliseconds.
typedef struct LawsRules {
    uint8_t edition; // LawsEdition
    uint8_t pace;    // LawsPace
    uint8_t supervised;
    uint8_t pace_increment_factor;
    uint8_t flag_caller; // LawsFlagCaller
    uint8_t flag_claim_needs_own_flag_up;
    uint8_t flag_win_needs_helpmate;
    uint8_t resign_loss_needs_helpmate;
    uint8_t both_flags_draw; // LawsBothFlags: both flags down in the last period, order unknown
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
    // 2.1 pace
    uint8_t rapid_min_inclusive;
    uint8_t rapid_max_inclusive;
    uint8_t supervision_matters; // whether this row differs from the unsupervised one
    uint8_t must_announce_rules; // rapid, blitz: the event says which set of rules applies
    // 2.2 arrival
    uint8_t default_time_must_be_set;   // the event must name it
    uint8_t both_absent_white_runs;     // White's clock runs until he comes
    uint8_t arrival_needs_default_time; // ... only where the default time is not 0
    // 2.3 flags
    uint8_t both_flags_other_period; // LawsBothFlags: both flags down in an earlier period
    uint8_t completed_moves_count;   // a time control counts completed moves
    // 2.4 illegal moves
    uint8_t illegal_draw_by_claim; // where the opponent cannot mate he may claim a draw
    uint8_t illegal_raised_by;     // LawsRaiser
    uint8_t illegal_deadline;      // LawsDeadline
    uint8_t illegal_stands_after_deadline;
    uint8_t illegal_corrected_by_agreement; // ... unless both players agree to correct it
    uint8_t illegal_complete_at_press;      // else when the opponent's clock has been started
    uint8_t unfinished_promotion;           // LawsUnfinishedPromotion
    uint8_t king_capture;                   // LawsKingCapture
    uint8_t press_without_move_is_illegal;
    uint8_t two_hands_is_illegal;
    uint8_t illegal_position; // LawsIllegalPosition
    uint8_t overlooking_penalised;
    uint8_t illegal_decides_at_once; // section 4.4 step 3: no restoring, win or draw on the claim
    // 2.5 claims and automatic draws
    uint8_t forced_repetitions_consecutive; // 2014: each four plies after the last
    uint8_t claim_stops_clocks;             // LawsDuty
    uint8_t claim_withdrawable;
    uint8_t quickplay_claim_is_offer;
    uint8_t wrong_claim_binds_piece; // a written illegal move binds its piece (Article 4.3)
    uint8_t written_move_final;      // the announced move cannot be changed once written
    uint8_t identity_en_passant;     // 1: a legal capture only
    uint8_t identity_castling;       // 1: the rights
    uint8_t draw_restriction_bars_offers;
    uint8_t offer_gap_moves; // own moves between two offers of one player
    // 2.6 quickplay finish
    uint8_t quickplay_needs_no_increment;
    uint8_t quickplay_needs_announcement;
    uint8_t quickplay_stops_clock;             // LawsDuty
    uint8_t quickplay_verdict_after_flag_only; // a postponed claim is decided after the flag fall
    uint8_t quickplay_decision_final;
    uint8_t quickplay_no_arbiter_ends; // App. D, G.6, III.6: the claim ends the game
    // 2.7 record, set-up, conduct, adjournment
    uint8_t scoresheet_exempt_rest_of_period; // the exemption lasts to the end of the period
    uint8_t record_ahead_forbidden;           // 1: except for a claim; 2: except sealing too
    uint8_t setup_claim_limit_moves;          // by each player; 0: no limit
    uint8_t clock_setting_late_for_schedule;  // late clock claims only to save the schedule
    uint8_t setup_castling;                   // LawsSetupCastling
    uint8_t colors_reversed_restart_moves;    // fewer made by both: new game; 0: continue
    uint8_t touch_ruling_on_request;
    uint8_t promotion_final_on_touch; // else when the new piece is released
    uint8_t king_release_binds_castling;
    uint8_t device;               // LawsDevice
    uint8_t smoking_named;        // an article of its own; 2: electronic cigarettes too
    uint8_t appeal_allowed;       // 2: except against a quickplay decision
    uint8_t adjourn_late_default; // late for resumption: the default time, not adjourn_late_ms
    uint8_t seal_fault_loses;
    uint8_t penalty_fine;
    uint8_t penalty_exclusion;      // from rounds
    uint8_t adjust_needs_own_clock; // Article 4.2: adjusting only while one's own clock runs
    uint8_t sheet_views_max;        // A.3 of 2023: looks at the score sheet; 0: no limit
    int64_t rapid_min_ms;
    int64_t rapid_max_ms;
    int64_t quickplay_postpone_bonus_ms; // the opponent may get it
    int64_t quickplay_reject_bonus_ms;
    int64_t quickplay_increment_ms; // 2014, 2023: the increment a player may ask for instead
    int64_t scoresheet_exempt_needs_increment_below_ms;
    int64_t record_ahead_bonus_ms; // last rung of the ladder, to the opponent
    int64_t adjourn_late_ms;
    int64_t illegal_bonus_ms;
    int64_t wrong_claim_bonus_ms;
    int64_t default_time_ms;
    int64_t quickplay_threshold_ms;
    int64_t scoresheet_exempt_below_ms;
} LawsRules;

// The row, or NULL when the edition, pace or their combination is unknown.
JD_API const LawsRules *laws_rules(LawsEdition edition, LawsPace pace, bool supervised);

// One parameter of LawsRules by its name, for event regulations, the arbiter's console and tests.
typedef struct LawsParameter {
    const char *name; // that of the field
    int64_t least, most;
    uint16_t number; // goes into logs and is never reused; above 0
    uint16_t offset; // of the field in LawsRules
    uint8_t size;    // 1 or 8
    uint8_t may_override;
} LawsParameter;
// All of them, *count of them; the order is that of their numbers.
JD_API const LawsParameter *laws_parameters(size_t *count);
// By name; NULL when there is none.
JD_API const LawsParameter *laws_parameter_find(JdStr name);
JD_API int64_t laws_parameter_value(const LawsRules *rules, const LawsParameter *parameter);

// "fide-2023" and kin. NULL / false when unknown.
JD_API const char *laws_edition_name(LawsEdition edition);
JD_MUST_USE JD_API bool laws_edition_parse(JdStr name, LawsEdition *out);
JD_API const char *laws_pace_name(LawsPace pace); // "standard", "rapid", "blitz"
JD_MUST_USE JD_API bool laws_pace_parse(JdStr name, LawsPace *out);

// What was wrong with a text, a setup or a log (JdErr.code). Numbers are never reused.
typedef enum LawsFault {
    LAWS_FAULT_NONE = 0,
    LAWS_FAULT_CONTROL_TEXT = 1, // a time control text that does not parse
    LAWS_FAULT_CONTROL = 2,      // a control that cannot be played
    LAWS_FAULT_SETUP = 3,        // a setup that cannot be played
    LAWS_FAULT_SETUP_BODY = 4,   // bytes that are no setup
    LAWS_FAULT_EVENT_BODY = 5,   // bytes that are no event
    LAWS_FAULT_LOG = 6,          // bytes that are no log
    LAWS_FAULT_LOG_REFUSED = 7,  // a logged event that the Laws refuse
} LawsFault;

// ---- time control -------------------------------------------------------------------------------

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
    int64_t move_ms; // above 0: days-per-move control, periods are unused; nothing is saved, and a
                     // bonus counts within its move
    uint8_t period_count;
    uint8_t repeat;          // the last period begins again and again
    uint8_t first_increment; // increment before the first move as well (over the board)
    uint8_t reserved[5];
} LawsControl;

// Checks a control for use in a game: spans not negative, not all zero, only the last period
// without a move quota, increment and delay not together, sums far from overflow. err: field and
// reason. A first period without time but with an increment starts with that increment on the
// clock, whatever first_increment says: its flag would be down at the start.
JD_MUST_USE JD_API bool laws_control_check(const LawsControl *control, JdErr *err);
// Pace of a control under an edition (section 2.1). Periods with different increments count the
// largest; a repeating quota counts until move 60.
JD_API LawsPace laws_control_pace(LawsEdition edition, const LawsControl *control);
// Whether it is a slow control (section 5.1): a time per move, or a day or more on the clock.
JD_API bool laws_control_is_slow(const LawsControl *control);
#define LAWS_CONTROL_TEXT_SIZE 256
// PGN TimeControl text: "900+10", "40/7200:3600", "1/259200" for three days a move, "-" for none;
// simple delay "900d10", Bronstein "900b10"; "864000+120x360": the increment for the first 360
// moves. A last period with a quota repeats ("40/7200:20/3600"). Spans are seconds, with up to
// three decimals where needed. first_increment has no text: it is a switch beside the control.
// Writes a NUL, returns the size without it.
JD_API size_t laws_control_write(const LawsControl *control, char out[LAWS_CONTROL_TEXT_SIZE]);
JD_MUST_USE JD_API bool laws_control_parse(JdStr text, LawsControl *out, JdErr *err);

// ---- a game -------------------------------------------------------------------------------------

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

// ---- events -------------------------------------------------------------------------------------

typedef enum LawsActor {
    LAWS_WHITE = 0,
    LAWS_BLACK = 1,
    LAWS_ARBITER_ACTOR = 2,
    LAWS_SERVER = 3,
    LAWS_WHITE_ASSISTANT = 4, // acts for the player within the duties the arbiter gave him
    LAWS_BLACK_ASSISTANT = 5,
} LawsActor;

// What an assistant may do (4.9, 6.2.6, 8.1; F2.9, F2.10).
enum {
    LAWS_DUTY_MOVE = 1,     // makes moves on the board
    LAWS_DUTY_ANNOUNCE = 2, // announces and repeats them
    LAWS_DUTY_RECORD = 4,   // keeps the score sheet
    LAWS_DUTY_PRESS = 8,    // presses the clock
    LAWS_DUTY_CLAIM_FLAG = 16,
    LAWS_DUTY_REPORT_TOUCH = 32,
    LAWS_DUTY_ADJOURN = 64, // formalities of adjourning
};

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
    LAWS_EVENT_ABANDONED = 13,  // side: who left; draw: the claimant chose a draw
    LAWS_EVENT_DEFAULT = 14,    // side: who has not come; LAWS_BOTH_SIDES: both. Where arrivals are
                                // noted, and at a resumption, it comes by itself (laws_deadline)
    LAWS_EVENT_CLAIM_DRAW = 15, // online button: repetition if right, else 50 moves, else wrong
    // Players at the board.
    LAWS_EVENT_ARRIVE = 16,      // side, when the server or the arbiter says so
    LAWS_EVENT_TOUCH = 17,       // square; flag: an ordinary touch after ADJUST
    LAWS_EVENT_ADJUST = 18,      // j'adoube
    LAWS_EVENT_RELEASE = 19,     // square
    LAWS_EVENT_PROMO_TOUCH = 20, // square, code: ChessKind
    LAWS_EVENT_PRESS = 21,
    LAWS_EVENT_REQUEST_INCREMENT = 22,
    LAWS_EVENT_FLAG_OBSERVED = 23, // side
    LAWS_EVENT_CLAIM_ILLEGAL = 24,
    LAWS_EVENT_CLAIM_TOUCH = 25, // text
    LAWS_EVENT_CLAIM_SETUP = 26, // code: LawsSetupClaim
    LAWS_EVENT_CLAIM_CLOCK_SETTING = 27,
    LAWS_EVENT_SUMMON = 28, // code: LawsSummon; text
    // The arbiter.
    LAWS_EVENT_ARB_STOP = 29,       // code; text
    LAWS_EVENT_RESUME = 30,         // side; LAWS_BOTH_SIDES: whose clock is due
    LAWS_EVENT_SET_CLOCK = 31,      // side, span_ms; text
    LAWS_EVENT_ADD_TIME = 32,       // side (or both), span_ms; text
    LAWS_EVENT_SUB_TIME = 33,       // side, span_ms; text
    LAWS_EVENT_SET_MOVE_COUNT = 34, // side, count: completed moves
    LAWS_EVENT_RESTORE = 35,        // count: plies that stay
    LAWS_EVENT_RULE_ILLEGAL = 36,   // side: who offended
    LAWS_EVENT_WARN = 37,           // side; text
    LAWS_EVENT_POINTS = 38,         // side, code: half-points, flag: taken; text
    LAWS_EVENT_EXPEL = 39,          // side; text
    LAWS_EVENT_FINE = 40,           // side, count: amount; text
    LAWS_EVENT_EXCLUDE_ROUNDS = 41, // side, count: rounds; text
    LAWS_EVENT_NOTE = 42,           // text
    LAWS_EVENT_INCIDENT = 43,       // side, code: LawsIncident, flag: confirmed; text
    LAWS_EVENT_ARB_RESULT = 44,     // result, code: LawsReason; text
    LAWS_EVENT_CLAIM_QPF = 45,      // code: LawsQpfGround
    LAWS_EVENT_ARB_QPF = 46,        // code: LawsQpfAnswer, flag
    LAWS_EVENT_CONSENT = 47,
    LAWS_EVENT_ASSISTANT = 48, // side, code: duties, count: who; text
    LAWS_EVENT_ARB_SEAL = 49,
    LAWS_EVENT_ADJOURN_EARLY = 50,
    LAWS_EVENT_SEAL = 51, // text: commitment (32 bytes), then what the shell keeps encrypted
    LAWS_EVENT_STOP_CLOCK = 52,
    LAWS_EVENT_RESUME_START = 53,
    LAWS_EVENT_OPEN_ENVELOPE = 54, // text: nonce (16 bytes), then the move as written; code:
                                   // ChessLanguage; flag: the sealed reply
    LAWS_EVENT_SEAL_REPLY = 55,    // text as in SEAL
    LAWS_EVENT_RULE_SEALED = 56,   // move: what an unclear text means; CHESS_NO_MOVE: nothing
    LAWS_EVENT_ENVELOPE_LOST = 57, // move: what the sealer says he sealed, or CHESS_NO_MOVE
    LAWS_EVENT_ENVELOPE_CHECK = 58,
    LAWS_EVENT_ANNUL = 59,           // text: why, and the game that follows
    LAWS_EVENT_APPEAL = 60,          // text
    LAWS_EVENT_OVERRULE_RESULT = 61, // result, code: LawsReason; text
    LAWS_EVENT_WAIVE_DEFAULT = 62,   // side
    LAWS_EVENT_HOLD = 63,            // side
    LAWS_EVENT_UNHOLD = 64,          // side
    LAWS_EVENT_BLOCKED = 65,         // side: who was blocked
    LAWS_EVENT_RECORD = 66,          // count: plies now on the player's sheet; text: as written
    LAWS_EVENT_RULE_TOUCH = 67,      // square touched; side: who touched it
    LAWS_EVENT_RULE_INCREMENT = 68,  // flag: granted
    LAWS_EVENT_VERIFY = 69,          // App. D: the opponent confirms position and record
    LAWS_EVENT_TAKE_BACK_AGREED = 70,
    LAWS_EVENT_CONFIRM_RESULT = 71, // result
    LAWS_EVENT_DECLARE_LOST = 72,   // side, code: the opponent's half-points; text
    LAWS_EVENT_VIEW_SHEET = 73,
    LAWS_EVENT_ANNOUNCE = 74,         // move
    LAWS_EVENT_REPEAT = 75,           // move, as the opponent heard it
    LAWS_EVENT_REMOVE_SPECTATOR = 76, // text
    LAWS_EVENT_RULE_COLORS = 77,      // flag: a new game; else the game goes on
    LAWS_EVENT_VERDICT = 78, // count: plies made; code: LAWS_MATING_* bits about the position then.
                             // Ends the game when it waits for that, or when nobody can mate
} LawsEventKind;
#define LAWS_EVENT_KIND_COUNT 79
// "move", "claim_illegal" ...; NULL when unknown.
JD_API const char *laws_event_name(uint8_t kind);
JD_MUST_USE JD_API bool laws_event_find(JdStr name, uint8_t *kind);
// Whether that actor may raise such an event in the game's present state; what else an event needs
// is found out by applying it.
JD_API bool laws_event_possible(const LawsGame *game, uint8_t kind, uint8_t actor);

typedef enum LawsSetupClaim {
    LAWS_CLAIM_POSITION = 0, // the initial position was wrong
    LAWS_CLAIM_BOARD = 1,    // the board was placed wrongly
    LAWS_CLAIM_COLORS = 2,   // colours reversed
} LawsSetupClaim;

typedef enum LawsSummon {
    LAWS_SUMMON_OTHER = 0,
    LAWS_SUMMON_PROMOTION_PIECE = 1,
    LAWS_SUMMON_ILLEGAL_MOVE = 2,
    LAWS_SUMMON_DISPLACED = 3,
    LAWS_SUMMON_DISTURBED = 4,
} LawsSummon;

typedef enum LawsQpfGround {
    LAWS_QPF_NO_NORMAL_WIN = 0, // cannot be won by normal means
    LAWS_QPF_NO_EFFORT = 1,     // the opponent makes no effort to win by normal means
} LawsQpfGround;

typedef enum LawsQpfAnswer {
    LAWS_QPF_ACCEPT = 0,
    LAWS_QPF_POSTPONE = 1, // flag: the opponent gets extra time
    LAWS_QPF_REJECT = 2,
    LAWS_QPF_FINAL_DRAW = 3,
    LAWS_QPF_FINAL_LOSS = 4,
} LawsQpfAnswer;

// What is put on record against a player. Numbers go into logs and are never reused.
typedef enum LawsIncident {
    LAWS_NO_INCIDENT = 0,
    LAWS_INCIDENT_TWO_HANDS = 1,
    LAWS_INCIDENT_CLOCK_HAND = 2,  // pressed with the other hand, finger on the clock
    LAWS_INCIDENT_CLOCK_ABUSE = 3, // banged, lifted, knocked over
    LAWS_INCIDENT_DISPLACED = 4,
    LAWS_INCIDENT_DISREPUTE = 5,
    LAWS_INCIDENT_ADVICE = 6,
    LAWS_INCIDENT_DEVICE = 7,
    LAWS_INCIDENT_LEFT = 8,
    LAWS_INCIDENT_DISTRACTION = 9,
    LAWS_INCIDENT_RECORD_BEHIND = 10,
    LAWS_INCIDENT_RECORD_AHEAD = 11,
    LAWS_INCIDENT_OFFER_SPAM = 12,
    LAWS_INCIDENT_FALSE_CLAIM = 13,
    LAWS_INCIDENT_PRESS_WITHOUT_MOVE = 14,
    LAWS_INCIDENT_BAD_SUMMON = 15,
    LAWS_INCIDENT_SPECTATOR = 16,
    LAWS_INCIDENT_SMOKING = 17,
    LAWS_INCIDENT_REFUSAL = 18, // refuses to comply with the Laws
    LAWS_INCIDENT_ECHO = 19,    // a repeated move differs from the announced one
    LAWS_INCIDENT_UNTIMELY_OFFER = 20,
} LawsIncident;
#define LAWS_INCIDENT_COUNT 21
// "two_hands" ...
JD_API const char *laws_incident_name(LawsIncident incident);
// The proposal of the Laws for an incident that loses (12.2b, 12.8): half-points of both, by the
// position on the board. False where the edition names none.
JD_MUST_USE JD_API bool laws_incident_result(const LawsGame *game, LawsIncident incident,
                                             ChessColor offender, uint8_t result[2]);

#define LAWS_BOTH_SIDES 2
// Most network delay credited to one move, and within ten own moves together.
#define LAWS_CREDIT_MOVE_MS 300
#define LAWS_CREDIT_TEN_MOVES_MS 1000

// Who can still mate. With LAWS_MATING_SAID an event tells what is known of the position in which
// it needs to be known, and nothing is worked out; without, laws_apply finds it out as far as that
// is short, and the verdict tells what it found (laws_event_settle). So a log holds every answer
// that mattered: replaying it never depends on how good the search is.
enum {
    LAWS_MATING_NOT_WHITE = 1, // proved: White cannot mate
    LAWS_MATING_NOT_BLACK = 2,
    LAWS_MATING_OPEN_WHITE = 4, // not known whether White can: the game waits for a VERDICT
    LAWS_MATING_OPEN_BLACK = 8,
    LAWS_MATING_BITS = 15,
    LAWS_MATING_SAID = 128, // of whom no bit is set can mate
};

typedef struct LawsEvent {
    uint8_t kind;  // LawsEventKind
    uint8_t actor; // LawsActor
    uint8_t offer; // MOVE: with a draw offer
    uint8_t side;  // ABANDONED: ChessColor who left; DEFAULT: who has not come
    ChessMove move;
    uint8_t draw;    // ABANDONED: ends as a draw
    uint8_t code;    // see the kinds
    int64_t span_ms; // INTERRUPTION: its length; MOVE: network delay credited to the mover, of
                     // which no more than LAWS_CREDIT_* is given; clocks: see the kinds
    uint8_t square;
    uint8_t flag;
    uint8_t result[2]; // half-points of White and Black
    uint8_t mating;    // LAWS_MATING_* bits
    uint32_t count;
    JdStr text; // at most LAWS_EVENT_TEXT_MAX bytes; from a log it points into the log
} LawsEvent;

// The form events have in a log: kind and actor stand beside the body there.
#define LAWS_EVENT_TEXT_MAX 200
#define LAWS_EVENT_BODY_SIZE 233
// Returns the size; 0 when the event has no written form (unknown kind, a negative span).
JD_API size_t laws_event_write(const LawsEvent *event, unsigned char out[LAWS_EVENT_BODY_SIZE]);
// Reads a body back; kind and actor are given. Any bytes may be asked; err says what is wrong.
JD_MUST_USE JD_API bool laws_event_read(uint8_t kind, uint8_t actor, const unsigned char *body,
                                        size_t size, LawsEvent *out, JdErr *err);
// The same for a setup (what a creation record holds); versioned and compact.
#define LAWS_SETUP_BODY_SIZE 1024
JD_API size_t laws_setup_write(const LawsSetup *setup, unsigned char out[LAWS_SETUP_BODY_SIZE]);
JD_MUST_USE JD_API bool laws_setup_read(const unsigned char *body, size_t size, LawsSetup *out,
                                        JdErr *err);

// A whole game as bytes: laws_log_open, then one laws_log_event for every accepted event.
//   head   "JDL1", size of the setup body (2 bytes), setup body
//   event  kind (1), actor (1), instant in ms since 1970 (8), size of the body (1), body
// All numbers little-endian.
#define LAWS_LOG_HEAD_SIZE (6 + LAWS_SETUP_BODY_SIZE)
#define LAWS_LOG_EVENT_SIZE (11 + LAWS_EVENT_BODY_SIZE)
JD_API size_t laws_log_open(const LawsSetup *setup, unsigned char out[LAWS_LOG_HEAD_SIZE]);
JD_API size_t laws_log_event(const LawsEvent *event, JdInstant at,
                             unsigned char out[LAWS_LOG_EVENT_SIZE]);

// ---- verdicts -----------------------------------------------------------------------------------

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
    LAWS_REFUSED_TIME_BACKWARDS = 17, // before the last event, or no instant at all
    LAWS_REFUSED_OFFER_TOO_SOON = 18, // within offer_gap_moves of the last one
    LAWS_REFUSED_NOT_YET = 19,        // the default time has not passed
    LAWS_REFUSED_CLOCKS_STOPPED = 20, // until the arbiter resumes the game
    LAWS_REFUSED_NO_ARBITER = 21,
    LAWS_REFUSED_NO_SUCH_RULE = 22,     // this edition or this pace has no such rule
    LAWS_REFUSED_TOUCH_MOVE = 23,       // a touched or released piece binds (Article 4)
    LAWS_REFUSED_NOT_DUE = 24,          // no made move waits for a press, nothing waits for this
    LAWS_REFUSED_NOT_COMPLETED = 25,    // the illegal move is not complete before the press
    LAWS_REFUSED_NOT_STOPPED = 26,      // the clocks must stand for this
    LAWS_REFUSED_BAD_VALUE = 27,        // a score, time, count or square that cannot be
    LAWS_REFUSED_SHEET_INCOMPLETE = 28, // complete the score sheet first (Article 8.4)
    LAWS_REFUSED_NOT_ANNOUNCED = 29,
    LAWS_REFUSED_TIME_LEFT = 30, // two minutes or more (Article 10.2)
    LAWS_REFUSED_FLAG_DOWN = 31, // one's own flag is down
    LAWS_REFUSED_NOT_PRESENT = 32,
    LAWS_REFUSED_SEAL_DIFFERS = 33, // the text is not the one that was sealed
    LAWS_REFUSED_FINAL = 34,        // no appeal (Article 10.2d)
    LAWS_REFUSED_NOT_SEALED = 35,
    LAWS_REFUSED_NO_DUTY = 36, // the assistant has no such duty
} LawsRefusal;
#define LAWS_REFUSAL_COUNT 37
// "game_over", "not_your_turn", "illegal_move" ...: the error codes of the API.
JD_API const char *laws_refusal_name(LawsRefusal refusal);

// What an accepted event changed.
enum {
    LAWS_CHANGED_BOARD = 1,
    LAWS_CHANGED_CLOCK = 2,
    LAWS_CHANGED_OFFER = 4,
    LAWS_CHANGED_STATE = 8,   // started, ended, annulled
    LAWS_CHANGED_RECORD = 16, // penalties, incidents, notes, score sheets
    LAWS_CHANGED_TOUCH = 32,  // obligations of Article 4, announcements
    LAWS_CHANGED_NOTHING = 0,
};

typedef struct LawsVerdict {
    uint8_t refusal; // LawsRefusal; LAWS_NOT_REFUSED: accepted
    uint8_t changed; // LAWS_CHANGED_* bits; may be set on a refusal when the implied TICK found a
                     // fallen flag before the event was looked at
    uint8_t claim_wrong; // an accepted claim that was not right
    uint8_t incident;    // LawsIncident the event put on record
    char article[12];    // "9.5.3": the article that justifies the verdict, in the numbering of the
                         // game's edition; empty for house rules
    uint8_t untimely; // a draw offer at another moment than Article 9.1 names; valid all the same
    uint8_t message_side; // ChessColor the message is about; LAWS_BOTH_SIDES: neither
    uint8_t mating;       // what was found of it: see laws_event_settle
    uint8_t is_open;    // it was not settled whether the position is dead: find out (LawsQuestion),
                        // and tell the game by a VERDICT
    uint16_t message;   // what to tell the players: see laws_message_name; 0: nothing
    int64_t numbers[2]; // parameters of the message: {n} and {m}; spans in ms
} LawsVerdict;

// Messages are numbered: 1 to 199 a LawsRefusal, 200 to 399 a LawsReason plus 200, then those.
typedef enum LawsMessage {
    LAWS_MESSAGE_NONE = 0,
    LAWS_MESSAGE_REFUSALS = 0,
    LAWS_MESSAGE_REASONS = 200,
    LAWS_MESSAGE_FIRST = 400,
    LAWS_MESSAGE_CLAIM_WRONG = 400,       // {n}: time the opponent gets
    LAWS_MESSAGE_CLAIM_UNFOUNDED = 401,   // no irregularity was found
    LAWS_MESSAGE_ILLEGAL_CORRECTED = 402, // {n}: time the opponent gets, {m}: count
    LAWS_MESSAGE_ILLEGAL_TAKEN_BACK = 403,
    LAWS_MESSAGE_QUEEN_PLACED = 404, // unfinished promotion; {n}, {m} as in 402
    LAWS_MESSAGE_STOPPED = 405,
    LAWS_MESSAGE_RESUMED = 406,
    LAWS_MESSAGE_CLOCK_SET = 407, // {n}: old reading, {m}: new
    LAWS_MESSAGE_RESTORED = 408,  // {n}: plies that stay
    LAWS_MESSAGE_WARNED = 409,
    LAWS_MESSAGE_POINTS = 410, // {n}: half-points
    LAWS_MESSAGE_EXPELLED = 411,
    LAWS_MESSAGE_FINED = 412,    // {n}: amount
    LAWS_MESSAGE_EXCLUDED = 413, // {n}: rounds
    LAWS_MESSAGE_INCIDENT = 414, // {n}: LawsIncident
    LAWS_MESSAGE_QPF_POSTPONED = 415,
    LAWS_MESSAGE_QPF_REJECTED = 416,      // {n}: time the opponent gets
    LAWS_MESSAGE_INCREMENT_GRANTED = 417, // {n}: increment
    LAWS_MESSAGE_INCREMENT_REFUSED = 418,
    LAWS_MESSAGE_TOUCH_BINDS = 419, // {n}: square
    LAWS_MESSAGE_SEALING = 420,
    LAWS_MESSAGE_ADJOURNED = 421,
    LAWS_MESSAGE_ENVELOPE_OPENED = 422,
    LAWS_MESSAGE_ENVELOPE_UNCLEAR = 423,
    LAWS_MESSAGE_COLORS_STAND = 424,
    LAWS_MESSAGE_SETUP_STANDS = 425,
    LAWS_MESSAGE_BOTH_FLAGS_CONTINUE = 426,
    LAWS_MESSAGE_NEXT_PERIOD = 427, // a flag fell that does not lose
    LAWS_MESSAGE_ON_HOLD = 428,
    LAWS_MESSAGE_OFFER_UNTIMELY = 429,
    LAWS_MESSAGE_MOVE_COUNT_SET = 430,  // {n}: old, {m}: new
    LAWS_MESSAGE_ARBITER_CALLED = 431,  // the clocks go on
    LAWS_MESSAGE_SHEETS = 432,          // complete the score sheets
    LAWS_MESSAGE_VERDICT_AWAITED = 433, // who wins if he can still mate
    LAWS_MESSAGE_END = 434,
} LawsMessage;
#define LAWS_MESSAGE_NAME_SIZE 48
// The key of the message in the catalogues web/src/i18n/laws.*.json: "refused.bound_move",
// "ended.flag_draw", "done.claim_wrong". In their texts {side} is message_side (for an end: who
// won), {n} and {m} are the numbers, {time} and {time2} the same numbers as spans. The catalogues
// also have "incident." and "stop." with the names of those. Writes a NUL; returns the size, 0 for
// no message.
JD_API size_t laws_message_name(uint16_t message, char out[LAWS_MESSAGE_NAME_SIZE]);

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

// Before an event that was accepted (or a TICK that it implied) goes into a log: what was found out
// while it was applied goes with it.
JD_API void laws_event_settle(LawsEvent *event, const LawsVerdict *verdict);

// Folds a log (see laws_log_open) into a game; plies as in laws_game_init. last may be NULL: the
// verdict of the last event. On failure err says at which byte and why (a refused event, an unsound
// setup or malformed bytes), and the game holds what came before, or is untouched when the setup
// itself is at fault.
JD_MUST_USE JD_API bool laws_log_replay(const unsigned char *log, size_t size, LawsGame *game,
                                        LawsPly *plies, uint32_t ply_capacity, LawsVerdict *last,
                                        JdErr *err);

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

// ---- dead positions -----------------------------------------------------------------------------

typedef enum LawsMate {
    LAWS_MATE_IMPOSSIBLE = 0,   // proved: no series of legal moves mates
    LAWS_MATE_NOT_EXCLUDED = 1, // the sound lemmas of section 7.2 do not exclude it
} LawsMate;
// Whether color might still mate by some series of legal moves (Articles 5.2.2, 6.9): the material
// lemmas L1 to L5; they prove "cannot", never "can".
JD_API LawsMate laws_mate(const ChessPosition *pos, ChessColor color);
// Both sides proved unable to mate.
JD_API bool laws_is_dead(const ChessPosition *pos);

// What a game wants to know that laws_apply could not settle: who can mate in position, by dead.h.
// The answer is a VERDICT of ply.
typedef struct LawsQuestion {
    ChessPosition position;
    uint32_t ply;
    uint8_t
        winner; // ChessColor: the game waits for it; LAWS_BOTH_SIDES: whether the position is dead
} LawsQuestion;
// False when nothing is open. Asks anew, as laws_apply does after a move.
JD_MUST_USE JD_API bool laws_question(const LawsGame *game, LawsQuestion *out);

// A digest of everything the game is (setup, position, record, clocks, offers, result) that is the
// same on every platform; two games that agree in it are the same game.
JD_API uint64_t laws_game_digest(const LawsGame *game);

// ---- score sheet --------------------------------------------------------------------------------

// "1-0", "0-1", "1/2-1/2", "*"; other half-point pairs as "0-0", "1/2-0", "0-1/2".
JD_API const char *laws_result_text(const LawsGame *game);

// One ply as a score sheet has it.
typedef struct LawsSheetPly {
    char text[48]; // the move in the sheet's language and form, with (=) where a draw was offered
    int64_t clock_ms; // the mover's reading after it
    uint32_t number;  // of the move
    uint8_t color;
    uint8_t is_illegal;
    uint8_t is_offer;
    uint8_t reserved;
} LawsSheetPly;
// Writes the plies from first on, at most capacity of them; returns how many. The log is every
// sheet (Articles 8.1, 9.1); language is a ChessLanguage and form a ChessForm of notation.h.
// O(plies).
JD_API uint32_t laws_sheet_write(const LawsGame *game, uint8_t language, uint8_t form,
                                 uint32_t first, LawsSheetPly *out, uint32_t capacity);
// Whether that player must record now (Articles 8.1, 8.4), by the reading of his clock at now.
JD_API bool laws_must_record(const LawsGame *game, ChessColor color, JdInstant now);

// ---- beside the game ----------------------------------------------------------------------------

// What may be shown to somebody, answered or passed on beside a game that is being played. The
// server asks before it does so.
typedef enum LawsAside {
    LAWS_ASIDE_COUNTERS = 1, // to a player: counts of moves and repetitions, a sign that it is his
                             // turn (6.12, 12.6); barred where setup.strict_display is set
    LAWS_ASIDE_ANALYSIS = 2, // to a player: anything about the positions of his game (11.3.1)
    LAWS_ASIDE_VOICES = 3,   // from spectators, and from players who have finished, who are such:
                           // where the players read it (11.4, 12.7)
} LawsAside;
// Refused with LAWS_REFUSED_NOT_ALLOWED and the article in the numbering of the edition, or
// accepted. Nothing changes. An event whose own rules allow aids (a slow game with engines) has no
// need to ask for LAWS_ASIDE_ANALYSIS.
JD_API LawsVerdict laws_aside(const LawsGame *game, LawsAside what);

// The reading that is spoken to a player who cannot see his clock (F2.4; D.2.4 since 2014): passing
// from one reading to a later one, the last mark passed of 15, 10, 5 and 1 minutes and of each of
// the last ten seconds, in ms; 0: none. What he asks for himself is laws_clock_reading.
JD_API int64_t laws_clock_mark(int64_t before_ms, int64_t after_ms);

// ---- points (Article 10.1; 11.1 of old) ---------------------------------------------------------

// What a game is worth in an event, in half-points. Other systems are other numbers.
typedef struct LawsScoring {
    int16_t win, draw, loss;
    int16_t forfeit_win, forfeit_loss;
} LawsScoring;
#define LAWS_SCORING_CLASSIC ((LawsScoring) { 2, 1, 0, 2, 0 })
// Half-points of that player, penalties in points included; 0 while the game is not decided.
JD_API int laws_points(const LawsGame *game, const LawsScoring *scoring, ChessColor color);
// Whether the result came without play (default): kept apart for ratings.
JD_API bool laws_is_forfeit(const LawsGame *game);

// ---- sealed moves -------------------------------------------------------------------------------

// A sealed move is kept from everybody, the server's log included, until the envelope is opened.
// The shell draws LAWS_NONCE_SIZE random bytes, commits to nonce and text, encrypts both with a key
// of its own, and seals commitment and ciphertext together. Opening gives nonce and text to the
// game, which compares them with the commitment: nobody can change what was sealed.
#define LAWS_NONCE_SIZE 16
JD_API void laws_seal_commit(const unsigned char nonce[LAWS_NONCE_SIZE], JdStr text,
                             unsigned char out[LAWS_COMMITMENT_SIZE]);
// What stands on the envelope (A2); date and place of the resumption are the shell's to add.
typedef struct LawsEnvelope {
    ChessPosition position; // before the sealed move
    int64_t reading_ms[2];  // clocks as they stand
    int64_t sealed_ms;      // when the sealer stopped his clock
    uint32_t move_number;   // of the sealed move
    uint8_t sealer;         // ChessColor
    uint8_t offer[2];       // a draw offer of that colour stands
    uint8_t is_checked;     // the arbiter has checked it (A3)
} LawsEnvelope;
// False when there is no closed envelope.
JD_MUST_USE JD_API bool laws_envelope(const LawsGame *game, LawsEnvelope *out);
// SHA-256 of some bytes (FIPS 180-4).
JD_API void laws_sha256(JdStr bytes, unsigned char out[LAWS_COMMITMENT_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
