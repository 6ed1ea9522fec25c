// SPDX-License-Identifier: GPL-3.0-or-later
//
// The events of a game, who raises them, and the bytes they are logged as. Part of laws.h.
#ifndef JADOUBE_LAWS_EVENTS_H
#define JADOUBE_LAWS_EVENTS_H

#include <jadoube/base.h>
#include <jadoube/chess.h>
#include <jadoube/laws_game.h>
#include <jadoube/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
