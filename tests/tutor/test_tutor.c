// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor's facts on textbook positions: what must be said and what must not.
#include <check.h>

#include "chess/support.h"
#include "tutor/tutor.h"

static TutorKind kind_of(const char *name, size_t size) {
    for (int kind = 1; kind < 64; kind++) {
        const char *known = tutor_kind_name((TutorKind)kind);
        if (known != NULL && strlen(known) == size && strncmp(known, name, size) == 0)
            return (TutorKind)kind;
    }
    fail_msg("no fact has the name \"%.*s\"", (int)size, name);
    return TUTOR_NOTHING;
}

static bool has_target(const TutorFact *fact, const char *square) {
    const int wanted = square[0] - 'a' + 8 * (square[1] - '1');
    for (int i = 0; i < fact->target_count; i++)
        if (fact->targets[i].square == wanted)
            return true;
    return false;
}

// ":a8,e8" all of them and no others; "#3" the number.
static bool fits(const TutorFact *fact, const char *detail) {
    int wanted = 0;
    if (*detail == ':') {
        for (detail++; *detail >= 'a' && *detail <= 'h'; wanted++) {
            if (!has_target(fact, detail))
                return false;
            detail += 2;
            if (*detail == ',')
                detail++;
        }
        const bool pair = fact->kind == TUTOR_PIN_ABSOLUTE || fact->kind == TUTOR_PIN_RELATIVE;
        if (wanted != fact->target_count && !pair)
            return false;
    }
    return *detail != '#' || fact->number == atoi(detail + 1);
}

static bool told(const TutorFacts *facts, TutorKind kind, const char *detail) {
    for (int i = 0; i < facts->count; i++)
        if (facts->facts[i].kind == kind && fits(&facts->facts[i], detail))
            return true;
    return false;
}

static const char *all_names(const TutorFacts *facts) {
    static char text[1024];
    size_t size = 0;
    for (int i = 0; i < facts->count; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s#%d ",
                                 tutor_kind_name((TutorKind)facts->facts[i].kind),
                                 facts->facts[i].number);
    return text;
}

static int failures;

static void check_expectation(const TutorFacts *facts, const char *word, int number) {
    const size_t size = strcspn(word + 1, ":#");
    const TutorKind kind = kind_of(word + 1, size);
    const char *detail = word + 1 + size;
    const TutorFact *first = word[0] == '=' ? tutor_reason(facts) : tutor_objection(facts);
    bool ok = false;
    if (word[0] == '+' || word[0] == '-')
        ok = told(facts, kind, detail) == (word[0] == '+');
    else
        ok = first != NULL && first->kind == kind && fits(first, detail);
    if (!ok)
        print_error("motifs.txt:%d: \"%s\" does not hold; told: %s\n", number, word,
                    all_names(facts));
    failures += ok ? 0 : 1;
}

static void check_line(const char *line, int number, void *context) {
    char text[512];
    (void)context;
    snprintf(text, sizeof text, "%s", line);
    char *fen = strtok(text, ";");
    char *uci = strtok(NULL, ";");
    char *words = strtok(NULL, ";\n");
    if (words == NULL)
        fail_msg("motifs.txt:%d: not three fields", number);
    const ChessPosition pos = position_from(fen);
    ChessMove move;
    JdErr err = { 0 };
    if (!chess_uci_parse(jd_str(uci), &pos, &move, &err))
        fail_msg("motifs.txt:%d: %s: %s", number, uci, err.text);
    TutorFacts facts;
    tutor_move_facts(&pos, move, (TutorLine) { NULL, 0 }, &facts);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        check_expectation(&facts, word, number);
}

// L-024, L-049, L-050, L-051, L-052: each motif with positions where it is and where it is not.
static void test_motifs(void **state) {
    (void)state;
    failures = 0;
    each_line("tutor/motifs.txt", check_line, NULL);
    assert_int_equal(failures, 0);
}

static const struct {
    const char *fen;
    const char *square;
    ChessColor color;
    int count, best, net, given, taken;
} exchanges[] = {
    // Rook for a guarded knight loses two points, bishop for a rook gains two (L-041).
    { "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d5", CHESS_WHITE, 2, 0, 0, 500, 300 },
    { "4k3/8/4p3/3r4/8/1B6/8/4K3 w - - 0 1", "d5", CHESS_WHITE, 2, 2, 200, 300, 500 },
    { "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d5", CHESS_WHITE, 1, 1, 300, 500, 300 },
    // Two attackers, one guard.
    { "4k3/8/4p3/3n4/8/2N5/8/3RK3 w - - 0 1", "d5", CHESS_WHITE, 3, 3, 100, 300, 300 },
    // Black begins although White is to move.
    { "4k3/8/8/3r4/8/3N4/8/4K3 w - - 0 1", "d3", CHESS_BLACK, 1, 1, 300, 500, 300 },
    // Nobody can take.
    { "4k3/8/8/3n4/8/8/8/4K3 w - - 0 1", "d5", CHESS_WHITE, 0, 0, 0, 0, 300 },
};

static void test_exchanges(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(exchanges); i++) {
        const ChessPosition pos = position_from(exchanges[i].fen);
        const ChessSquare square =
            chess_square(exchanges[i].square[0] - 'a', exchanges[i].square[1] - '1');
        TutorExchange found;
        assert_true(tutor_exchange(&pos, square, exchanges[i].color, &found));
        if (found.count != exchanges[i].count || found.best != exchanges[i].best ||
            found.net != exchanges[i].net || found.given != exchanges[i].given ||
            found.taken != exchanges[i].taken)
            fail_msg("exchanges[%zu]: %d captures, best %d, net %d, given %d, taken %d", i,
                     found.count, found.best, found.net, found.given, found.taken);
    }
    TutorExchange found;
    const ChessPosition start = chess_position_start();
    assert_false(tutor_exchange(&start, 12, CHESS_WHITE, &found)); // its own
    assert_false(tutor_exchange(&start, 28, CHESS_WHITE, &found)); // nobody
    assert_false(tutor_exchange(&start, 60, CHESS_WHITE, &found)); // a king
}

static const struct {
    const char *moves;
    ChessColor color;
    uint32_t broken;
    int waiting;
} openings[] = {
    // The Italian game: all in order but for what is not out yet.
    { "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 d7d6 c1e3 c8e6 b1c3 e8g8", CHESS_WHITE, 0, 0 },
    { "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d3 d7d6 c1e3 c8e6 b1c3 e8g8", CHESS_BLACK, 0, 0 },
    // The queen goes out at once, and again though nobody attacks her.
    { "e2e4 e7e5 d1h5 b8c6 h5f3", CHESS_WHITE,
      TUTOR_RULE_QUEEN | TUTOR_RULE_TWICE | TUTOR_RULE_DEVELOP | TUTOR_RULE_CASTLE |
          TUTOR_RULE_BISHOPS,
      4 },
    // A man that is attacked may move twice.
    { "e2e4 g8f6 e4e5 f6d5", CHESS_BLACK,
      TUTOR_RULE_CENTER | TUTOR_RULE_DEVELOP | TUTOR_RULE_CASTLE | TUTOR_RULE_BISHOPS, 3 },
    { "g1f3 a7a6 f3g5 a6a5", CHESS_WHITE,
      TUTOR_RULE_CENTER | TUTOR_RULE_TWICE | TUTOR_RULE_DEVELOP | TUTOR_RULE_CASTLE |
          TUTOR_RULE_BISHOPS,
      3 },
    { "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6", CHESS_WHITE,
      TUTOR_RULE_CENTER | TUTOR_RULE_DEVELOP | TUTOR_RULE_CASTLE | TUTOR_RULE_PAWNS, 4 },
};

// L-043: each item of the checklist, kept and broken.
static void test_openings(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(openings); i++) {
        char text[256];
        ChessMove moves[64];
        int count = 0;
        ChessPosition pos = chess_position_start();
        snprintf(text, sizeof text, "%s", openings[i].moves);
        for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
            JdErr err = { 0 };
            if (!chess_uci_parse(jd_str(word), &pos, &moves[count], &err))
                fail_msg("openings[%zu]: %s: %s", i, word, err.text);
            chess_move_make(&pos, moves[count++], NULL);
        }
        TutorOpening found;
        tutor_opening(moves, count, openings[i].color, &found);
        if (found.broken != openings[i].broken || found.waiting != openings[i].waiting)
            fail_msg("openings[%zu]: broken %x, waiting %d", i, found.broken, found.waiting);
    }
}

// L-048: who attacks the four squares of the centre.
static void test_center(void **state) {
    (void)state;
    TutorCenter found;
    const ChessPosition start = chess_position_start();
    tutor_center(&start, &found);
    for (int i = 0; i < 4; i++)
        assert_int_equal(found.white[i] + found.black[i], 0);
    const ChessPosition pos =
        position_from("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    tutor_center(&pos, &found);
    assert_int_equal(found.white[0], 1); // d4: the knight
    assert_int_equal(found.white[2], 1); // d5: the pawn
    assert_int_equal(found.white[3], 1); // e5: the knight
    assert_int_equal(found.black[0], 1); // d4: the pawn
    assert_int_equal(found.black[1], 0);
}

// L-054: by material and development.
static void test_phases(void **state) {
    static const struct {
        const char *fen;
        TutorPhase phase;
    } rows[] = {
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", TUTOR_OPENING },
        { "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4", TUTOR_OPENING },
        { "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8", TUTOR_MIDDLEGAME },
        { "3q2k1/5ppp/2n5/8/8/2N5/5PPP/3QR1K1 w - - 0 30", TUTOR_ENDGAME },
        { "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", TUTOR_ENDGAME },
    };
    (void)state;
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        const ChessPosition pos = position_from(rows[i].fen);
        if (tutor_phase(&pos) != rows[i].phase)
            fail_msg("%s: %s", rows[i].fen, tutor_phase_name(tutor_phase(&pos)));
    }
}

// What stands on the board, without a move: a pin and a fork that are there (L-049, L-050).
static void test_positions(void **state) {
    TutorFacts facts;
    (void)state;
    const ChessPosition pinned =
        position_from("r1bqkbnr/ppp2ppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4");
    tutor_position_facts(&pinned, CHESS_WHITE, &facts);
    assert_true(told(&facts, TUTOR_PIN_ABSOLUTE, ":c6,e8"));
    tutor_position_facts(&pinned, CHESS_BLACK, &facts);
    assert_false(told(&facts, TUTOR_PIN_ABSOLUTE, ""));
    const ChessPosition forked = position_from("r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1");
    tutor_position_facts(&forked, CHESS_WHITE, &facts);
    assert_true(told(&facts, TUTOR_FORK, ":a8,e8"));
    const ChessPosition start = chess_position_start();
    tutor_position_facts(&start, CHESS_WHITE, &facts);
    assert_int_equal(facts.count, 0);
}

// Facts that need a line: what it mates, wins and loses.
static void test_lines(void **state) {
    TutorFacts facts;
    ChessMove line[8];
    (void)state;
    // A pawn is won by a check first: Qa4+ and Qxe4.
    const ChessPosition pos = position_from("4k3/8/8/8/4p3/8/8/3QK3 w - - 0 1");
    static const char *const moves[] = { "d1a4", "e8e7", "a4e4", "e7d6" };
    ChessPosition at = pos;
    JdErr err;
    for (int i = 0; i < 4; i++) {
        assert_true(chess_uci_parse(jd_str(moves[i]), &at, &line[i], &err));
        chess_move_make(&at, line[i], NULL);
    }
    tutor_move_facts(&pos, line[0], (TutorLine) { line, 4 }, &facts);
    assert_true(told(&facts, TUTOR_LINE_WINS, "#100"));
    tutor_move_facts(&pos, line[0], (TutorLine) { line, 2 }, &facts);
    assert_false(told(&facts, TUTOR_LINE_WINS, ""));
    // A line of another move says nothing of this one.
    tutor_move_facts(&pos, line[0], (TutorLine) { line + 1, 3 }, &facts);
    assert_false(told(&facts, TUTOR_LINE_WINS, ""));
}

// As JSON: the words of the interface, moves in both notations.
static void test_json(void **state) {
    char text[4096];
    TutorFacts facts;
    ChessMove move;
    JdErr err;
    (void)state;
    const ChessPosition pos = position_from("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
    assert_true(chess_uci_parse(jd_str("d5c7"), &pos, &move, &err));
    tutor_move_facts(&pos, move, (TutorLine) { NULL, 0 }, &facts);
    JdOut out = jd_out(text, sizeof text);
    tutor_fact_write(&pos, move, tutor_reason(&facts), &out);
    text[out.size] = '\0';
    assert_string_equal(text, "{\"id\":\"fork\",\"question\":\"attacked\",\"good\":true,"
                              "\"man\":{\"piece\":\"N\",\"square\":\"c7\"},"
                              "\"targets\":[{\"piece\":\"r\",\"square\":\"a8\"},"
                              "{\"piece\":\"k\",\"square\":\"e8\"}]}");
    const ChessPosition mate = position_from("r5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1");
    assert_true(chess_uci_parse(jd_str("h2h3"), &mate, &move, &err));
    tutor_move_facts(&mate, move, (TutorLine) { NULL, 0 }, &facts);
    out = jd_out(text, sizeof text);
    tutor_fact_write(&mate, move, tutor_reason(&facts), &out);
    text[out.size] = '\0';
    assert_non_null(strstr(text, "\"id\":\"stops_mate\""));
    assert_non_null(strstr(text, "\"move\":\"a8a1\",\"san\":\"Ra1#\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motifs),   cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_openings), cmocka_unit_test(test_center),
        cmocka_unit_test(test_phases),   cmocka_unit_test(test_positions),
        cmocka_unit_test(test_lines),    cmocka_unit_test(test_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
