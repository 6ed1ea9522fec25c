// SPDX-License-Identifier: GPL-3.0-or-later
//
// The editions of the Laws as rows of parameters, and the parameters by their names. Part of
// laws.h, and of use alone.
#ifndef JADOUBE_LAWS_RULES_H
#define JADOUBE_LAWS_RULES_H

#include <jadoube/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
