// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor for browsers: see wasm/tutor.h. The buffers are static because a WebAssembly instance
// is their owner; nothing outlives a call in them but the answer.
#include "wasm/tutor.h"

#include <jadoube/chess.h>

#include "tutor/tutor.h"

#ifdef __wasm__
#define TUTOR_EXPORT(name) __attribute__((export_name(name)))
#else
#define TUTOR_EXPORT(name)
#endif

#define LINE_PLIES_MAX 64
#define GAME_PLIES_MAX 400
#define PROOF_NODES 2000000
#define PROOF_MOVES_MAX 4

static unsigned char input[TUTOR_INPUT_SIZE];
static unsigned char output[TUTOR_OUTPUT_SIZE];
static TutorFacts facts;

TUTOR_EXPORT("tutor_input") unsigned char *tutor_input(void) {
    return input;
}

TUTOR_EXPORT("tutor_input_size") int32_t tutor_input_size(void) {
    return TUTOR_INPUT_SIZE;
}

TUTOR_EXPORT("tutor_output") unsigned char *tutor_output(void) {
    return output;
}

static JdOut answer(void) {
    return jd_out((char *)output, sizeof output);
}

static int32_t error_of(const char *code, const JdErr *err) {
    JdOut out = answer();
    jd_out_cstr(&out, "{\"error\":{\"code\":");
    jd_out_json(&out, jd_str(code));
    jd_out_cstr(&out, ",\"message\":");
    jd_out_json(&out, jd_str(err->text));
    jd_out_cstr(&out, ",\"field\":");
    jd_out_json(&out, jd_str(err->field));
    jd_out_cstr(&out, ",\"offset\":");
    jd_out_u64(&out, err->offset);
    jd_out_cstr(&out, ",\"fault\":");
    jd_out_u64(&out, err->code);
    jd_out_cstr(&out, "}}");
    return (int32_t)out.size;
}

static int32_t error_text(const char *code, const char *message) {
    JdErr err = { 0 };
    (void)jd_fail(&err, 0, 0, "%s", message);
    return error_of(code, &err);
}

static int32_t finish(const JdOut *out) {
    return jd_out_fits(out) ? (int32_t)out->size
                            : error_text("bad_input", "the answer does not fit");
}

static bool take_input(int32_t size, JdStr *text) {
    *text = jd_str_n((const char *)input, size < 0 ? 0 : (size_t)size);
    return size >= 0 && size <= TUTOR_INPUT_SIZE;
}

// The next line of the input as a position. On failure *failed is the answer.
static bool take_position(JdStr *text, ChessPosition *pos, int32_t *failed) {
    JdErr err = { 0 };
    if (chess_fen_parse(jd_str_cut(text, '\n'), pos, &err))
        return true;
    *failed = error_of("bad_fen", &err);
    return false;
}

static bool take_move(JdStr word, const ChessPosition *pos, ChessMove *move, int32_t *failed) {
    JdErr err = { 0 };
    if (chess_uci_parse(word, pos, move, &err))
        return true;
    *failed = error_of(err.code == CHESS_MOVE_ILLEGAL ? "illegal_move" : "bad_move", &err);
    return false;
}

// Moves in a row from pos, cut at the first that is none.
static int take_line(JdStr text, ChessPosition pos, ChessMove *moves, int capacity) {
    int count = 0;
    while (text.size > 0 && count < capacity) {
        const JdStr word = jd_str_cut(&text, ' ');
        JdErr err;
        if (!chess_uci_parse(word, &pos, &moves[count], &err))
            break;
        chess_move_make(&pos, moves[count++], NULL);
    }
    return count;
}

static void put_fact(const ChessPosition *pos, ChessMove move, const TutorFact *fact, JdOut *out) {
    if (fact == NULL)
        jd_out_cstr(out, "null");
    else
        tutor_fact_write(pos, move, fact, out);
}

TUTOR_EXPORT("tutor_move") int32_t tutor_move(int32_t size) {
    JdStr text;
    ChessPosition pos;
    ChessMove move;
    ChessMove line[LINE_PLIES_MAX];
    int32_t failed;
    if (!take_input(size, &text))
        return error_text("too_long", "the input exceeds 16384 bytes");
    if (!take_position(&text, &pos, &failed) ||
        !take_move(jd_str_cut(&text, '\n'), &pos, &move, &failed))
        return failed;
    const int count = take_line(text, pos, line, LINE_PLIES_MAX);
    tutor_move_facts(&pos, move, (TutorLine) { line, count }, &facts);
    char san[CHESS_SAN_SIZE];
    (void)chess_san_write(&pos, move, san);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"san\":");
    jd_out_json(&out, jd_str(san));
    jd_out_cstr(&out, ",\"net\":");
    jd_out_i64(&out, tutor_move_exchange(&pos, move));
    jd_out_cstr(&out, ",\"facts\":");
    tutor_facts_write(&pos, move, &facts, &out);
    jd_out_cstr(&out, ",\"reason\":");
    put_fact(&pos, move, tutor_reason(&facts), &out);
    jd_out_cstr(&out, ",\"objection\":");
    put_fact(&pos, move, tutor_objection(&facts), &out);
    jd_out_char(&out, '}');
    return finish(&out);
}

static void put_counts(JdOut *out, const char *key, const uint8_t counts[4]) {
    jd_out_cstr(out, key);
    for (int i = 0; i < 4; i++) {
        jd_out_char(out, i == 0 ? '[' : ',');
        jd_out_u64(out, counts[i]);
    }
    jd_out_char(out, ']');
}

TUTOR_EXPORT("tutor_position") int32_t tutor_position(int32_t size) {
    JdStr text;
    ChessPosition pos;
    int32_t failed;
    TutorCenter center;
    if (!take_input(size, &text))
        return error_text("too_long", "the input exceeds 16384 bytes");
    if (!take_position(&text, &pos, &failed))
        return failed;
    JdOut out = answer();
    tutor_center(&pos, &center);
    jd_out_cstr(&out, "{\"phase\":\"");
    jd_out_cstr(&out, tutor_phase_name(tutor_phase(&pos)));
    jd_out_cstr(&out, "\",\"material\":");
    jd_out_i64(&out, tutor_material(&pos, CHESS_WHITE));
    put_counts(&out, ",\"center\":{\"white\":", center.white);
    put_counts(&out, ",\"black\":", center.black);
    jd_out_cstr(&out, "},\"white\":");
    tutor_position_facts(&pos, CHESS_WHITE, &facts);
    tutor_facts_write(&pos, CHESS_NO_MOVE, &facts, &out);
    jd_out_cstr(&out, ",\"black\":");
    tutor_position_facts(&pos, CHESS_BLACK, &facts);
    tutor_facts_write(&pos, CHESS_NO_MOVE, &facts, &out);
    jd_out_char(&out, '}');
    return finish(&out);
}

static bool take_square(JdStr word, ChessSquare *square) {
    if (word.size != 2 || word.data[0] < 'a' || word.data[0] > 'h' || word.data[1] < '1' ||
        word.data[1] > '8')
        return false;
    *square = chess_square(word.data[0] - 'a', word.data[1] - '1');
    return true;
}

static bool take_color(JdStr word, ChessColor *color) {
    *color = jd_str_equal(word, JD_STR("b")) ? CHESS_BLACK : CHESS_WHITE;
    return *color == CHESS_BLACK || jd_str_equal(word, JD_STR("w"));
}

static void put_exchange(ChessPosition pos, const TutorExchange *exchange, JdOut *out) {
    jd_out_cstr(out, "{\"moves\":[");
    for (int i = 0; i < exchange->count; i++) {
        char uci[CHESS_UCI_SIZE];
        char san[CHESS_SAN_SIZE];
        (void)chess_uci_write(&pos, exchange->moves[i], uci);
        (void)chess_san_write(&pos, exchange->moves[i], san);
        chess_move_make(&pos, exchange->moves[i], NULL);
        jd_out_cstr(out, i == 0 ? "{\"uci\":" : ",{\"uci\":");
        jd_out_json(out, jd_str(uci));
        jd_out_cstr(out, ",\"san\":");
        jd_out_json(out, jd_str(san));
        jd_out_cstr(out, ",\"balance\":");
        jd_out_i64(out, exchange->balance[i]);
        jd_out_char(out, '}');
    }
    jd_out_cstr(out, "],\"best\":");
    jd_out_i64(out, exchange->best);
    jd_out_cstr(out, ",\"net\":");
    jd_out_i64(out, exchange->net);
    jd_out_cstr(out, ",\"given\":");
    jd_out_i64(out, exchange->given);
    jd_out_cstr(out, ",\"taken\":");
    jd_out_i64(out, exchange->taken);
    jd_out_char(out, '}');
}

TUTOR_EXPORT("tutor_square") int32_t tutor_square(int32_t size) {
    JdStr text;
    ChessPosition pos;
    ChessSquare square;
    ChessColor color;
    TutorExchange exchange;
    int32_t failed;
    if (!take_input(size, &text))
        return error_text("too_long", "the input exceeds 16384 bytes");
    if (!take_position(&text, &pos, &failed))
        return failed;
    if (!take_square(jd_str_cut(&text, '\n'), &square) || !take_color(jd_str_trim(text), &color))
        return error_text("bad_input", "expected a square and w or b");
    if (!tutor_exchange(&pos, square, color, &exchange))
        return error_text("bad_input", "nothing of the other side to take there");
    if (pos.side_to_move != color && !tutor_pass(&pos, &pos))
        return error_text("bad_input", "the side is in check");
    JdOut out = answer();
    put_exchange(pos, &exchange, &out);
    return finish(&out);
}

static void put_rule(const TutorOpening *opening, int rule, bool first, JdOut *out) {
    static const char *const names[TUTOR_RULES] = { "center",  "develop", "twice", "castle",
                                                    "bishops", "pawns",   "queen" };
    const ChessSquare square = opening->squares[rule];
    jd_out_cstr(out, first ? "{\"rule\":" : ",{\"rule\":");
    jd_out_json(out, jd_str(names[rule]));
    jd_out_cstr(out, ",\"move\":");
    jd_out_u64(out, opening->move_no[rule]);
    jd_out_cstr(out, ",\"square\":");
    if (square == CHESS_NO_SQUARE) {
        jd_out_cstr(out, "null}");
        return;
    }
    jd_out_char(out, '"');
    jd_out_char(out, (char)('a' + chess_file(square)));
    jd_out_char(out, (char)('1' + chess_rank(square)));
    jd_out_cstr(out, "\"}");
}

TUTOR_EXPORT("tutor_first_moves") int32_t tutor_first_moves(int32_t size) {
    static ChessMove moves[GAME_PLIES_MAX];
    JdStr text;
    ChessColor color;
    TutorOpening opening;
    if (!take_input(size, &text))
        return error_text("too_long", "the input exceeds 16384 bytes");
    if (!take_color(jd_str_cut(&text, '\n'), &color))
        return error_text("bad_input", "expected w or b");
    const int count = take_line(text, chess_position_start(), moves, GAME_PLIES_MAX);
    tutor_opening(moves, count, color, &opening);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"waiting\":");
    jd_out_u64(&out, opening.waiting);
    jd_out_cstr(&out, ",\"broken\":[");
    bool first = true;
    for (int rule = 0; rule < TUTOR_RULES; rule++) {
        if ((opening.broken & (1u << rule)) == 0)
            continue;
        put_rule(&opening, rule, first, &out);
        first = false;
    }
    jd_out_cstr(&out, "]}");
    return finish(&out);
}

TUTOR_EXPORT("tutor_proves") int32_t tutor_proves(int32_t size) {
    static const char *const words[] = { "no_mate", "mate", "undecided" };
    JdStr text;
    ChessPosition pos;
    int32_t failed;
    uint64_t moves;
    if (!take_input(size, &text))
        return error_text("too_long", "the input exceeds 16384 bytes");
    if (!take_position(&text, &pos, &failed))
        return failed;
    if (!jd_parse_u64(jd_str_trim(text), PROOF_MOVES_MAX, &moves) || moves == 0)
        return error_text("bad_input", "expected a number of moves from 1 to 4");
    uint32_t nodes = PROOF_NODES;
    ChessMove first = CHESS_NO_MOVE;
    const TutorMate proof = tutor_mate_in(&pos, (int)moves, &nodes, CHESS_NO_MOVE, &first);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"answer\":\"");
    jd_out_cstr(&out, words[proof]);
    jd_out_cstr(&out, "\",\"move\":");
    if (proof == TUTOR_MATE) {
        char uci[CHESS_UCI_SIZE];
        (void)chess_uci_write(&pos, first, uci);
        jd_out_json(&out, jd_str(uci));
    } else {
        jd_out_cstr(&out, "null");
    }
    jd_out_char(&out, '}');
    return finish(&out);
}
