// SPDX-License-Identifier: GPL-3.0-or-later
//
// A position as one JSON object.
#include <jadoube/chess.h>

typedef struct NamedMove {
    ChessMove move;
    uint8_t size;
    char uci[CHESS_UCI_SIZE];
} NamedMove;

// Insertion sort by the text; at most CHESS_MOVES_MAX moves.
static void sort_by_uci(NamedMove *moves, int count) {
    for (int i = 1; i < count; i++) {
        const NamedMove move = moves[i];
        const JdStr text = jd_str_n(move.uci, move.size);
        int at = i;
        for (; at > 0 && jd_str_compare(text, jd_str_n(moves[at - 1].uci, moves[at - 1].size)) < 0;
             at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
}

static void write_moves(JdOut *out, const ChessPosition *pos, const ChessMoveList *legal) {
    NamedMove moves[CHESS_MOVES_MAX];
    for (int i = 0; i < legal->count; i++) {
        moves[i].move = legal->moves[i];
        moves[i].size = (uint8_t)chess_uci_write(pos, legal->moves[i], moves[i].uci);
    }
    sort_by_uci(moves, legal->count);
    for (int i = 0; i < legal->count; i++) {
        char san[CHESS_SAN_SIZE];
        chess_san_write(pos, moves[i].move, san);
        jd_out_cstr(out, i > 0 ? ",{\"uci\":\"" : "{\"uci\":\"");
        jd_out_cstr(out, moves[i].uci);
        jd_out_cstr(out, "\",\"san\":\"");
        jd_out_cstr(out, san);
        jd_out_cstr(out, "\"}");
    }
}

static void write_flag(JdOut *out, const char *name, bool value) {
    jd_out_cstr(out, ",\"");
    jd_out_cstr(out, name);
    jd_out_cstr(out, value ? "\":true" : "\":false");
}

size_t chess_describe(const ChessPosition *pos, char out[CHESS_DESCRIBE_SIZE]) {
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    char fen[CHESS_FEN_SIZE];
    chess_fen_write(pos, CHESS_FEN_EP_LEGAL, fen);
    const bool check = chess_is_check(pos);

    JdOut text = jd_out(out, CHESS_DESCRIBE_SIZE - 1);
    jd_out_cstr(&text, "{\"fen\":\"");
    jd_out_cstr(&text, fen);
    jd_out_cstr(&text, "\",\"side_to_move\":\"");
    jd_out_cstr(&text, pos->side_to_move == CHESS_WHITE ? "white" : "black");
    jd_out_cstr(&text, "\",\"legal_moves\":[");
    write_moves(&text, pos, &legal);
    jd_out_char(&text, ']');
    write_flag(&text, "check", check);
    write_flag(&text, "checkmate", check && legal.count == 0);
    write_flag(&text, "stalemate", !check && legal.count == 0);
    jd_out_cstr(&text, ",\"zobrist_key\":\"");
    jd_out_hex(&text, pos->zobrist_key, 16);
    jd_out_cstr(&text, "\"}");
    JD_ASSERT(jd_out_fits(&text));
    out[text.size] = '\0';
    return text.size;
}
