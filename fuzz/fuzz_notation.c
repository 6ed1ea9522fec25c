// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes as a move in any language with any tolerances: a legal move that needs no more than was
// allowed, or a named fault. What is read without tolerances is what is written. The first five
// bytes choose position, language and tolerances.
#include <jadoube/notation.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2n4k/3P4/8/8/4Q2Q/8/8/K6Q w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/8/8/8/RK3R2 w FA - 0 1",
    "r3k2r/8/8/8/8/8/6p1/R3K2R b KQkq - 0 1",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 5)
        return 0;
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(jd_str(fens[data[0] % JD_COUNT(fens)]), &pos, &err))
        return 0;
    const ChessLanguage language = (ChessLanguage)(data[1] % CHESS_LANGUAGE_COUNT);
    const JdStr text = jd_str_n((const char *)data + 5, size - 5);
    const uint32_t chosen = (uint32_t)data[2] | (uint32_t)data[3] << 8 | (uint32_t)data[4] << 16;
    const uint32_t sets[] = { chosen, CHESS_TOLERATE_DEFAULT, CHESS_TOLERATE_NOTHING };
    for (size_t i = 0; i < JD_COUNT(sets); i++) {
        ChessReading reading;
        err = (JdErr) { 0 };
        if (!chess_notation_parse(text, &pos, language, sets[i], &reading, &err)) {
            JD_ASSERT(err.code != CHESS_MOVE_OK && err.offset <= text.size && err.text[0] != '\0');
            JD_ASSERT(reading.move == CHESS_NO_MOVE);
            continue;
        }
        JD_ASSERT(chess_move_is_legal(&pos, reading.move));
        JD_ASSERT((reading.tolerances & ~sets[i]) == 0 && reading.count == 1);
        char written[CHESS_NOTATION_SIZE];
        const size_t length =
            chess_notation_write(&pos, reading.move, CHESS_FORM_PGN, language, written);
        // Chess symbols of either colour and with a variation selector are the same letter.
        if (sets[i] == CHESS_TOLERATE_NOTHING && language != CHESS_FIGURINE)
            JD_ASSERT(jd_str_equal(jd_str_n(written, length), text));
        char spoken[CHESS_SPOKEN_SIZE];
        JD_ASSERT(chess_spoken_write(&pos, reading.move, language, spoken) > 0);
    }
    return 0;
}
