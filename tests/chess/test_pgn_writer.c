// SPDX-License-Identifier: GPL-3.0-or-later
//
// PGN written: the export format to the letter, and random games that are read again as what they
// were.
#include "support.h"

#include <jadoube/pgn.h>

typedef struct Text {
    size_t size;
    char data[1 << 20];
} Text;

static void append(void *context, JdStr text) {
    Text *out = context;
    assert_true(out->size + text.size < sizeof out->data);
    memcpy(out->data + out->size, text.data, text.size);
    out->size += text.size;
    out->data[out->size] = '\0';
}

static ChessMove move_from(const ChessPosition *pos, const char *san) {
    ChessMove move;
    JdErr err = { 0 };
    if (!chess_san_parse(jd_str(san), pos, &move, &err))
        fail_msg("%s: %s", san, err.text);
    return move;
}

static void write_line(ChessPgnWriter *writer, ChessPosition *pos, const char *moves) {
    JdStr rest = jd_str(moves);
    while (rest.size > 0) {
        char san[16] = "";
        const JdStr word = jd_str_cut(&rest, ' ');
        memcpy(san, word.data, word.size);
        const ChessMove move = move_from(pos, san);
        chess_pgn_write_move(writer, pos, move);
        chess_move_make(pos, move, NULL);
    }
}

static void test_export_format(void **state) {
    (void)state;
    static Text text;
    text.size = 0;
    ChessPgnWriter writer;
    ChessPgnTag tags[] = {
        { JD_STR("White"), JD_STR("A \"B\" C:\\D") },
        { JD_STR("ECO"), JD_STR("C20") },
        { JD_STR("Round"), JD_STR("1\n2") },
        { JD_STR("Annotator"), JD_STR("x") },
        { JD_STR("no symbol"), JD_STR("y") },
        { JD_STR("ECO"), JD_STR("second") },
        { JD_STR("Event"), JD_STR("E") },
        { JD_STR("_x"), JD_STR("") },
    };
    chess_pgn_writer_init(&writer, append, &text, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    chess_pgn_write_tags(&writer, tags, JD_COUNT(tags), CHESS_PGN_DRAW);
    ChessPosition pos = chess_position_start();
    ChessPosition before = pos;
    chess_pgn_write_comment(&writer, JD_STR("  first \n second\t"));
    write_line(&writer, &pos, "e4");
    chess_pgn_write_nag(&writer, 1);
    chess_pgn_write_variation_begin(&writer);
    write_line(&writer, &before, "d4");
    before = chess_position_start();
    chess_pgn_write_variation_begin(&writer);
    write_line(&writer, &before, "c4 c5");
    chess_pgn_write_variation_end(&writer);
    chess_pgn_write_variation_end(&writer);
    before = pos;
    write_line(&writer, &pos, "e5");
    chess_pgn_write_variation_begin(&writer);
    chess_pgn_write_null_move(&writer, &before);
    chess_pgn_write_variation_end(&writer);
    write_line(&writer, &pos, "Nf3");
    chess_pgn_write_comment(&writer, JD_STR(""));
    write_line(&writer, &pos, "Nc6");
    chess_pgn_write_comment(&writer, JD_STR("a } b"));
    chess_pgn_write_escape(&writer, JD_STR("kept\nnot kept"));
    write_line(&writer, &pos, "Bb5");
    chess_pgn_write_result(&writer, CHESS_PGN_DRAW);
    assert_string_equal(
        text.data,
        "[Event \"E\"]\n"
        "[Site \"?\"]\n"
        "[Date \"????.??.??\"]\n"
        "[Round \"1 2\"]\n"
        "[White \"A \\\"B\\\" C:\\\\D\"]\n"
        "[Black \"?\"]\n"
        "[Result \"1/2-1/2\"]\n"
        "[Annotator \"x\"]\n"
        "[ECO \"C20\"]\n"
        "[_x \"\"]\n"
        "\n"
        "{first second} 1. e4 $1 (1. d4 (1. c4 c5)) 1... e5 (1... --) 2. Nf3 {} 2... Nc6\n"
        "; a } b\n"
        "%kept\n"
        "3. Bb5 1/2-1/2\n"
        "\n");
}

// Every line of movetext has at most 79 columns, and the next word would not have fitted.
static void test_width(void **state) {
    (void)state;
    static Text text;
    text.size = 0;
    ChessPgnWriter writer;
    chess_pgn_writer_init(&writer, append, &text, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    ChessPosition pos = chess_position_start();
    for (int i = 0; i < 100; i++)
        write_line(&writer, &pos, "Nf3 Nf6 Ng1 Ng8");
    chess_pgn_write_result(&writer, CHESS_PGN_UNKNOWN);
    JdStr rest = jd_str_n(text.data, text.size);
    while (rest.size > 0) {
        const JdStr line = jd_str_cut(&rest, '\n');
        assert_true(line.size <= 79);
        const size_t next = jd_str_find(rest, ' ');
        if (next < rest.size)
            assert_true(line.size + 1 + next > 79);
        assert_false(jd_str_ends_with(line, JD_STR(" ")) || jd_str_starts_with(line, JD_STR(" ")));
    }
}

static void test_languages(void **state) {
    (void)state;
    static Text text;
    text.size = 0;
    ChessPgnWriter writer;
    chess_pgn_writer_init(&writer, append, &text, CHESS_FORM_FIDE, CHESS_RUSSIAN, 0);
    ChessPosition pos = chess_position_start();
    write_line(&writer, &pos, "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
    chess_pgn_write_result(&writer, CHESS_PGN_UNKNOWN);
    assert_string_equal(text.data, "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. 0-0 *\n\n");
}

// ---- round trips --------------------------------------------------------------------------------

typedef struct Event {
    uint64_t digest;
    uint64_t moves;
} Event;

static void note(Event *event, const char *kind, JdStr text) {
    event->digest = jd_hash(event->digest, kind, strlen(kind));
    event->digest = jd_hash(event->digest, text.data, text.size);
}

static void note_number(Event *event, const char *kind, uint64_t number) {
    note(event, kind, jd_str_n((const char *)&number, sizeof number));
}

// Words of a comment, single blanks between.
static void note_comment(Event *event, JdStr text) {
    note(event, "{", jd_str_n("", 0));
    while (text.size > 0) {
        size_t size = 0;
        while (size < text.size && strchr(" \n\t\r", text.data[size]) == NULL)
            size++;
        if (size > 0)
            note(event, " ", jd_str_part(text, 0, size));
        text = jd_str_part(text, size + 1, text.size);
    }
}

static void random_text(uint64_t *seed, char *out, size_t max) {
    static const char *const words[] = { "good", "}",
                                         "{",    "[%clk 0:01:02]",
                                         "ход",  "[Event \"x\"]",
                                         "%",    ";",
                                         "\"",   "\\",
                                         "$7",   "(x)",
                                         "  ",   "\n",
                                         "1-0",  "e4" };
    out[0] = '\0';
    for (uint32_t count = jd_random_below(seed, 30); count > 0; count--) {
        const char *word = words[jd_random_below(seed, JD_COUNT(words))];
        if (strlen(out) + strlen(word) + 2 > max)
            break;
        strcat(out, word);
        if (jd_random_below(seed, 4) != 0)
            strcat(out, " ");
    }
}

typedef struct Author {
    uint64_t seed;
    Event event;
    ChessPgnWriter writer;
} Author;

static void write_random_comment(Author *author) {
    char text[256];
    random_text(&author->seed, text, sizeof text);
    chess_pgn_write_comment(&author->writer, jd_str(text));
    note_comment(&author->event, jd_str(text));
}

static void write_random_line(Author *author, ChessPosition pos, int plies, int depth) {
    for (int ply = 0; ply < plies; ply++) {
        ChessMoveList legal;
        chess_moves_generate(&pos, &legal);
        if (legal.count == 0)
            return;
        const ChessMove move = legal.moves[jd_random_below(&author->seed, (uint32_t)legal.count)];
        const ChessPosition before = pos;
        chess_pgn_write_move(&author->writer, &pos, move);
        note_number(&author->event, "move", move);
        author->event.moves++;
        chess_move_make(&pos, move, NULL);
        if (jd_random_below(&author->seed, 12) == 0) {
            const int nag = (int)jd_random_below(&author->seed, 256);
            chess_pgn_write_nag(&author->writer, nag);
            note_number(&author->event, "nag", (uint64_t)nag);
        }
        if (jd_random_below(&author->seed, 8) == 0)
            write_random_comment(author);
        while (depth < 5 && jd_random_below(&author->seed, 16) == 0) {
            chess_pgn_write_variation_begin(&author->writer);
            note_number(&author->event, "(", 0);
            if (jd_random_below(&author->seed, 4) == 0)
                write_random_comment(author);
            write_random_line(author, before, 1 + (int)jd_random_below(&author->seed, 12),
                              depth + 1);
            chess_pgn_write_variation_end(&author->writer);
            note_number(&author->event, ")", 0);
        }
    }
}

static ChessPgnStep read_tag(void *context, JdStr name, JdStr value) {
    note(context, "[", name);
    note(context, "]", value);
    return CHESS_PGN_GO;
}
static void read_move(void *context, const ChessPgnMove *move) {
    Event *event = context;
    note_number(event, "move", move->move);
    event->moves++;
    if (move->tolerances != 0)
        fail_msg("%.*s is not exact", JD_PRINT(move->text));
}
static void read_comment(void *context, JdStr text, bool to_line_end, bool more) {
    (void)to_line_end;
    assert_false(more);
    note_comment(context, text);
}
static void read_nag(void *context, int nag) {
    note_number(context, "nag", (uint64_t)nag);
}
static ChessPgnStep read_begin(void *context) {
    note_number(context, "(", 0);
    return CHESS_PGN_GO;
}
static void read_end(void *context) {
    note_number(context, ")", 0);
}
static void read_game_end(void *context, const ChessPgnGame *game) {
    note_number(context, "result", game->result);
    assert_false(game->damaged);
}
static void read_problem(void *context, const ChessPgnProblem *problem) {
    (void)context;
    fail_msg("line %llu: %s", (unsigned long long)problem->line, problem->text);
}

// Writes a random game, with tags, and reads it again without any tolerance.
static void round_trip(Author *author, Text *text) {
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[8];
    static const ChessPgnVisitor visitor = {
        .tag = read_tag,
        .move = read_move,
        .comment = read_comment,
        .nag = read_nag,
        .variation_begin = read_begin,
        .variation_end = read_end,
        .game_end = read_game_end,
        .problem = read_problem,
    };
    const bool is_chess960 = jd_random_below(&author->seed, 4) == 0;
    const ChessPosition start = is_chess960
                                    ? chess960_start((int)jd_random_below(&author->seed, 960))
                                    : chess_position_start();
    const ChessPgnResult result = (ChessPgnResult)(1 + jd_random_below(&author->seed, 4));
    char values[3][256];
    char fen[CHESS_FEN_SIZE];
    ChessPgnTag tags[10] = {
        { JD_STR("Event"), JD_STR("E") },
        { JD_STR("Site"), JD_STR("S") },
        { JD_STR("Date"), JD_STR("D") },
        { JD_STR("Round"), JD_STR("R") },
        { JD_STR("White"), JD_STR("W") },
        { JD_STR("Black"), JD_STR("B") },
        { JD_STR("Result"), jd_str(chess_pgn_result_text(result)) },
    };
    size_t count = 7;
    for (size_t i = 0; i < 3; i++) {
        random_text(&author->seed, values[i], sizeof values[i]);
        for (char *p = values[i]; *p != '\0'; p++)
            *p = (char)(*p == '\n' ? ' ' : *p);
    }
    tags[0].value = jd_str(values[0]);
    tags[4].value = jd_str(values[1]);
    if (is_chess960) {
        chess_fen_write(&start, CHESS_FEN_EP_LEGAL, fen);
        tags[count++] = (ChessPgnTag) { JD_STR("FEN"), jd_str(fen) };
        tags[count++] = (ChessPgnTag) { JD_STR("SetUp"), JD_STR("1") };
        tags[count++] = (ChessPgnTag) { JD_STR("Variant"), JD_STR("Chess960") };
    }
    for (size_t i = 0; i < count; i++) {
        note(&author->event, "[", tags[i].name);
        note(&author->event, "]", tags[i].value);
    }
    text->size = 0;
    const int width = jd_random_below(&author->seed, 4) == 0 ? 0 : CHESS_PGN_WIDTH;
    chess_pgn_writer_init(&author->writer, append, text, CHESS_FORM_PGN, CHESS_ENGLISH, width);
    chess_pgn_write_tags(&author->writer, tags, count, result);
    write_random_line(author, start, (int)jd_random_below(&author->seed, 160), 0);
    chess_pgn_write_result(&author->writer, result);
    note_number(&author->event, "result", result);

    const ChessPgnOptions options = { .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .lines = lines,
                                      .line_count = JD_COUNT(lines),
                                      .exact = true };
    Event event = { JD_HASH_START, 0 };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, &event);
    chess_pgn_push(&reader, jd_str_n(text->data, text->size));
    chess_pgn_finish(&reader);
    if (event.digest != author->event.digest || event.moves != author->event.moves ||
        reader.game.number != 1)
        fail_msg("a game was read differently from how it was written:\n%s", text->data);
}

static void test_round_trips(void **state) {
    (void)state;
    static Text text;
    const char *games = getenv("JADOUBE_GAMES");
    const int count = games != NULL ? atoi(games) : 2000;
    Author author = { .seed = announce_seed() };
    uint64_t moves = 0;
    for (int i = 0; i < count; i++) {
        author.event = (Event) { JD_HASH_START, 0 };
        round_trip(&author, &text);
        moves += author.event.moves;
    }
    print_message("%d games, %llu moves\n", count, (unsigned long long)moves);
}

// ---- commands in comments -----------------------------------------------------------------------

static void test_commands(void **state) {
    (void)state;
    const JdStr comment =
        JD_STR("a [%clk 1:02:03] [%eval -0.25,18] b [%csl Ga4,Rb1][%cal Gc2c4] [%x");
    ChessPgnCommand command;
    size_t at = 0;
    assert_true(chess_pgn_command_next(comment, &at, &command));
    assert_true(jd_str_equal(command.name, JD_STR("clk")));
    JdSpan span;
    assert_true(chess_pgn_clock_parse(command.argument, &span));
    assert_int_equal(span.ms, 3723000);
    assert_int_equal(command.begin, 2);
    assert_int_equal(command.end, 16);
    assert_true(chess_pgn_command_next(comment, &at, &command));
    ChessPgnEval eval;
    assert_true(chess_pgn_eval_parse(command.argument, &eval));
    assert_int_equal(eval.centipawns, -25);
    assert_int_equal(eval.depth, 18);
    assert_false(eval.is_mate);
    assert_true(chess_pgn_command_next(comment, &at, &command));
    ChessPgnShape shape;
    size_t shape_at = 0;
    assert_true(chess_pgn_shape_next(command.argument, &shape_at, &shape));
    assert_true(shape.color == 'G' && shape.from == chess_square(0, 3) &&
                shape.to == CHESS_NO_SQUARE);
    assert_true(chess_pgn_shape_next(command.argument, &shape_at, &shape));
    assert_false(chess_pgn_shape_next(command.argument, &shape_at, &shape));
    assert_true(chess_pgn_command_next(comment, &at, &command));
    shape_at = 0;
    assert_true(chess_pgn_shape_next(command.argument, &shape_at, &shape));
    assert_true(shape.from == chess_square(2, 1) && shape.to == chess_square(2, 3));
    assert_false(chess_pgn_command_next(comment, &at, &command));
}

static void test_numbers_of_commands(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t ms; // -1: refused
        const char *written;
    } clocks[] = {
        { "0:00:00", 0, "0:00:00" },
        { "0:00:05.4", 5400, "0:00:05.4" },
        { "59", 59000, "0:00:59" },
        { "1:30", 90000, "0:01:30" },
        { "100:00:00", 360000000, "100:00:00" },
        { "0:00:01.0625", 1062, "0:00:01.062" },
        { "0:60:00", -1, "" },
        { "1:2:3:4", -1, "" },
        { "", -1, "" },
        { "-1", -1, "" },
        { "1:", -1, "" },
        { "9999999", -1, "" },
    };
    for (size_t i = 0; i < JD_COUNT(clocks); i++) {
        JdSpan span = { -1 };
        assert_int_equal(chess_pgn_clock_parse(jd_str(clocks[i].text), &span), clocks[i].ms >= 0);
        assert_int_equal(span.ms, clocks[i].ms);
        char text[CHESS_PGN_CLOCK_SIZE];
        if (span.ms >= 0) {
            chess_pgn_clock_write(span, text);
            assert_string_equal(text, clocks[i].written);
        }
    }
    static const struct {
        const char *text;
        bool ok;
        bool is_mate;
        int32_t value;
    } evals[] = {
        { "0.0", true, false, 0 },   { "12", true, false, 1200 }, { "-1.5", true, false, -150 },
        { "#-3", true, true, -3 },   { "#3", true, true, 3 },     { "+0.17", true, false, 17 },
        { "#", false, false, 0 },    { "", false, false, 0 },     { "x", false, false, 0 },
        { "1.0,", false, false, 0 },
    };
    for (size_t i = 0; i < JD_COUNT(evals); i++) {
        ChessPgnEval eval = { 0 };
        assert_int_equal(chess_pgn_eval_parse(jd_str(evals[i].text), &eval), evals[i].ok);
        assert_int_equal(eval.is_mate, evals[i].is_mate);
        assert_int_equal(eval.centipawns, evals[i].value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_export_format), cmocka_unit_test(test_width),
        cmocka_unit_test(test_languages),     cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_commands),      cmocka_unit_test(test_numbers_of_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
