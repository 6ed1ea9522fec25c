// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes as PGN: the same games and problems however the file is cut, legal moves only, and what
// is written of a sound game is read again without any tolerance. The first byte chooses how the
// file is read.
#include <jadoube/pgn.h>

#include <stddef.h>
#include <stdint.h>

#include "../tests/chess/pgn_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 4 };

typedef struct Copy {
    ChessPgnWriter writer;
    size_t size;
    char text[1 << 20];
} Copy;

static Copy copy;

static void append(void *context, JdStr text) {
    Copy *out = context;
    if (text.size <= sizeof out->text - out->size)
        jd_copy(out->text + out->size, text.data, text.size);
    out->size += text.size; // more than fits: the copy is not looked at
    if (out->size > sizeof out->text)
        out->size = sizeof out->text + 1;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    Copy *out = context;
    if (start == NULL)
        return CHESS_PGN_SKIP;
    char fen[CHESS_FEN_SIZE];
    chess_fen_write(start, CHESS_FEN_SHREDDER, fen);
    ChessPgnTag tags[] = {
        { JD_STR("FEN"), jd_str(fen) },
        { JD_STR("Variant"), start->is_chess960 ? JD_STR("Chess960") : JD_STR("Standard") },
    };
    chess_pgn_write_tags(&out->writer, tags, JD_COUNT(tags), CHESS_PGN_NO_RESULT);
    return CHESS_PGN_GO;
}
static void on_move(void *context, const ChessPgnMove *move) {
    Copy *out = context;
    if (move->is_null) {
        chess_pgn_write_null_move(&out->writer, move->position);
        return;
    }
    JD_ASSERT(chess_move_is_legal(move->position, move->move));
    JD_ASSERT(move->position->zobrist_key == chess_zobrist_key(move->position));
    chess_pgn_write_move(&out->writer, move->position, move->move);
}
static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    (void)to_line_end;
    (void)more;
    JD_ASSERT(jd_utf8_valid(text, NULL));
    chess_pgn_write_comment(&((Copy *)context)->writer, text);
}
static void on_nag(void *context, int nag) {
    chess_pgn_write_nag(&((Copy *)context)->writer, nag);
}
static ChessPgnStep on_variation_begin(void *context) {
    chess_pgn_write_variation_begin(&((Copy *)context)->writer);
    return CHESS_PGN_GO;
}
static void on_variation_end(void *context) {
    chess_pgn_write_variation_end(&((Copy *)context)->writer);
}
static void on_game_end(void *context, const ChessPgnGame *game) {
    JD_ASSERT(game->position == NULL ||
              game->position->zobrist_key == chess_zobrist_key(game->position));
    if (game->position != NULL)
        chess_pgn_write_result(&((Copy *)context)->writer, CHESS_PGN_UNKNOWN);
}
static void refuse_problem(void *context, const ChessPgnProblem *problem) {
    (void)context;
    // Only what the copy leaves out on purpose: variations cut by a fault may be empty.
    JD_ASSERT(!chess_pgn_fault_damages(problem->fault));
}

static void check_copy(JdStr file, ChessPgnOptions options) {
    static const ChessPgnVisitor copier = {
        .tags_end = on_tags_end,
        .move = on_move,
        .comment = on_comment,
        .nag = on_nag,
        .variation_begin = on_variation_begin,
        .variation_end = on_variation_end,
        .game_end = on_game_end,
    };
    static const ChessPgnVisitor reader_of_copy = { .problem = refuse_problem };
    ChessPgnReader reader;
    copy.size = 0;
    chess_pgn_writer_init(&copy.writer, append, &copy, CHESS_FORM_PGN, CHESS_ENGLISH,
                          CHESS_PGN_WIDTH);
    chess_pgn_init(&reader, &options, &copier, &copy);
    chess_pgn_push(&reader, file);
    chess_pgn_finish(&reader);
    const uint64_t games = reader.game.number;
    if (copy.size > sizeof copy.text || games > 1)
        return; // games that were cut off leave no result; one game is enough to look at
    if (games == 1 && (reader.game.damaged || reader.game.position == NULL))
        return;
    options.exact = true;
    options.language = CHESS_ENGLISH;
    options.encoding = CHESS_UTF8;
    chess_pgn_init(&reader, &options, &reader_of_copy, NULL);
    chess_pgn_push(&reader, jd_str_n(copy.text, copy.size));
    chess_pgn_finish(&reader);
    JD_ASSERT(reader.game.number == games);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[LINES];
    if (size == 0)
        return 0;
    const unsigned choice = data[0];
    const JdStr file = jd_str_n((const char *)data + 1, size - 1);
    ChessPgnOptions options = {
        .buffer = buffer,
        .buffer_size = sizeof buffer,
        .lines = (choice & 1) != 0 ? NULL : lines,
        .line_count = LINES,
        .encoding = (uint8_t)((choice >> 1 & 3) % 3),
        .language = (choice & 8) != 0 ? CHESS_RUSSIAN : CHESS_ENGLISH,
        .exact = (choice & 16) != 0,
        .skip_variations = (choice & 32) != 0,
        .report_tolerances = (choice & 64) != 0,
    };
    const uint64_t whole = pgn_log_with(&options, file, file.size > 0 ? file.size : 1)->digest;
    const size_t piece = (choice & 128) != 0 ? 1 : 7;
    JD_ASSERT(pgn_log_with(&options, file, piece)->digest == whole);
    if (options.lines != NULL)
        check_copy(file, options);
    return 0;
}
