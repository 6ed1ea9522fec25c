// SPDX-License-Identifier: GPL-3.0-or-later
//
// A FEN, a line end, any bytes as SAN: refused with a reason, or read as a legal move that is
// written exactly so.
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
    ChessMove move = CHESS_NO_MOVE;
    JdErr err = { 0 };
    if (!chess_san_parse(text, &pos, &move, &err)) {
        JD_ASSERT(err.code != CHESS_MOVE_OK && err.offset <= text.size && err.text[0] != '\0');
        JD_ASSERT(move == CHESS_NO_MOVE);
        return 0;
    }
    JD_ASSERT(chess_move_is_legal(&pos, move));
    char written[CHESS_SAN_SIZE];
    const size_t written_size = chess_san_write(&pos, move, written);
    JD_ASSERT(jd_str_equal(text, jd_str_n(written, written_size)));
    return 0;
}
