// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a position seems from a mate, for the order of the search. Nothing is proved by it; the
// weights were found by trying them on positions in which games ended.
#include "laws/dead_inner.h"

enum {
    FAR_FROM_EDGE = 21, // for each step of the king to be mated
    MAN_LEFT = 7,       // for each man beside him: a bare king is easy to mate
    MAN_OFFERED = 0,
    NO_HAMMER = 20, // the winner has neither queen nor rook
    PAWN_STEP = 33, // for each step of his best pawn to promotion
    PAWN_BLOCK = 64,
    MAN_AHEAD = 22,
    OFFER_SOON = 7,
    OFFER_SOME_DAY = 24,
    BLOCK_APART = 3, // for each step of the king to the man who stops the pawn
    KINGS_APART = 1,
    BARE_APART = 4,
    FLIGHT = 2,
    // Mates by minor pieces: for each step of the king to be mated to his corner, of the man who
    // blocks him there, of our king, of the piece that mates; and for each queen and rook of the
    // loser.
    MINOR_THEIRS = 19,
    MINOR_BLOCK = 9,
    MINOR_OURS = 7,
    MINOR_STRIKE = 4,
    MINOR_MAJOR = 7,
    MINOR_BISHOP_STRIKES = 3, // steps of a bishop, wherever he stands
    MINOR_TWO = 4,            // steps of a blocker that is not needed
    NO_FLIGHT = 0,
};

static int knight_moves(int a, int b) {
    const int files = (a & 7) > (b & 7) ? (a & 7) - (b & 7) : (b & 7) - (a & 7);
    const int ranks = a >> 3 > b >> 3 ? (a >> 3) - (b >> 3) : (b >> 3) - (a >> 3);
    const int far = files > ranks ? files : ranks;
    const int sum = files + ranks;
    if (sum == 1)
        return 3;
    if (files == 2 && ranks == 2)
        return 4;
    int moves = (far + 1) / 2;
    if ((sum + 2) / 3 > moves)
        moves = (sum + 2) / 3;
    return moves + ((moves ^ sum) & 1);
}

#define NO_BLOCKER 30

// Moves until some man of the loser stands on block, where his king wants him.
static int blocker_distance(const ChessPosition *pos, ChessColor loser, int block, bool knights) {
    int best = NO_BLOCKER;
    for (uint64_t left = pos->colors[loser] & ~pos->kinds[CHESS_KING]; left != 0;) {
        const int square = take_lowest(&left);
        const int steps = loser == CHESS_WHITE ? 7 - (square >> 3) : square >> 3;
        const int ahead =
            loser == CHESS_WHITE ? (block >> 3) - (square >> 3) : (square >> 3) - (block >> 3);
        int distance = NO_BLOCKER;
        switch (chess_piece_kind(pos->board[square])) {
        case CHESS_PAWN:
            distance =
                (square & 7) == (block & 7) && ahead >= 0 && ((bit(block) & (RANK_1 | RANK_8)) == 0)
                    ? ahead
                    : steps + 2;
            break;
        case CHESS_KNIGHT:
            distance = knight_moves(square, block);
            break;
        case CHESS_BISHOP:
            if (((bit(square) & LIGHT_SQUARES) != 0) == ((bit(block) & LIGHT_SQUARES) != 0))
                distance = square == block ? 0 : 2;
            break;
        case CHESS_ROOK:
            if (knights)
                distance = square == block ? 0 : 2;
            break;
        case CHESS_QUEEN:
        case CHESS_KING:
        case CHESS_NO_KIND:
            break;
        }
        best = distance < best ? distance : best;
    }
    return best;
}

// Minor pieces mate in a corner, with a man of the loser beside his king.
static int estimate_minors(const ChessPosition *pos, ChessColor winner) {
    const ChessColor loser = chess_other(winner);
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[loser]);
    const int ours = lowest(pos->kinds[CHESS_KING] & pos->colors[winner]);
    const uint64_t bishops = pos->kinds[CHESS_BISHOP] & pos->colors[winner];
    const uint64_t knights = pos->kinds[CHESS_KNIGHT] & pos->colors[winner];
    const uint64_t their = pos->colors[loser] & ~pos->kinds[CHESS_KING];
    int best = DEAD_ESTIMATE_MAX;
    for (int corner = 0; corner < 4; corner++) {
        const int home = (corner & 1 ? 7 : 0) + (corner & 2 ? 56 : 0);
        const uint64_t color = (bit(home) & LIGHT_SQUARES) != 0 ? LIGHT_SQUARES : ~LIGHT_SQUARES;
        if ((bishops & color) == 0 && knights == 0)
            continue;
        for (int turn = 0; turn < 2; turn++) {
            // along: where the blocker stands; across: the other side of the corner.
            const int file_step = corner & 1 ? -1 : 1;
            const int rank_step = corner & 2 ? -8 : 8;
            const int along = turn ? rank_step : file_step;
            const int across = turn ? file_step : rank_step;
            const int near = king_distance(ours, home + along + 2 * across);
            const int far = king_distance(ours, home + 2 * across);
            int steps = near < far ? near : far;
            if (king != home && steps == 0)
                steps = 1; // not in the way of the king who is still to come
            const bool by_bishop = (bishops & color) != 0;
            int strike = by_bishop ? MINOR_BISHOP_STRIKES : 20;
            uint64_t others = knights; // knights that do not strike
            for (uint64_t left = knights; left != 0;) {
                const int square = take_lowest(&left);
                const int distance = knight_moves(square, home + 2 * along + across);
                if (distance < strike) {
                    strike = distance;
                    others = knights & ~bit(square);
                }
            }
            int block = blocker_distance(pos, loser, home + along, knights != 0);
            if (block == NO_BLOCKER) {
                // Two minor pieces need nobody in the way: the other one covers that square.
                if (!has_two(bishops | knights))
                    continue;
                block = MINOR_TWO;
                for (uint64_t left = others; left != 0;) {
                    const int square = take_lowest(&left);
                    const int to = knight_moves(square, home + 2 * across);
                    const int or_to = knight_moves(square, home + 2 * along + 2 * across);
                    block = to < or_to ? to : or_to;
                }
            }
            // A bare king has to leave his corner and come back while we need time.
            int walk = king_distance(king, home);
            if (their == 0 && walk > 0)
                walk--;
            const int moves = MINOR_OURS * steps + MINOR_STRIKE * strike + MINOR_BLOCK * block +
                              MINOR_THEIRS * walk;
            best = moves < best ? moves : best;
        }
    }
    return best +
           MINOR_MAJOR * dead_count(their & (pos->kinds[CHESS_QUEEN] | pos->kinds[CHESS_ROOK]));
}

// How much the cheapest way of a pawn to the last rank seems to cost: straight on over whoever
// stands there, or aside by taking what the loser has there or can bring there.
static int promotion_cost(const ChessPosition *pos, ChessColor winner) {
    const ChessColor loser = chess_other(winner);
    const uint64_t own = pos->colors[winner];
    const uint64_t their_men = pos->colors[loser] & ~pos->kinds[CHESS_KING];
    const uint64_t their_pieces = their_men & ~pos->kinds[CHESS_PAWN];
    const uint64_t bishops = their_pieces & pos->kinds[CHESS_BISHOP];
    // Squares where the loser can offer something, now and some day.
    const uint64_t soon = dead_attacks_of(pos, their_pieces, loser, ~pos->kinds[0]);
    uint64_t some_day = 0;
    if ((their_pieces & ~bishops) != 0)
        some_day = ~UINT64_C(0);
    else if (bishops != 0)
        some_day = ((bishops & LIGHT_SQUARES) != 0 ? LIGHT_SQUARES : 0) |
                   ((bishops & ~LIGHT_SQUARES) != 0 ? ~LIGHT_SQUARES : 0);
    const int our_square = lowest(pos->kinds[CHESS_KING] & own);
    int cost[8] = { 0 }; // from the rank before, by file
    int best = DEAD_ESTIMATE_MAX;
    for (int step = 1; step < 7; step++) {
        const int rank = winner == CHESS_WHITE ? 7 - step : step;
        const int next_rank = winner == CHESS_WHITE ? rank + 1 : rank - 1;
        int here[8];
        for (int file = 0; file < 8; file++) {
            const int ahead = next_rank * 8 + file;
            int way = PAWN_STEP + cost[file];
            if ((pos->kinds[0] >> ahead & 1) != 0)
                way += (their_men >> ahead & 1) != 0
                           ? PAWN_BLOCK + BLOCK_APART * king_distance(our_square, ahead)
                           : MAN_AHEAD;
            for (int side = -1; side <= 1; side += 2) {
                if (file + side < 0 || file + side > 7)
                    continue;
                const uint64_t target = bit(ahead + side);
                int taking = PAWN_STEP + cost[file + side];
                if ((their_men & target) != 0)
                    taking += 0;
                else if ((soon & target) != 0)
                    taking += OFFER_SOON;
                else if ((some_day & target) != 0)
                    taking += OFFER_SOME_DAY;
                else
                    continue;
                way = taking < way ? taking : way;
            }
            here[file] = way;
            if ((own & pos->kinds[CHESS_PAWN] & bit(rank * 8 + file)) != 0 && way < best)
                best = way;
        }
        for (int file = 0; file < 8; file++)
            cost[file] = here[file];
    }
    return best;
}

uint32_t dead_estimate(const ChessPosition *pos, ChessColor winner) {
    const ChessColor loser = chess_other(winner);
    const uint64_t own = pos->colors[winner];
    const uint64_t their = pos->colors[loser];
    const uint64_t majors = (pos->kinds[CHESS_QUEEN] | pos->kinds[CHESS_ROOK]) & own;
    int score = 8;
    if (majors == 0) {
        if ((pos->kinds[CHESS_PAWN] & own) == 0)
            return (uint32_t)estimate_minors(pos, winner);
        score += NO_HAMMER + promotion_cost(pos, winner);
    }
    const uint64_t king = pos->kinds[CHESS_KING] & their;
    const uint64_t our_king = pos->kinds[CHESS_KING] & own;
    const uint64_t attacked =
        dead_attacks_of(pos, own, winner, ~pos->kinds[0] | king) | king_attacks(our_king);
    const uint64_t flights = king_attacks(king) & ~attacked & ~their;
    const int men = dead_count(their) - 1;
    const int apart = king_distance(lowest(king), lowest(our_king)) - 2;
    score += FAR_FROM_EDGE * dead_edge_distance(lowest(king)) + MAN_LEFT * men;
    if (apart > 0) {
        const int pieces = dead_count(own & ~pos->kinds[CHESS_PAWN]);
        score += (pieces <= 3 ? KINGS_APART : 1) * apart + (men < 3 ? BARE_APART * apart : 0);
    }
    score += flights == 0 ? NO_FLIGHT : FLIGHT * dead_count(flights);
    if (pos->side_to_move == winner && (attacked & their & ~king) != 0)
        score += MAN_OFFERED;
    return score > 0 ? (uint32_t)score : 0;
}
