// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes as a line of EPD: refused with a reason and a place inside the text, or read; what is
// written then is read as the same.
#include <jadoube/epd.h>

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char text[2][3 * CHESS_EPD_TEXT_MAX];
    static ChessEpd epd[2];
    JdErr err = { 0 };
    if (!chess_epd_parse(jd_str_n((const char *)data, size), &epd[0], &err)) {
        JD_ASSERT(err.code != CHESS_EPD_OK && err.offset <= size && err.text[0] != '\0');
        return 0;
    }
    for (int i = 0; i < epd[0].count; i++) {
        ChessMove moves[8];
        int64_t number;
        const ChessEpdOperation *operation = &epd[0].operations[i];
        (void)chess_epd_moves(&epd[0], operation, moves, JD_COUNT(moves));
        (void)!chess_epd_number(operation, &number);
    }
    const size_t written = chess_epd_write(&epd[0], text[0], sizeof text[0]);
    if (written >= CHESS_EPD_TEXT_MAX)
        return 0;
    JD_ASSERT(chess_epd_parse(jd_str_n(text[0], written), &epd[1], &err));
    JD_ASSERT(chess_position_same(&epd[0].position, &epd[1].position));
    JD_ASSERT(epd[0].position.halfmove_clock == epd[1].position.halfmove_clock);
    JD_ASSERT(epd[0].position.fullmove_number == epd[1].position.fullmove_number);
    JD_ASSERT(chess_epd_write(&epd[1], text[1], sizeof text[1]) == written);
    JD_ASSERT(jd_bytes_equal(text[0], text[1], written));
    return 0;
}
