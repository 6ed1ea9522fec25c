// SPDX-License-Identifier: GPL-3.0-or-later
//
// Helpmates by minor pieces, built instead of searched for. In a corner the king to be mated has
// three squares: the other king covers two, a man of his own blocks the third (or a second minor
// piece covers it), and the minor piece that is left strikes. Each of the four men walks by
// himself, over a board on which the others stand still; a small search puts the steps into an
// order in which all of them are legal, with men going to and fro where a side has to wait. Nothing
// is proved by a plan: a line counts when it has been played to its mate, and when none works the
// general search is asked as before.
#include "laws/dead_quick.h"

#define STEPS_MAX 24
#define PLANS_MAX 48
#define PLANS_TRIED 32
#define WAITS_TRIED 4
#define NODES_PER_TRY 30
#define ACTORS 4
#define PLIES_MAX (2 * STEPS_MAX + 12)

// Who does what. The blocker is the loser's man, or the winner's second minor piece.
enum { OUR_KING, STRIKER, BLOCKER, THEIR_KING };

typedef struct Path {
    uint8_t at[STEPS_MAX + 1]; // squares, the first where he stands
    uint8_t count;             // steps
    uint8_t promotion;         // 1 + the step by which a pawn becomes a knight; 0: none
} Path;

typedef struct MinorPlan {
    Path paths[ACTORS];
    int strike; // square
    bool ours;  // the blocker is the winner's
    int cost;   // plies, at least
} MinorPlan;

// A board on which the actors may be looked away from.
typedef struct MinorScene {
    const ChessPosition *pos;
    ChessColor us;
    ChessColor them;
    int king; // of the loser
    int ours; // king of the winner
} MinorScene;

// ---- walks --------------------------------------------------------------------------------------

static uint64_t step_set(ChessKind kind, uint64_t from, uint64_t open) {
    switch (kind) {
    case CHESS_KNIGHT:
        return knight_attacks(from);
    case CHESS_BISHOP:
        return bishops_attack(from, open);
    case CHESS_ROOK:
        return rooks_attack(from, open);
    case CHESS_KING:
        return king_attacks(from);
    case CHESS_QUEEN:
        return rooks_attack(from, open) | bishops_attack(from, open);
    case CHESS_PAWN:
    case CHESS_NO_KIND:
        break;
    }
    return 0;
}

// Appends the shortest walk of a man from where the path ends to one of goals, over squares of
// open.
static bool walk(ChessKind kind, uint64_t goals, uint64_t open, Path *path) {
    uint64_t layers[STEPS_MAX + 1];
    const int from = path->at[path->count];
    uint64_t seen = bit(from);
    layers[0] = seen;
    int steps = 0;
    while ((layers[steps] & goals) == 0) {
        if (path->count + steps >= STEPS_MAX)
            return false;
        layers[steps + 1] = step_set(kind, layers[steps], open) & open & ~seen;
        seen |= layers[++steps];
        if (layers[steps] == 0)
            return false;
    }
    int at = lowest(layers[steps] & goals);
    for (int i = steps; i > 0; i--) {
        path->at[path->count + i] = (uint8_t)at;
        at = lowest(step_set(kind, bit(at), open | bit(at)) & layers[i - 1]);
    }
    path->count = (uint8_t)(path->count + steps);
    return true;
}

// The loser's man comes to block; a pawn on another file becomes a knight first.
static bool walk_blocker(const MinorScene *scene, int from, int block, uint64_t open, Path *path) {
    const ChessKind kind = chess_piece_kind(scene->pos->board[from]);
    path->at[0] = (uint8_t)from;
    path->count = 0;
    path->promotion = 0;
    if (kind != CHESS_PAWN)
        return walk(kind, bit(block), open, path);
    const int step = scene->them == CHESS_WHITE ? 8 : -8;
    for (int at = from; at != block;) {
        at += step;
        if ((open & bit(at)) == 0)
            return false;
        path->at[++path->count] = (uint8_t)at;
        if (at < 8 || at >= 56) {
            path->promotion = path->count;
            return walk(CHESS_KNIGHT, bit(block), open, path);
        }
    }
    return true;
}

// ---- plans --------------------------------------------------------------------------------------

static void add_plan(MinorPlan *plans, int *count, const MinorPlan *plan) {
    if (*count == PLANS_MAX && plans[PLANS_MAX - 1].cost <= plan->cost)
        return;
    int at = *count < PLANS_MAX ? (*count)++ : PLANS_MAX - 1;
    while (at > 0 && plans[at - 1].cost > plan->cost) {
        plans[at] = plans[at - 1];
        at--;
    }
    plans[at] = *plan;
}

// Squares before a corner: file and rank counted from it, the block square being (0, 1).
static int square_of(int corner, int turned, int file, int rank) {
    const int f = turned ? rank : file;
    const int r = turned ? file : rank;
    return chess_square(corner & 1 ? 7 - f : f, corner & 2 ? 7 - r : r);
}

// One striker, one blocker, one corner: all the squares from which it is mate.
static void plan_strikes(const MinorScene *scene, MinorPlan *plan, int striker, int corner,
                         int turned, uint64_t open, MinorPlan *plans, int *count) {
    const ChessPosition *pos = scene->pos;
    const int home = square_of(corner, turned, 0, 0);
    const int block = plan->paths[BLOCKER].at[plan->paths[BLOCKER].count];
    const ChessKind kind = chess_piece_kind(pos->board[striker]);
    const Path *blocking_path = &plan->paths[BLOCKER];
    const bool blocker_is_knight =
        !plan->ours && (blocking_path->promotion != 0 ||
                        chess_piece_kind(pos->board[blocking_path->at[0]]) == CHESS_KNIGHT);
    for (int far = 0; far < 2; far++) {
        // Our king on (2, 0) or (2, 1) covers both squares that are not blocked.
        const int stand = square_of(corner, turned, 2, far);
        if ((open & bit(stand)) == 0)
            continue;
        Path king = { .at = { (uint8_t)scene->ours } };
        const uint64_t kings_way = open & ~bit(home) & ~bit(block);
        if (!walk(CHESS_KING, bit(stand), kings_way, &king))
            continue;
        uint64_t strikes;
        if (kind == CHESS_KNIGHT)
            strikes = knight_attacks(bit(home));
        else
            strikes = bishops_attack(bit(home), open & ~bit(stand));
        // A knight who blocks takes or steps between wherever a bishop strikes from afar, but not
        // when he strikes beside the king, next to ours.
        if (kind == CHESS_BISHOP && blocker_is_knight)
            strikes = bit(square_of(corner, turned, 1, 1));
        else
            strikes &= ~king_attacks(bit(home));
        strikes &= open & ~bit(stand) & ~bit(block);
        for (; strikes != 0;) {
            const int strike = take_lowest(&strikes);
            // He waits where he strikes from, and not on a square that checks already.
            const uint64_t lines = step_set(kind, bit(home), open);
            const uint64_t from = step_set(kind, bit(strike), open | bit(striker)) &
                                  (open | bit(striker)) & ~lines & ~bit(stand) & ~bit(block) &
                                  ~bit(home);
            plan->paths[STRIKER] = (Path) { .at = { (uint8_t)striker } };
            if (from == 0 || !walk(kind, from, open & ~bit(home), &plan->paths[STRIKER]))
                continue;
            plan->paths[OUR_KING] = king;
            plan->strike = strike;
            const int blocking = plan->paths[BLOCKER].count;
            const int us =
                king.count + plan->paths[STRIKER].count + 1 + (plan->ours ? blocking : 0);
            const int them = plan->paths[THEIR_KING].count + (plan->ours ? 0 : blocking);
            plan->cost = us > them ? 2 * us : 2 * them + 1;
            add_plan(plans, count, plan);
            if (kind == CHESS_BISHOP)
                break;
        }
    }
}

static int make_plans(const MinorScene *scene, MinorPlan *plans) {
    const ChessPosition *pos = scene->pos;
    const uint64_t own = pos->colors[scene->us] & ~pos->kinds[CHESS_KING];
    const uint64_t their =
        pos->colors[scene->them] & ~pos->kinds[CHESS_KING] & ~pos->kinds[CHESS_QUEEN];
    int count = 0;
    for (uint64_t strikers = own; strikers != 0;) {
        const int striker = take_lowest(&strikers);
        const bool is_bishop = chess_piece_kind(pos->board[striker]) == CHESS_BISHOP;
        const bool is_light = (bit(striker) & LIGHT_SQUARES) != 0;
        for (uint64_t blockers = their | (own & ~bit(striker)); blockers != 0;) {
            const int blocker = take_lowest(&blockers);
            const bool ours = (own & bit(blocker)) != 0;
            const ChessKind kind = chess_piece_kind(pos->board[blocker]);
            // Everybody else stands still.
            const uint64_t open = ~(pos->kinds[0] & ~bit(striker) & ~bit(blocker) &
                                    ~bit(scene->king) & ~bit(scene->ours));
            for (int at = 0; at < 8; at++) {
                const int corner = at >> 1;
                const int turned = at & 1;
                const int home = square_of(corner, turned, 0, 0);
                if ((is_bishop && ((bit(home) & LIGHT_SQUARES) != 0) != is_light) ||
                    (open & bit(home)) == 0)
                    continue;
                MinorPlan plan = { .ours = ours };
                plan.paths[BLOCKER].at[0] = (uint8_t)blocker;
                const int block = square_of(corner, turned, 0, 1);
                if (!ours) {
                    if ((open & bit(block)) == 0 ||
                        !walk_blocker(scene, blocker, block, open & ~bit(home),
                                      &plan.paths[BLOCKER]))
                        continue;
                } else {
                    const uint64_t covers = step_set(kind, bit(block), open) & open &
                                            ~king_attacks(bit(home)) & ~bit(home) &
                                            ~step_set(kind, bit(home), open);
                    if (covers == 0 || !walk(kind, covers, open & ~bit(home), &plan.paths[BLOCKER]))
                        continue;
                }
                plan.paths[THEIR_KING].at[0] = (uint8_t)scene->king;
                const uint64_t way = ours ? open : open & ~bit(block);
                if (!walk(CHESS_KING, bit(home), way | bit(home), &plan.paths[THEIR_KING]))
                    continue;
                plan_strikes(scene, &plan, striker, corner, turned, open, plans, &count);
            }
        }
    }
    return count;
}

// ---- the order of the steps ---------------------------------------------------------------------

typedef struct Standing {
    uint8_t done[ACTORS]; // steps
    uint8_t away[ACTORS]; // 1 + where he waits, beside his path; 0: on it
    uint8_t waits[2];     // moves beside the plan that the winner, the loser still has to make
} Standing;

typedef struct Order {
    const MinorPlan *plan;
    ChessColor us;
    int nodes;
    int nodes_max;
    ChessMove line[PLIES_MAX];
    int size;
} Order;

static ChessMove step_of(const Path *path, int done) {
    const ChessMove move = plain(path->at[done], path->at[done + 1]);
    return path->promotion == done + 1 ? (ChessMove)(move | 4U << 12) : move;
}

static bool order_on(Order *order, const ChessPosition *pos, const Standing *standing);

static bool try_move(Order *order, const ChessPosition *pos, const Standing *next, ChessMove move) {
    // Whoever stands in the way is needed himself.
    if (order->nodes >= order->nodes_max || (pos->kinds[0] & bit(chess_move_to(move))) != 0 ||
        !chess_move_is_legal(pos, move))
        return false;
    ChessPosition after = *pos;
    chess_move_make(&after, move, NULL);
    order->nodes++;
    order->line[order->size++] = move;
    if (order_on(order, &after, next))
        return true;
    order->size--;
    return false;
}

// Squares that the actors stand on or are bound for.
static uint64_t busy_squares(const Order *order, const Standing *standing) {
    uint64_t busy = 0;
    for (int i = 0; i < ACTORS; i++) {
        const Path *path = &order->plan->paths[i];
        busy |= bit(standing->away[i] ? standing->away[i] - 1 : path->at[standing->done[i]]);
        busy |= bit(path->at[path->count]);
    }
    return busy;
}

// A man who is no actor moves, or an actor goes aside: back again costs a second move, on to his
// next square none.
static bool wait(Order *order, const ChessPosition *pos, const Standing *standing,
                 const uint8_t *actors, int count, int side_index) {
    const uint64_t busy = busy_squares(order, standing);
    const ChessColor side = (ChessColor)pos->side_to_move;
    const uint64_t idle = pos->colors[side] & ~busy & ~pos->kinds[CHESS_KING];
    const uint64_t enemy = pos->kinds[CHESS_KING] & pos->colors[chess_other(side)];
    Standing next = *standing;
    next.waits[side_index]--;
    if (idle != 0) {
        const ChessMove move = dead_find_tempo(pos, idle, busy, 0, enemy);
        if (move != CHESS_NO_MOVE && try_move(order, pos, &next, move))
            return true;
    }
    for (int i = 0; i < count; i++) {
        const int actor = actors[i];
        const Path *path = &order->plan->paths[actor];
        const int done = standing->done[actor];
        const int from = path->at[done];
        const ChessKind kind = chess_piece_kind(pos->board[from]);
        if (kind == CHESS_PAWN || standing->away[actor])
            continue;
        uint64_t to = attack_of(kind, from, pos->kinds[0], side) & ~pos->kinds[0] & ~busy;
        // First those from where he can go straight on.
        const uint64_t on =
            done < path->count ? attack_of(kind, path->at[done + 1], pos->kinds[0], side) : 0;
        for (int pass = 0; pass < 2; pass++) {
            uint64_t squares = pass == 0 ? to & on : to & ~on;
            if (pass == 1 && standing->waits[side_index] < 2)
                break;
            for (int tries = 0; squares != 0 && tries < 2; tries++) {
                Standing away = next;
                const int square = take_lowest(&squares);
                away.away[actor] = (uint8_t)(1 + square);
                if (try_move(order, pos, &away, plain(from, square)))
                    return true;
            }
        }
    }
    return false;
}

static bool strikes(Order *order, const ChessPosition *pos, const Standing *standing) {
    const MinorPlan *plan = order->plan;
    for (int i = 0; i < ACTORS; i++)
        if (standing->done[i] != plan->paths[i].count || standing->away[i])
            return false;
    const Path *path = &plan->paths[STRIKER];
    const ChessMove strike = plain(path->at[path->count], plan->strike);
    if (!chess_move_is_legal(pos, strike))
        return false;
    ChessPosition after = *pos;
    chess_move_make(&after, strike, NULL);
    order->nodes++;
    if (!chess_is_checkmate(&after))
        return false;
    order->line[order->size++] = strike;
    return true;
}

static bool order_on(Order *order, const ChessPosition *pos, const Standing *standing) {
    static const uint8_t ours[] = { STRIKER, BLOCKER, OUR_KING };
    static const uint8_t theirs[] = { THEIR_KING, BLOCKER };
    const MinorPlan *plan = order->plan;
    const bool our_turn = pos->side_to_move == order->us;
    const uint8_t *all = our_turn ? ours : theirs;
    uint8_t actors[3];
    int count = 0;
    for (int i = 0; i < (our_turn ? 3 : 2); i++)
        if (all[i] != BLOCKER || plan->ours == our_turn)
            actors[count++] = all[i];
    if (order->size + 1 >= PLIES_MAX)
        return false;
    if (our_turn && standing->waits[0] == 0 && strikes(order, pos, standing))
        return true;
    const int side_index = our_turn ? 0 : 1;
    // The king to be mated has to pass before the way is barred to him.
    const bool hurries = our_turn && standing->done[THEIR_KING] < plan->paths[THEIR_KING].count;
    if (hurries && standing->waits[0] > 0 && wait(order, pos, standing, actors, count, 0))
        return true;
    for (int i = 0; i < count; i++) {
        const int actor = actors[i];
        const Path *path = &plan->paths[actor];
        const int done = standing->done[actor];
        Standing next = *standing;
        next.away[actor] = 0;
        const int away = standing->away[actor] - 1;
        if (done < path->count) {
            const ChessMove move =
                away >= 0 ? plain(away, path->at[done + 1]) : step_of(path, done);
            next.done[actor]++;
            if (try_move(order, pos, &next, move))
                return true;
            next.done[actor]--;
        }
        if (away >= 0 && standing->waits[side_index] > 0) {
            next.waits[side_index]--;
            if (try_move(order, pos, &next, plain(away, path->at[done])))
                return true;
        }
    }
    return !hurries && standing->waits[side_index] > 0 && order->nodes < order->nodes_max &&
           wait(order, pos, standing, actors, count, side_index);
}

// How many moves beside the plan each side has to make for the strike to come out right, and a few
// more.
static bool order_plan(Order *order, const ChessPosition *pos) {
    const MinorPlan *plan = order->plan;
    const int blocking = plan->paths[BLOCKER].count;
    const int us =
        plan->paths[OUR_KING].count + plan->paths[STRIKER].count + (plan->ours ? blocking : 0);
    const int them = plan->paths[THEIR_KING].count + (plan->ours ? 0 : blocking);
    // Before the strike the loser has made as many moves as the winner, or one more.
    const int more = us - them + (pos->side_to_move == order->us ? 0 : 1);
    for (int extra = 0; extra < WAITS_TRIED; extra++) {
        const int ours = (more < 0 ? -more : 0) + extra;
        const int theirs = (more > 0 ? more : 0) + extra;
        const Standing start = { .waits = { (uint8_t)ours, (uint8_t)theirs } };
        order->nodes_max = order->nodes + NODES_PER_TRY;
        order->size = 0;
        if (us + ours + them + theirs + 1 < PLIES_MAX && order_on(order, pos, &start))
            return true;
    }
    return false;
}

bool dead_mate_by_minors(const ChessPosition *pos, ChessColor us, uint64_t limit, ChessMove *line,
                         uint32_t *size, uint64_t *nodes) {
    const ChessColor them = chess_other(us);
    const MinorScene scene = { .pos = pos,
                               .us = us,
                               .them = them,
                               .king = lowest(pos->kinds[CHESS_KING] & pos->colors[them]),
                               .ours = lowest(pos->kinds[CHESS_KING] & pos->colors[us]) };
    MinorPlan plans[PLANS_MAX];
    const int count = make_plans(&scene, plans);
    for (int i = 0; i < count && i < PLANS_TRIED && *nodes < limit; i++) {
        Order order = { .plan = &plans[i], .us = us };
        const bool found = order_plan(&order, pos);
        *nodes += (uint64_t)order.nodes;
        if (!found)
            continue;
        for (int ply = 0; ply < order.size; ply++)
            line[ply] = order.line[ply];
        *size = (uint32_t)order.size;
        return true;
    }
    return false;
}
