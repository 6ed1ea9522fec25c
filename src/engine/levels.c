// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/levels.h"

static const EngineLevel levels[ENGINE_LEVELS] = {
    // name, elo, hasty, attention, blur, lines, engine_elo, nodes
    { "first_week", 400, 1000, 250, 0, 1, 0, 100 },
    { "beginner", 530, 680, 600, 160, 8, 0, 600 },
    { "novice", 650, 460, 715, 125, 8, 0, 800 },
    { "amateur", 780, 330, 785, 102, 8, 0, 1000 },
    { "regular", 920, 240, 840, 84, 8, 0, 1500 },
    { "fourth_category", 1100, 195, 880, 74, 6, 0, 2000 },
    { "third_category", 1300, 142, 910, 61, 6, 0, 2600 },
    { "second_category", 1500, 104, 932, 51, 6, 0, 3500 },
    { "first_category", 1700, 72, 953, 42, 5, 0, 5000 },
    { "candidate_master", 1900, 43, 970, 33, 5, 0, 7500 },
    { "master", 2100, 25, 983, 26, 4, 0, 12000 },
    { "international_master", 2300, 11, 992, 18, 4, 0, 22000 },
    { "grandmaster", 2500, 4, 998, 12, 3, 0, 40000 },
    { "champion", 2650, 2, 999, 9, 3, 0, 62000 },
    { "full", 2800, 0, 1000, 0, 1, 0, 0 },
};

const EngineLevel *engine_level(int number) {
    JD_ASSERT(number >= 1);
    JD_ASSERT(number <= ENGINE_LEVELS);
    return &levels[number - 1];
}

int engine_level_find(JdStr name) {
    for (int i = 0; i < ENGINE_LEVELS; i++)
        if (jd_str_equal(name, jd_str(levels[i].name)))
            return i + 1;
    return 0;
}

// ---- how long ----------------------------------------------------------------------------------

static int64_t share_of_clock(int64_t left_ms, int64_t increment_ms) {
    int64_t share = left_ms / 40 + increment_ms * 3 / 4;
    if (left_ms < 20000 && share > left_ms / 10)
        share = left_ms / 10;
    return share;
}

void engine_level_question(const EngineLevel *level, int64_t left_ms, int64_t increment_ms,
                           EngineQuestion *question) {
    question->lines = level->lines;
    question->elo = level->engine_elo;
    question->skill = -1;
    question->depth = 0;
    question->nodes = level->nodes;
    question->priority = ENGINE_FOR_MOVE;
    int64_t time = left_ms == 0 ? 2000 : share_of_clock(left_ms, increment_ms);
    if (time > 2000)
        time = 2000;
    if (time < 20)
        time = 20;
    question->time_ms = (uint32_t)time;
}

static bool is_recapture(const ChessPosition *pos, ChessMove last_move, ChessMove move) {
    return last_move != CHESS_NO_MOVE && move != CHESS_NO_MOVE &&
           chess_move_arrival(last_move) == chess_move_to(move) &&
           chess_move_captured(pos, move) != CHESS_NO_PIECE;
}

// How many of the variations are within half a pawn of the best.
static int rivals(const EngineAnswer *answer) {
    int count = 0;
    for (uint32_t i = 0; i < answer->lines_count; i++) {
        const EngineLine *line = &answer->lines[i];
        count += !line->is_mate && !answer->lines[0].is_mate &&
                 answer->lines[0].score - line->score <= 50;
    }
    return count;
}

uint32_t engine_level_pace(const EngineLevel *level, const ChessPosition *pos, ChessMove last_move,
                           const EngineAnswer *answer, int64_t left_ms, int64_t increment_ms,
                           uint64_t *random) {
    const int64_t share = left_ms == 0 ? 4000 : share_of_clock(left_ms, increment_ms);
    int64_t percent = 25 + (int64_t)jd_random_below(random, 100);
    if (jd_random_below(random, 8) == 0)
        percent *= 2; // a long think now and then
    if (chess_moves_count(pos) == 1 || is_recapture(pos, last_move, answer->best))
        percent /= 4;
    else if (pos->fullmove_number <= 6)
        percent /= 3; // the opening goes by itself
    else if (rivals(answer) >= 3)
        percent = percent * 3 / 2;
    if (level->nodes == 0)
        percent /= 2;
    int64_t pace = share * percent / 100;
    const int64_t least = left_ms == 0 || left_ms > 10000 ? 350 : 80;
    if (pace < least)
        pace = least + (int64_t)jd_random_below(random, (uint32_t)least);
    if (pace > 15000)
        pace = 15000;
    if (left_ms > 0 && left_ms < 20000 && pace > left_ms / 10)
        pace = left_ms / 10;
    return (uint32_t)pace;
}

// ---- which move --------------------------------------------------------------------------------

static const int values[7] = {
    [CHESS_PAWN] = 100, [CHESS_KNIGHT] = 300, [CHESS_BISHOP] = 310,
    [CHESS_ROOK] = 500, [CHESS_QUEEN] = 900,  [CHESS_KING] = 0,
};

static int value_of(ChessPiece piece) {
    return piece == CHESS_NO_PIECE ? 0 : values[chess_piece_kind(piece)];
}

// A square's pull: 0 at the edge to 3 in the centre.
static int centre(ChessSquare square) {
    const int file = square & 7;
    const int rank = square >> 3;
    const int by_file = file < 4 ? file : 7 - file;
    const int by_rank = rank < 4 ? rank : 7 - rank;
    return by_file < by_rank ? by_file : by_rank;
}

static bool on_first_rank(ChessSquare square, ChessColor color) {
    return (square >> 3) == (color == CHESS_WHITE ? 0 : 7);
}

// What a move is worth at one look, before the opponent's answer.
static int at_a_look(const ChessPosition *pos, ChessMove move) {
    const ChessSquare from = chess_move_from(move);
    const ChessSquare to = chess_move_arrival(move);
    const ChessColor color = (ChessColor)pos->side_to_move;
    const ChessKind kind = chess_piece_kind(chess_piece_at(pos, from));
    int worth = value_of(chess_move_captured(pos, move));
    const ChessKind promotion = chess_move_promotion(move);
    if (promotion != CHESS_NO_KIND)
        worth += values[promotion] - values[CHESS_PAWN];
    if (chess_move_gives_check(pos, move))
        worth += 40; // beginners like checks
    if (chess_move_is_castling(move))
        return worth + 60;
    worth += 6 * (centre(to) - centre(from));
    if ((kind == CHESS_KNIGHT || kind == CHESS_BISHOP) && on_first_rank(from, color))
        worth += 25;
    if (kind == CHESS_KING && pos->fullmove_number < 30)
        worth -= 40;
    if (kind == CHESS_PAWN && pos->fullmove_number < 12 && centre(to) >= 3)
        worth += 25;
    return worth;
}

// Whether this player notices one thing.
static bool notices(const EngineLevel *level, uint64_t *random) {
    return jd_random_below(random, 1000) < level->attention;
}

// The dearest own man that stands to be taken, and what it would cost; 0: none. Each is noticed or
// not.
static int threatened(const ChessPosition *pos, const EngineLevel *level, uint64_t *random,
                      ChessSquare *where) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const ChessColor them = us == CHESS_WHITE ? CHESS_BLACK : CHESS_WHITE;
    int worst = 0;
    for (ChessSquare square = 0; square < 64; square++) {
        const ChessPiece piece = chess_piece_at(pos, square);
        if (piece == CHESS_NO_PIECE || chess_piece_color(piece) != us ||
            chess_piece_kind(piece) == CHESS_KING)
            continue;
        const uint64_t attackers = chess_attackers(pos, square, them);
        if (attackers == 0 || !notices(level, random))
            continue;
        const bool is_defended = chess_attackers(pos, square, us) != 0;
        int cheapest = 10000;
        for (ChessSquare from = 0; from < 64; from++)
            if ((attackers >> from & 1) != 0) {
                const int value = value_of(chess_piece_at(pos, from));
                cheapest = value < cheapest ? value : cheapest;
            }
        const int cost = is_defended ? value_of(piece) - cheapest : value_of(piece);
        if (cost > worst) {
            worst = cost;
            *where = square;
        }
    }
    return worst;
}

static ChessMove choose_hastily(const EngineLevel *level, const ChessPosition *pos,
                                uint64_t *random) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    ChessSquare hanging = CHESS_NO_SQUARE;
    const int danger = threatened(pos, level, random, &hanging);
    ChessMove best = list.moves[0];
    int best_worth = INT32_MIN;
    for (int i = 0; i < list.count; i++) {
        const ChessMove move = list.moves[i];
        ChessPosition after = *pos;
        ChessUndo undo;
        chess_move_make(&after, move, &undo);
        int worth = at_a_look(pos, move) + (int)jd_random_below(random, 60);
        if (chess_is_checkmate(&after) && notices(level, random))
            worth += 5000;
        if (chess_is_stalemate(&after) && notices(level, random))
            worth -= 1000;
        // Static exchange: what the whole trade on that square comes to (may be a loss).
        const int trade = chess_see(pos, move);
        if (trade < 0 && notices(level, random))
            worth += trade - value_of(chess_move_captured(pos, move));
        if (danger > 0 && chess_move_from(move) == hanging && trade >= 0)
            worth += danger;
        if (worth > best_worth) {
            best_worth = worth;
            best = move;
        }
    }
    return best;
}

// Centipawns as a person ranks them: a mate is worth more the sooner it comes.
static int worth_of(const EngineLine *line) {
    if (!line->is_mate)
        return line->score < -3000 ? -3000 : line->score > 3000 ? 3000 : line->score;
    return line->score > 0 ? 4000 - 10 * line->score : -4000 - 10 * line->score;
}

// 65536 halved for each `blur` of loss, straight between the halvings.
static uint32_t weight_of(int loss, int blur) {
    const int halvings = loss / blur;
    if (halvings > 14)
        return 0;
    const uint32_t whole = UINT32_C(65536) >> halvings;
    return whole - (uint32_t)((uint64_t)(whole / 2) * (uint64_t)(loss % blur) / (uint64_t)blur);
}

static ChessMove choose_among(const EngineLevel *level, const EngineAnswer *answer,
                              uint64_t *random) {
    const int best = worth_of(&answer->lines[0]);
    uint32_t weights[ENGINE_LINES_MAX];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < answer->lines_count; i++) {
        const int loss = best - worth_of(&answer->lines[i]);
        weights[i] = weight_of(loss < 0 ? 0 : loss, level->blur);
        sum += weights[i];
    }
    uint32_t at = jd_random_below(random, sum);
    for (uint32_t i = 0; i < answer->lines_count; i++) {
        if (at < weights[i])
            return answer->lines[i].moves[0];
        at -= weights[i];
    }
    return answer->best;
}

ChessMove engine_level_choose(const EngineLevel *level, const ChessPosition *pos,
                              const EngineAnswer *answer, uint64_t *random) {
    const bool is_hasty = jd_random_below(random, 1000) < level->hasty;
    if (answer->outcome != ENGINE_ANSWERED || is_hasty)
        return choose_hastily(level, pos, random);
    if (level->blur == 0 || answer->lines_count < 2)
        return answer->best;
    return choose_among(level, answer, random);
}

bool engine_level_accepts_draw(const EngineAnswer *answer, uint32_t fullmove_number) {
    if (answer->outcome != ENGINE_ANSWERED || answer->lines_count == 0)
        return false;
    return worth_of(&answer->lines[0]) <= 30 && fullmove_number > 30;
}
