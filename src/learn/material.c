// SPDX-License-Identifier: GPL-3.0-or-later
//
// Material won against any defence: full width, then captures.
#include "learn/learn.h"

int learn_value(ChessKind kind) {
    return kind == CHESS_KING || kind == CHESS_NO_KIND ? 0 : tutor_worth(kind);
}

static int balance(const ChessPosition *pos) {
    return tutor_material(pos, (ChessColor)pos->side_to_move);
}

static int eagerness(const ChessPosition *pos, ChessMove move) {
    const ChessPiece taken = chess_move_captured(pos, move);
    const ChessKind promoted = chess_move_promotion(move);
    int score = promoted != CHESS_NO_KIND ? learn_value(promoted) : 0;
    if (taken != CHESS_NO_PIECE)
        score += 10000 + 10 * learn_value(chess_piece_kind(taken)) -
                 learn_value(chess_piece_kind(chess_piece_at(pos, chess_move_from(move)))) / 10;
    return score;
}

// Captures first, the best of them first.
static void sort(const ChessPosition *pos, ChessMoveList *list) {
    int scores[CHESS_MOVES_MAX];
    for (int i = 0; i < list->count; i++)
        scores[i] = eagerness(pos, list->moves[i]);
    for (int i = 1; i < list->count; i++) {
        const int score = scores[i];
        const ChessMove move = list->moves[i];
        int k = i;
        for (; k > 0 && scores[k - 1] < score; k--) {
            scores[k] = scores[k - 1];
            list->moves[k] = list->moves[k - 1];
        }
        scores[k] = score;
        list->moves[k] = move;
    }
}

#define QUIET_PLIES_MAX 12

static int quiet(ChessPosition *pos, int alpha, int beta, int depth) {
    const bool in_check = chess_is_check(pos);
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    if (list.count == 0)
        return in_check ? -LEARN_MATE : 0;
    if (!in_check || depth == 0) {
        const int stand = balance(pos);
        if (stand >= beta || depth == 0)
            return stand;
        if (stand > alpha)
            alpha = stand;
    }
    sort(pos, &list);
    for (int i = 0; i < list.count; i++) {
        const ChessMove move = list.moves[i];
        if (!in_check) {
            const bool wins = chess_move_captured(pos, move) != CHESS_NO_PIECE ||
                              chess_move_promotion(move) == CHESS_QUEEN;
            if (!wins || chess_see(pos, move) < 0)
                continue;
        }
        ChessUndo undo;
        chess_move_make(pos, move, &undo);
        const int score = -quiet(pos, -beta, -alpha, depth - 1);
        chess_move_unmake(pos, move, &undo);
        if (score >= beta)
            return score;
        if (score > alpha)
            alpha = score;
    }
    return alpha;
}

static int search(ChessPosition *pos, int plies, int alpha, int beta, ChessMove but,
                  ChessMove *best) {
    if (plies == 0)
        return quiet(pos, alpha, beta, QUIET_PLIES_MAX);
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    if (list.count == 0)
        return chess_is_check(pos) ? -LEARN_MATE : 0;
    sort(pos, &list);
    int top = -LEARN_MATE - 1;
    for (int i = 0; i < list.count; i++) {
        if (list.moves[i] == but)
            continue;
        ChessUndo undo;
        chess_move_make(pos, list.moves[i], &undo);
        const int score = -search(pos, plies - 1, -beta, -alpha, CHESS_NO_MOVE, NULL);
        chess_move_unmake(pos, list.moves[i], &undo);
        if (score > top) {
            top = score;
            if (best != NULL)
                *best = list.moves[i];
        }
        if (top > alpha)
            alpha = top;
        if (alpha >= beta)
            break;
    }
    return top;
}

int learn_gain(const ChessPosition *pos, int plies, ChessMove but, ChessMove *best) {
    ChessPosition work = *pos;
    const int score = search(&work, plies, -LEARN_MATE - 1, LEARN_MATE + 1, but, best);
    if (score >= LEARN_MATE || score <= -LEARN_MATE)
        return score;
    return score - balance(pos);
}
