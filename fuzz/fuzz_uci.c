// SPDX-License-Identifier: GPL-3.0-or-later
//
// A FEN, a line end, moves in UCI separated by blanks: each is refused with a reason, or is legal
// and written so that it is read as the same move; the position follows.
#include <jadoube/chess.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    JdStr text = jd_str_n((const char *)data, size);
    const JdStr fen = jd_str_cut(&text, '\n');
    ChessPosition pos = chess_position_start();
    if (fen.size > 0 && !chess_fen_parse(fen, &pos, NULL))
        return 0;
    while (text.size > 0) {
        const JdStr word = jd_str_cut(&text, ' ');
        ChessMove move = CHESS_NO_MOVE;
        JdErr err = { 0 };
        if (!chess_uci_parse(word, &pos, &move, &err)) {
            JD_ASSERT(err.code != CHESS_MOVE_OK && err.offset <= word.size && err.text[0] != '\0');
            JD_ASSERT(move == CHESS_NO_MOVE);
            continue;
        }
        JD_ASSERT(chess_move_is_legal(&pos, move));
        char written[CHESS_UCI_SIZE];
        ChessMove again = CHESS_NO_MOVE;
        const size_t written_size = chess_uci_write(&pos, move, written);
        JD_ASSERT(chess_uci_parse(jd_str_n(written, written_size), &pos, &again, &err) &&
                  again == move);
        (void)chess_see(&pos, move);
        chess_move_make(&pos, move, NULL);
        JD_ASSERT(pos.zobrist_key == chess_zobrist_key(&pos));
    }
    return 0;
}
