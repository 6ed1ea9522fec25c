// SPDX-License-Identifier: GPL-3.0-or-later
//
// Boards on which illegal moves are made (Article 7.5; spec section 4.4), and going back on them.
//
// chess.h knows legal positions only. Where unchecked moves may be entered the board can hold
// anything: two kings in check, a pawn on the last rank, no king at all. Such a board is loose: its
// squares are true, and what Article 3 says of a single move is found out square by square here.
#include "laws/inner.h"

// ---- one move on any board

// Squares a piece crosses between the two, all empty; the squares are on one line.
static bool is_free(const uint8_t board[64], int from, int to) {
    const int files = (to & 7) - (from & 7);
    const int ranks = (to >> 3) - (from >> 3);
    const int step = (files > 0) - (files < 0) + 8 * ((ranks > 0) - (ranks < 0));
    for (int square = from + step; square != to; square += step)
        if (board[square] != CHESS_NO_PIECE)
            return false;
    return true;
}

static int size_of(int number) {
    return number < 0 ? -number : number;
}

// Whether the piece on from attacks to (Article 3.1; pins do not matter).
static bool attacks(const uint8_t board[64], int from, int to) {
    const int files = size_of((to & 7) - (from & 7));
    const int ranks = (to >> 3) - (from >> 3);
    const bool is_line = files == 0 || ranks == 0;
    const bool is_diagonal = files == size_of(ranks);
    if (from == to)
        return false;
    switch (chess_piece_kind(board[from])) {
    case CHESS_NO_KIND:
        return false;
    case CHESS_PAWN:
        return files == 1 && ranks == (chess_piece_color(board[from]) == CHESS_WHITE ? 1 : -1);
    case CHESS_KNIGHT:
        return files * size_of(ranks) == 2;
    case CHESS_BISHOP:
        return is_diagonal && is_free(board, from, to);
    case CHESS_ROOK:
        return is_line && is_free(board, from, to);
    case CHESS_QUEEN:
        return (is_line || is_diagonal) && is_free(board, from, to);
    case CHESS_KING:
        return files <= 1 && size_of(ranks) <= 1;
    }
    return false;
}

static int king_square(const uint8_t board[64], ChessColor color) {
    for (int square = 0; square < 64; square++)
        if (board[square] == chess_piece(color, CHESS_KING))
            return square;
    return CHESS_NO_SQUARE;
}

static bool is_attacked(const uint8_t board[64], ChessColor color) {
    const int king = king_square(board, color);
    for (int from = 0; from < 64 && king != CHESS_NO_SQUARE; from++)
        if (board[from] != CHESS_NO_PIECE && chess_piece_color(board[from]) != color &&
            attacks(board, from, king))
            return true;
    return false;
}

// Where the pieces stand after the move, whatever it is.
static void move_pieces(uint8_t board[64], ChessMove move) {
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessPiece piece = board[from];
    board[from] = CHESS_NO_PIECE;
    if (chess_move_is_castling(move)) {
        const int home = from & 56;
        const bool kingside = to > from;
        const ChessPiece rook = board[to];
        board[to] = CHESS_NO_PIECE;
        board[home + (kingside ? 6 : 2)] = piece;
        board[home + (kingside ? 5 : 3)] = rook;
        return;
    }
    if (chess_move_is_en_passant(move))
        board[to ^ 8] = CHESS_NO_PIECE;
    const ChessKind promotion = chess_move_promotion(move);
    board[to] =
        promotion == CHESS_NO_KIND ? piece : chess_piece(chess_piece_color(piece), promotion);
}

static bool pawn_reaches(const uint8_t board[64], int from, int to, ChessMove move) {
    const bool is_white = chess_piece_color(board[from]) == CHESS_WHITE;
    const int step = is_white ? 8 : -8;
    const bool is_last = (to >> 3) == (is_white ? 7 : 0);
    if (is_last != (chess_move_promotion(move) != CHESS_NO_KIND))
        return false;
    if (board[to] != CHESS_NO_PIECE)
        return attacks(board, from, to);
    if (to == from + step)
        return true;
    return to == from + 2 * step && (from >> 3) == (is_white ? 1 : 6) &&
           board[from + step] == CHESS_NO_PIECE;
}

// Article 3 for one move on a loose board, castling and en passant left out: both speak of what
// went before, which is in doubt there.
static bool is_legal_loose(const ChessPosition *pos, ChessMove move) {
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessColor us = (ChessColor)pos->side_to_move;
    const ChessPiece piece = pos->board[from];
    const ChessPiece taken = pos->board[to];
    if (piece == CHESS_NO_PIECE || chess_piece_color(piece) != us || from == to ||
        chess_move_promotion(move) > CHESS_QUEEN || chess_move_is_castling(move) ||
        chess_move_is_en_passant(move))
        return false;
    if (taken != CHESS_NO_PIECE &&
        (chess_piece_color(taken) == us || chess_piece_kind(taken) == CHESS_KING))
        return false;
    if (chess_piece_kind(piece) == CHESS_PAWN) {
        if (!pawn_reaches(pos->board, from, to, move))
            return false;
    } else if (chess_move_promotion(move) != CHESS_NO_KIND || !attacks(pos->board, from, to)) {
        return false;
    }
    uint8_t after[64];
    jd_copy(after, pos->board, sizeof after);
    move_pieces(after, move);
    return !is_attacked(after, us);
}

bool laws_move_is_legal(const LawsGame *game, ChessMove move) {
    return game->desk.loose ? is_legal_loose(&game->position, move)
                            : chess_move_is_legal(&game->position, move);
}

// A knight and three others: what a pawn may become, in the order of the encoding.
static void add_promotions(ChessMoveList *out, ChessMove move) {
    for (unsigned kind = 4; kind < 8 && out->count < CHESS_MOVES_MAX; kind++)
        out->moves[out->count++] = (ChessMove)(move | kind << 12);
}

void laws_moves_legal(const LawsGame *game, ChessMoveList *out) {
    if (!game->desk.loose) {
        chess_moves_generate(&game->position, out);
        return;
    }
    out->count = 0;
    for (unsigned from = 0; from < 64; from++)
        for (unsigned to = 0; to < 64; to++) {
            const ChessMove move = (ChessMove)(from | to << 6);
            const ChessMove promoting = (ChessMove)(move | 7u << 12);
            if (is_legal_loose(&game->position, promoting))
                add_promotions(out, move);
            else if (is_legal_loose(&game->position, move) && out->count < CHESS_MOVES_MAX)
                out->moves[out->count++] = move;
        }
}

// ---- making any move

static void drop_rights(ChessPosition *pos, int square) {
    const int home_white = 0;
    const int home_black = 56;
    const ChessPiece piece = pos->board[square];
    if (piece == chess_piece(CHESS_WHITE, CHESS_KING))
        pos->castling_rights &= (uint8_t) ~(CHESS_WHITE_KINGSIDE | CHESS_WHITE_QUEENSIDE);
    if (piece == chess_piece(CHESS_BLACK, CHESS_KING))
        pos->castling_rights &= (uint8_t) ~(CHESS_BLACK_KINGSIDE | CHESS_BLACK_QUEENSIDE);
    if (square == home_white + pos->rook_files[1])
        pos->castling_rights &= (uint8_t)~CHESS_WHITE_KINGSIDE;
    if (square == home_white + pos->rook_files[0])
        pos->castling_rights &= (uint8_t)~CHESS_WHITE_QUEENSIDE;
    if (square == home_black + pos->rook_files[1])
        pos->castling_rights &= (uint8_t)~CHESS_BLACK_KINGSIDE;
    if (square == home_black + pos->rook_files[0])
        pos->castling_rights &= (uint8_t)~CHESS_BLACK_QUEENSIDE;
}

// Sets the bitboards and the key by the squares.
static void rebuild(ChessPosition *pos) {
    jd_zero(pos->kinds, sizeof pos->kinds);
    jd_zero(pos->colors, sizeof pos->colors);
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = pos->board[square];
        if (piece == CHESS_NO_PIECE)
            continue;
        const uint64_t bit = UINT64_C(1) << square;
        pos->kinds[0] |= bit;
        pos->kinds[chess_piece_kind(piece)] |= bit;
        pos->colors[chess_piece_color(piece)] |= bit;
    }
    pos->zobrist_key = chess_zobrist_key(pos);
}

bool laws_position_settle(ChessPosition *pos) {
    const ChessSetup setup = chess_setup_of(pos);
    if (chess_position_build(&setup, pos, NULL))
        return true;
    pos->castling_rights = 0;
    pos->ep_target = CHESS_NO_SQUARE;
    pos->ep_is_legal = 0;
    rebuild(pos);
    return false;
}

// Makes any move with a piece; answers whether a legal position came of it.
static bool force(ChessPosition *pos, ChessMove move) {
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessColor us = (ChessColor)pos->side_to_move;
    const bool is_pawn = chess_piece_kind(pos->board[from]) == CHESS_PAWN;
    const bool takes = pos->board[to] != CHESS_NO_PIECE && !chess_move_is_castling(move);
    drop_rights(pos, from);
    drop_rights(pos, to);
    move_pieces(pos->board, move);
    pos->side_to_move = (uint8_t)chess_other(us);
    pos->ep_target = CHESS_NO_SQUARE;
    pos->ep_is_legal = 0;
    if (is_pawn || takes)
        pos->halfmove_clock = 0;
    else if (pos->halfmove_clock < UINT16_MAX)
        pos->halfmove_clock++;
    if (us == CHESS_BLACK)
        pos->fullmove_number++;
    return laws_position_settle(pos);
}

void laws_ply_make(ChessPosition *pos, const LawsPly *ply) {
    if (ply->flags & LAWS_PLY_FORCED)
        (void)force(pos, ply->move);
    else
        chess_move_make(pos, ply->move, NULL);
}

void laws_board_make(LawsGame *game, LawsPly *ply) {
    if (!game->desk.loose && !(ply->flags & LAWS_PLY_ILLEGAL)) {
        chess_move_make(&game->position, ply->move, NULL);
        return;
    }
    ply->flags |= LAWS_PLY_FORCED;
    game->desk.loose = !force(&game->position, ply->move);
}

// ---- what is illegal about a position (Article 3.10.3)

// The cheap tests of section 3.10: both kings in check, the side not to move in check, a pawn on a
// last rank, a king missing.
bool laws_position_is_illegal(const ChessPosition *pos) {
    for (int square = 0; square < 64; square++)
        if (chess_piece_kind(pos->board[square]) == CHESS_PAWN && (square < 8 || square >= 56))
            return true;
    return king_square(pos->board, CHESS_WHITE) == CHESS_NO_SQUARE ||
           king_square(pos->board, CHESS_BLACK) == CHESS_NO_SQUARE ||
           is_attacked(pos->board, chess_other((ChessColor)pos->side_to_move));
}

bool laws_both_kings_in_check(const ChessPosition *pos) {
    return is_attacked(pos->board, CHESS_WHITE) && is_attacked(pos->board, CHESS_BLACK);
}

bool laws_pawn_on_last_rank(const ChessPosition *pos) {
    for (int file = 0; file < 8; file++)
        if (chess_piece_kind(pos->board[file]) == CHESS_PAWN ||
            chess_piece_kind(pos->board[56 + file]) == CHESS_PAWN)
            return true;
    return false;
}

// ---- the move meant

// What a move that is not legal bit by bit is meant to be: the legal move with the same squares and
// promotion, else the move as the hand made it. CHESS_NO_MOVE: no hand makes it.
ChessMove laws_move_meant(const LawsGame *game, ChessMove move) {
    ChessMoveList list;
    const ChessPosition *const pos = &game->position;
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    if (chess_move_promotion(move) > CHESS_QUEEN)
        return CHESS_NO_MOVE; // no such encoding
    if (laws_move_is_legal(game, move))
        return move;
    laws_moves_legal(game, &list);
    for (int i = 0; i < list.count; i++)
        if (chess_move_from(list.moves[i]) == from && chess_move_to(list.moves[i]) == to &&
            chess_move_promotion(list.moves[i]) == chess_move_promotion(move))
            return list.moves[i];
    const ChessColor us = (ChessColor)pos->side_to_move;
    const ChessPiece piece = pos->board[from];
    const bool own_target =
        pos->board[to] != CHESS_NO_PIECE && chess_piece_color(pos->board[to]) == us;
    if (from == to || piece == CHESS_NO_PIECE || chess_piece_color(piece) != us)
        return CHESS_NO_MOVE;
    const ChessMove bare = (ChessMove)(from | to << 6);
    if (chess_move_is_castling(move))
        return own_target && chess_piece_kind(piece) == CHESS_KING &&
                       chess_piece_kind(pos->board[to]) == CHESS_ROOK && from >> 3 == to >> 3 &&
                       (from < 8 || from >= 56) && is_free(pos->board, from, to)
                   ? move
                   : CHESS_NO_MOVE;
    if (own_target)
        return CHESS_NO_MOVE;
    // A pawn may be exchanged on the last rank even by an illegal move; nothing else is.
    const int last = us == CHESS_WHITE ? 7 : 0;
    if (chess_move_promotion(move) != CHESS_NO_KIND)
        return chess_piece_kind(piece) == CHESS_PAWN && to >> 3 == last ? move : CHESS_NO_MOVE;
    return bare;
}

// ---- going back

uint32_t laws_moves_made(const LawsGame *game, ChessColor color) {
    const bool began = (ChessColor)game->setup.start.side_to_move == color;
    return (game->ply_count + (began ? 1 : 0)) / 2;
}

void laws_position_at(const LawsGame *game, uint32_t ply, ChessPosition *out, bool *is_loose) {
    *out = game->setup.start;
    *is_loose = false;
    if (game->setup.ignore_fen_clock)
        out->halfmove_clock = 0;
    for (uint32_t i = 0; i < ply; i++) {
        const LawsPly *const made = &game->plies[i];
        if (made->flags & LAWS_PLY_FORCED) {
            *is_loose = !force(out, made->move);
        } else {
            chess_move_make(out, made->move, NULL);
            *is_loose = false;
        }
    }
}

// That colour's last ply among the first so many; NULL: none.
static const LawsPly *last_of(const LawsGame *game, uint32_t ply, ChessColor color) {
    if (ply > 0 && laws_mover_of(game, ply - 1) == color)
        return &game->plies[ply - 1];
    return ply > 1 ? &game->plies[ply - 2] : NULL;
}

// The reading of that colour's clock recorded when so many plies had been made.
static int64_t reading_at(const LawsGame *game, uint32_t ply, ChessColor color) {
    const LawsPly *const last = last_of(game, ply, color);
    return last != NULL ? last->clock_ms : laws_clock_initial(game, color);
}

static int held_at(const LawsGame *game, uint32_t ply, ChessColor color) {
    const LawsPly *const last = last_of(game, ply, color);
    return last != NULL ? last->time_held : 0;
}

void laws_restore(LawsGame *game, uint32_t ply) {
    LawsDesk *const desk = &game->desk;
    bool is_loose;
    const int64_t white = reading_at(game, ply, CHESS_WHITE);
    const int64_t black = reading_at(game, ply, CHESS_BLACK);
    for (int color = 0; color < 2; color++) {
        const uint32_t before = laws_moves_made(game, (ChessColor)color) - desk->due[color];
        const uint32_t total = game->ply_count;
        game->ply_count = ply;
        const uint32_t after = laws_moves_made(game, (ChessColor)color);
        game->ply_count = total;
        desk->due[color] = 0;
        const uint32_t done = game->clock.moves_done[color];
        const uint32_t voided = before > after ? before - after : 0;
        laws_clock_set_moves(game, (ChessColor)color, done > voided ? done - voided : 0);
    }
    game->ply_count = ply;
    laws_position_at(game, ply, &game->position, &is_loose);
    desk->loose = is_loose;
    desk->illegal_wait = 0;
    desk->press_fault = 0;
    desk->is_announced = 0;
    game->bound_move = CHESS_NO_MOVE;
    game->bound_from = 0;
    game->claim_lost = 0;
    game->offer[CHESS_WHITE] = 0;
    game->offer[CHESS_BLACK] = 0;
    for (int color = 0; color < 2; color++)
        if (desk->recorded[color] > ply)
            desk->recorded[color] = (uint16_t)ply;
    laws_touch_clear(game);
    laws_clock_set(game, CHESS_WHITE, white, game->clock.run_start_ms);
    laws_clock_set(game, CHESS_BLACK, black, game->clock.run_start_ms);
    for (int color = 0; color < 2; color++)
        laws_clock_hold_back(game, (ChessColor)color, held_at(game, ply, (ChessColor)color));
}
