// SPDX-License-Identifier: GPL-3.0-or-later
//
// Planning a mate by queen or rook on the board as it stands. An idea is where the mating man (the
// hammer) strikes; what it leaves uncovered beside the king is what one helper has to cover; walks
// over the squares that are free now take both there.
#include "laws/dead_quick.h"

// With more men than that the loser's king stays where he is.
#define CROWD 6
#define ANYWHERE (~UINT64_C(0))

// What the planner looks at.
typedef struct Scene {
    const ChessPosition *pos;
    ChessColor us;
    ChessColor them;
    uint64_t own;
    uint64_t their;
    uint64_t occupied;
    int king;               // to be mated
    uint64_t their_attacks; // of men other than the king, through their king
} Scene;

static uint64_t attack_of_set(ChessKind kind, uint64_t from, uint64_t open) {
    if (exactly_one(from))
        return attack_of(kind, lowest(from), ~open, CHESS_WHITE);
    switch (kind) {
    case CHESS_KNIGHT:
        return knight_attacks(from);
    case CHESS_BISHOP:
        return bishops_attack(from, open);
    case CHESS_ROOK:
        return rooks_attack(from, open);
    case CHESS_QUEEN:
        return rooks_attack(from, open) | bishops_attack(from, open);
    case CHESS_KING:
        return king_attacks(from);
    case CHESS_PAWN:
    case CHESS_NO_KIND:
        break;
    }
    return 0;
}

// What a rook or bishop attacks at most two steps away.
static uint64_t near_rook(uint64_t r, uint64_t open) {
    const uint64_t n = r << 8, s = r >> 8, e = east(r), w = west(r);
    return n | s | e | w | (n & open) << 8 | (s & open) >> 8 | east(e & open) | west(w & open);
}
static uint64_t near_bishop(uint64_t b, uint64_t open) {
    const uint64_t n = b << 8, s = b >> 8;
    const uint64_t ne = east(n), nw = west(n), se = east(s), sw = west(s);
    return ne | nw | se | sw | east((ne & open) << 8) | west((nw & open) << 8) |
           east((se & open) >> 8) | west((sw & open) >> 8);
}

typedef struct Walk {
    int steps;
    uint64_t layers[DEAD_WALK_MAX + 1];
    int arrival;
} Walk;

// Shortest walk of a man to one of goals over squares of allowed (the goal may be any). At most
// limit steps.
static bool find_walk(ChessKind kind, uint64_t from, uint64_t goals, uint64_t open,
                      uint64_t allowed, int limit, Walk *out) {
    uint64_t seen = from;
    out->layers[0] = from;
    for (int i = 1; i <= limit; i++) {
        const uint64_t next = attack_of_set(kind, out->layers[i - 1], open) & ~seen;
        if ((next & goals) != 0) {
            out->steps = i;
            out->arrival = lowest(next & goals);
            return true;
        }
        out->layers[i] = next & allowed;
        seen |= next;
        if (out->layers[i] == 0)
            return false;
    }
    return false;
}

static uint64_t between(int from, int to) {
    const int files = (to & 7) - (from & 7);
    const int ranks = (to >> 3) - (from >> 3);
    const int step = (files > 0) - (files < 0) + 8 * ((ranks > 0) - (ranks < 0));
    uint64_t set = 0;
    for (int square = from + step; square != to; square += step)
        set |= bit(square);
    return set;
}

static void add_walk(ChessKind kind, const Walk *walk, uint64_t open, Plan *plan) {
    int squares[DEAD_WALK_MAX + 1];
    squares[walk->steps] = walk->arrival;
    for (int i = walk->steps; i > 0; i--)
        squares[i - 1] =
            lowest(attack_of(kind, squares[i], ~open, CHESS_WHITE) & walk->layers[i - 1]);
    for (int i = 0; i < walk->steps; i++) {
        plan->moves[plan->count++] = plain(squares[i], squares[i + 1]);
        plan->path |= bit(squares[i + 1]);
        if (kind != CHESS_KNIGHT)
            plan->path |= between(squares[i], squares[i + 1]);
    }
}

// Squares from which a man of each kind attacks every square of need.
static void find_cover(uint64_t need, uint64_t occupied, ChessColor us, uint64_t by[7]) {
    for (int kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
        by[kind] = ~UINT64_C(0);
    while (need != 0) {
        const int square = take_lowest(&need);
        const uint64_t straight = rook_attacks(square, occupied);
        const uint64_t diagonal = bishop_attacks(square, occupied);
        by[CHESS_PAWN] &= pawn_attacks(bit(square), chess_other(us));
        by[CHESS_KNIGHT] &= knight_attacks(bit(square));
        by[CHESS_BISHOP] &= diagonal;
        by[CHESS_ROOK] &= straight;
        by[CHESS_QUEEN] &= straight | diagonal;
        by[CHESS_KING] &= king_attacks(bit(square));
    }
}

// One step of a man of men to a square of goals.
static bool find_step(const Scene *scene, ChessKind kind, uint64_t men, uint64_t goals, int *from,
                      Walk *walk) {
    const uint64_t open = ~scene->occupied;
    uint64_t starts;
    if (kind == CHESS_PAWN)
        starts = men & forward(goals & open & ~(RANK_1 | RANK_8), scene->them);
    else
        starts = men & attack_of_set(kind, goals, open);
    if (starts == 0)
        return false;
    *from = lowest(starts);
    walk->steps = 1;
    walk->layers[0] = bit(*from);
    walk->arrival =
        lowest(goals & (kind == CHESS_PAWN ? forward(walk->layers[0], scene->us)
                                           : attack_of(kind, *from, scene->occupied, scene->us)));
    return true;
}

// Who can come to cover need, in the fewest moves; -1: nobody.
static int find_helper(const Scene *scene, uint64_t men, int target, uint64_t places, uint64_t need,
                       Walk *best) {
    const ChessPosition *pos = scene->pos;
    const uint64_t occupied = scene->occupied;
    const uint64_t ring = king_attacks(bit(target));
    const uint64_t never = scene->own | places | bit(target) | bit(scene->king);
    const uint64_t barred = scene->their_attacks | ring; // to our king
    uint64_t cover[7];
    find_cover(need,
               (occupied & (men | ~scene->own) & ~bit(scene->king)) |
                   (exactly_one(places) ? places : 0),
               scene->us, cover);
    int helper = -1;
    for (int kind = CHESS_PAWN; kind <= CHESS_KING; kind++) {
        cover[kind] &= ~never;
        if (kind == CHESS_KING)
            cover[kind] &= ~barred;
        if (cover[kind] != 0 && (men & pos->kinds[kind]) != 0 &&
            find_step(scene, (ChessKind)kind, men & pos->kinds[kind], cover[kind], &helper, best))
            return helper;
    }
    best->steps = 99;
    for (uint64_t left = men & ~pos->kinds[CHESS_PAWN]; left != 0 && best->steps > 2;) {
        const int from = take_lowest(&left);
        const ChessKind kind = chess_piece_kind(pos->board[from]);
        if (cover[kind] == 0)
            continue;
        uint64_t allowed = ~scene->own & ~bit(scene->king);
        int limit = 3;
        if (kind == CHESS_KING) {
            allowed &= ~barred & ~king_attacks(bit(scene->king));
            limit = DEAD_WALK_MAX;
        }
        if (limit >= best->steps)
            limit = best->steps - 1;
        Walk walk;
        if (find_walk(kind, bit(from), cover[kind], ~occupied, allowed, limit, &walk)) {
            *best = walk;
            helper = from;
        }
    }
    return helper;
}

// Completes a plan in which the man on hammer mates on one of places: whoever covers need, then the
// way.
static bool complete(const Scene *scene, int hammer, ChessKind kind, int target, uint64_t places,
                     uint64_t need, Plan *plan) {
    const uint64_t hammer_bit = bit(hammer);
    uint64_t occupied = scene->occupied;
    uint64_t own = scene->own;
    plan->count = 0;
    plan->king_target = (uint8_t)target;
    plan->quiet = 0;
    plan->path = 0;
    plan->actors = hammer_bit;
    if (need != 0) {
        Walk walk;
        const int helper = find_helper(scene, own & ~hammer_bit, target, places, need, &walk);
        if (helper < 0)
            return false;
        const ChessKind helper_kind = chess_piece_kind(scene->pos->board[helper]);
        if (helper_kind == CHESS_PAWN)
            plan->moves[plan->count++] = plain(helper, walk.arrival);
        else
            add_walk(helper_kind, &walk, ~occupied | bit(helper), plan);
        occupied = (occupied & ~bit(helper)) | bit(walk.arrival);
        own = (own & ~bit(helper)) | bit(walk.arrival);
        plan->quiet = bit(walk.arrival);
        plan->actors |= bit(helper) | bit(walk.arrival);
    }
    Walk walk;
    const uint64_t open = ~occupied | hammer_bit;
    const uint64_t lines = attack_of(kind, target, ~open, scene->us);
    const uint64_t allowed = ~own & ~bit(scene->king);
    if (!find_walk(kind, hammer_bit, places, open, allowed & ~lines, 3, &walk) &&
        !find_walk(kind, hammer_bit, places, open, allowed, 3, &walk))
        return false;
    plan->quiet |= bit(walk.arrival);
    plan->hammer = (uint8_t)kind;
    plan->place = (uint8_t)walk.arrival;
    add_walk(kind, &walk, open, plan);
    return true;
}

static uint64_t guards_of(const Scene *scene, uint64_t place, uint64_t occupied) {
    const ChessPosition *pos = scene->pos;
    const int square = lowest(place);
    const uint64_t queens = pos->kinds[CHESS_QUEEN];
    return scene->their &
           ((knight_attacks(place) & pos->kinds[CHESS_KNIGHT]) |
            (pawn_attacks(place, scene->us) & pos->kinds[CHESS_PAWN]) |
            (rook_attacks(square, occupied) & (pos->kinds[CHESS_ROOK] | queens)) |
            (bishop_attacks(square, occupied) & (pos->kinds[CHESS_BISHOP] | queens)));
}

// Whether each guard has somewhere to go from where he no longer attacks place.
static bool guards_can_go(const Scene *scene, uint64_t guards, uint64_t place) {
    while (guards != 0) {
        const int from = take_lowest(&guards);
        const ChessKind kind = chess_piece_kind(scene->pos->board[from]);
        const uint64_t occupied = scene->occupied & ~bit(from);
        const uint64_t attackers = kind == CHESS_KNIGHT
                                       ? knight_attacks(place)
                                       : attack_of(kind, lowest(place), occupied, scene->them);
        if ((attack_of(kind, from, scene->occupied, scene->them) & ~scene->occupied & ~attackers) ==
            0)
            return false;
    }
    return true;
}

typedef struct Idea {
    uint64_t places;
    uint64_t need;
    uint64_t guards;
    int worth; // smaller is better
} Idea;

static void add_idea(Idea *ideas, int *count, Idea idea) {
    int at = (*count)++;
    while (at > 0 && ideas[at - 1].worth > idea.worth) {
        ideas[at] = ideas[at - 1];
        at--;
    }
    ideas[at] = idea;
}

// Queen or rook beside the king or on a line with him.
static bool try_hammer(const Scene *scene, const Track *track, int *attempts, Plan *plan,
                       int hammer, ChessKind kind, int target, uint64_t only, uint32_t *size) {
    const ChessPosition *pos = scene->pos;
    const uint64_t hammer_bit = bit(hammer);
    const uint64_t ring = king_attacks(bit(target));
    const uint64_t others = scene->own & ~hammer_bit;
    const uint64_t occupied = scene->occupied & ~hammer_bit & ~bit(target) & ~bit(scene->king);
    const uint64_t our_king = pos->kinds[CHESS_KING] & scene->own;
    const uint64_t support =
        dead_attacks_of(pos, others, scene->us, ~occupied) | king_attacks(our_king);
    const uint64_t their = scene->their & ~bit(scene->king);
    Idea ideas[16];
    int count = 0;
    uint64_t places = ring & ~others & only;
    if (kind == CHESS_ROOK)
        places &= orthogonal_steps(bit(target));
    while (places != 0) {
        const uint64_t place = places & -places;
        places &= places - 1;
        Idea idea = { .places = place };
        if ((place & scene->their_attacks) != 0) {
            idea.guards = guards_of(scene, place, occupied);
            if ((idea.guards & pos->kinds[CHESS_PAWN]) != 0 ||
                !guards_can_go(scene, idea.guards, place))
                continue;
            idea.worth = 2 * dead_count(idea.guards);
        }
        uint64_t covered = near_rook(place, ~occupied) | support;
        if (kind == CHESS_QUEEN)
            covered |= near_bishop(place, ~occupied);
        idea.need = ring & ~(their & ~place & ~idea.guards) & ~place & ~covered;
        idea.need |= place & ~support;
        const int needs = dead_count(idea.need);
        if (needs > 3)
            continue;
        idea.worth += 2 * needs;
        add_idea(ideas, &count, idea);
    }
    // From further away, where nobody can step between.
    const uint64_t clear = ~occupied & ~scene->their_attacks;
    for (int axis = 0; axis < 2; axis++) {
        const uint64_t line = axis == 0 ? rank_of(target) : file_of(target);
        const uint64_t far = line_attacks(target, line, ~clear) & clear & ~ring & only;
        Idea idea = { .places = far, .need = ring & ~line & ~their & ~support };
        const int needs = dead_count(idea.need);
        if (far == 0 || needs > 3)
            continue;
        idea.worth = 1 + 2 * needs;
        add_idea(ideas, &count, idea);
    }
    for (int i = 0; i < count && i < 5; i++) {
        plan->guards = ideas[i].guards;
        if (!complete(scene, hammer, kind, target, ideas[i].places, ideas[i].need, plan))
            continue;
        if ((*attempts)-- <= 0)
            return false;
        if (dead_play(track, plan, size))
            return true;
    }
    return false;
}

static bool try_target(const Scene *scene, const Track *track, int *attempts, Plan *plan,
                       int target, uint32_t *size) {
    uint64_t queens = scene->pos->kinds[CHESS_QUEEN] & scene->own;
    if (queens != 0 && try_hammer(scene, track, attempts, plan, lowest(queens), CHESS_QUEEN, target,
                                  ANYWHERE, size))
        return true;
    uint64_t rooks = scene->pos->kinds[CHESS_ROOK] & scene->own;
    for (int tries = 0; rooks != 0 && tries < 2; tries++)
        if (try_hammer(scene, track, attempts, plan, take_lowest(&rooks), CHESS_ROOK, target,
                       ANYWHERE, size))
            return true;
    return false;
}

static Scene look_at(const Track *track) {
    const ChessPosition *pos = &track->pos;
    Scene scene = { .pos = pos, .us = track->us, .them = track->them };
    scene.own = pos->colors[scene.us];
    scene.their = pos->colors[scene.them];
    scene.occupied = pos->kinds[0];
    const uint64_t king = pos->kinds[CHESS_KING] & scene.their;
    scene.king = lowest(king);
    scene.their_attacks =
        dead_attacks_of(pos, scene.their & ~king, scene.them, ~pos->kinds[0] | king);
    return scene;
}

bool dead_plan_again(const Track *track, Plan *plan, uint32_t *count) {
    const Scene scene = look_at(track);
    const uint64_t only = bit(plan->place);
    const ChessKind kind = (ChessKind)plan->hammer;
    if (scene.king != plan->king_target)
        return false;
    int attempts = 2;
    uint64_t hammers = scene.pos->kinds[kind] & scene.own;
    for (int tries = 0; hammers != 0 && tries < 2; tries++)
        if (try_hammer(&scene, track, &attempts, plan, take_lowest(&hammers), kind, scene.king,
                       only, count))
            return true;
    return false;
}

bool dead_plan_and_play(const Track *track, int *attempts, Plan *plan, uint32_t *size) {
    const ChessPosition *pos = &track->pos;
    const Scene scene = look_at(track);
    const uint64_t king = pos->kinds[CHESS_KING] & scene.their;
    if (try_target(&scene, track, attempts, plan, scene.king, size))
        return true;
    // Somewhere else on the edge, where there is room to walk.
    if (dead_count(scene.their) > CROWD)
        return false;
    const uint64_t attacked = dead_attacks_of(pos, scene.own, scene.us, ~pos->kinds[0] | king) |
                              king_attacks(pos->kinds[CHESS_KING] & scene.own);
    const uint64_t allowed = ~pos->kinds[0] & ~attacked;
    uint64_t seen = king;
    uint64_t layer = king;
    int tries = 0;
    for (int i = 0; i < 5 && layer != 0; i++) {
        layer = king_attacks(layer) & allowed & ~seen;
        seen |= layer;
        uint64_t targets = layer & EDGE;
        while (targets != 0) {
            if (++tries > 4 || *attempts <= 0)
                return false;
            if (try_target(&scene, track, attempts, plan, take_lowest(&targets), size))
                return true;
        }
    }
    return false;
}
