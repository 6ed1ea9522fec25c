// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files of this module share. Nobody else includes it.
#ifndef JADOUBE_LAWS_INNER_H
#define JADOUBE_LAWS_INNER_H

#include <jadoube/laws.h>

// ---- articles: one name here, one number in each edition (articles.c)
typedef enum Article {
    ARTICLE_NONE,
    ARTICLE_TO_MOVE,
    ARTICLE_ILLEGAL_MOVE,
    ARTICLE_MOVE_MADE,
    ARTICLE_CHECKMATE,
    ARTICLE_RESIGNATION,
    ARTICLE_STALEMATE,
    ARTICLE_DEAD_POSITION,
    ARTICLE_AGREEMENT,
    ARTICLE_CLOCK_START,
    ARTICLE_FLAG_CONSIDERED_FALLEN,
    ARTICLE_FLAG_FALL,
    ARTICLE_BOTH_FLAGS,
    ARTICLE_INTERRUPTION,
    ARTICLE_DEFAULT_TIME,
    ARTICLE_DRAW_RESTRICTION,
    ARTICLE_DRAW_OFFER,
    ARTICLE_REPETITION_INTENDED,
    ARTICLE_REPETITION_ON_BOARD,
    ARTICLE_50_INTENDED,
    ARTICLE_50_ON_BOARD,
    ARTICLE_CLAIM_LOST,
    ARTICLE_WRONG_CLAIM,
    ARTICLE_AUTO_REPETITION,
    ARTICLE_AUTO_75,
    ARTICLE_ADJUST,
    ARTICLE_TOUCH,
    ARTICLE_TOUCH_CASTLING,
    ARTICLE_RELEASE,
    ARTICLE_PROMOTION_CHOICE,
    ARTICLE_COMPLAINT,
    ARTICLE_TOUCH_REQUEST,
    ARTICLE_ASSISTANT,
    ARTICLE_PRESS,
    ARTICLE_PRESS_WITHOUT_MOVE,
    ARTICLE_CLOCK_HAND,
    ARTICLE_CLOCK_ABUSE,
    ARTICLE_ARRIVAL,
    ARTICLE_PERIODS,
    ARTICLE_CHECK_AT_FLAG,
    ARTICLE_CLOCK_READING,
    ARTICLE_CLOCK_SETTING,
    ARTICLE_STOP_BY_ARBITER,
    ARTICLE_STOP_BY_PLAYER,
    ARTICLE_RESUMPTION,
    ARTICLE_BAD_STOP,
    ARTICLE_TIMES_AFTER,
    ARTICLE_SETUP,
    ARTICLE_SETUP_ANNULLED,
    ARTICLE_BOARD_TURNED,
    ARTICLE_COLORS_REVERSED,
    ARTICLE_DISPLACED,
    ARTICLE_DISPLACED_FOUND,
    ARTICLE_ILLEGAL_FOUND,
    ARTICLE_ILLEGAL_PENALTY,
    ARTICLE_ILLEGAL_AT_ONCE,
    ARTICLE_UNFINISHED_PROMOTION,
    ARTICLE_ILLEGAL_POSITION,
    ARTICLE_TWO_HANDS,
    ARTICLE_RECORD,
    ARTICLE_RECORD_AHEAD,
    ARTICLE_SHEET_EXEMPT,
    ARTICLE_SHEET_COMPLETE,
    ARTICLE_SHEET_VIEW,
    ARTICLE_MOVE_COUNT,
    ARTICLE_SIGNED,
    ARTICLE_QUICKPLAY,
    ARTICLE_QUICKPLAY_FINAL,
    ARTICLE_QUICKPLAY_NO_ARBITER,
    ARTICLE_QUICKPLAY_INCREMENT,
    ARTICLE_POINTS,
    ARTICLE_CONDUCT,
    ARTICLE_ADVICE,
    ARTICLE_DEVICE,
    ARTICLE_SMOKING,
    ARTICLE_LEFT,
    ARTICLE_DISTRACTION,
    ARTICLE_PENALTY_CLAUSE,
    ARTICLE_REFUSAL,
    ARTICLE_BOTH_GUILTY,
    ARTICLE_APPEAL,
    ARTICLE_ARBITER,
    ARTICLE_PENALTIES,
    ARTICLE_EXTRA_TIME,
    ARTICLE_SPECTATORS,
    ARTICLE_ANNOUNCEMENT,
    ARTICLE_SEAL,
    ARTICLE_ADJOURN_EARLY,
    ARTICLE_ENVELOPE,
    ARTICLE_ENVELOPE_CHECK,
    ARTICLE_ADJOURN_OFFER,
    ARTICLE_RESUME_POSITION,
    ARTICLE_ENVELOPE_CLOSED,
    ARTICLE_ENVELOPE_OPENED,
    ARTICLE_SEAL_FAULT,
    ARTICLE_RESUMED,
    ARTICLE_LATE_RESUMPTION,
    ARTICLE_ENVELOPE_LOST,
    ARTICLE_RESUMED_TIMES,
    ARTICLE_DISPLAYS,
    ARTICLE_FINISHED,
    ARTICLE_COUNT,
} Article;

// Writes the number of the article in the numbering of that edition and pace, with a NUL.
void laws_article_write(Article article, const LawsRules *rules, char out[12]);

// ---- parameters (parameters.c)
const LawsParameter *laws_parameter_by_number(uint16_t number);
bool laws_override_check(const LawsSetup *setup, JdErr *err);
const LawsRules *laws_setup_rules(const LawsSetup *setup, LawsRules *space);

// ---- verdicts (game.c)
LawsVerdict laws_verdict(const LawsRules *rules, Article article, uint8_t changed);
LawsVerdict laws_refuse(const LawsRules *rules, Article article, LawsRefusal refusal);
// Ends the game: offers and obligations die, the clocks stand still as they read at now.
LawsVerdict laws_end(LawsGame *game, const LawsRules *rules, int white, int black,
                     LawsReason reason, Article article, int64_t now_ms);
// The same, one side winning.
LawsVerdict laws_end_won(LawsGame *game, const LawsRules *rules, ChessColor winner,
                         LawsReason reason, Article article, int64_t now_ms);
// Nobody wins, nobody loses: the game counts for nothing.
LawsVerdict laws_annul(LawsGame *game, const LawsRules *rules, LawsReason reason, Article article,
                       int64_t now_ms);
LawsVerdict laws_say(LawsVerdict verdict, LawsMessage message, unsigned side, int64_t n, int64_t m);
// What ends a game after a legal move (section 4.2).
LawsVerdict laws_after_move(LawsGame *game, const LawsRules *rules, ChessColor mover,
                            int64_t now_ms);
// The earliest instant at which a TICK changes something.
bool laws_due(const LawsGame *game, const LawsRules *rules, int64_t *at_ms);
// The default time of the game has passed at this instant, if nobody waived it.
int64_t laws_default_from(const LawsGame *game, const LawsRules *rules);

// ---- clock (clock.c)
bool laws_control_is_none(const LawsControl *control);
// The flag of any clock falls by itself: nobody needs to claim it.
bool laws_flags_observed(const LawsGame *game, const LawsRules *rules);
void laws_clock_init(LawsGame *game);
void laws_clock_start(LawsGame *game, ChessColor color, int64_t now_ms);
void laws_clock_stop(LawsGame *game, int64_t now_ms);
// The mover's clock is settled and the other one started.
void laws_clock_complete_move(LawsGame *game, ChessColor mover, int64_t now_ms, int64_t credit_ms);
// Instant at which the running flag falls; false: nothing runs, or it is down already.
bool laws_clock_fall(const LawsGame *game, int64_t *at_ms);
// Whether that player's flag is down at now.
bool laws_clock_is_down(const LawsGame *game, ChessColor color, int64_t now_ms);
// Adds to (or takes from) a clock whether it runs or not; a taken clock never gains from it.
void laws_clock_adjust(LawsGame *game, ChessColor color, int64_t by_ms);
// Both flags are down and the order is unknown: whoever has another period enters it. False when
// neither has.
bool laws_clock_next_periods(LawsGame *game, int64_t now_ms);
// What a clock shows before the first move.
int64_t laws_clock_initial(const LawsGame *game, ChessColor color);
// The instant at which the running display comes to zero with a further period's time behind it.
bool laws_clock_shows_zero(const LawsGame *game, int64_t *at_ms);
// Counts a completed move; true when its period is over.
bool laws_clock_count_move(LawsGame *game, ChessColor mover);
// So many moves are completed: the period follows from it, the time does not.
void laws_clock_set_moves(LawsGame *game, ChessColor color, uint32_t count);
void laws_clock_set(LawsGame *game, ChessColor color, int64_t ms, int64_t now_ms);
// Adds time, and lifts a fallen flag.
void laws_clock_give(LawsGame *game, ChessColor color, int64_t ms);
// The time of so many periods, the current one last, is still to come.
void laws_clock_hold_back(LawsGame *game, ChessColor color, int periods);
uint8_t laws_clock_periods_held(const LawsGame *game, ChessColor color);
// Time added per move, as increment or delay.
int64_t laws_clock_added(const LawsGame *game, ChessColor color);
// Whether the running period is a quickplay finish: all remaining moves, no time added per move.
bool laws_clock_is_quickplay(const LawsGame *game, ChessColor color);

// ---- flags (flags.c)
// What a fallen flag of that colour means (section 5.5).
LawsVerdict laws_flag_fall(LawsGame *game, const LawsRules *rules, ChessColor fallen,
                           int64_t at_ms);
// A flag that was seen or claimed: the other flag may be down as well, a claim of 10.2 be open.
LawsVerdict laws_on_flag_seen(LawsGame *game, const LawsRules *rules, ChessColor fallen,
                              int64_t now_ms);
LawsVerdict laws_on_claim_flag(LawsGame *game, const LawsRules *rules, ChessColor claimant,
                               int64_t now_ms);

// ---- claims (claims.c)
LawsVerdict laws_on_claim(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                          int64_t now_ms);
LawsVerdict laws_on_offer(LawsGame *game, const LawsRules *rules, ChessColor player);
LawsVerdict laws_on_accept(LawsGame *game, const LawsRules *rules, ChessColor player,
                           int64_t now_ms);
LawsVerdict laws_on_decline(LawsGame *game, const LawsRules *rules, ChessColor player);
// Why that player may not offer after so many own moves; LAWS_NOT_REFUSED: he may.
LawsRefusal laws_offer_fault(const LawsGame *game, const LawsRules *rules, ChessColor player,
                             uint32_t own_moves, Article *article);

// ---- repetition (repetition.c)
// Whether the position on the board (after move, unless it is CHESS_NO_MOVE) has occurred so often.
bool laws_repetition_reaches(const LawsGame *game, ChessMove move, int wanted);
// Whether the position on the board has occurred often enough for an automatic draw.
bool laws_repetition_is_forced(const LawsGame *game, const LawsRules *rules);

// ---- dead positions (material.c, mating.c)
// The material lemmas alone (L1 to L4); the side to move must have a legal move.
LawsMate laws_mate_by_material(const ChessPosition *pos, ChessColor color);
// In LawsGame.mating_found, beside LAWS_MATING_BITS: whether the position is dead was left open.
#define MATING_FOUND_OPEN 64
typedef enum Chance { CHANCE_NONE, CHANCE_MATE, CHANCE_OPEN } Chance;
// Whether color can still mate in the position on the board; on a loose board nothing is excluded.
Chance laws_chance(LawsGame *game, ChessColor color);
// The same of another position; nobody waits for what is open there, and who is not proved unable
// to mate can: never a draw without a proof. That is left to the positions that the Laws look back
// at (before an illegal move that decides at once or still stands when a flag falls).
bool laws_can_mate_in(LawsGame *game, const ChessPosition *pos, ChessColor color);
static inline bool laws_can_mate(LawsGame *game, ChessColor color) {
    return laws_chance(game, color) != CHANCE_NONE;
}
// Whether nobody can mate any more after a move; the side to move has a legal one.
bool laws_is_dead_now(LawsGame *game);
// The game is over: winner wins for that reason (LAWS_FLAG, LAWS_RESIGNATION, LAWS_ABANDONED,
// LAWS_ILLEGAL_LIMIT or LAWS_SEALED_FAULT) if he can still mate; if not, it is a draw; if that is
// open, the game stops until it is known.
LawsVerdict laws_end_if_mate(LawsGame *game, const LawsRules *rules, ChessColor winner,
                             LawsReason reason, int64_t at_ms);
LawsVerdict laws_on_verdict(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms);
// Whether a game that waits for a verdict can take such an event.
bool laws_waits_for(const LawsGame *game, const LawsEvent *event);

// ---- boards that hold illegal moves (board.c)
bool laws_move_is_legal(const LawsGame *game, ChessMove move);
void laws_moves_legal(const LawsGame *game, ChessMoveList *out);
ChessMove laws_move_meant(const LawsGame *game, ChessMove move);
// Makes the ply on the board and notes in its flags how.
void laws_board_make(LawsGame *game, LawsPly *ply);
bool laws_position_is_illegal(const ChessPosition *pos);
bool laws_both_kings_in_check(const ChessPosition *pos);
bool laws_pawn_on_last_rank(const ChessPosition *pos);
// Makes a legal position of the squares where it can be done.
bool laws_position_settle(ChessPosition *pos);
void laws_position_at(const LawsGame *game, uint32_t ply, ChessPosition *out, bool *is_loose);
// Goes back to after so many plies: position, counts, clock readings of then. The clocks must
// stand.
void laws_restore(LawsGame *game, uint32_t ply);

static inline ChessColor laws_mover_of(const LawsGame *game, uint32_t ply) {
    return (ChessColor)((game->setup.start.side_to_move + ply) & 1);
}

// ---- Article 4 (touch.c)
void laws_touch_clear(LawsGame *game);
void laws_touch_bind(LawsGame *game, ChessSquare first, ChessSquare second);
// Leaves the moves that touched and released pieces leave; true when any was taken away.
bool laws_touch_filter(const LawsGame *game, ChessMoveList *list, Article *article);
// Obligations bind the move itself, not only on request.
bool laws_touch_binds(const LawsGame *game, const LawsRules *rules);
LawsVerdict laws_on_touch(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                          int64_t now_ms);

// ---- made and completed (press.c)
LawsVerdict laws_on_desk_move(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms);
LawsVerdict laws_on_press(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                          int64_t now_ms);
// The move of that colour is completed: positions that stay illegal (A.4d).
bool laws_on_completed(LawsGame *game, const LawsRules *rules, int64_t now_ms,
                       LawsVerdict *verdict);
// Whose clock runs when the game goes on.
ChessColor laws_clock_side(const LawsGame *game);
LawsVerdict laws_on_announce(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms);

// ---- Article 7 (irregular.c)
LawsVerdict laws_on_irregular(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms);
// One illegal move more for that colour; may end the game, else *bonus_ms went to the opponent.
bool laws_penalise_illegal(LawsGame *game, const LawsRules *rules, ChessColor offender,
                           bool is_bonus_due, int64_t now_ms, LawsVerdict *verdict);

// ---- Articles 8, 12, 13 (arbiter.c, record.c)
LawsVerdict laws_on_arbiter(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms);
LawsVerdict laws_on_conduct(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms);
LawsVerdict laws_on_record(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms);
// Notes an incident and names it in the verdict.
LawsVerdict laws_note_incident(LawsGame *game, LawsVerdict verdict, LawsIncident incident,
                               ChessColor side);
LawsVerdict laws_stop(LawsGame *game, const LawsRules *rules, LawsStop stop, uint8_t code,
                      ChessColor claimant, Article article, int64_t now_ms);
void laws_resume(LawsGame *game, ChessColor side, int64_t now_ms);
// Before a move in a game with score sheets of the players: what it is refused for, or the
// incident.
LawsRefusal laws_sheet_fault(LawsGame *game, const LawsRules *rules, ChessColor mover);
LawsIncident laws_sheet_incident(const LawsGame *game, const LawsRules *rules, ChessColor mover,
                                 int64_t now_ms);
// Whether a duty to record has ended for now (Article 8.4).
void laws_sheet_note(LawsGame *game, const LawsRules *rules, int64_t now_ms);

// ---- Article 10 (quickplay.c)
LawsVerdict laws_on_quickplay(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms);

// ---- adjourned games (adjourn.c)
LawsVerdict laws_on_adjourn(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms);
LawsVerdict laws_on_late_resumption(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                    int64_t now_ms);
// The instant from which somebody has lost by not coming to the resumption, and who: a bit per
// colour. Never before the last event.
bool laws_resumption_due(const LawsGame *game, const LawsRules *rules, int64_t *at_ms,
                         uint8_t *absent);
LawsVerdict laws_end_late(LawsGame *game, const LawsRules *rules, uint8_t absent, int64_t at_ms);
LawsVerdict laws_on_arrive(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms);

// ---- who may do what, when (desk.c)
// Fields of an event beyond those that kinds 1 to 15 have.
enum {
    LAWS_FIELD_SIDE = 1,
    LAWS_FIELD_CODE = 2,
    LAWS_FIELD_SQUARE = 4,
    LAWS_FIELD_FLAG = 8,
    LAWS_FIELD_RESULT = 16,
    LAWS_FIELD_COUNT = 32,
    LAWS_FIELD_SPAN = 64,
    LAWS_FIELD_MOVE = 128,
    LAWS_FIELD_TEXT = 256,
};
LawsRefusal laws_event_fault(const LawsGame *game, const LawsEvent *event, Article *article);
uint32_t laws_event_fields(uint8_t kind);
LawsVerdict laws_on_desk_event(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                               int64_t now_ms);

// ---- bytes (wire.c, log.c)
typedef struct Writer {
    unsigned char *at;
    size_t size;
} Writer;
void laws_put(Writer *out, uint64_t value, int bytes); // little-endian

typedef struct Reader {
    const unsigned char *bytes;
    size_t size;
    size_t at;
    bool short_of; // more was asked than there is
} Reader;
uint64_t laws_get(Reader *in, int bytes); // little-endian; 0 past the end

static inline ChessColor laws_to_move(const LawsGame *game) {
    return (ChessColor)game->position.side_to_move;
}

#endif
