// SPDX-License-Identifier: GPL-3.0-or-later
//
// Helpmates of a bare king by king and one queen or rook (the hammer); other men of the winner
// stand still. A target is where the three shall stand in the end; a small search with exact
// distances gets them there.
#include "laws/dead_quick.h"

#define ROUNDS_MAX 12
#define NODES_MAX 24
#define TARGETS_MAX 8
#define NODES_IN_ALL 100

typedef struct Target {
    int king;       // of the loser
    uint64_t place; // where the hammer strikes
    uint64_t goals; // where our king may stand; empty: anywhere
    int rounds;     // moves of ours at least
} Target;

typedef struct Chase {
    bool is_queen;
    uint64_t others;               // of the winner, standing still
    uint64_t cover;                // attacked by them
    uint64_t near[ROUNDS_MAX + 1]; // squares from which our king reaches goals in that many moves
    uint64_t far[ROUNDS_MAX + 1];  // and theirs the target
    uint64_t mids; // where the hammer may wait: he can strike from there and leaves the target
                   // square alone
    Target target;
    int nodes;
    ChessMove line[2 * ROUNDS_MAX + 2];
    int count;
} Chase;

static uint64_t hammer_attacks(bool is_queen, int from, uint64_t occupied) {
    return is_queen ? queen_attacks(from, occupied) : rook_attacks(from, occupied);
}

static bool their_turn(Chase *chase, int king, int ours, int hammer, int left, int their_left);

static bool our_turn(Chase *chase, int king, int ours, int hammer, int left, int their_left) {
    chase->nodes++;
    const Target *target = &chase->target;
    const uint64_t occupied = chase->others | bit(ours);
    const uint64_t reach = hammer_attacks(chase->is_queen, hammer, occupied | bit(king));
    const uint64_t strike = reach & target->place;
    if (left == 1) {
        if (strike == 0 || king != target->king || (chase->near[0] & bit(ours)) == 0)
            return false;
        chase->line[chase->count++] = plain(hammer, lowest(strike));
        return true;
    }
    const int need = strike != 0 ? 1 : 2;
    const uint64_t blocked =
        occupied | bit(king) | king_attacks(bit(king)) | bit(hammer) | target->place;
    if (left > need) {
        uint64_t steps = king_attacks(bit(ours)) & chase->near[left - 1 - need] & ~blocked;
        // Nearest to the goals first.
        for (int i = 0; i < left - need && steps != 0; i++) {
            for (uint64_t now = steps & chase->near[i]; now != 0;) {
                const int to = take_lowest(&now);
                chase->line[chase->count++] = plain(ours, to);
                if (their_turn(chase, king, to, hammer, left - 1, their_left))
                    return true;
                chase->count--;
            }
            steps &= ~chase->near[i];
        }
    }
    if ((chase->near[left - 2] & bit(ours)) != 0) {
        const uint64_t checks = hammer_attacks(chase->is_queen, king, occupied);
        uint64_t mids = reach & chase->mids & ~occupied & ~bit(king) & ~checks;
        for (int tries = 0; mids != 0 && tries < 6; tries++) {
            const int to = take_lowest(&mids);
            chase->line[chase->count++] = plain(hammer, to);
            if (their_turn(chase, king, ours, to, left - 1, their_left))
                return true;
            chase->count--;
        }
    }
    return false;
}

static bool their_turn(Chase *chase, int king, int ours, int hammer, int left, int their_left) {
    if (chase->nodes >= NODES_MAX)
        return false;
    const uint64_t occupied = chase->others | bit(ours) | bit(hammer);
    uint64_t steps = king_attacks(bit(king)) & ~occupied & ~king_attacks(bit(ours)) &
                     ~chase->cover &
                     ~hammer_attacks(chase->is_queen, hammer, chase->others | bit(ours));
    // In reach of the target with the moves that are left; a king does not come back in one.
    steps &= chase->far[their_left - 1];
    if (their_left == 2)
        steps &= ~bit(chase->target.king);
    while (steps != 0) {
        const int to = take_lowest(&steps);
        chase->line[chase->count++] = plain(king, to);
        if (our_turn(chase, to, ours, hammer, left, their_left - 1))
            return true;
        chase->count--;
        if (chase->nodes >= NODES_MAX)
            return false;
    }
    return false;
}

static void add_target(Target *targets, int *count, Target target) {
    if (*count == TARGETS_MAX && targets[TARGETS_MAX - 1].rounds <= target.rounds)
        return;
    int at = *count < TARGETS_MAX ? (*count)++ : TARGETS_MAX - 1;
    while (at > 0 && targets[at - 1].rounds > target.rounds) {
        targets[at] = targets[at - 1];
        at--;
    }
    targets[at] = target;
}

// Moves of a king to one of goals, from the squares he reaches in so many moves.
static int steps_to(const uint64_t within[ROUNDS_MAX + 1], uint64_t goals) {
    for (int steps = 0; steps <= ROUNDS_MAX; steps++)
        if ((within[steps] & goals) != 0)
            return steps;
    return 99;
}

static void widen(uint64_t within[ROUNDS_MAX + 1], uint64_t from, uint64_t barred) {
    within[0] = from;
    for (int steps = 1; steps <= ROUNDS_MAX; steps++)
        within[steps] = (within[steps - 1] | king_attacks(within[steps - 1])) & ~barred;
}

static int find_targets(const Chase *chase, int king, int ours, int hammer, bool ours_first,
                        Target *targets) {
    int count = 0;
    const uint64_t others = chase->others;
    const uint64_t reach = hammer_attacks(chase->is_queen, hammer, others | bit(ours));
    uint64_t within[ROUNDS_MAX + 1];
    widen(within, bit(ours), others);
    for (uint64_t edge = EDGE & ~others & ~chase->cover; edge != 0;) {
        const int square = take_lowest(&edge);
        const int theirs = king_distance(king, square);
        if (theirs > 4)
            continue;
        const uint64_t ring = king_attacks(bit(square));
        const uint64_t bar = ring | bit(square) | others;
        // Beside the king, covered.
        if (chase->is_queen) {
            uint64_t places = ring & ~others & ~EDGE;
            if (has_two(places))
                places &= orthogonal_steps(bit(square));
            if (places != 0) {
                Target target = { .king = square, .place = places };
                target.goals = (places & chase->cover) != 0 ? 0 : king_attacks(places) & ~bar;
                const int walk = (places & chase->cover) != 0 ? 0 : steps_to(within, target.goals);
                target.rounds = walk + ((reach & places) != 0 ? 1 : 2);
                if (target.rounds < theirs + ours_first)
                    target.rounds = theirs + ours_first;
                add_target(targets, &count, target);
            }
        }
        for (int axis = 0; axis < 2; axis++) {
            const uint64_t line = axis == 0 ? rank_of(square) : file_of(square);
            if ((line & ~EDGE) != 0)
                continue;
            Target target = { .king = square };
            target.place = line_attacks(square, line, others) & ~ring & ~others;
            uint64_t need = ring & ~line & ~chase->cover;
            target.goals = need != 0 ? ~bar : 0;
            while (need != 0)
                target.goals &= king_attacks(bit(take_lowest(&need)));
            if (target.place == 0 || ((ring & ~line & ~chase->cover) != 0 && target.goals == 0))
                continue;
            const int walk = target.goals != 0 ? steps_to(within, target.goals) : 0;
            target.rounds = walk + ((reach & target.place) != 0 ? 1 : 2);
            if (target.rounds < theirs + ours_first)
                target.rounds = theirs + ours_first;
            add_target(targets, &count, target);
        }
    }
    return count;
}

bool dead_mate_bare_king(const ChessPosition *pos, ChessColor us, ChessMove *line, uint32_t *size,
                         uint64_t *nodes) {
    const uint64_t own = pos->colors[us];
    const uint64_t queens = pos->kinds[CHESS_QUEEN] & own;
    const uint64_t hammers = queens != 0 ? queens : pos->kinds[CHESS_ROOK] & own;
    const uint64_t our_king = pos->kinds[CHESS_KING] & own;
    const int ours = lowest(our_king);
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[chess_other(us)]);
    const bool ours_first = pos->side_to_move == us;
    int tries = 0;
    for (uint64_t left = hammers; left != 0 && tries < 2; tries++) {
        Chase chase;
        const int hammer = take_lowest(&left);
        chase.is_queen = queens != 0;
        chase.others = own & ~our_king & ~bit(hammer);
        const uint64_t open = ~chase.others;
        chase.cover = dead_attacks_of(pos, chase.others, us, open);
        Target targets[TARGETS_MAX];
        const int count = find_targets(&chase, king, ours, hammer, ours_first, targets);
        int nodes_in_all = 0;
        for (int i = 0; i < count && nodes_in_all < NODES_IN_ALL; i++) {
            chase.target = targets[i];
            widen(chase.far, bit(targets[i].king), 0);
            widen(chase.near, targets[i].goals != 0 ? targets[i].goals : ~UINT64_C(0),
                  chase.others);
            chase.mids = ~hammer_attacks(chase.is_queen, targets[i].king, chase.others) &
                         ~targets[i].place & ~bit(targets[i].king) &
                         (rooks_attack(targets[i].place, ~chase.others) |
                          (chase.is_queen ? bishops_attack(targets[i].place, ~chase.others) : 0));
            for (int rounds = targets[i].rounds;
                 rounds < targets[i].rounds + 2 && rounds <= ROUNDS_MAX; rounds++) {
                chase.nodes = 0;
                chase.count = 0;
                const bool found = ours_first
                                       ? our_turn(&chase, king, ours, hammer, rounds, rounds - 1)
                                       : their_turn(&chase, king, ours, hammer, rounds, rounds);
                *nodes += (uint64_t)chase.nodes;
                nodes_in_all += chase.nodes;
                if (!found)
                    continue;
                ChessPosition after = *pos;
                bool legal = true;
                for (int ply = 0; ply < chase.count && legal; ply++) {
                    legal = chess_move_is_legal(&after, chase.line[ply]);
                    if (legal)
                        chess_move_make(&after, chase.line[ply], NULL);
                }
                if (!legal || !chess_is_checkmate(&after))
                    break;
                for (int ply = 0; ply < chase.count; ply++)
                    line[ply] = chase.line[ply];
                *size = (uint32_t)chase.count;
                return true;
            }
        }
    }
    return false;
}
