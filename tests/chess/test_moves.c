// SPDX-License-Identifier: GPL-3.0-or-later
//
// What must hold for every position, tried on random games: what is generated is exactly what is
// legal, made moves are taken back byte by byte, keys stay true, texts come back as the moves they
// were written for.
#include "support.h"

#include "chess/variants.h"

static bool contains(const ChessMoveList *list, ChessMove move) {
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == move)
            return true;
    return false;
}

// Legal by trying: the move is made and the own king looked at. Uses none of the pin or check
// masks.
static void check_legality(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    int *checked = context;
    if (chess_moves_count(pos) != legal->count)
        fail_msg("%s: counted %d, listed %d", fen_of(pos), chess_moves_count(pos), legal->count);
    int accepted = 0;
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
        const bool is_legal = chess_move_is_legal(pos, (ChessMove)bits);
        accepted += is_legal ? 1 : 0;
        if (is_legal && !contains(legal, (ChessMove)bits))
            fail_msg("%s: %04x is legal but not generated", fen_of(pos), (unsigned)bits);
    }
    if (accepted != legal->count)
        fail_msg("%s: %d encodings are legal, %d generated", fen_of(pos), accepted, legal->count);
    assert_int_equal(chess_has_legal_move(pos), legal->count != 0);
    ++*checked;
}

static void test_generated_is_legal(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    int checked = 0;
    each_random_position(&seed, 60, 60, check_legality, &checked);
    assert_true(checked > 1000);
}

static void check_make(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    (void)context;
    const ChessColor us = (ChessColor)pos->side_to_move;
    assert_true(chess_zobrist_key(pos) == pos->zobrist_key);
    for (int i = 0; i < legal->count; i++) {
        const ChessMove move = legal->moves[i];
        ChessPosition after = *pos;
        ChessUndo undo;
        const ChessPiece captured = chess_move_captured(pos, move);
        chess_move_make(&after, move, &undo);
        if (chess_attackers(&after, chess_king_square(&after, us), chess_other(us)) != 0)
            fail_msg("%s: move %04x leaves the king attacked", fen_of(pos), move);
        if (chess_zobrist_key(&after) != after.zobrist_key)
            fail_msg("%s: key after move %04x", fen_of(pos), move);
        if (chess_is_check(&after) != chess_move_gives_check(pos, move))
            fail_msg("%s: gives-check of move %04x", fen_of(pos), move);
        const int men_before = __builtin_popcountll(pos->kinds[0]);
        const int men_after = __builtin_popcountll(after.kinds[0]);
        assert_int_equal(men_before - men_after, captured != CHESS_NO_PIECE ? 1 : 0);
        assert_int_equal(chess_piece_color(after.board[chess_move_arrival(move)]), us);

        // Every board that moves make is one that a setup makes: the sets agree with the squares.
        const ChessSetup setup = chess_setup_of(&after);
        ChessPosition built;
        ChessFaultList faults;
        if (!chess_position_build(&setup, &built, &faults))
            fail_msg("%s: after move %04x: %s", fen_of(pos), move, faults.faults[0].text);
        if (memcmp(&built, &after, sizeof built) != 0)
            fail_msg("%s: after move %04x sets and squares differ", fen_of(pos), move);

        chess_move_unmake(&after, move, &undo);
        if (memcmp(&after, pos, sizeof after) != 0)
            fail_msg("%s: move %04x is not taken back", fen_of(pos), move);
    }
}

static void test_make_and_unmake(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    each_random_position(&seed, 150, 100, check_make, NULL);
}

static void check_texts(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    (void)context;
    JdErr err;
    for (int i = 0; i < legal->count; i++) {
        const ChessMove move = legal->moves[i];
        ChessMove found = CHESS_NO_MOVE;
        char text[CHESS_SAN_SIZE];
        const size_t san_size = chess_san_write(pos, move, text);
        assert_int_equal(san_size, strlen(text));
        if (!chess_san_parse(jd_str(text), pos, &found, &err) || found != move)
            fail_msg("%s: SAN %s of %04x reads as %04x: %s", fen_of(pos), text, move, found,
                     err.text);
        const size_t uci_size = chess_uci_write(pos, move, text);
        assert_int_equal(uci_size, strlen(text));
        if (!chess_uci_parse(jd_str(text), pos, &found, &err) || found != move)
            fail_msg("%s: UCI %s of %04x reads as %04x: %s", fen_of(pos), text, move, found,
                     err.text);
        if (!pos->is_chess960 && chess_move_is_castling(move)) {
            ChessPosition same = *pos;
            same.is_chess960 = 1;
            chess_uci_write(&same, move, text);
            assert_true(chess_uci_parse(jd_str(text), pos, &found, &err) && found == move);
        }
    }
}

static void test_san_and_uci_come_back(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    each_random_position(&seed, 100, 100, check_texts, NULL);
}

static void check_fen(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    (void)legal;
    (void)context;
    static const ChessFenStyle styles[] = { CHESS_FEN_EP_LEGAL, CHESS_FEN_EP_ALWAYS,
                                            CHESS_FEN_SHREDDER };
    for (size_t i = 0; i < JD_COUNT(styles); i++) {
        char text[CHESS_FEN_SIZE];
        char again[CHESS_FEN_SIZE];
        const size_t size = chess_fen_write(pos, styles[i], text);
        assert_int_equal(size, strlen(text));
        const ChessPosition read = position_from(text);
        if (!chess_position_same(pos, &read) || read.zobrist_key != pos->zobrist_key)
            fail_msg("%s reads as another position", text);
        assert_int_equal(read.halfmove_clock, pos->halfmove_clock);
        assert_int_equal(read.fullmove_number, pos->fullmove_number);
        chess_fen_write(&read, styles[i], again);
        assert_string_equal(again, text);
        if (styles[i] == CHESS_FEN_EP_ALWAYS)
            assert_int_equal(read.ep_target, pos->ep_target);
    }
}

static void test_fen_comes_back(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    each_random_position(&seed, 300, 150, check_fen, NULL);
}

static void check_variants(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    (void)context;
    ChessMoveList other;
    chess_generate_any(pos, &other);
    assert_int_equal(other.count, legal->count);
    assert_memory_equal(other.moves, legal->moves, (size_t)legal->count * sizeof legal->moves[0]);
    assert_int_equal(chess_count_any(pos), legal->count);
}

// The same moves in the same order, whatever the processor.
static void test_variants_agree(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    each_random_position(&seed, 300, 150, check_variants, NULL);
}

static ChessMove moved(ChessMove move, int change) {
    const unsigned squares = (unsigned)change | (unsigned)change << 6;
    return (ChessMove)(move ^ squares);
}

static void check_seen_from_elsewhere(const ChessPosition *pos, const ChessMoveList *legal,
                                      void *context) {
    (void)context;
    const ChessPosition flipped = chess_position_flipped(pos);
    ChessMoveList list;
    chess_moves_generate(&flipped, &list);
    assert_int_equal(list.count, legal->count);
    for (int i = 0; i < list.count; i++)
        assert_true(contains(legal, moved(list.moves[i], 56)));
    const ChessPosition back = chess_position_flipped(&flipped);
    assert_memory_equal(&back, pos, sizeof back);

    if (pos->castling_rights != 0)
        return;
    const ChessPosition mirrored = chess_position_mirrored(pos);
    chess_moves_generate(&mirrored, &list);
    assert_int_equal(list.count, legal->count);
    for (int i = 0; i < list.count; i++)
        assert_true(contains(legal, moved(list.moves[i], 7)));
    const ChessPosition rotated = chess_position_rotated(pos);
    chess_moves_generate(&rotated, &list);
    assert_int_equal(list.count, legal->count);
    for (int i = 0; i < list.count; i++)
        assert_true(contains(legal, moved(list.moves[i], 63)));
    assert_true(chess_material_key(&mirrored) == chess_material_key(pos));
    const uint64_t key = chess_material_key(pos);
    assert_true(chess_material_key(&rotated) == ((key >> 20) | (key & 0xfffff) << 20));
}

static void test_seen_from_elsewhere(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    each_random_position(&seed, 150, 150, check_seen_from_elsewhere, NULL);
}

// A pinned piece is one whose removal exposes its king to one more attacker.
static void check_pins(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    (void)legal;
    (void)context;
    for (int color = 0; color < 2; color++) {
        const ChessColor us = (ChessColor)color;
        const ChessSquare king = chess_king_square(pos, us);
        const uint64_t attackers = chess_attackers(pos, king, chess_other(us));
        uint64_t expected = 0;
        for (int square = 0; square < 64; square++) {
            const ChessPiece piece = pos->board[square];
            if (piece == CHESS_NO_PIECE || chess_piece_color(piece) != us || square == king)
                continue;
            ChessPosition without = *pos;
            const uint64_t others = ~(UINT64_C(1) << square);
            for (int kind = 0; kind < 7; kind++)
                without.kinds[kind] &= others;
            without.colors[us] &= others;
            if (chess_attackers(&without, king, chess_other(us)) != attackers)
                expected |= UINT64_C(1) << square;
        }
        if (chess_pins(pos, us) != expected)
            fail_msg("%s: pins of colour %d", fen_of(pos), color);
    }
}

static void test_pins(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    each_random_position(&seed, 100, 120, check_pins, NULL);
}

// Article 9.2.3: a double step that cannot be answered en passant does not change the position.
static void test_ep_and_identity(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        bool legal;
    } rows[] = {
        { "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", false },
        { "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true },
        { "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", false },  // both pawns leave the rank
        { "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", false }, // the capturing pawn is pinned
        { "8/8/8/8/1k1pP3/8/8/4K2B b - e3 0 1", true },
        { "8/1b6/8/3Pp3/8/5K2/8/6k1 w - e6 0 1", false }, // pinned on the diagonal
        { "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", true },    // the checking pawn is taken
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        const ChessPosition pos = position_from(rows[i].fen);
        if (chess_ep_is_legal(&pos) != rows[i].legal)
            fail_msg("%s: en passant %s", rows[i].fen, rows[i].legal ? "is legal" : "is not legal");
        ChessSetup setup = chess_setup_of(&pos);
        setup.ep_target = CHESS_NO_SQUARE;
        setup.halfmove_clock = 7;
        ChessPosition without;
        assert_true(chess_position_build(&setup, &without, NULL));
        assert_int_equal(chess_position_same(&pos, &without), !rows[i].legal);
        assert_int_equal(pos.zobrist_key == without.zobrist_key, !rows[i].legal);
    }
}

static void test_mate_and_stalemate(void **state) {
    (void)state;
    const ChessPosition fool =
        position_from("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_true(chess_is_checkmate(&fool) && chess_is_check(&fool) && !chess_is_stalemate(&fool));
    const ChessPosition stale = position_from("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1");
    assert_true(chess_is_stalemate(&stale) && !chess_is_check(&stale) &&
                !chess_is_checkmate(&stale));
    const ChessPosition most =
        position_from("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_int_equal(chess_moves_count(&most), 218);
}

static void test_counters(void **state) {
    (void)state;
    ChessPosition pos = position_from("4k3/8/8/8/8/8/8/4K2R w K - 65534 7");
    ChessMove move = CHESS_NO_MOVE;
    JdErr err;
    static const char *const moves[] = { "e1g1", "e8d8", "f1f7" };
    static const uint16_t clocks[] = { 65535, 65535, 65535 };
    for (size_t i = 0; i < JD_COUNT(moves); i++) {
        assert_true(chess_uci_parse(jd_str(moves[i]), &pos, &move, &err));
        chess_move_make(&pos, move, NULL);
        assert_int_equal(pos.halfmove_clock, clocks[i]);
    }
    assert_int_equal(pos.fullmove_number, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated_is_legal),
        cmocka_unit_test(test_make_and_unmake),
        cmocka_unit_test(test_san_and_uci_come_back),
        cmocka_unit_test(test_fen_comes_back),
        cmocka_unit_test(test_variants_agree),
        cmocka_unit_test(test_seen_from_elsewhere),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_ep_and_identity),
        cmocka_unit_test(test_mate_and_stalemate),
        cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
