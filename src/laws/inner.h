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
    ARTICLE_COUNT,
} Article;

// Writes the number of the article in the numbering of that edition and pace, with a NUL.
void laws_article_write(Article article, const LawsRules *rules, char out[12]);

// ---- verdicts (game.c)
LawsVerdict laws_verdict(const LawsRules *rules, Article article, uint8_t changed);
LawsVerdict laws_refuse(const LawsRules *rules, Article article, LawsRefusal refusal);
// Ends the game: offers and obligations die, the clocks stand still as they read at now.
LawsVerdict laws_end(LawsGame *game, const LawsRules *rules, int white, int black,
                     LawsReason reason, Article article, int64_t now_ms);
// The same, one side winning.
LawsVerdict laws_end_won(LawsGame *game, const LawsRules *rules, ChessColor winner,
                         LawsReason reason, Article article, int64_t now_ms);

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
// Whether the running period is a quickplay finish: all remaining moves, no time added per move.
bool laws_clock_is_quickplay(const LawsGame *game, ChessColor color);

// ---- flags (flags.c)
// What a fallen flag of that colour means (section 5.5).
LawsVerdict laws_flag_fall(LawsGame *game, const LawsRules *rules, ChessColor fallen,
                           int64_t at_ms);
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

// ---- dead positions (material.c)
// The material lemmas alone (L1 to L4); the side to move must have a legal move.
LawsMate laws_mate_by_material(const ChessPosition *pos, ChessColor color);

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
