// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a setup to a position, the start positions, and positions seen from elsewhere.
#include <jadoube/chess.h>

#include "chess/make.h"

// Equal positions are equal bytes only without padding.
_Static_assert(sizeof(ChessPosition) == 160, "ChessPosition has padding");
_Static_assert(sizeof(ChessSetup) == 76, "ChessSetup has padding");

ChessSetup chess_setup_empty(void) {
    return (ChessSetup) {
        .ep_target = CHESS_NO_SQUARE,
        .rook_files = { 0, 7 },
        .fullmove_number = 1,
    };
}

ChessSetup chess_setup_of(const ChessPosition *pos) {
    ChessSetup setup = {
        .side_to_move = pos->side_to_move,
        .castling_rights = pos->castling_rights,
        .ep_target = pos->ep_target,
        .rook_files = { pos->rook_files[0], pos->rook_files[1] },
        .is_chess960 = pos->is_chess960,
        .halfmove_clock = pos->halfmove_clock,
        .fullmove_number = pos->fullmove_number,
    };
    jd_copy(setup.board, pos->board, sizeof setup.board);
    return setup;
}

// Of a setup known to have no faults.
static ChessPosition position_of(const ChessSetup *setup) {
    ChessPosition pos;
    jd_zero(&pos, sizeof pos);
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = setup->board[square];
        if (piece != CHESS_NO_PIECE)
            put(&pos, chess_piece_color(piece), chess_piece_kind(piece), square);
    }
    pos.side_to_move = setup->side_to_move;
    pos.castling_rights = setup->castling_rights;
    pos.ep_target = setup->ep_target;
    pos.rook_files[0] = setup->rook_files[0];
    pos.rook_files[1] = setup->rook_files[1];
    pos.is_chess960 = setup->is_chess960;
    pos.halfmove_clock = setup->halfmove_clock;
    pos.fullmove_number = setup->fullmove_number;
    if (pos.ep_target != CHESS_NO_SQUARE)
        pos.ep_is_legal = ep_capturers(&pos, (ChessColor)pos.side_to_move, pos.ep_target) != 0;
    pos.zobrist_key = chess_zobrist_key(&pos);
    return pos;
}

bool chess_position_build(const ChessSetup *setup, ChessPosition *out, ChessFaultList *faults) {
    ChessFaultList own;
    if (chess_position_faults(setup, faults != NULL ? faults : &own) != 0)
        return false;
    *out = position_of(setup);
    return true;
}

static ChessPosition start_with(const ChessKind first_rank[8]) {
    ChessSetup setup = chess_setup_empty();
    int rooks = 0;
    for (int file = 0; file < 8; file++) {
        setup.board[chess_square(file, 0)] = chess_piece(CHESS_WHITE, first_rank[file]);
        setup.board[chess_square(file, 1)] = chess_piece(CHESS_WHITE, CHESS_PAWN);
        setup.board[chess_square(file, 6)] = chess_piece(CHESS_BLACK, CHESS_PAWN);
        setup.board[chess_square(file, 7)] = chess_piece(CHESS_BLACK, first_rank[file]);
        if (first_rank[file] == CHESS_ROOK)
            setup.rook_files[rooks++] = (uint8_t)file;
    }
    setup.castling_rights = 15;
    return position_of(&setup);
}

ChessPosition chess_position_start(void) {
    static const ChessKind first_rank[8] = { CHESS_ROOK, CHESS_KNIGHT, CHESS_BISHOP, CHESS_QUEEN,
                                             CHESS_KING, CHESS_BISHOP, CHESS_KNIGHT, CHESS_ROOK };
    return start_with(first_rank);
}

// Puts a piece on the index-th file that is still free.
static void place(ChessKind rank[8], int index, ChessKind kind) {
    for (int file = 0; file < 8; file++)
        if (rank[file] == CHESS_NO_KIND && index-- == 0) {
            rank[file] = kind;
            return;
        }
}

ChessPosition chess960_start(int number) {
    JD_ASSERT(number >= 0 && number < 960);
    // The knights' places among the five files left by bishops and queen.
    static const uint8_t knights[10][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 1, 2 },
                                            { 1, 3 }, { 1, 4 }, { 2, 3 }, { 2, 4 }, { 3, 4 } };
    ChessKind rank[8] = { CHESS_NO_KIND };
    const int light = number % 4 * 2 + 1;
    const int dark = number / 4 % 4 * 2;
    rank[light] = CHESS_BISHOP;
    rank[dark] = CHESS_BISHOP;
    place(rank, number / 16 % 6, CHESS_QUEEN);
    place(rank, knights[number / 96][1],
          CHESS_KNIGHT); // the later first: it does not move the other
    place(rank, knights[number / 96][0], CHESS_KNIGHT);
    place(rank, 0, CHESS_ROOK);
    place(rank, 0, CHESS_KING);
    place(rank, 0, CHESS_ROOK);
    ChessPosition pos = start_with(rank);
    pos.is_chess960 = 1;
    return pos;
}

// The position with every square moved to square ^ change, and the colours exchanged or not.
static ChessPosition moved(const ChessPosition *pos, int change, bool exchange, bool keep_rights) {
    ChessSetup setup = chess_setup_of(pos);
    const unsigned color = exchange ? 1 : 0;
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = pos->board[square];
        setup.board[square ^ change] =
            piece == CHESS_NO_PIECE ? piece : (ChessPiece)(piece ^ color << 3);
    }
    setup.side_to_move = (uint8_t)(pos->side_to_move ^ color);
    if (pos->ep_target != CHESS_NO_SQUARE)
        setup.ep_target = (uint8_t)(pos->ep_target ^ change);
    if (!keep_rights) {
        setup.castling_rights = 0;
        setup.rook_files[0] = 0;
        setup.rook_files[1] = 7;
    } else if (exchange) {
        setup.castling_rights =
            (uint8_t)((pos->castling_rights >> 2 | pos->castling_rights << 2) & 15);
    }
    return position_of(&setup);
}

ChessPosition chess_position_mirrored(const ChessPosition *pos) {
    return moved(pos, 7, false, false);
}

ChessPosition chess_position_rotated(const ChessPosition *pos) {
    return moved(pos, 63, true, false);
}

ChessPosition chess_position_flipped(const ChessPosition *pos) {
    return moved(pos, 56, true, true);
}
