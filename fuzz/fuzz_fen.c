// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes as FEN: refused with a reason inside the text, or a legal position that is written and
// read back as itself, whose key is true and whose legal moves lead to legal positions.
#include <jadoube/chess.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_moves(const ChessPosition *pos) {
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    JD_ASSERT(chess_moves_count(pos) == legal.count);
    for (int i = 0; i < legal.count; i++) {
        ChessPosition after = *pos;
        ChessUndo undo;
        chess_move_make(&after, legal.moves[i], &undo);
        JD_ASSERT(after.zobrist_key == chess_zobrist_key(&after));
        JD_ASSERT(chess_is_check(&after) == chess_move_gives_check(pos, legal.moves[i]));
        const ChessSetup setup = chess_setup_of(&after);
        ChessFaultList faults;
        // The clock of moves may pass what a FEN may say.
        JD_ASSERT(chess_position_faults(&setup, &faults) == 0 ||
                  faults.faults[0].code == CHESS_FEN_BAD_FULLMOVE);
        chess_move_unmake(&after, legal.moves[i], &undo);
        JD_ASSERT(jd_bytes_equal(&after, pos, sizeof after));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const JdStr text = jd_str_n((const char *)data, size);
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(text, &pos, &err)) {
        JD_ASSERT(err.code != CHESS_FEN_OK && err.offset <= size && err.text[0] != '\0');
        return 0;
    }
    static const ChessFenStyle styles[] = { CHESS_FEN_EP_LEGAL, CHESS_FEN_EP_ALWAYS,
                                            CHESS_FEN_SHREDDER };
    for (size_t i = 0; i < JD_COUNT(styles); i++) {
        char written[CHESS_FEN_SIZE];
        ChessPosition again;
        const size_t written_size = chess_fen_write(&pos, styles[i], written);
        JD_ASSERT(chess_fen_parse(jd_str_n(written, written_size), &again, &err));
        JD_ASSERT(chess_position_same(&pos, &again));
    }
    check_moves(&pos);
    return 0;
}
