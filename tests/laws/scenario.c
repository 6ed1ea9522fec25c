// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario.h"

char *table_read(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/laws/%s", TEST_DATA, name);
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    static char buffer[512 * 1024];
    const size_t size = fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    if (size == 0 || size == sizeof buffer - 1)
        fail_msg("%s is empty or too long", path);
    buffer[size] = '\0';
    return buffer;
}

bool table_line(JdStr *rest, JdStr *line, int *number) {
    while (rest->size > 0) {
        *line = jd_str_trim(jd_str_cut(rest, '\n'));
        ++*number;
        if (line->size > 0 && line->data[0] != '#')
            return true;
    }
    return false;
}

bool parse_time(JdStr text, int64_t *ms) {
    int64_t total = 0;
    if (text.size == 0)
        return false;
    while (text.size > 0) {
        JdStr part = jd_str_cut(&text, ':');
        JdStr whole = jd_str_cut(&part, '.');
        uint64_t number;
        if (!jd_parse_u64(jd_str_starts_with(whole, JD_STR("0")) && whole.size == 2
                              ? jd_str_part(whole, 1, 1)
                              : whole,
                          1000000000, &number))
            return false;
        total = total * 60 + (int64_t)number * 1000;
        int64_t unit = 100;
        for (size_t i = 0; i < part.size; i++, unit /= 10)
            total += (part.data[i] - '0') * unit;
    }
    *ms = total;
    return true;
}

void write_time(int64_t ms, char out[32]) {
    snprintf(out, 32, "%lld:%02lld:%02lld.%03lld", (long long)(ms / 3600000),
             (long long)(ms / 60000 % 60), (long long)(ms / 1000 % 60), (long long)(ms % 1000));
}

bool parse_position(JdStr text, ChessPosition *pos) {
    int blanks = 0;
    for (size_t i = 0; i < text.size; i++)
        blanks += text.data[i] == ' ';
    char fen[160];
    snprintf(fen, sizeof fen, "%.*s%s", JD_PRINT(text), blanks == 3 ? " 0 1" : "");
    JdErr err = { 0 };
    if (chess_fen_parse(jd_str(fen), pos, &err))
        return true;
    print_error("%s: %s\n", fen, err.text);
    return false;
}

static void strip_signs(JdStr text, char out[32]) {
    size_t size = 0;
    for (size_t i = 0; i < text.size && size < 31; i++)
        if (strchr("x+#=", text.data[i]) == NULL)
            out[size++] = text.data[i];
    out[size] = '\0';
}

ChessMove parse_move(JdStr text, const ChessPosition *pos) {
    if (jd_str_starts_with(text, JD_STR("raw:")) && text.size == 8) {
        const char *const c = text.data + 4;
        const int from = c[0] - 'a' + 8 * (c[1] - '1');
        const int to = c[2] - 'a' + 8 * (c[3] - '1');
        return (ChessMove)(from | to << 6);
    }
    char wanted[32];
    strip_signs(text, wanted);
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++) {
        char san[CHESS_SAN_SIZE];
        char uci[CHESS_UCI_SIZE];
        char stripped[32];
        const size_t size = chess_san_write(pos, list.moves[i], san);
        (void)chess_uci_write(pos, list.moves[i], uci);
        strip_signs(jd_str_n(san, size), stripped);
        if (strcmp(stripped, wanted) == 0 || jd_str_equal(text, jd_str(uci)))
            return list.moves[i];
    }
    return CHESS_NO_MOVE;
}

// Exchanges ranks, files or both of a FEN's first field, and colours with the ranks.
static ChessPosition mirrored(const ChessPosition *pos, bool colors, bool files) {
    char fen[192];
    size_t size = 0;
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++) {
            const ChessPiece piece = chess_piece_at(
                pos, chess_square(files ? 7 - file : file, colors ? 7 - rank : rank));
            char letter = '1';
            if (piece != CHESS_NO_PIECE) {
                letter = " pnbrqk"[chess_piece_kind(piece)];
                if ((chess_piece_color(piece) == CHESS_WHITE) != colors)
                    letter = (char)(letter - 'a' + 'A');
            }
            fen[size++] = letter;
        }
        fen[size++] = rank > 0 ? '/' : ' ';
    }
    // Runs of empty squares.
    char packed[192];
    size_t out = 0;
    for (size_t i = 0; i < size; i++) {
        if (fen[i] == '1' && out > 0 && packed[out - 1] >= '1' && packed[out - 1] <= '7')
            packed[out - 1]++;
        else
            packed[out++] = fen[i];
    }
    const bool white = (pos->side_to_move == CHESS_WHITE) != colors;
    char ep[3] = "-";
    if (pos->ep_target != CHESS_NO_SQUARE) {
        const int file = chess_file(pos->ep_target);
        const int rank = chess_rank(pos->ep_target);
        ep[0] = (char)('a' + (files ? 7 - file : file));
        ep[1] = (char)('1' + (colors ? 7 - rank : rank));
        ep[2] = '\0';
    }
    out +=
        (size_t)snprintf(packed + out, sizeof packed - out, "%c - %s 0 1", white ? 'w' : 'b', ep);
    ChessPosition mirror;
    JdErr err = { 0 };
    if (!chess_fen_parse(jd_str_n(packed, out), &mirror, &err))
        fail_msg("mirror %.*s: %s", (int)out, packed, err.text);
    return mirror;
}

ChessPosition mirror_colors(const ChessPosition *pos) {
    return mirrored(pos, true, false);
}

ChessPosition mirror_files(const ChessPosition *pos) {
    return mirrored(pos, false, true);
}
