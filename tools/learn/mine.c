// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds problems in games: mates in one to three with one solution, forks, pins, skewers,
// discovered attacks, and endings with one move that wins or holds. Prints a line for each
// (learn/README.md).
//
// usage: learn_mine FILE.pgn >candidates
//
// Mates and material are searched here, move by move, without an engine, and every line is proved
// (learn_problem_prove) before it is printed. The engine is asked for a second opinion: that what
// wins material also is the best move by far; and for endings it is the judge, at a fixed depth.
#include <jadoube/pgn.h>

#include <stdio.h>
#include <stdlib.h>

#include "ask.h"
#include "learn/learn.h"

#define GAMES_PLIES 260
#define APART 6         // plies between two problems of a game
#define SKIP_OPENING 10 // plies
#define KEYS_MAX 65536
#define NOT_LOST (-50) // centipawns after the combination
#define CLEAR_LEAD 120
#define GLANCE_NODES 3000
#define TACTIC_NODES 60000
#define ENDING_NODES 600000 // or the depth, whichever comes first
#define MATE_SCORE 10000

typedef struct Miner {
    EnginePool *pool;
    uint32_t game;
    ChessPosition positions[GAMES_PLIES];
    int count;
    uint64_t keys[KEYS_MAX];
    int key_count;
    int found[LEARN_THEME_COUNT];
} Miner;

// ---- the engine --------------------------------------------------------------------------------

typedef struct Opinion {
    ChessMove best;
    int score;  // of the best, for the side to move
    int second; // of the next
    uint32_t depth;
    ChessMove line[3];
    int plies;
} Opinion;

static int score_of(const EngineLine *line) {
    if (!line->is_mate)
        return line->score;
    return line->score > 0 ? MATE_SCORE : -MATE_SCORE;
}

static bool ask(Miner *miner, const ChessPosition *pos, uint64_t nodes, uint32_t depth,
                Opinion *out) {
    EngineQuestion question = {
        .start = pos, .nodes = nodes, .depth = depth, .lines = 2, .skill = -1
    };
    EngineAnswer answer;
    learn_ask(miner->pool, &question, &answer);
    if (answer.outcome != ENGINE_ANSWERED || answer.lines_count < 2)
        return false;
    const EngineLine *first = &answer.lines[0];
    *out = (Opinion) { .best = first->moves[0],
                       .score = score_of(first),
                       .second = score_of(&answer.lines[1]),
                       .depth = first->depth };
    for (; out->plies < 3 && out->plies < first->count; out->plies++)
        out->line[out->plies] = first->moves[out->plies];
    return true;
}

// ---- what is kept ------------------------------------------------------------------------------

static bool is_new(Miner *miner, const ChessPosition *pos) {
    const uint64_t key = learn_position_key(pos);
    for (int i = 0; i < miner->key_count; i++)
        if (miner->keys[i] == key)
            return false;
    if (miner->key_count < KEYS_MAX)
        miner->keys[miner->key_count++] = key;
    return true;
}

static bool keep(Miner *miner, LearnProblem *problem, int ply) {
    char text[LEARN_TEXT_SIZE];
    JdErr err;
    problem->game = miner->game;
    problem->ply = (uint32_t)ply;
    problem->pos = miner->positions[ply];
    problem->grade = learn_grade(problem);
    if (!learn_problem_prove(problem, &err) || !is_new(miner, &problem->pos))
        return false;
    learn_problem_write(problem, text);
    puts(text);
    fflush(stdout);
    miner->found[problem->theme]++;
    return true;
}

// ---- mates -------------------------------------------------------------------------------------

// The solver's moves of a forced mate against the longest defence.
static bool mating_line(const ChessPosition *start, int n, LearnProblem *problem) {
    ChessPosition pos = *start;
    for (int left = n; left > 0; left--) {
        ChessMove move = CHESS_NO_MOVE;
        if (learn_mating_moves(&pos, left, &move) == 0)
            return false;
        problem->line[problem->plies++] = move;
        chess_move_make(&pos, move, NULL);
        if (left == 1)
            break;
        const ChessMove reply = learn_longest_defence(&pos, left - 1);
        problem->line[problem->plies++] = reply;
        chess_move_make(&pos, reply, NULL);
    }
    return true;
}

static bool mine_mate(Miner *miner, int ply) {
    const ChessPosition *pos = &miner->positions[ply];
    int n = 0;
    for (int i = 1; i <= LEARN_MATE_MAX && n == 0; i++)
        if (i <= 2 ? learn_mates(pos, i) : learn_mates_by_checks(pos, i))
            n = i;
    if (n == 0)
        return false;
    LearnProblem problem = { .theme = (LearnTheme)(LEARN_THEME_MATE1 + n - 1), .pos = *pos };
    return mating_line(pos, n, &problem) && keep(miner, &problem, ply);
}

// ---- tactics -----------------------------------------------------------------------------------

static bool continue_by_search(const ChessPosition *start, ChessMove line[3]) {
    ChessPosition pos = *start;
    chess_move_make(&pos, line[0], NULL);
    for (int i = 1; i < 3; i++) {
        if (!chess_has_legal_move(&pos))
            return false;
        (void)learn_gain(&pos, LEARN_GAIN_PLIES - i, CHESS_NO_MOVE, &line[i]);
        chess_move_make(&pos, line[i], NULL);
    }
    return true;
}

// The last move must be plainly the best as well, or the solver could not be told that he erred.
static bool last_is_alone(const ChessPosition *start, const ChessMove line[3]) {
    ChessPosition pos = *start;
    chess_move_make(&pos, line[0], NULL);
    chess_move_make(&pos, line[1], NULL);
    ChessMove best = CHESS_NO_MOVE;
    const int gain = learn_gain(&pos, LEARN_GAIN_PLIES - 1, CHESS_NO_MOVE, &best);
    if (best != line[2])
        return false;
    return gain - learn_gain(&pos, LEARN_GAIN_PLIES - 1, best, NULL) >= 100;
}

static bool mine_tactic(Miner *miner, int ply) {
    const ChessPosition *pos = &miner->positions[ply];
    // A glance of the engine spares most positions the search.
    Opinion opinion;
    if (!ask(miner, pos, GLANCE_NODES, 0, &opinion) || opinion.score < 2 * NOT_LOST ||
        opinion.score - opinion.second < CLEAR_LEAD / 2)
        return false;
    ChessMove best = CHESS_NO_MOVE;
    const int quick = learn_gain(pos, LEARN_GAIN_PLIES - 1, CHESS_NO_MOVE, &best);
    if (quick < LEARN_GAIN_MIN || quick >= LEARN_MATE)
        return false;
    // A man that simply hangs is no problem.
    if (chess_see(pos, best) >= LEARN_GAIN_MIN - 100)
        return false;
    ChessMove line[3] = { best };
    if (!continue_by_search(pos, line))
        return false;
    if (!ask(miner, pos, TACTIC_NODES, 0, &opinion) || opinion.best != best ||
        opinion.score < NOT_LOST || opinion.score - opinion.second < CLEAR_LEAD)
        return false;
    LearnMotif motif = LEARN_NO_MOTIF;
    if (opinion.plies == 3 && last_is_alone(pos, opinion.line))
        motif = learn_motif(pos, opinion.line);
    LearnProblem problem = { .pos = *pos, .plies = 3 };
    for (int i = 0; i < 3; i++)
        problem.line[i] = motif != LEARN_NO_MOTIF ? opinion.line[i] : line[i];
    if (motif == LEARN_NO_MOTIF && last_is_alone(pos, line))
        motif = learn_motif(pos, line);
    if (motif == LEARN_NO_MOTIF)
        return false;
    problem.theme = (LearnTheme)(LEARN_THEME_FORK + (int)motif - LEARN_FORK);
    return keep(miner, &problem, ply);
}

// ---- endings -----------------------------------------------------------------------------------

static bool judges(const Opinion *opinion, bool *is_draw) {
    if (opinion->score >= LEARN_WON && opinion->second <= LEARN_NOT_WON) {
        *is_draw = false;
        return true;
    }
    *is_draw = true;
    return opinion->score >= -LEARN_HELD && opinion->score <= LEARN_HELD &&
           opinion->second <= -LEARN_LOST;
}

static bool mine_ending(Miner *miner, int ply) {
    const ChessPosition *start = &miner->positions[ply];
    Opinion opinion;
    bool is_draw;
    if (chess_moves_count(start) < 3 || !ask(miner, start, 20000, 0, &opinion) ||
        !judges(&opinion, &is_draw))
        return false;
    const uint32_t depth = learn_is_pawn_ending(start) ? 26 : 20;
    if (!ask(miner, start, ENDING_NODES, depth, &opinion) || !judges(&opinion, &is_draw))
        return false;
    // A man that can simply be taken back is no problem.
    if (chess_see(start, opinion.best) >= LEARN_GAIN_MIN)
        return false;
    const LearnTheme won = learn_is_pawn_ending(start) ? LEARN_THEME_PAWNS : LEARN_THEME_ENDING;
    LearnProblem problem = { .theme = is_draw ? LEARN_THEME_DRAW : won,
                             .pos = *start,
                             .best = opinion.score,
                             .second = opinion.second,
                             .depth = opinion.depth };
    // As long as one move alone keeps the result, the solver goes on.
    ChessPosition pos = *start;
    bool same = is_draw;
    while (problem.plies < LEARN_LINE_MAX) {
        problem.line[problem.plies++] = opinion.line[0];
        if (opinion.plies < 3 || problem.plies + 2 > LEARN_LINE_MAX)
            break;
        const ChessMove reply = opinion.line[1];
        chess_move_make(&pos, opinion.line[0], NULL);
        chess_move_make(&pos, reply, NULL);
        if (chess_moves_count(&pos) < 2 || !ask(miner, &pos, ENDING_NODES, depth, &opinion) ||
            !judges(&opinion, &same) || same != is_draw)
            break;
        problem.line[problem.plies++] = reply;
    }
    return keep(miner, &problem, ply);
}

// ---- games -------------------------------------------------------------------------------------

static void mine_game(Miner *miner) {
    int last = -APART;
    int last_ending = -2 * APART;
    bool has_mate = false;
    for (int ply = SKIP_OPENING; ply < miner->count; ply++) {
        if (ply - last < APART || chess_moves_count(&miner->positions[ply]) < 2)
            continue;
        bool found = false;
        if (!has_mate)
            has_mate = found = mine_mate(miner, ply);
        if (!found && !learn_mates_by_checks(&miner->positions[ply], 2))
            found = mine_tactic(miner, ply);
        if (!found && learn_is_ending(&miner->positions[ply]) && ply - last_ending >= 2 * APART) {
            found = mine_ending(miner, ply);
            if (found)
                last_ending = ply;
        }
        if (found)
            last = ply;
    }
}

static ChessPgnStep on_begin(void *context, uint64_t number) {
    Miner *miner = context;
    miner->game = (uint32_t)number;
    miner->count = 0;
    return CHESS_PGN_GO;
}

// The games have numbers of their own, in the Round tag.
static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Miner *miner = context;
    uint64_t number;
    if (jd_str_equal(name, JD_STR("Round")) && jd_parse_u64(value, UINT32_MAX, &number))
        miner->game = (uint32_t)number;
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    Miner *miner = context;
    if (move->depth == 0 && move->position != NULL && miner->count < GAMES_PLIES)
        miner->positions[miner->count++] = *move->position;
}

static void on_end(void *context, const ChessPgnGame *game) {
    Miner *miner = context;
    if (!game->damaged)
        mine_game(miner);
    if (game->number % 25 == 0) {
        fprintf(stderr, "%llu games:", (unsigned long long)game->number);
        for (int i = 0; i < LEARN_THEME_COUNT; i++)
            fprintf(stderr, " %s %d", learn_theme_names[i], miner->found[i]);
        fprintf(stderr, "\n");
    }
}

int main(int argc, char **argv) {
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static char chunk[65536];
    static ChessPgnLine lines[2];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: learn_mine FILE.pgn\n");
        return 2;
    }
    Miner *miner = calloc(1, sizeof *miner);
    if (miner == NULL || !learn_engine("learn_mine", &miner->pool))
        return 1;
    const ChessPgnOptions options = { .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .lines = lines,
                                      .line_count = JD_COUNT(lines),
                                      .skip_variations = true };
    const ChessPgnVisitor visitor = {
        .game_begin = on_begin, .tag = on_tag, .move = on_move, .game_end = on_end
    };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, miner);
    for (size_t size; (size = fread(chunk, 1, sizeof chunk, file)) > 0;)
        if (!chess_pgn_push(&reader, jd_str_n(chunk, size)))
            break;
    chess_pgn_finish(&reader);
    fclose(file);
    engine_pool_close(miner->pool);
    free(miner);
    return 0;
}
