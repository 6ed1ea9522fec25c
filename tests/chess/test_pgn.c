// SPDX-License-Identifier: GPL-3.0-or-later
//
// PGN read: what a reader makes of good, sloppy and damaged files. Each row is a file and the log
// of what its visitor is told; every file is read whole and in pieces of several sizes, and the log
// must be the same.
#include "support.h"

#include <jadoube/pgn.h>

#include "pgn_log.h"

static const struct {
    const char *name;
    const char *text;
    const char *log;
} files[] = {
    { "nothing", "", "" },
    { "blanks", " \n\n\t\r\n", "" },
    { "a game",
      "[Event \"Club\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n",
      "game 1 / Event=Club / Result=1-0 / start / e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7# / end 1-0 plies 7 "
      "/ " },
    { "without tags", "1. e4 e5 *\n1. d4 *",
      "game 1 / start / e4 e5 / end * plies 2 / game 2 / start / d4 / end * plies 1 / " },
    { "two games without blank lines", "[Event \"A\"]\n1. e4 1-0\n[Event \"B\"]\n1. d4 0-1\n",
      "game 1 / Event=A / start / e4 / end 1-0 plies 1 / "
      "game 2 / Event=B / start / d4 / end 0-1 plies 1 / " },
    { "tags on one line", "[Event \"A\"][Site \"B\"] 1. e4 *",
      "game 1 / Event=A / Site=B / start / e4 / end * plies 1 / " },
    { "CRLF and a byte order mark", "\xef\xbb\xbf[Event \"A\"]\r\n\r\n1. e4\r\ne5 *\r\n",
      "game 1 / Event=A / start / e4 e5 / end * plies 2 / " },
    { "numbers in all shapes", "1.e4 1...e5 2 . Nf3 2. ... Nc6 3.Bb5 a6 4 Ba4*",
      "game 1 / start / e4 e5 Nf3 Nc6 Bb5 a6 Ba4 / end * plies 7 / " },
    { "comments",
      "{before} [Event \"A\"] {after tags} 1. e4 {a {b} ; to the end } x\n e5 {} 2. d4 *",
      "{before} / game 1 / Event=A / start / {after tags} e4 {a {b} {_ to the end } x} e5 {} d4 / "
      "end * plies 3 / " },
    { "annotation glyphs", "1. e4! $3 e5?? 2. d4 !? d5 ?! 3. c4 +- c5 = $255 4. b4 ∞ *",
      "game 1 / start / e4 $1 $3 e5 $4 d4 $5 d5 $6 c4 $18 c5 $10 $255 b4 $13 / end * plies 7 / " },
    { "glyphs that are none", "1. e4 $256 e5 $ d4 *",
      "game 1 / start / e4 1:7 bad_nag e5 1:15 bad_nag d4 / end * plies 3 / " },
    { "variations", "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 (1... c5) *",
      "game 1 / start / e4 (d4 d5 (Nf6 c4) c4) e5 (c5) / end * plies 2 / " },
    { "a null move", "1. e4 e5 (1... -- 2. d4 (2. Z0 Nf6) Nf6) 2. Nf3 *",
      "game 1 / start / e4 e5 (null d4 (null Nf6) Nf6) Nf3 / end * plies 3 / " },
    { "a null move in the main line", "1. e4 -- 2. d4 *",
      "game 1 / start / e4 1:7 illegal_move / end * plies 1 damaged / " },
    { "escapes", "%first\n1. e4\n%second line\ne5 % *",
      "%first / game 1 / start / e4 %second line e5 4:4 stray_byte / end * plies 2 damaged / " },
    { "a draw offer", "1. e4 (=) e5 *", "game 1 / start / e4 {(=)} e5 / end * plies 2 / " },
    { "promotion in brackets",
      "[FEN \"7k/4P3/8/8/8/8/8/K7 w - - 0 1\"]\n1. e8(Q)+ Kg7 (1... Kh7) *",
      "game 1 / FEN=7k/4P3/8/8/8/8/8/K7 w - - 0 1 / start / e8(Q)+ Kg7 (Kh7) / end * plies 2 / " },
    { "castling with zeros, and results",
      "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 1/2\n1. e4 1-0",
      "game 1 / start / e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 0-0 / end 1/2-1/2 plies 8 / "
      "game 2 / start / e4 / end 1-0 plies 1 / " },
    { "en passant", "1. e4 a6 2. e5 d5 3. exd6 e.p. exd6 *",
      "game 1 / start / e4 a6 e5 d5 exd6 exd6 / end * plies 6 / " },
    { "other letters stay faults", "1. Sf3 *", "1:4 text_outside / " },
    { "escapes in tags", "[Event \"a \\\"b\\\" \\\\ c\\d\"] *",
      "game 1 / Event=a \"b\" \\ c\\d / start / / end * plies 0 / " },
    { "quotes in tags", "[Event \"a \"b\" c\"] [Site \"x] *\n[Round 1]\n[Date \"2000\"\n1. e4 *",
      "game 1 / 1:11 sloppy_tag Event=a \"b\" c / 1:30 sloppy_tag Site=x] * / 2:8 sloppy_tag "
      "Round=1 / "
      "3:13 sloppy_tag Date=2000 / start / e4 / end * plies 1 / " },
    { "missing result", "[Event \"A\"]\n1. e4\n\n[Event \"B\"]\n1. d4",
      "game 1 / Event=A / start / e4 4:1 missing_result / end * plies 1 / "
      "game 2 / Event=B / start / d4 5:6 missing_result / end * plies 1 / " },
    { "tags alone", "[Event \"A\"]\n\n[Event \"B\"]\n*",
      "game 1 / Event=A / start / 3:1 missing_result / end * plies 0 / "
      "game 2 / Event=B / start / / end * plies 0 / " },
    { "a result that differs", "[Result \"1-0\"]\n1. e4 0-1",
      "game 1 / Result=1-0 / start / e4 2:10 result_differs / end 0-1 plies 1 / " },
    { "a result in a variation", "1. e4 (1. d4 1-0) e5 *",
      "game 1 / start / e4 (d4) e5 / end * plies 2 / " },
    { "an illegal move", "1. e4 e5 2. Ke3 {not told} d5 1-0\n1. d4 *",
      "game 1 / start / e4 e5 1:13 illegal_move / end 1-0 plies 2 damaged / "
      "game 2 / start / d4 / end * plies 1 / " },
    { "an ambiguous move", "[FEN \"4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1\"]\n1. Nf3 *",
      "game 1 / FEN=4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1 / start / 2:4 ambiguous_move / "
      "end * plies 0 damaged / " },
    { "a malformed move", "1. e4 e5 2. hello 1-0",
      "game 1 / start / e4 e5 1:13 malformed_move / end 1-0 plies 2 damaged / " },
    { "an illegal move in a variation", "1. e4 (1. d5 d6 (1. c4) $1) 1... e5 *",
      "game 1 / start / e4 (1:11 illegal_move ) e5 / end * plies 2 damaged / " },
    { "FEN, and what is none",
      "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]\n1. e4 "
      "*",
      "game 1 / FEN=8/8/8/8/8/8/8/8 w - - 0 1 / 1:7 bad_fen start / / end * plies 0 damaged / "
      "game 2 / FEN=4k3/8/8/8/8/8/4P3/4K3 w - - / start / e4 / end * plies 1 / " },
    { "Chess960",
      "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/RK3R2 w FA - 0 1\"]\n1. O-O Kd7 *",
      "game 1 / Variant=Chess960 / FEN=4k3/8/8/8/8/8/8/RK3R2 w FA - 0 1 / start / O-O Kd7 / "
      "end * plies 2 / " },
    { "a blank inside a move", "1. N f3 *", "1:4 text_outside / " },
    { "a sign inside a move", "1. e4 e5 2. N?f3 *",
      "game 1 / start / e4 e5 1:13 malformed_move / end * plies 2 damaged / " },
    { "another variant", "[Variant \"Atomic\"]\n1. e4 *",
      "game 1 / Variant=Atomic / 1:11 unknown_variant start / / end * plies 0 damaged / " },
    { "a comment that never ends", "[Event \"A\"]\n1. e4 {oh\nno e5\n[Event \"B\"]\n1. d4 *",
      "game 1 / Event=A / start / e4 2:8 unterminated_comment {oh\nno e5} / end * plies 1 damaged "
      "/ "
      "game 2 / Event=B / start / d4 / end * plies 1 / " },
    { "a last comment that never ends", "1. e4 {oh",
      "game 1 / start / e4 1:8 unterminated_comment {oh} / end * plies 1 damaged / " },
    { "a variation that never ends", "1. e4 (1. d4 (1. c4\n[Event \"B\"]\n*",
      "game 1 / start / e4 (d4 (c4 2:1 unterminated_variation )) / end * plies 1 damaged / "
      "game 2 / Event=B / start / / end * plies 0 / " },
    { "stray brackets", "1. e4 ) e5 *\n1. e4 } e5 *\n1. e4 ] e5 *",
      "game 1 / start / e4 1:7 stray_bracket / end * plies 1 damaged / "
      "game 2 / start / e4 2:7 stray_bracket / end * plies 1 damaged / "
      "game 3 / start / e4 3:7 stray_bracket / end * plies 1 damaged / " },
    { "a variation of nothing", "(1. e4) 1. d4 *",
      "game 1 / start / 1:1 variation_of_nothing / end * plies 0 damaged / " },
    { "a variation too deep", "1. e4 (1. d4 (1. c4 (1. b4 (1. a4))) 1... d5) e5 *",
      "game 1 / start / e4 (d4 (c4 1:21 variation_too_deep ) d5) e5 / end * plies 2 damaged / " },
    { "text between games", "Dear reader,\nhere are two games:\n1. e4 *\nand\n1. d4 *\n",
      "1:1 text_outside / game 1 / start / e4 / end * plies 1 / 4:1 text_outside / "
      "game 2 / start / d4 / end * plies 1 / " },
    { "reserved brackets", "1. e4 <later> e5 *",
      "game 1 / start / e4 1:7 reserved e5 / end * plies 2 / " },
    { "malformed UTF-8", "[White \"M\xfcller\"]\n1. e4 {na\xc3\xafve \xc0\x80} *",
      "game 1 / 1:10 malformed_utf8 White=M?ller / start / e4 2:15 malformed_utf8 {naïve ??} / "
      "end * plies 1 / " },
    { "UTF-16", "\xff\xfe[\0E\0", "1:1 not_text " },
    { "move annotations stuck together", "1.e4!{good}e5?(1...c5!)2.Nf3$1 *",
      "game 1 / start / e4 $1 {good} e5 $2 (c5 $1) Nf3 $1 / end * plies 3 / " },
    { "embedded commands", "1. e4 { [%clk 0:10:00] [%eval 0.25] } *",
      "game 1 / start / e4 { [%clk 0:10:00] [%eval 0.25] } / end * plies 1 / " },
    { "skipped moves of tag brackets", "1. e4 [x] e5 *",
      "game 1 / start / e4 1:7 stray_byte / end * plies 1 damaged / " },
};

static void test_files(void **state) {
    (void)state;
    static const size_t pieces[] = { 1, 2, 3, 5, 17, 4096 };
    int failures = 0;
    for (size_t i = 0; i < JD_COUNT(files); i++) {
        JdStr text = jd_str(files[i].text);
        if (strcmp(files[i].name, "UTF-16") == 0)
            text.size = 6;
        for (size_t k = 0; k < JD_COUNT(pieces); k++) {
            const PgnLog *log = pgn_log(text, pieces[k], 3, CHESS_UTF8);
            if (strcmp(log->text, files[i].log) != 0) {
                print_error("\"%s\" in pieces of %zu:\n  got      %s\n  expected %s\n",
                            files[i].name, pieces[k], log->text, files[i].log);
                failures++;
                break;
            }
        }
    }
    assert_int_equal(failures, 0);
}

// Line, column and byte are those of the file, whatever it was converted from.
static void test_encodings(void **state) {
    (void)state;
    const PgnLog *log =
        pgn_log(JD_STR("[White \"\xcf\xe5\xf2\xf0\xee\xe2\"]\n1. e4 {\xf5\xee\xe4} Ke5 *"), 4096, 3,
                CHESS_WINDOWS_1251);
    assert_string_equal(log->text, "game 1 / White=Петров / start / e4 {ход} 2:13 illegal_move / "
                                   "end * plies 1 damaged / ");
    assert_int_equal(log->last.offset, 29);
    log = pgn_log(JD_STR("[White \"M\xfcller \x80\"]\n1. e4 *"), 1, 3, CHESS_LATIN1);
    assert_string_equal(log->text, "game 1 / White=Müller € / start / e4 / end * plies 1 / ");
    ChessEncoding encoding;
    assert_true(chess_encoding_find(JD_STR("CP1251"), &encoding) && encoding == CHESS_WINDOWS_1251);
    assert_false(chess_encoding_find(JD_STR("EBCDIC"), &encoding));
}

// ---- what the visitor may ask -------------------------------------------------------------------

typedef struct Asked {
    int games;
    int tags;
    int moves;
    int ends;
} Asked;

static ChessPgnStep skip_odd_games(void *context, uint64_t number) {
    ((Asked *)context)->games++;
    return number % 2 == 1 ? CHESS_PGN_SKIP : CHESS_PGN_GO;
}
static ChessPgnStep count_tag(void *context, JdStr name, JdStr value) {
    (void)value;
    ((Asked *)context)->tags++;
    return jd_str_equal(name, JD_STR("Stop")) ? CHESS_PGN_STOP : CHESS_PGN_GO;
}
static void count_move(void *context, const ChessPgnMove *move) {
    (void)move;
    ((Asked *)context)->moves++;
}
static ChessPgnStep skip_variation(void *context) {
    (void)context;
    return CHESS_PGN_SKIP;
}
static void count_end(void *context, const ChessPgnGame *game) {
    assert_int_equal(game->skipped, game->number % 2 == 1);
    ((Asked *)context)->ends++;
}

static void test_steps(void **state) {
    (void)state;
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[4];
    const ChessPgnOptions options = {
        .buffer = buffer, .buffer_size = sizeof buffer, .lines = lines, .line_count = 4
    };
    const ChessPgnVisitor visitor = { .game_begin = skip_odd_games,
                                      .tag = count_tag,
                                      .move = count_move,
                                      .variation_begin = skip_variation,
                                      .game_end = count_end };
    Asked asked = { 0 };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, &asked);
    assert_true(
        chess_pgn_push(&reader, JD_STR("[A \"1\"] 1. Ke5 {x} * [A \"2\"] 1. e4 (1. d4 d5) e5 * "
                                       "[A \"3\"] *")));
    assert_int_equal(asked.moves, 2);
    assert_int_equal(asked.tags, 1);
    assert_false(chess_pgn_push(&reader, JD_STR("[B \"4\"] [Stop \"x\"] 1. e4 *")));
    assert_false(chess_pgn_push(&reader, JD_STR("1. e4 *")));
    chess_pgn_finish(&reader);
    assert_int_equal(asked.games, 4);
    assert_int_equal(asked.ends, 3);
    assert_int_equal(asked.moves, 2);
}

// Without lines moves are handed on as text; exact reading and tolerances are those of notation.h.
static void test_modes(void **state) {
    (void)state;
    const PgnLog *log = pgn_log(JD_STR("1. e9 (Ke2) Nf3 *"), 4096, 0, CHESS_UTF8);
    assert_string_equal(log->text, "1:4 text_outside / ");
    log = pgn_log(JD_STR("[A \"1\"] 1. e9 (Ke2) Nf3 *"), 4096, 0, CHESS_UTF8);
    assert_string_equal(log->text, "game 1 / A=1 / start / e9 (Ke2) Nf3 / end * plies 2 / ");

    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[4];
    static const struct {
        ChessPgnOptions options;
        const char *text;
        const char *log;
    } cases[] = {
        { { .exact = true },
          "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7+ *",
          "game 1 / start / e4 e5 Qh5 Nc6 Bc4 Nf6 1:35 inexact_move / end * plies 6 damaged / " },
        { { .exact = true },
          "1. e4 d5 2. ed5 *",
          "game 1 / start / e4 d5 1:13 inexact_move / end * plies 2 damaged / " },
        { { .report_tolerances = true },
          "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qf7 *",
          "game 1 / start / e4 e5 Qh5 Nc6 Bc4 Nf6 Qf7~9 / end * plies 7 / " },
        { { .language = CHESS_RUSSIAN },
          "1. Кf3 Кf6 2. Кc3 (2. d4) *",
          "game 1 / start / Кf3 Кf6 Кc3 (d4) / end * plies 3 / " },
        { { .skip_variations = true },
          "1. e4 (1. Ke7 {a} (b) ) e5 *",
          "game 1 / start / e4 e5 / end * plies 2 / " },
        { { .tolerances = CHESS_TOLERATE_ZERO_CASTLING },
          "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 nc6 *",
          "game 1 / start / e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 1:39 malformed_move / end * plies 7 damaged "
          "/ " },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        ChessPgnOptions options = cases[i].options;
        options.buffer = buffer;
        options.buffer_size = sizeof buffer;
        options.lines = lines;
        options.line_count = JD_COUNT(lines);
        log = pgn_log_with(&options, jd_str(cases[i].text), 4096);
        assert_string_equal(log->text, cases[i].log);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
