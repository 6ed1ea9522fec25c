// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lessons ask about a position: see lesson.h. The buffers are static because a WebAssembly
// instance is their owner; nothing outlives a call in them but the answer.
#include "wasm/lesson.h"

#include "learn/learn.h"

#ifdef __wasm__
#define LESSON_EXPORT(name) __attribute__((export_name(name)))
#else
#define LESSON_EXPORT(name)
#endif

#define CHECKLIST_PLIES_MAX 200

static unsigned char input[LESSON_INPUT_SIZE];
static unsigned char output[LESSON_OUTPUT_SIZE];

LESSON_EXPORT("lesson_input") unsigned char *lesson_input(void) {
    return input;
}

LESSON_EXPORT("lesson_input_size") int32_t lesson_input_size(void) {
    return LESSON_INPUT_SIZE;
}

LESSON_EXPORT("lesson_output") unsigned char *lesson_output(void) {
    return output;
}

static JdOut answer(void) {
    return jd_out((char *)output, sizeof output);
}

static int32_t error_of(const char *code) {
    JdOut out = answer();
    jd_out_cstr(&out, "{\"error\":");
    jd_out_json(&out, jd_str(code));
    jd_out_char(&out, '}');
    return (int32_t)out.size;
}

static void put_square(JdOut *out, ChessSquare square) {
    jd_out_char(out, '"');
    jd_out_char(out, (char)('a' + chess_file(square)));
    jd_out_char(out, (char)('1' + chess_rank(square)));
    jd_out_char(out, '"');
}

static void put_move(JdOut *out, const ChessPosition *pos, ChessMove move) {
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    chess_uci_write(pos, move, uci);
    chess_san_write(pos, move, san);
    jd_out_cstr(out, "\"uci\":");
    jd_out_json(out, jd_str(uci));
    jd_out_cstr(out, ",\"san\":");
    jd_out_json(out, jd_str(san));
}

// The position in the first line; *rest is what stands behind it. NULL or the code of the fault.
static const char *read_position(int32_t size, ChessPosition *pos, JdStr *rest) {
    if (size < 0 || size > LESSON_INPUT_SIZE)
        return "too_long";
    JdErr err;
    *rest = jd_str_n((const char *)input, (size_t)size);
    return chess_fen_parse(jd_str_cut(rest, '\n'), pos, &err) ? NULL : "bad_fen";
}

static bool square_of(JdStr text, ChessSquare *out) {
    if (text.size != 2 || text.data[0] < 'a' || text.data[0] > 'h' || text.data[1] < '1' ||
        text.data[1] > '8')
        return false;
    *out = chess_square(text.data[0] - 'a', text.data[1] - '1');
    return true;
}

static void put_lines(JdOut *out, const ChessPosition *pos, bool skewers) {
    bool is_first = true;
    jd_out_char(out, '[');
    for (int by = 0; by < 2; by++) {
        LearnLine lines[32];
        const int count = learn_lines(pos, (ChessColor)by, lines);
        for (int i = 0; i < count; i++) {
            if (!(skewers ? learn_is_skewer(pos, &lines[i]) : learn_is_pin(pos, &lines[i])))
                continue;
            jd_out_cstr(out, is_first ? "[" : ",[");
            is_first = false;
            put_square(out, lines[i].slider);
            jd_out_char(out, ',');
            put_square(out, lines[i].front);
            jd_out_char(out, ',');
            put_square(out, lines[i].behind);
            jd_out_char(out, ']');
        }
    }
    jd_out_char(out, ']');
}

static void put_centre(JdOut *out, const ChessPosition *pos) {
    static const ChessSquare squares[] = { 27, 28, 35, 36 }; // d4, e4, d5, e5
    TutorCenter centre;
    tutor_center(pos, &centre);
    for (size_t i = 0; i < JD_COUNT(squares); i++) {
        jd_out_char(out, i == 0 ? '{' : ',');
        put_square(out, squares[i]);
        jd_out_cstr(out, ":[");
        jd_out_i64(out, centre.white[i]);
        jd_out_char(out, ',');
        jd_out_i64(out, centre.black[i]);
        jd_out_char(out, ']');
    }
    jd_out_char(out, '}');
}

LESSON_EXPORT("lesson_facts") int32_t lesson_facts(int32_t size) {
    ChessPosition pos;
    JdStr rest;
    const char *fault = read_position(size, &pos, &rest);
    if (fault != NULL)
        return error_of(fault);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"phase\":");
    jd_out_json(&out, jd_str(tutor_phase_name(tutor_phase(&pos))));
    jd_out_cstr(&out, ",\"developed\":{\"white\":");
    jd_out_i64(&out, learn_developed(&pos, CHESS_WHITE));
    jd_out_cstr(&out, ",\"black\":");
    jd_out_i64(&out, learn_developed(&pos, CHESS_BLACK));
    jd_out_cstr(&out, "},\"centre\":");
    put_centre(&out, &pos);
    jd_out_cstr(&out, ",\"pins\":");
    put_lines(&out, &pos, false);
    jd_out_cstr(&out, ",\"skewers\":");
    put_lines(&out, &pos, true);
    jd_out_char(&out, '}');
    return (int32_t)out.size;
}

LESSON_EXPORT("lesson_exchange") int32_t lesson_exchange(int32_t size) {
    ChessPosition pos;
    ChessSquare square;
    JdStr rest;
    const char *fault = read_position(size, &pos, &rest);
    if (fault != NULL)
        return error_of(fault);
    if (!square_of(rest, &square))
        return error_of("bad_square");
    LearnExchange exchange;
    learn_exchange(&pos, square, &exchange);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"moves\":[");
    for (int i = 0; i < exchange.count; i++) {
        jd_out_cstr(&out, i == 0 ? "{" : ",{");
        put_move(&out, &pos, exchange.moves[i]);
        jd_out_cstr(&out, ",\"balance\":");
        jd_out_i64(&out, exchange.balance[i]);
        jd_out_char(&out, '}');
        chess_move_make(&pos, exchange.moves[i], NULL);
    }
    jd_out_cstr(&out, "],\"result\":");
    jd_out_i64(&out, exchange.result);
    jd_out_cstr(&out, ",\"stop\":");
    jd_out_i64(&out, exchange.stop);
    jd_out_char(&out, '}');
    return (int32_t)out.size;
}

LESSON_EXPORT("lesson_leaves") int32_t lesson_leaves(int32_t size) {
    ChessPosition pos;
    ChessMove move;
    JdStr rest;
    JdErr err;
    const char *fault = read_position(size, &pos, &rest);
    if (fault != NULL)
        return error_of(fault);
    if (!chess_uci_parse(rest, &pos, &move, &err))
        return error_of("bad_move");
    const int leaves = learn_leaves(&pos, move);
    chess_move_make(&pos, move, NULL);
    char san[CHESS_SAN_SIZE] = "";
    ChessMove best = CHESS_NO_MOVE;
    if (leaves == LEARN_MATE)
        (void)learn_mating_moves(&pos, 1, &best);
    else if (leaves > 0)
        (void)learn_gain(&pos, 2, CHESS_NO_MOVE, &best);
    if (best != CHESS_NO_MOVE)
        chess_san_write(&pos, best, san);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"leaves\":");
    jd_out_i64(&out, leaves);
    jd_out_cstr(&out, ",\"by\":");
    jd_out_json(&out, jd_str(san));
    jd_out_char(&out, '}');
    return (int32_t)out.size;
}

static void put_kept(JdOut *out, const ChessMove *moves, int count, ChessColor color) {
    static const char *const names[TUTOR_RULES] = { "center",  "develop", "twice", "castle",
                                                    "bishops", "pawns",   "queen" };
    TutorOpening opening;
    tutor_opening(moves, count, color, &opening);
    bool is_first = true;
    jd_out_char(out, '[');
    for (int i = 0; i < TUTOR_RULES; i++) {
        if ((opening.broken >> i & 1) != 0)
            continue;
        if (!is_first)
            jd_out_char(out, ',');
        is_first = false;
        jd_out_json(out, jd_str(names[i]));
    }
    jd_out_char(out, ']');
}

LESSON_EXPORT("lesson_checklist") int32_t lesson_checklist(int32_t size) {
    static ChessMove moves[CHECKLIST_PLIES_MAX];
    JdErr err;
    if (size < 0 || size > LESSON_INPUT_SIZE)
        return error_of("too_long");
    JdStr rest = jd_str_n((const char *)input, (size_t)size);
    ChessPosition pos = chess_position_start();
    int count = 0;
    while (rest.size > 0 && count < CHECKLIST_PLIES_MAX) {
        if (!chess_uci_parse(jd_str_cut(&rest, ' '), &pos, &moves[count], &err))
            return error_of("bad_move");
        chess_move_make(&pos, moves[count++], NULL);
    }
    JdOut out = answer();
    jd_out_cstr(&out, "{\"white\":");
    put_kept(&out, moves, count, CHESS_WHITE);
    jd_out_cstr(&out, ",\"black\":");
    put_kept(&out, moves, count, CHESS_BLACK);
    jd_out_char(&out, '}');
    return (int32_t)out.size;
}

// Steps of a king to the middle of the board, 0 to 3.
static int steps_to_middle(ChessSquare square) {
    const int file = chess_file(square) < 4 ? 3 - chess_file(square) : chess_file(square) - 4;
    const int rank = chess_rank(square) < 4 ? 3 - chess_rank(square) : chess_rank(square) - 4;
    return file > rank ? file : rank;
}

LESSON_EXPORT("lesson_reply") int32_t lesson_reply(int32_t size) {
    ChessPosition pos;
    JdStr rest;
    const char *fault = read_position(size, &pos, &rest);
    if (fault != NULL)
        return error_of(fault);
    ChessMoveList list;
    chess_moves_generate(&pos, &list);
    ChessMove best = CHESS_NO_MOVE;
    int least = 1 << 30;
    for (int i = 0; i < list.count; i++) {
        ChessPosition after = pos;
        chess_move_make(&after, list.moves[i], NULL);
        const int taken = chess_move_captured(&pos, list.moves[i]) != CHESS_NO_PIECE;
        const int loses = learn_gain(&after, 2, CHESS_NO_MOVE, NULL);
        const int king = steps_to_middle(chess_king_square(&after, (ChessColor)pos.side_to_move));
        const int cost = 10 * loses - 2000 * taken + king;
        if (cost < least) {
            least = cost;
            best = list.moves[i];
        }
    }
    if (best == CHESS_NO_MOVE)
        return error_of("bad_move");
    char uci[CHESS_UCI_SIZE];
    chess_uci_write(&pos, best, uci);
    JdOut out = answer();
    jd_out_cstr(&out, "{\"uci\":");
    jd_out_json(&out, jd_str(uci));
    jd_out_char(&out, '}');
    return (int32_t)out.size;
}
