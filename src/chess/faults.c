// SPDX-License-Identifier: GPL-3.0-or-later
//
// What makes a setup no legal position (Article 3.10.3), as far as it can be told without replaying
// games.
#include <jadoube/chess.h>

#include "chess/make.h"
#include "chess/retro.h"

static const char *const color_names[2] = { "White", "Black" };

JD_FORMAT(4, 5)
static void add(ChessFaultList *list, ChessFenFault code, int square, const char *format, ...) {
    if (list->count == CHESS_FAULTS_MAX)
        return;
    ChessPositionFault *fault = &list->faults[list->count++];
    *fault = (ChessPositionFault) { .code = code, .square = (ChessSquare)square };
    va_list arguments;
    va_start(arguments, format);
    jd_format_v(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
}

// Values that no field can have; with any of these the rest means nothing.
static void check_values(const ChessSetup *setup, ChessFaultList *list) {
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = setup->board[square];
        const bool is_kind = (piece & 7) != CHESS_NO_KIND && (piece & 7) <= CHESS_KING;
        if (piece != CHESS_NO_PIECE && (piece > 14 || !is_kind))
            add(list, CHESS_FEN_NOT_A_PIECE, square, "%d is no piece; expected 1 to 6 or 9 to 14",
                piece);
    }
    if (setup->side_to_move > 1)
        add(list, CHESS_FEN_BAD_SIDE, CHESS_NO_SQUARE, "side to move is %d; expected 0 or 1",
            setup->side_to_move);
    if (setup->castling_rights > 15 || setup->rook_files[0] > 7 || setup->rook_files[1] > 7 ||
        setup->is_chess960 > 1)
        add(list, CHESS_FEN_BAD_CASTLING, CHESS_NO_SQUARE,
            "castling rights are at most 15, files of rooks at most 7, is_chess960 0 or 1");
    if (setup->ep_target > CHESS_NO_SQUARE)
        add(list, CHESS_FEN_BAD_EP, CHESS_NO_SQUARE, "en passant target is %d; expected at most 64",
            setup->ep_target);
    if (setup->fullmove_number < 1 || setup->fullmove_number > CHESS_FULLMOVE_MAX)
        add(list, CHESS_FEN_BAD_FULLMOVE, CHESS_NO_SQUARE,
            "fullmove number is %u; expected 1 to %d", (unsigned)setup->fullmove_number,
            CHESS_FULLMOVE_MAX);
}

// The board alone, with side and rights: what the questions of make.h and retro.h look at.
static ChessPosition board_of(const ChessSetup *setup) {
    ChessPosition pos;
    jd_zero(&pos, sizeof pos);
    for (int square = 0; square < 64; square++)
        if (setup->board[square] != CHESS_NO_PIECE)
            put(&pos, chess_piece_color(setup->board[square]),
                chess_piece_kind(setup->board[square]), square);
    pos.side_to_move = setup->side_to_move;
    pos.castling_rights = setup->castling_rights;
    pos.rook_files[0] = setup->rook_files[0];
    pos.rook_files[1] = setup->rook_files[1];
    return pos;
}

static uint64_t set_of(const ChessPosition *pos, ChessColor color, ChessKind kind) {
    return pos->kinds[kind] & pos->colors[color];
}

// One king each; returns whether that is so.
static bool check_kings(const ChessPosition *pos, ChessFaultList *list) {
    const int before = list->count;
    for (int color = 0; color < 2; color++) {
        const uint64_t kings = set_of(pos, (ChessColor)color, CHESS_KING);
        const int count = count_bits(kings);
        if (count == 0)
            add(list, CHESS_FEN_KING_COUNT, CHESS_NO_SQUARE, "%s has no king", color_names[color]);
        else if (count > 1)
            add(list, CHESS_FEN_KING_COUNT, 63 - __builtin_clzll(kings),
                "%s has %d kings; expected one", color_names[color], count);
    }
    return list->count == before;
}

static void check_pawn_ranks(const ChessPosition *pos, ChessFaultList *list) {
    for (uint64_t pawns = pos->kinds[CHESS_PAWN] & (RANK_1 | RANK_8); pawns != 0;) {
        const int square = take_lowest(&pawns);
        add(list, CHESS_FEN_PAWN_RANK, square, "a pawn stands on rank %d", square / 8 + 1);
    }
}

static void check_material(const ChessPosition *pos, ChessFaultList *list) {
    int counts[2][7];
    int bishops[2][2];
    for (int color = 0; color < 2; color++)
        chess_material_count(pos, (ChessColor)color, counts[color], bishops[color]);
    for (int color = 0; color < 2; color++)
        if (counts[color][0] > 16)
            add(list, CHESS_FEN_PIECE_COUNT, CHESS_NO_SQUARE,
                "%s has %d pieces; expected at most 16", color_names[color], counts[color][0]);
    for (int color = 0; color < 2; color++)
        if (counts[color][CHESS_PAWN] > 8)
            add(list, CHESS_FEN_PAWN_COUNT, CHESS_NO_SQUARE, "%s has %d pawns; expected at most 8",
                color_names[color], counts[color][CHESS_PAWN]);
    for (int color = 0; color < 2; color++)
        if (counts[color][CHESS_PAWN] <= 8 &&
            !chess_material_is_possible(counts[color], bishops[color]))
            add(list, CHESS_FEN_PROMOTED_COUNT, CHESS_NO_SQUARE,
                "%s has more promoted pieces than missing pawns (%d pawns stand on the board)",
                color_names[color], counts[color][CHESS_PAWN]);
}

JD_FORMAT(4, 5)
static void add_castling(ChessFaultList *list, int right, int square, const char *format, ...) {
    static const char *const names[4] = { "White kingside", "White queenside", "Black kingside",
                                          "Black queenside" };
    char reason[80];
    va_list arguments;
    va_start(arguments, format);
    jd_format_v(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const int before = list->count;
    add(list, CHESS_FEN_IMPOSSIBLE_CASTLING, square, "%s castling: %s", names[right], reason);
    if (list->count > before)
        list->faults[before].castling_right = (uint8_t)(1 << right);
}

static void check_castling(const ChessSetup *setup, ChessFaultList *list) {
    int white_king_file = -1;
    for (int right = 0; right < 4; right++) {
        if ((setup->castling_rights & 1 << right) == 0)
            continue;
        const ChessColor color = right < 2 ? CHESS_WHITE : CHESS_BLACK;
        const bool kingside = right % 2 == 0;
        const int home = home_of(color);
        const int rook_file = setup->rook_files[kingside];
        const int rook = home + rook_file;
        int king_file = 0;
        while (king_file < 8 && setup->board[home + king_file] != chess_piece(color, CHESS_KING))
            king_file++;
        if (king_file == 8)
            add_castling(list, right, CHESS_NO_SQUARE, "the king is not on its first rank");
        else if (setup->board[rook] != chess_piece(color, CHESS_ROOK))
            add_castling(list, right, rook, "no rook of that side on %c%d", 'a' + rook_file,
                         home / 8 + 1);
        else if ((rook_file > king_file) != kingside)
            add_castling(list, right, rook, "the rook on %c%d is on the other side of the king",
                         'a' + rook_file, home / 8 + 1);
        else if (!setup->is_chess960 && (king_file != 4 || rook_file != (kingside ? 7 : 0)))
            add_castling(list, right, home + king_file,
                         "king and rook are not where standard chess starts them");
        else if (color == CHESS_BLACK && white_king_file >= 0 && white_king_file != king_file)
            add_castling(list, right, home + king_file, "the two kings started on the same file");
        if (color == CHESS_WHITE)
            white_king_file = king_file;
    }
}

static void check_opponent(const ChessPosition *pos, ChessFaultList *list) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int king = chess_king_square(pos, chess_other(us));
    const uint64_t attackers = chess_attackers(pos, (ChessSquare)king, us);
    if (attackers != 0)
        add(list, CHESS_FEN_OPPONENT_IN_CHECK, king,
            "the king of %s is attacked from %c%d, but %s has the move",
            color_names[chess_other(us)], 'a' + lowest(attackers) % 8, lowest(attackers) / 8 + 1,
            color_names[us]);
}

static void check_ep(const ChessPosition *pos, int target, bool kings, ChessFaultList *list) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int rank = us == CHESS_WHITE ? 5 : 2;
    if (target / 8 != rank) {
        add(list, CHESS_FEN_IMPOSSIBLE_EP, target,
            "the target is on rank %d; with %s to move it is on rank %d", target / 8 + 1,
            color_names[us], rank + 1);
        return;
    }
    const uint64_t step = bit(target);
    const int from = lowest(forward(step, us));
    const int to = lowest(forward(step, chess_other(us)));
    if (pos->board[to] != chess_piece(chess_other(us), CHESS_PAWN))
        add(list, CHESS_FEN_IMPOSSIBLE_EP, to,
            "no pawn of %s on %c%d that could have passed the target", color_names[chess_other(us)],
            'a' + to % 8, to / 8 + 1);
    else if (pos->board[target] != CHESS_NO_PIECE || pos->board[from] != CHESS_NO_PIECE)
        add(list, CHESS_FEN_IMPOSSIBLE_EP, pos->board[target] != CHESS_NO_PIECE ? target : from,
            "the pawn on %c%d cannot have come over occupied squares", 'a' + to % 8, to / 8 + 1);
    else if (kings && !chess_double_step_is_possible(pos, target))
        add(list, CHESS_FEN_IMPOSSIBLE_EP, target,
            "the king of %s would have been attacked before the double step", color_names[us]);
}

static void check_checkers(const ChessPosition *pos, bool after_double_step, ChessFaultList *list) {
    const int king = chess_king_square(pos, (ChessColor)pos->side_to_move);
    const uint64_t checkers = chess_checkers(pos);
    const int count = count_bits(checkers);
    if (count > 2)
        add(list, CHESS_FEN_TOO_MANY_CHECKERS, king, "%d pieces give check; expected at most two",
            count);
    else if (count == 2 && !after_double_step && !chess_double_check_is_possible(pos, checkers))
        add(list, CHESS_FEN_IMPOSSIBLE_CHECKERS, king, "no last move can have given both checks");
}

int chess_position_faults(const ChessSetup *setup, ChessFaultList *out) {
    out->count = 0;
    check_values(setup, out);
    if (out->count != 0)
        return out->count;
    const ChessPosition pos = board_of(setup);
    const bool has_ep = setup->ep_target != CHESS_NO_SQUARE;
    const bool kings = check_kings(&pos, out);
    check_pawn_ranks(&pos, out);
    check_material(&pos, out);
    if (kings)
        check_opponent(&pos, out);
    check_castling(setup, out);
    if (has_ep)
        check_ep(&pos, setup->ep_target, kings, out);
    if (kings)
        check_checkers(&pos, has_ep, out);
    return out->count;
}
