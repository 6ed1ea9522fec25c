// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each man can ever reach, taken generously; and what follows when that is not enough for a
// mate.
//
// The sets below only grow, from "nothing moves" to a state that all rules keep. Along any legal
// line the following stays true move by move, because each move of the line is one the rules
// already count with:
//
//   every man stands in his area; a square that is ever empty is in vacant; a man ever taken is
//   taken here
//
// Rules, each weaker than Article 3 (so that what they forbid, the Laws forbid):
//
//   a slider passes only squares of vacant; a man arrives on a square of vacant, or on one where an
//   opponent may stand; a pawn arrives diagonally only where an opponent may stand; a king does not
//   step where a man attacks him who never moves and is never taken (Article 3.9.2: such a man
//   attacks for ever, pinned or not). A pawn on the last rank becomes a man who walks as queen and
//   knight together. A double step needs no rule: where it passes, the single step passes too, and
//   so an en passant capture is the capture of a pawn that stopped earlier. Only the right to one
//   that stands on the board is added. Castling is added as two free jumps for whoever still has
//   the right.
#include "laws/dead_inner.h"

typedef struct Man {
    uint64_t start;
    uint64_t area;     // squares he may ever stand on
    uint64_t arrivals; // those he may come to by a move
    uint8_t kind;
    uint8_t color;
    bool taken;
} Man;

typedef struct Reach {
    Man men[32];
    int count;
    int king[2];           // index of the king of each colour
    uint64_t vacant;       // squares that may ever be empty
    uint64_t stands[2];    // where men other than the king may stand
    uint64_t takes[2];     // where men of that colour may arrive by taking
    uint64_t guarded[2];   // attacked by that colour for ever
    uint64_t promoted[2];  // area of promoted men; empty: no pawn gets there
    uint64_t ep_target[2]; // extra square for pawns of that colour
} Reach;

static bool is_frozen(const Man *man) {
    return man->area == man->start && !man->taken;
}

// Squares next to him that a man attacks as long as he stands there.
static uint64_t lasting_attacks(const Man *man) {
    switch ((ChessKind)man->kind) {
    case CHESS_PAWN:
        return pawn_attacks(man->start, (ChessColor)man->color);
    case CHESS_KNIGHT:
        return knight_attacks(man->start);
    case CHESS_BISHOP:
        return diagonal_steps(man->start);
    case CHESS_ROOK:
        return orthogonal_steps(man->start);
    case CHESS_QUEEN:
    case CHESS_KING:
        return king_attacks(man->start);
    case CHESS_NO_KIND:
        break;
    }
    return 0;
}

static void find_guarded(Reach *reach) {
    reach->guarded[0] = reach->guarded[1] = 0;
    for (int i = 0; i < reach->count; i++)
        if (is_frozen(&reach->men[i]))
            reach->guarded[reach->men[i].color] |= lasting_attacks(&reach->men[i]);
}

// One move of a man of this kind from anywhere in area.
static uint64_t arrivals_from(const Reach *reach, ChessKind kind, ChessColor color, uint64_t area) {
    const uint64_t vacant = reach->vacant;
    const uint64_t theirs = reach->stands[chess_other(color)];
    switch (kind) {
    case CHESS_PAWN: {
        const uint64_t single = forward(area, color) & vacant;
        const uint64_t third = color == CHESS_WHITE ? RANK_1 << 16 : RANK_8 >> 16;
        return single | (forward(single & third, color) & vacant) |
               (pawn_attacks(area, color) & (theirs | reach->ep_target[color]));
    }
    case CHESS_KNIGHT:
        return knight_attacks(area) & (vacant | theirs);
    case CHESS_BISHOP:
        return bishops_attack(area, vacant) & (vacant | theirs);
    case CHESS_ROOK:
        return rooks_attack(area, vacant) & (vacant | theirs);
    case CHESS_QUEEN:
        return (bishops_attack(area, vacant) | rooks_attack(area, vacant)) & (vacant | theirs);
    case CHESS_KING:
        return king_attacks(area) & (vacant | theirs) & ~reach->guarded[chess_other(color)];
    case CHESS_NO_KIND:
        break;
    }
    return 0;
}

// Squares before which a pawn's own file ends. Two pawns of one file that are neither taken nor
// take keep their order: an opponent's pawn ahead comes no further back than where it began, and an
// own pawn ahead no further on than its area.
static uint64_t beyond_file_neighbours(const Reach *reach, const Man *pawn) {
    const uint64_t file = file_of(lowest(pawn->start));
    if ((pawn->area & ~file) != 0)
        return 0;
    const bool up = pawn->color == CHESS_WHITE;
    uint64_t barred = 0;
    for (int i = 0; i < reach->count; i++) {
        const Man *other = &reach->men[i];
        if (other->kind != CHESS_PAWN || (other->start & file) == 0 || other->taken ||
            (other->area & ~file) != 0)
            continue;
        if (up ? other->start <= pawn->start : other->start >= pawn->start)
            continue;
        uint64_t wall = other->start;
        if (other->color == pawn->color)
            wall = up ? bit(63 - __builtin_clzll(other->area)) : other->area & (~other->area + 1);
        barred |= up ? ~(wall - 1) : wall | (wall - 1);
    }
    return barred;
}

// Lets one man walk as far as the present sets allow. True when that is further than before.
static bool walk(const Reach *reach, Man *man) {
    const uint64_t before = man->arrivals;
    uint64_t barred = 0;
    for (;;) {
        if (man->kind == CHESS_PAWN)
            barred = beyond_file_neighbours(reach, man) & file_of(lowest(man->start));
        const uint64_t arrivals =
            man->arrivals |
            (arrivals_from(reach, (ChessKind)man->kind, (ChessColor)man->color, man->area) &
             ~barred);
        if (arrivals == man->arrivals)
            break;
        man->arrivals = arrivals;
        man->area |= arrivals;
    }
    return man->arrivals != before;
}

static bool walk_promoted(Reach *reach, ChessColor color) {
    uint64_t area = reach->promoted[color];
    const uint64_t before = area;
    uint64_t last = 0;
    while (area != last) {
        last = area;
        area |= arrivals_from(reach, CHESS_QUEEN, color, area) |
                arrivals_from(reach, CHESS_KNIGHT, color, area);
    }
    reach->promoted[color] = area;
    return area != before;
}

// Where men stand and take, and who is taken, from the areas as they are now.
static void take_stock(Reach *reach) {
    const uint64_t last_rank[2] = { RANK_8, RANK_1 };
    for (int color = 0; color < 2; color++)
        reach->stands[color] = reach->promoted[color];
    for (int i = 0; i < reach->count; i++) {
        const Man *man = &reach->men[i];
        if (man->kind != CHESS_KING)
            reach->stands[man->color] |= man->area;
        if (man->kind == CHESS_PAWN)
            reach->promoted[man->color] |= man->area & last_rank[man->color];
    }
    for (int color = 0; color < 2; color++)
        reach->takes[color] = reach->promoted[color];
    for (int i = 0; i < reach->count; i++) {
        const Man *man = &reach->men[i];
        const uint64_t where = man->kind == CHESS_PAWN
                                   ? pawn_attacks(man->area, (ChessColor)man->color)
                                   : man->arrivals;
        reach->takes[man->color] |= where;
    }
    for (int i = 0; i < reach->count; i++) {
        Man *man = &reach->men[i];
        if (man->kind != CHESS_KING &&
            (man->area & reach->takes[chess_other((ChessColor)man->color)]) != 0)
            man->taken = true;
        if (man->taken || (man->arrivals | man->start) != man->start || man->arrivals != 0)
            reach->vacant |= man->start;
    }
}

static void set_up(Reach *reach, const ChessPosition *pos) {
    jd_zero(reach, sizeof *reach);
    reach->vacant = ~pos->kinds[0];
    for (uint64_t left = pos->kinds[0]; left != 0;) {
        const int square = take_lowest(&left);
        const ChessPiece piece = pos->board[square];
        Man *man = &reach->men[reach->count];
        man->kind = (uint8_t)chess_piece_kind(piece);
        man->color = (uint8_t)chess_piece_color(piece);
        man->start = man->area = bit(square);
        if (man->kind == CHESS_KING)
            reach->king[man->color] = reach->count;
        reach->count++;
    }
    if (pos->ep_is_legal)
        reach->ep_target[pos->side_to_move] = bit(pos->ep_target);
    for (int color = 0; color < 2; color++) {
        const int home = color == CHESS_WHITE ? 0 : 56;
        for (int kingside = 0; kingside < 2; kingside++) {
            const unsigned right = (kingside ? 1U : 2U) << (2 * color);
            if ((pos->castling_rights & right) == 0)
                continue;
            const uint64_t rook = bit(home + pos->rook_files[kingside]);
            for (int i = 0; i < reach->count; i++) {
                Man *man = &reach->men[i];
                if (i == reach->king[color])
                    man->arrivals |= bit(home + (kingside ? 6 : 2));
                else if (man->start == rook)
                    man->arrivals |= bit(home + (kingside ? 5 : 3));
                man->area |= man->arrivals;
            }
        }
    }
    if (pos->ep_is_legal) {
        // The pawn that has just passed can be taken where it stands.
        const uint64_t victim = bit(pos->ep_target ^ 8);
        for (int i = 0; i < reach->count; i++)
            if (reach->men[i].start == victim)
                reach->men[i].taken = true;
    }
}

static void find_reach(Reach *reach, ChessColor winner) {
    for (bool grew = true; grew && reach->promoted[winner] == 0;) {
        take_stock(reach);
        find_guarded(reach);
        grew = false;
        for (int i = 0; i < reach->count; i++)
            grew |= walk(reach, &reach->men[i]);
        for (int color = 0; color < 2; color++)
            if (reach->promoted[color] != 0)
                grew |= walk_promoted(reach, (ChessColor)color);
    }
    take_stock(reach);
}

// Squares that the winner's men other than the king may ever attack.
static uint64_t attackable(const Reach *reach, ChessColor winner) {
    // A line is seen through the king who flees along it, so his own square never closes one.
    const uint64_t open = reach->vacant | reach->men[reach->king[chess_other(winner)]].start;
    uint64_t attacked = 0;
    for (int i = 0; i < reach->count; i++) {
        const Man *man = &reach->men[i];
        if (man->color != winner)
            continue;
        switch ((ChessKind)man->kind) {
        case CHESS_PAWN:
            attacked |= pawn_attacks(man->area, winner);
            break;
        case CHESS_KNIGHT:
            attacked |= knight_attacks(man->area);
            break;
        case CHESS_BISHOP:
            attacked |= bishops_attack(man->area, open);
            break;
        case CHESS_ROOK:
            attacked |= rooks_attack(man->area, open);
            break;
        case CHESS_QUEEN:
            attacked |= bishops_attack(man->area, open) | rooks_attack(man->area, open);
            break;
        case CHESS_KING:
        case CHESS_NO_KIND:
            break;
        }
    }
    return attacked;
}

// Men of the loser who may block at least one of these squares, each counted once; promoted ones
// are as many as his pawns, which are counted already, but reach everything promoted men reach.
static int blockers_for(const Reach *reach, ChessColor loser, uint64_t squares) {
    int count = 0;
    for (int i = 0; i < reach->count; i++) {
        const Man *man = &reach->men[i];
        if (man->color != loser || man->kind == CHESS_KING)
            continue;
        const uint64_t area =
            man->kind == CHESS_PAWN ? man->area | reach->promoted[loser] : man->area;
        if ((area & squares) != 0)
            count++;
    }
    return count;
}

// A mate needs the king attacked by a man other than the king, and every square beside him attacked
// too or blocked by a man of his own (a winner's man standing there must be covered as well). No
// choice of squares for the two kings within their areas gives that: then there is none.
static bool mate_is_conceivable(const Reach *reach, ChessColor winner) {
    const ChessColor loser = chess_other(winner);
    const uint64_t attacked = attackable(reach, winner);
    const uint64_t blocked = reach->stands[loser];
    for (uint64_t kings = reach->men[reach->king[loser]].area & attacked; kings != 0;) {
        const uint64_t king = bit(take_lowest(&kings));
        const uint64_t ring = king_attacks(king);
        const uint64_t open = ring & ~attacked;
        for (uint64_t others = reach->men[reach->king[winner]].area & ~ring & ~king; others != 0;) {
            const uint64_t need = open & ~king_attacks(bit(take_lowest(&others)));
            if ((need & ~blocked) == 0 &&
                (need == 0 || __builtin_popcountll(need) <= blockers_for(reach, loser, need)))
                return true;
        }
    }
    return false;
}

bool dead_is_blocked(const ChessPosition *pos, ChessColor winner) {
    Reach reach;
    set_up(&reach, pos);
    find_reach(&reach, winner);
    return reach.promoted[winner] == 0 && !mate_is_conceivable(&reach, winner);
}
