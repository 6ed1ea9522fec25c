// SPDX-License-Identifier: GPL-3.0-or-later
//
// Playing a plan: the winner makes its moves one by one, the loser brings his king to its place,
// sends away the guards and otherwise passes with a man who disturbs nothing. Each move is tested
// before it is made, and only the mate at the end counts.
#include "laws/dead_quick.h"

// Moves of the winner beside the plan before it is given up, and those among them while the loser
// has nothing to do but to pass as well.
#define DELAYS_MAX 6
#define STALLS_MAX 1

// A man of men goes to a square where he disturbs nothing.
ChessMove dead_find_tempo(const ChessPosition *pos, uint64_t men, uint64_t quiet, uint64_t path,
                          uint64_t enemy_king) {
    const ChessColor color = (ChessColor)pos->side_to_move;
    const uint64_t occupied = pos->kinds[0];
    path |= quiet;
    for (uint64_t left = men & ~pos->kinds[CHESS_PAWN]; left != 0;) {
        const int from = take_lowest(&left);
        const ChessKind kind = chess_piece_kind(pos->board[from]);
        uint64_t targets = attack_of(kind, from, occupied, color) & ~occupied & ~path;
        for (int tries = 0; targets != 0 && tries < 4; tries++) {
            const int to = take_lowest(&targets);
            if ((attack_of(kind, to, occupied & ~bit(from), color) & (quiet | enemy_king)) != 0)
                continue;
            if (chess_move_is_legal(pos, plain(from, to)))
                return plain(from, to);
            break;
        }
    }
    uint64_t steps =
        forward(men & pos->kinds[CHESS_PAWN], color) & ~occupied & ~path & ~(RANK_1 | RANK_8);
    while (steps != 0) {
        const int to = take_lowest(&steps);
        const int from = color == CHESS_WHITE ? to - 8 : to + 8;
        if ((pawn_attacks(bit(to), color) & (quiet | enemy_king)) == 0 &&
            chess_move_is_legal(pos, plain(from, to)))
            return plain(from, to);
    }
    return CHESS_NO_MOVE;
}

ChessMove dead_any_move(const ChessPosition *pos, uint64_t men, uint64_t quiet) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    ChessMove second = CHESS_NO_MOVE;
    for (int i = list.count - 1; i >= 0; i--) {
        const ChessMove move = list.moves[i];
        if ((quiet & bit(chess_move_to(move))) != 0)
            continue;
        if ((men & bit(chess_move_from(move))) != 0)
            return move;
        second = move;
    }
    return second;
}

typedef struct Player {
    Track *track;
    const Plan *plan;
    int at;          // next move of the plan
    int delays;      // moves made outside the plan
    int stalls;      // of those, while the loser passed too
    bool is_idle;    // the loser's last move was a pass
    int strike_from; // where the hammer waits, when that is not where the plan has him
    uint64_t guards;
    ChessMove back[2];
} Player;

// The winner has to pass: another man, or the hammer to another square from which he can strike.
static ChessMove pass(Player *p) {
    const ChessPosition *pos = &p->track->pos;
    const ChessColor us = p->track->us;
    p->stalls += p->is_idle ? 1 : 0;
    if (++p->delays > DELAYS_MAX || p->stalls > STALLS_MAX)
        return CHESS_NO_MOVE;
    if (chess_is_check(pos))
        return dead_any_move(pos, pos->kinds[CHESS_KING] & ~p->plan->actors, p->plan->quiet);
    ChessMove move = p->back[0];
    if (move != CHESS_NO_MOVE && chess_move_is_legal(pos, move)) {
        p->back[0] = reversed(move);
        return move;
    }
    const uint64_t their_king = pos->kinds[CHESS_KING] & pos->colors[p->track->them];
    move = dead_find_tempo(pos, pos->colors[us] & ~p->plan->actors & ~pos->kinds[CHESS_KING],
                           p->plan->quiet | bit(p->plan->king_target), p->plan->path, their_king);
    if (move != CHESS_NO_MOVE) {
        if (chess_piece_kind(pos->board[chess_move_from(move)]) != CHESS_PAWN)
            p->back[0] = reversed(move);
        return move;
    }
    if (p->at == p->plan->count - 1) {
        const ChessMove strike = p->plan->moves[p->at];
        const int from = p->strike_from >= 0 ? p->strike_from : chess_move_from(strike);
        const ChessKind kind = chess_piece_kind(pos->board[from]);
        const uint64_t others = pos->kinds[0] & ~bit(from);
        uint64_t squares = attack_of(kind, from, pos->kinds[0], us) & ~pos->kinds[0] &
                           attack_of(kind, chess_move_to(strike), others, us) &
                           ~attack_of(kind, p->plan->king_target, others, us) &
                           ~attack_of(kind, lowest(their_king), others, us);
        while (squares != 0) {
            const int to = take_lowest(&squares);
            if (chess_move_is_legal(pos, plain(from, to))) {
                p->strike_from = to;
                return plain(from, to);
            }
        }
    }
    return CHESS_NO_MOVE;
}

static ChessMove our_move(Player *p) {
    const ChessPosition *pos = &p->track->pos;
    ChessMove move = p->plan->moves[p->at];
    if (p->at == p->plan->count - 1) {
        const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[p->track->them]);
        if (king != p->plan->king_target || p->guards != 0)
            return pass(p);
        if (p->strike_from >= 0)
            move = plain(p->strike_from, chess_move_to(move));
    }
    if (!chess_move_is_legal(pos, move))
        return p->at == p->plan->count - 1 ? CHESS_NO_MOVE : pass(p);
    p->at++;
    return move;
}

static ChessMove step_towards(const ChessPosition *pos, int king, int target, uint64_t quiet) {
    uint64_t steps = king_attacks(bit(king)) & ~pos->colors[pos->side_to_move] & ~quiet;
    const int distance = king_distance(king, target);
    while (steps != 0) {
        const int to = take_lowest(&steps);
        if (king_distance(to, target) < distance && chess_move_is_legal(pos, plain(king, to)))
            return plain(king, to);
    }
    return CHESS_NO_MOVE;
}

static ChessMove their_move(Player *p) {
    const ChessPosition *pos = &p->track->pos;
    const int target = p->plan->king_target;
    const uint64_t quiet = p->plan->quiet;
    const uint64_t ours = pos->colors[p->track->us];
    const uint64_t theirs = pos->colors[p->track->them];
    const int king = lowest(pos->kinds[CHESS_KING] & theirs);
    ChessMove move;
    p->is_idle = false;
    if (king != target) {
        move = step_towards(pos, king, target, quiet);
        if (move != CHESS_NO_MOVE) {
            p->back[1] = CHESS_NO_MOVE;
            return move;
        }
    }
    if (p->guards != 0) {
        move = dead_find_tempo(pos, p->guards, quiet, p->plan->path, pos->kinds[CHESS_KING] & ours);
        if (move != CHESS_NO_MOVE) {
            p->guards &= ~bit(chess_move_from(move));
            return move;
        }
    }
    p->is_idle = true;
    move = p->back[1];
    if (move != CHESS_NO_MOVE && chess_move_is_legal(pos, move)) {
        p->back[1] = reversed(move);
        return move;
    }
    move = dead_find_tempo(pos, theirs & ~king_attacks(bit(target)) & ~pos->kinds[CHESS_KING],
                           quiet, p->plan->path, pos->kinds[CHESS_KING] & ours);
    if (move != CHESS_NO_MOVE) {
        const bool is_pawn = chess_piece_kind(pos->board[chess_move_from(move)]) == CHESS_PAWN;
        p->back[1] = is_pawn ? CHESS_NO_MOVE : reversed(move);
        return move;
    }
    p->back[1] = CHESS_NO_MOVE;
    return dead_any_move(pos, pos->kinds[CHESS_KING], quiet);
}

// Whether everybody still stands where the plan has him, the moves before his own made.
static bool is_stale(const Track *track, const Plan *plan) {
    uint64_t own = track->pos.colors[track->us];
    for (int i = 0; i < plan->count; i++) {
        const uint64_t from = bit(chess_move_from(plan->moves[i]));
        const uint64_t to = bit(chess_move_to(plan->moves[i]));
        if ((own & from) == 0 || (own & to) != 0)
            return true;
        own ^= from | to;
    }
    return false;
}

bool dead_play(const Track *from, const Plan *plan, uint32_t *count) {
    if (is_stale(from, plan))
        return false;
    Track track = *from;
    Player p = { .track = &track, .plan = plan, .strike_from = -1, .guards = plan->guards };
    while (p.at < plan->count) {
        const ChessMove move = track.pos.side_to_move == track.us ? our_move(&p) : their_move(&p);
        if (move == CHESS_NO_MOVE || track.count >= DEAD_QUICK_LINE || is_spent(&track))
            return false;
        advance(&track, move);
    }
    *count = track.count;
    return chess_is_checkmate(&track.pos);
}
