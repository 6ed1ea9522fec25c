// SPDX-License-Identifier: GPL-3.0-or-later
#include "plain.h"

int plain_worth(unsigned piece) {
    static const int worth[8] = { 0, 1, 3, 3, 5, 9, 100, 0 };
    return worth[piece & 7] * 100;
}

static bool walks(const uint8_t board[64], int from, int to, int file_step, int rank_step) {
    int file = from % 8 + file_step;
    int rank = from / 8 + rank_step;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        if (rank * 8 + file == to)
            return true;
        if (board[rank * 8 + file] != 0)
            return false;
        file += file_step;
        rank += rank_step;
    }
    return false;
}

bool plain_attacks(const uint8_t board[64], int from, int to) {
    const int across = to % 8 - from % 8;
    const int up = to / 8 - from / 8;
    const int a = across < 0 ? -across : across;
    const int u = up < 0 ? -up : up;
    const bool white = board[from] < 8;
    const int file_step = (across > 0) - (across < 0);
    const int rank_step = (up > 0) - (up < 0);
    if (from == to)
        return false;
    switch (board[from] & 7) {
    case 1:
        return a == 1 && up == (white ? 1 : -1);
    case 2:
        return (a == 1 && u == 2) || (a == 2 && u == 1);
    case 3:
        return a == u && walks(board, from, to, file_step, rank_step);
    case 4:
        return (a == 0 || u == 0) && walks(board, from, to, file_step, rank_step);
    case 5:
        return (a == 0 || u == 0 || a == u) && walks(board, from, to, file_step, rank_step);
    case 6:
        return a <= 1 && u <= 1;
    default:
        return false;
    }
}

bool plain_is_attacked(const uint8_t board[64], int square, int color) {
    for (int from = 0; from < 64; from++)
        if (board[from] != 0 && board[from] / 8 == color && plain_attacks(board, from, square))
            return true;
    return false;
}

int plain_king(const uint8_t board[64], int color) {
    for (int square = 0; square < 64; square++)
        if (board[square] == 6 + 8 * color)
            return square;
    return 64;
}

// The square of the man the move takes, or 64.
static int victim(const ChessPosition *pos, ChessMove move) {
    if (chess_move_is_castling(move))
        return 64;
    if (chess_move_is_en_passant(move))
        return (chess_move_from(move) / 8) * 8 + chess_move_to(move) % 8;
    return pos->board[chess_move_to(move)] != 0 ? chess_move_to(move) : 64;
}

static int gain(const ChessPosition *pos, ChessMove move) {
    const int at = victim(pos, move);
    const unsigned promoted = chess_move_promotion(move);
    return (at < 64 ? plain_worth(pos->board[at]) : 0) +
           (promoted != 0 ? plain_worth(promoted) - 100 : 0);
}

int plain_take(const ChessPosition *pos, int square) {
    ChessMoveList legal;
    int best = -1000000;
    chess_moves_generate(pos, &legal);
    for (int i = 0; i < legal.count; i++) {
        const ChessMove move = legal.moves[i];
        if (victim(pos, move) != square)
            continue;
        ChessPosition after = *pos;
        chess_move_make(&after, move, NULL);
        const int net = gain(pos, move) - plain_exchange(&after, chess_move_to(move));
        if (net > best)
            best = net;
    }
    return best;
}

int plain_exchange(const ChessPosition *pos, int square) {
    const int best = plain_take(pos, square);
    return best > 0 ? best : 0;
}

bool plain_is_lost(const ChessPosition *pos, int n) {
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    if (legal.count == 0)
        return plain_is_attacked(pos->board, plain_king(pos->board, pos->side_to_move),
                                 1 - pos->side_to_move);
    for (int i = 0; i < legal.count; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, legal.moves[i], NULL);
        if (n == 0 || !plain_mates(&after, n))
            return false;
    }
    return true;
}

bool plain_mates(const ChessPosition *pos, int n) {
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    for (int i = 0; i < legal.count; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, legal.moves[i], NULL);
        if (plain_is_lost(&after, n - 1))
            return true;
    }
    return false;
}

bool plain_pass(const ChessPosition *pos, ChessPosition *out) {
    if (plain_is_attacked(pos->board, plain_king(pos->board, pos->side_to_move),
                          1 - pos->side_to_move))
        return false;
    *out = *pos;
    out->side_to_move ^= 1;
    out->ep_target = CHESS_NO_SQUARE;
    out->ep_is_legal = 0;
    out->zobrist_key = chess_zobrist_key(out);
    return true;
}
