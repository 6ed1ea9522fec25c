// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exchanges by legal moves: what chess_see counts quickly is played out here, so that pins, checks
// and promotions count as they do on the board. At most a dozen men can meet on a square.
#include "tutor/inner.h"

int32_t tutor_worth(ChessKind kind) {
    static const int32_t worth[7] = { 0, 100, 300, 300, 500, 900, 10000 };
    return worth[kind];
}

int32_t tutor_material(const ChessPosition *pos, ChessColor color) {
    int32_t sum = 0;
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = pos->board[square];
        const ChessKind kind = chess_piece_kind(piece);
        if (kind == CHESS_NO_KIND || kind == CHESS_KING)
            continue;
        sum += chess_piece_color(piece) == color ? tutor_worth(kind) : -tutor_worth(kind);
    }
    return sum;
}

// What a capture brings at once.
static int32_t gain_of(const ChessPosition *pos, ChessMove move) {
    const ChessKind promotion = chess_move_promotion(move);
    int32_t gain = tutor_worth(chess_piece_kind(chess_move_captured(pos, move)));
    if (promotion != CHESS_NO_KIND)
        gain += tutor_worth(promotion) - tutor_worth(CHESS_PAWN);
    return gain;
}

// Where the man a move takes stands.
static ChessSquare victim_square(ChessMove move) {
    const ChessSquare to = chess_move_to(move);
    return chess_move_is_en_passant(move) ? (ChessSquare)(to ^ 8) : to;
}

// The legal captures of the man on a square, the cheapest capturers first.
static int captures_of(const ChessPosition *pos, ChessSquare square, ChessMove out[32]) {
    ChessMoveList legal;
    if ((chess_attackers(pos, square, (ChessColor)pos->side_to_move)) == 0 && !pos->ep_is_legal)
        return 0;
    chess_moves_generate(pos, &legal);
    int count = 0;
    for (int i = 0; i < legal.count && count < 32; i++) {
        const ChessMove move = legal.moves[i];
        if (chess_move_is_castling(move) || victim_square(move) != square ||
            chess_move_captured(pos, move) == CHESS_NO_PIECE)
            continue;
        const ChessKind promotion = chess_move_promotion(move);
        if (promotion != CHESS_NO_KIND && promotion != CHESS_QUEEN)
            continue;
        int at = count++;
        for (; at > 0 &&
               worth_at(pos, chess_move_from(out[at - 1])) > worth_at(pos, chess_move_from(move));
             at--)
            out[at] = out[at - 1];
        out[at] = move;
    }
    return count;
}

// What the side to move nets on the square between alpha and beta; it may also leave it alone.
static int32_t search(const ChessPosition *pos, ChessSquare square, int32_t alpha, int32_t beta,
                      int depth, int *nodes) {
    int32_t best = 0;
    if (depth >= TUTOR_EXCHANGE_MAX)
        return best;
    ChessMove captures[32];
    const int count = captures_of(pos, square, captures);
    for (int i = 0; i < count; i++) {
        if (best >= beta)
            break;
        // Men beyond the cheapest are tried while there is time: rarely better, never in doubt.
        if (i > 0 && ++*nodes > 2000)
            break;
        ChessPosition after = *pos;
        chess_move_make(&after, captures[i], NULL);
        const int32_t gain = gain_of(pos, captures[i]);
        const int32_t floor = alpha > best ? alpha : best;
        const int32_t net = gain - search(&after, chess_move_to(captures[i]), gain - beta,
                                          gain - floor, depth + 1, nodes);
        if (net > best)
            best = net;
    }
    return best;
}

int32_t tutor_move_exchange(const ChessPosition *pos, ChessMove move) {
    ChessPosition after = *pos;
    int nodes = 0;
    if (chess_move_is_castling(move))
        return 0;
    chess_move_make(&after, move, NULL);
    return gain_of(pos, move) - search(&after, chess_move_to(move), -100000, 100000, 0, &nodes);
}

int32_t tutor_best_capture(const ChessPosition *pos, ChessSquare square, ChessMove *best) {
    ChessMove captures[32];
    const int count = captures_of(pos, square, captures);
    int32_t most = INT32_MIN;
    *best = CHESS_NO_MOVE;
    for (int i = 0; i < count; i++) {
        const int32_t net = tutor_move_exchange(pos, captures[i]);
        if (net > most) {
            most = net;
            *best = captures[i];
        }
    }
    return most;
}

bool tutor_pass(const ChessPosition *pos, ChessPosition *out) {
    if (chess_is_check(pos))
        return false;
    ChessSetup setup = chess_setup_of(pos);
    setup.side_to_move ^= 1;
    setup.ep_target = CHESS_NO_SQUARE;
    return chess_position_build(&setup, out, NULL);
}

// The capture the side to move would make next on the square: the cheapest man that may.
static ChessMove cheapest(const ChessPosition *pos, ChessSquare square) {
    ChessMove captures[32];
    return captures_of(pos, square, captures) > 0 ? captures[0] : CHESS_NO_MOVE;
}

bool tutor_exchange(const ChessPosition *pos, ChessSquare square, ChessColor color,
                    TutorExchange *out) {
    ChessPosition now = *pos;
    if (pos->board[square] == CHESS_NO_PIECE || chess_piece_color(pos->board[square]) == color ||
        chess_piece_kind(pos->board[square]) == CHESS_KING)
        return false;
    if (pos->side_to_move != color && !tutor_pass(pos, &now))
        return false;
    *out = (TutorExchange) { .taken = worth_at(pos, square) };
    ChessMove best;
    const int32_t net = tutor_best_capture(&now, square, &best);
    out->net = net > 0 ? net : 0;
    int32_t sum = 0;
    ChessMove move = best != CHESS_NO_MOVE ? best : cheapest(&now, square);
    if (move != CHESS_NO_MOVE)
        out->given = worth_at(&now, chess_move_from(move));
    while (move != CHESS_NO_MOVE && out->count < TUTOR_EXCHANGE_MAX) {
        const int32_t gain = gain_of(&now, move);
        sum += out->count % 2 == 0 ? gain : -gain;
        square = chess_move_to(move);
        chess_move_make(&now, move, NULL);
        out->moves[out->count] = move;
        out->balance[out->count++] = sum;
        move = cheapest(&now, square);
    }
    // From the end backwards: whoever is next stops where going on is no better for him.
    int32_t value = sum;
    out->best = out->count;
    for (int i = out->count - 1; i >= 0; i--) {
        const int32_t stop = i > 0 ? out->balance[i - 1] : 0;
        if (i % 2 == 0 ? stop >= value : stop <= value) {
            value = stop;
            out->best = i;
        }
    }
    return true;
}
