// SPDX-License-Identifier: GPL-3.0-or-later
//
// The text of a problem, and its proof.
#include "learn/learn.h"

const char *const learn_theme_names[LEARN_THEME_COUNT] = {
    "mate1", "mate2", "mate3", "fork", "pin", "skewer", "discovered", "pawns", "ending", "draw",
};

// ---- text --------------------------------------------------------------------------------------

static bool theme_of(JdStr name, LearnTheme *out) {
    for (int i = 0; i < LEARN_THEME_COUNT; i++)
        if (jd_str_equal(name, jd_str(learn_theme_names[i]))) {
            *out = (LearnTheme)i;
            return true;
        }
    return false;
}

static bool parse_number(JdStr text, uint64_t max, int64_t *out) {
    uint64_t value;
    const bool is_negative = text.size > 0 && text.data[0] == '-';
    if (!jd_parse_u64(is_negative ? jd_str_part(text, 1, text.size - 1) : text, max, &value))
        return false;
    *out = is_negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool parse_line(JdStr text, LearnProblem *problem, JdErr *err) {
    ChessPosition pos = problem->pos;
    while (text.size > 0) {
        const JdStr word = jd_str_cut(&text, ' ');
        if (problem->plies == LEARN_LINE_MAX)
            return jd_fail(err, 0, 0, "more than %d plies", LEARN_LINE_MAX);
        ChessMove *move = &problem->line[problem->plies++];
        if (!chess_uci_parse(word, &pos, move, err))
            return false;
        chess_move_make(&pos, *move, NULL);
    }
    if (problem->plies % 2 == 0)
        return jd_fail(err, 0, 0, "the line must end with a move of the solver");
    return true;
}

static bool parse_evidence(JdStr text, LearnProblem *problem, JdErr *err) {
    int64_t numbers[3];
    for (int i = 0; i < 3; i++)
        if (!parse_number(jd_str_cut(&text, ' '), 20000, &numbers[i]))
            return jd_fail(err, 0, 0, "expected \"DEPTH BEST SECOND\" in the last field");
    problem->depth = (uint32_t)numbers[0];
    problem->best = (int32_t)numbers[1];
    problem->second = (int32_t)numbers[2];
    return true;
}

bool learn_problem_parse(JdStr line, LearnProblem *out, JdErr *err) {
    LearnProblem problem = { 0 };
    JdStr head = jd_str_cut(&line, ';');
    int64_t number;
    if (!theme_of(jd_str_cut(&head, ' '), &problem.theme))
        return jd_fail(err, 0, 0, "unknown theme");
    if (!parse_number(head, 5, &number) || number < 1)
        return jd_fail(err, 0, 0, "expected a grade from 1 to 5 behind the theme");
    problem.grade = (int)number;
    if (!chess_fen_parse(jd_str_cut(&line, ';'), &problem.pos, err))
        return false;
    if (!parse_line(jd_str_cut(&line, ';'), &problem, err))
        return false;
    JdStr source = jd_str_cut(&line, ';');
    if (!parse_number(jd_str_cut(&source, ' '), 1000000, &number) || number < 0)
        return jd_fail(err, 0, 0, "expected the number of a game");
    problem.game = (uint32_t)number;
    if (!parse_number(source, 1000, &number) || number < 0)
        return jd_fail(err, 0, 0, "expected a ply behind the number of the game");
    problem.ply = (uint32_t)number;
    if (problem.theme >= LEARN_THEME_PAWNS && !parse_evidence(line, &problem, err))
        return false;
    *out = problem;
    return true;
}

size_t learn_problem_write(const LearnProblem *problem, char text[LEARN_TEXT_SIZE]) {
    JdOut out = jd_out(text, LEARN_TEXT_SIZE - 1);
    char fen[CHESS_FEN_SIZE];
    chess_fen_write(&problem->pos, CHESS_FEN_EP_LEGAL, fen);
    jd_out_cstr(&out, learn_theme_names[problem->theme]);
    jd_out_char(&out, ' ');
    jd_out_i64(&out, problem->grade);
    jd_out_char(&out, ';');
    jd_out_cstr(&out, fen);
    ChessPosition pos = problem->pos;
    for (int i = 0; i < problem->plies; i++) {
        char uci[CHESS_UCI_SIZE];
        chess_uci_write(&pos, problem->line[i], uci);
        chess_move_make(&pos, problem->line[i], NULL);
        jd_out_char(&out, i == 0 ? ';' : ' ');
        jd_out_cstr(&out, uci);
    }
    jd_out_char(&out, ';');
    jd_out_u64(&out, problem->game);
    jd_out_char(&out, ' ');
    jd_out_u64(&out, problem->ply);
    if (problem->theme >= LEARN_THEME_PAWNS) {
        jd_out_char(&out, ';');
        jd_out_u64(&out, problem->depth);
        jd_out_char(&out, ' ');
        jd_out_i64(&out, problem->best);
        jd_out_char(&out, ' ');
        jd_out_i64(&out, problem->second);
    }
    text[out.size] = '\0';
    return out.size;
}

// ---- how hard, and which -----------------------------------------------------------------------

int learn_grade(const LearnProblem *problem) {
    const ChessMove first = problem->line[0];
    const bool checks = chess_move_gives_check(&problem->pos, first);
    const bool takes = chess_move_captured(&problem->pos, first) != CHESS_NO_PIECE;
    const bool gives = chess_see(&problem->pos, first) < 0;
    const int men = __builtin_popcountll(problem->pos.kinds[0]);
    const int moves = (problem->plies + 1) / 2;
    // In halves of a grade.
    int points = 2 * moves;
    points += checks ? 0 : takes ? 1 : 2;
    points += gives ? 1 : 0;
    points += men > 20 ? 1 : 0;
    points += chess_moves_count(&problem->pos) > 35 ? 1 : 0;
    if (problem->theme >= LEARN_THEME_PAWNS)
        points += 1;
    const int grade = (points + 1) / 2;
    return grade < 1 ? 1 : grade > 5 ? 5 : grade;
}

static uint64_t plain_key(const ChessPosition *pos) {
    return jd_hash(pos->side_to_move, pos->board, sizeof pos->board);
}

uint64_t learn_position_key(const ChessPosition *pos) {
    const ChessPosition mirrored = chess_position_mirrored(pos);
    const ChessPosition flipped = chess_position_flipped(pos);
    const ChessPosition both = chess_position_mirrored(&flipped);
    const uint64_t keys[4] = { plain_key(pos), plain_key(&mirrored), plain_key(&flipped),
                               plain_key(&both) };
    uint64_t least = keys[0];
    for (int i = 1; i < 4; i++)
        if (keys[i] < least)
            least = keys[i];
    return least;
}

bool learn_is_pawn_ending(const ChessPosition *pos) {
    return (pos->kinds[CHESS_PAWN] | pos->kinds[CHESS_KING]) == pos->kinds[0];
}

bool learn_is_ending(const ChessPosition *pos) {
    return pos->kinds[CHESS_QUEEN] == 0 &&
           __builtin_popcountll(pos->kinds[0] & ~pos->kinds[CHESS_PAWN] &
                                ~pos->kinds[CHESS_KING]) <= 2;
}

// ---- proof -------------------------------------------------------------------------------------

// Mate in exactly n, and at each turn of the solver but the last one move alone does it in time.
static bool prove_mate(const LearnProblem *problem, int n, JdErr *err) {
    if (problem->plies != 2 * n - 1)
        return jd_fail(err, 0, 0, "mate in %d takes %d plies, the line has %d", n, 2 * n - 1,
                       problem->plies);
    ChessPosition pos = problem->pos;
    for (int left = n; left > 0; left--) {
        const ChessMove right = problem->line[2 * (n - left)];
        ChessMove found = CHESS_NO_MOVE;
        if (left > 1 && learn_mates(&pos, left - 1))
            return jd_fail(err, 0, 0, "there is mate in %d with %d to go", left - 1, left);
        const int solutions = learn_mating_moves(&pos, left, &found);
        const bool last_of_several = left == 1 && n > 1;
        if (solutions == 0 || (solutions > 1 && !last_of_several))
            return jd_fail(err, 0, 0, "%d moves mate in %d, expected one", solutions, left);
        if (solutions == 1 && found != right)
            return jd_fail(err, 0, 0, "another move than the line's mates in %d", left);
        chess_move_make(&pos, right, NULL);
        if (left > 1)
            chess_move_make(&pos, problem->line[2 * (n - left) + 1], NULL);
    }
    if (!chess_is_checkmate(&pos))
        return jd_fail(err, 0, 0, "the line does not end in mate");
    return true;
}

static bool prove_gain(const LearnProblem *problem, LearnMotif motif, JdErr *err) {
    if (problem->plies != 3)
        return jd_fail(err, 0, 0, "a %s takes 3 plies, the line has %d", learn_motif_names[motif],
                       problem->plies);
    ChessMove best = CHESS_NO_MOVE;
    const int gain = learn_gain(&problem->pos, LEARN_GAIN_PLIES, CHESS_NO_MOVE, &best);
    if (best != problem->line[0])
        return jd_fail(err, 0, 0, "another move wins as much or more");
    if (gain < LEARN_GAIN_MIN || gain >= LEARN_MATE)
        return jd_fail(err, 0, 0, "the first move gains %d, expected at least %d", gain,
                       LEARN_GAIN_MIN);
    const int next = learn_gain(&problem->pos, LEARN_GAIN_PLIES, best, NULL);
    if (gain - next < LEARN_GAIN_LEAD)
        return jd_fail(err, 0, 0, "the next best move gains %d, the first only %d", next, gain);
    if (!learn_shows(&problem->pos, problem->line, motif))
        return jd_fail(err, 0, 0, "the line shows no %s", learn_motif_names[motif]);
    return true;
}

static bool prove_ending(const LearnProblem *problem, JdErr *err) {
    const bool is_pawns = learn_is_pawn_ending(&problem->pos);
    if (!learn_is_ending(&problem->pos))
        return jd_fail(err, 0, 0, "too many men for an ending");
    if ((problem->theme == LEARN_THEME_PAWNS) != is_pawns && problem->theme != LEARN_THEME_DRAW)
        return jd_fail(err, 0, 0, is_pawns ? "a pawn ending" : "no pawn ending");
    if (problem->depth < LEARN_ENDING_DEPTH)
        return jd_fail(err, 0, 0, "looked at to depth %u only", (unsigned)problem->depth);
    const bool fits = problem->theme == LEARN_THEME_DRAW
                          ? problem->best >= -LEARN_HELD && problem->best <= LEARN_HELD &&
                                problem->second <= -LEARN_LOST
                          : problem->best >= LEARN_WON && problem->second <= LEARN_NOT_WON;
    if (!fits)
        return jd_fail(err, 0, 0, "the engine's %d and %d leave room for doubt", problem->best,
                       problem->second);
    return true;
}

bool learn_problem_prove(const LearnProblem *problem, JdErr *err) {
    if (chess_moves_count(&problem->pos) < 2)
        return jd_fail(err, 0, 0, "there is nothing to choose");
    if (problem->grade != learn_grade(problem))
        return jd_fail(err, 0, 0, "grade %d, expected %d", problem->grade, learn_grade(problem));
    switch (problem->theme) {
    case LEARN_THEME_MATE1:
    case LEARN_THEME_MATE2:
    case LEARN_THEME_MATE3:
        return prove_mate(problem, (int)problem->theme - LEARN_THEME_MATE1 + 1, err);
    case LEARN_THEME_FORK:
        return prove_gain(problem, LEARN_FORK, err);
    case LEARN_THEME_PIN:
        return prove_gain(problem, LEARN_PIN, err);
    case LEARN_THEME_SKEWER:
        return prove_gain(problem, LEARN_SKEWER, err);
    case LEARN_THEME_DISCOVERED:
        return prove_gain(problem, LEARN_DISCOVERED, err);
    case LEARN_THEME_PAWNS:
    case LEARN_THEME_ENDING:
    case LEARN_THEME_DRAW:
        return prove_ending(problem, err);
    case LEARN_THEME_COUNT:
        break;
    }
    return false;
}
