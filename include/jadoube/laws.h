// SPDX-License-Identifier: GPL-3.0-or-later
//
// The FIDE Laws of Chess as a pure state machine: laws_apply(game, event, now) -> verdict.
//
// A game is the fold of its events. Time is an input; nothing here reads a clock, allocates, or
// keeps a global. Every verdict names the article that justifies it. An edition of the Laws is a
// row of parameters (LawsRules), never a branch.
//
// This header is the whole of it. Its parts: laws_rules.h (editions), laws_control.h (time
// controls), laws_game.h (setup and state), laws_events.h (events and logs); below are the verdicts
// and what may be asked of a game.
#ifndef JADOUBE_LAWS_H
#define JADOUBE_LAWS_H

#include <jadoube/base.h>
#include <jadoube/chess.h>
#include <jadoube/laws_control.h>
#include <jadoube/laws_events.h>
#include <jadoube/laws_game.h>
#include <jadoube/laws_rules.h>
#include <jadoube/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

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
