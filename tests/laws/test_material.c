// SPDX-License-Identifier: GPL-3.0-or-later
//
// The material lemmas (Articles 5.2.2, 6.9, 5.1.2): the rows of winnable.txt, their mirrors, and
// games in which the answers decide.
#include "scenario.h"

static LawsPly plies[64];

static bool marked(JdStr marks, ChessColor color) {
    return marks.data[color] != '-';
}

static void check_position(int line, const ChessPosition *pos, JdStr truth, JdStr lemmas,
                           bool colors_changed) {
    for (int i = 0; i < 2; i++) {
        const ChessColor color = (ChessColor)i;
        const ChessColor column = colors_changed ? chess_other(color) : color;
        const LawsMate expected =
            marked(lemmas, column) ? LAWS_MATE_NOT_EXCLUDED : LAWS_MATE_IMPOSSIBLE;
        if (laws_mate(pos, color) != expected)
            fail_msg("winnable.txt:%d: wrong for %s", line, i == 0 ? "White" : "Black");
        // A lemma never says no where somebody found a mate.
        assert_true(!marked(truth, column) || expected == LAWS_MATE_NOT_EXCLUDED);
    }
    const bool dead = !marked(lemmas, CHESS_WHITE) && !marked(lemmas, CHESS_BLACK);
    assert_int_equal(laws_is_dead(pos), dead);
}

static void start_game(LawsGame *game, const ChessPosition *pos, LawsEdition edition) {
    LawsSetup setup = {
        .start = *pos, .edition = (uint8_t)edition, .pace = LAWS_STANDARD, .supervised = 1
    };
    assert_true(laws_control_parse(JD_STR("5400"), &setup.control[0], NULL));
    setup.control[1] = setup.control[0];
    laws_game_init(game, &setup, plies, JD_COUNT(plies));
    const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    assert_int_equal(laws_apply(game, &start, (JdInstant) { 0 }).refusal, LAWS_NOT_REFUSED);
}

// What is left when that player loses on time or resigns: the other one wins or it is a draw.
static void check_end(int line, const LawsGame *game, ChessColor loser, bool other_mates) {
    const uint8_t winner_points = other_mates ? 2 : 1;
    if (game->state != LAWS_ENDED || game->result[chess_other(loser)] != winner_points ||
        game->result[loser] != 2 - winner_points)
        fail_msg("winnable.txt:%d: %s gives %s", line, loser == CHESS_WHITE ? "White" : "Black",
                 laws_result_text(game));
}

static void check_games(int line, const ChessPosition *pos, JdStr lemmas, bool colors_changed) {
    static const LawsEdition editions[] = { LAWS_FIDE_2009, LAWS_FIDE_2023 };
    for (size_t e = 0; e < JD_COUNT(editions); e++) {
        LawsGame game;
        const ChessColor mover = (ChessColor)pos->side_to_move;
        const bool changed = colors_changed;
        start_game(&game, pos, editions[e]);
        const LawsEvent tick = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
        assert_true(laws_apply(&game, &tick, (JdInstant) { 5400000 }).changed);
        const ChessColor other = chess_other(mover);
        const bool other_mates = marked(lemmas, changed ? chess_other(other) : other);
        check_end(line, &game, mover, other_mates);
        assert_int_equal(game.reason, other_mates ? LAWS_FLAG : LAWS_FLAG_DRAW);
        for (int i = 0; i < 2; i++) {
            const ChessColor loser = (ChessColor)i;
            const ChessColor winner = chess_other(loser);
            const bool mates = marked(lemmas, changed ? chess_other(winner) : winner);
            const LawsEvent resign = { .kind = LAWS_EVENT_RESIGN, .actor = (uint8_t)i };
            start_game(&game, pos, editions[e]);
            laws_apply(&game, &resign, (JdInstant) { 1000 });
            check_end(line, &game, loser, mates || editions[e] == LAWS_FIDE_2009);
        }
    }
}

static void test_rows(void **state) {
    (void)state;
    JdStr rest = jd_str(table_read("winnable.txt"));
    JdStr line;
    int number = 0;
    int rows = 0;
    while (table_line(&rest, &line, &number)) {
        (void)jd_str_cut(&line, '|');
        const JdStr fen = jd_str_trim(jd_str_cut(&line, '|'));
        const JdStr truth = jd_str_trim(jd_str_cut(&line, '|'));
        const JdStr lemmas = jd_str_trim(line);
        ChessPosition pos;
        assert_true(parse_position(fen, &pos));
        const ChessPosition files = mirror_files(&pos);
        const ChessPosition colors = mirror_colors(&pos);
        check_position(number, &pos, truth, lemmas, false);
        check_position(number, &files, truth, lemmas, false);
        check_position(number, &colors, truth, lemmas, true);
        check_games(number, &pos, lemmas, false);
        check_games(number, &files, lemmas, false);
        check_games(number, &colors, lemmas, true);
        rows++;
    }
    assert_true(rows >= 49);
}

// ---- no playout ever mates against a lemma

static void put_random(ChessPosition *pos, uint64_t *seed, const char *men) {
    for (;;) {
        char board[64];
        memset(board, '1', sizeof board);
        for (const char *man = men; *man != '\0'; man++) {
            uint32_t square;
            do
                square = jd_random_below(seed, 64);
            while (board[square] != '1');
            board[square] = *man;
        }
        char fen[128];
        size_t size = 0;
        for (int rank = 7; rank >= 0; rank--) {
            for (int file = 0; file < 8; file++) {
                const char c = board[rank * 8 + file];
                if (c == '1' && size > 0 && fen[size - 1] >= '1' && fen[size - 1] <= '7')
                    fen[size - 1]++;
                else
                    fen[size++] = c;
            }
            fen[size++] = rank > 0 ? '/' : ' ';
        }
        size += (size_t)snprintf(fen + size, sizeof fen - size, "%c - - 0 1",
                                 jd_random_below(seed, 2) ? 'w' : 'b');
        if (chess_fen_parse(jd_str_n(fen, size), pos, NULL))
            return;
    }
}

// Prefers moves that mate, then those that leave the opponent few replies: playouts look for mates.
static ChessMove eager_move(const ChessPosition *pos, uint64_t *seed) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    ChessMove best = list.moves[0];
    int least = 1000;
    for (int i = 0; i < list.count; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, list.moves[i], NULL);
        if (chess_is_checkmate(&after))
            return list.moves[i];
        const int cost = chess_moves_count(&after) + (int)jd_random_below(seed, 12) +
                         (chess_move_captured(pos, list.moves[i]) != CHESS_NO_PIECE ? 8 : 0);
        if (cost < least) {
            least = cost;
            best = list.moves[i];
        }
    }
    return best;
}

static void test_playouts(void **state) {
    (void)state;
    static const char *const material[] = {
        "KNk",   "KBk",  "KNkq", "KNkqq", "KBkq", "KBkr", "KBkb", "KBBkr", "KBkqrb",
        "KBBkq", "KNNk", "KBNk", "KNkr",  "KNkp", "KBkn", "KBkp", "KNkn",  "KBBkbb",
    };
    const uint64_t first_seed = 20230101;
    uint64_t seed = first_seed;
    int mates = 0;
    for (size_t i = 0; i < JD_COUNT(material); i++) {
        for (int round = 0; round < 150; round++) {
            ChessPosition pos;
            put_random(&pos, &seed, material[i]);
            bool excluded[2];
            for (int color = 0; color < 2; color++)
                excluded[color] = laws_mate(&pos, (ChessColor)color) == LAWS_MATE_IMPOSSIBLE;
            for (int ply = 0; ply < 60 && chess_has_legal_move(&pos); ply++)
                chess_move_make(&pos, eager_move(&pos, &seed), NULL);
            if (!chess_is_checkmate(&pos))
                continue;
            mates++;
            if (excluded[chess_other((ChessColor)pos.side_to_move)])
                fail_msg("seed %llu: %s mated against a lemma", (unsigned long long)first_seed,
                         material[i]);
        }
    }
    // The playouts do find mates where there are any.
    assert_true(mates > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_playouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
