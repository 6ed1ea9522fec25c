// SPDX-License-Identifier: GPL-3.0-or-later
//
// Legal moves (Article 3) straight from pin and check masks: what is generated is legal, nothing is
// made to be tested. Included once by each variant (movegen_any.c, movegen_v3.c), which names its
// functions with VARIANT. Colour is a constant in every inlined body below.
#include "chess/make.h"
#include "chess/perft_memory.h"
#include "chess/rays.h"
#include "chess/variants.h"

// What both listing and counting need to know.
typedef struct Survey {
    uint64_t own;
    uint64_t their;
    uint64_t empty;
    uint64_t pawns;  // own
    uint64_t danger; // squares the king may not step on
    // Where a move of a piece other than the king is allowed and answers the check; none if double.
    uint64_t targets;
    uint64_t pinned;
    // For each direction: all squares but those of pieces pinned on another axis.
    Rays free;
    // Own rooks and queens on files and ranks, bishops and queens on diagonals, as far as free.
    Rays sliders;
    Flow flow;
    int king;
    bool in_check;
} Survey;

typedef struct Evasion {
    uint64_t targets;
    uint64_t behind; // squares that the king still shields from the checkers
} Evasion;

// Seldom needed, and kept out of the way of what is always needed.
static JD_NOINLINE Evasion evasion(const ChessPosition *pos, ChessColor us, int king) {
    const uint64_t their = pos->colors[chess_other(us)];
    const uint64_t on_lines =
        ((rook_attacks(king, pos->kinds[0]) & (pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN])) |
         (bishop_attacks(king, pos->kinds[0]) &
          (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN]))) &
        their;
    const uint64_t checkers =
        on_lines | (((chess_knight_attacks[king] & pos->kinds[CHESS_KNIGHT]) |
                     (chess_pawn_attacks[us][king] & pos->kinds[CHESS_PAWN])) &
                    their);
    Evasion answer = { 0, 0 };
    if (!has_two(checkers))
        answer.targets = checkers | (on_lines != 0 ? between(king, lowest(checkers)) : 0);
    for (uint64_t left = on_lines; left != 0;)
        answer.behind |= line_through(king, take_lowest(&left));
    answer.behind &= ~on_lines;
    return answer;
}

JD_ALWAYS_INLINE Survey survey(const ChessPosition *pos, ChessColor us) {
    const ChessColor them = chess_other(us);
    Survey s;
    s.own = pos->colors[us];
    s.their = pos->colors[them];
    s.empty = ~pos->kinds[0];
    s.pawns = pos->kinds[CHESS_PAWN] & s.own;
    const uint64_t king_set = pos->kinds[CHESS_KING] & s.own;
    s.king = lowest(king_set);

    const Rays own = rays_all(pos->colors[us]);
    const Rays their = rays_all(pos->colors[them]);
    const Rays lines = rays_or(rays_lines(pos->kinds[CHESS_ROOK], pos->kinds[CHESS_BISHOP]),
                               rays_all(pos->kinds[CHESS_QUEEN]));
    s.flow = flow_around(pos->kinds[0]);
    s.sliders = rays_and(lines, own);
    const Rays seen = rays_slide(rays_and(lines, their), &s.flow);
    const Rays king_sees = rays_slide(rays_and(rays_all(pos->kinds[CHESS_KING]), own), &s.flow);
    // A piece seen from the king and, from the other side, from a slider is pinned on that axis.
    const Rays pins = rays_and(rays_and(own, king_sees), rays_opposite(seen));
    // Most positions have none: predicted so, nothing below waits for the answer.
    s.pinned = 0;
    s.free = rays_all(~UINT64_C(0));
    if (JD_UNLIKELY(rays_any(pins))) {
        s.pinned = rays_union(pins);
        s.free = rays_or(rays_or(pins, rays_opposite(pins)), rays_all(~s.pinned));
        s.sliders = rays_and(s.sliders, s.free);
    }

    const Rays king_and_pawns =
        rays_and(rays_or(rays_all(pos->kinds[CHESS_KING]),
                         rays_captures(rays_all(pos->kinds[CHESS_PAWN]), them)),
                 their);
    const Rays knights = rays_and(rays_all(pos->kinds[CHESS_KNIGHT]), their);
    s.danger = rays_union(rays_or(rays_or(seen, rays_step(king_and_pawns)), rays_knights(knights)));
    s.in_check = (s.danger & king_set) != 0;
    s.targets = ~s.own;
    if (JD_UNLIKELY(s.in_check)) {
        const Evasion answer = evasion(pos, us, s.king);
        s.targets = answer.targets;
        s.danger |= answer.behind;
    }
    return s;
}

// Pawn moves as sets of arrival squares, one set for each step.
typedef struct PawnMoves {
    uint64_t one;
    uint64_t two;
    uint64_t west;
    uint64_t east;
} PawnMoves;

JD_ALWAYS_INLINE PawnMoves pawn_moves(const Survey *s, ChessColor us) {
    const int west_axis = us == CHESS_WHITE ? 3 : 1;
    const int east_axis = us == CHESS_WHITE ? 1 : 3;
    const uint64_t steps = s->pawns & rays_lane(s->free, 0);
    const uint64_t west = s->pawns & rays_lane(s->free, west_axis);
    const uint64_t east = s->pawns & rays_lane(s->free, east_axis);
    PawnMoves moves;
    moves.one = forward(steps, us) & s->empty;
    moves.two =
        forward(moves.one & (us == CHESS_WHITE ? RANK_3 : RANK_6), us) & s->empty & s->targets;
    moves.one &= s->targets;
    moves.west = pawns_attack_west(west, us) & s->their & s->targets;
    moves.east = pawns_attack_east(east, us) & s->their & s->targets;
    return moves;
}

// Castling to one side (Article 3.8.2); the king is not in check. In Chess960 the rook may be
// pinned.
JD_ALWAYS_INLINE bool can_castle(const ChessPosition *pos, const Survey *s, ChessColor us,
                                 bool kingside) {
    if ((pos->castling_rights & castling_right(us, kingside)) == 0)
        return false;
    const int home = home_of(us);
    if (!pos->is_chess960) {
        const uint64_t vacant = UINT64_C(0x60) << home;
        const uint64_t vacant_long = UINT64_C(0x0e) << home;
        const uint64_t crossed_long = UINT64_C(0x0c) << home;
        return kingside ? (vacant & (~s->empty | s->danger)) == 0
                        : ((vacant_long & ~s->empty) | (crossed_long & s->danger)) == 0;
    }
    const int rook = home + pos->rook_files[kingside];
    const int king_to = castling_king_to(home, kingside);
    const int rook_to = castling_rook_to(home, kingside);
    const uint64_t king_path = between(s->king, king_to) | bit(king_to);
    const uint64_t rook_path = between(rook, rook_to) | bit(rook_to);
    const uint64_t blockers = ~s->empty & ~bit(s->king) & ~bit(rook);
    return ((king_path | rook_path) & blockers) == 0 && (king_path & s->danger) == 0 &&
           (s->pinned & bit(rook)) == 0;
}

JD_ALWAYS_INLINE int count_moves(const ChessPosition *pos, ChessColor us) {
    const Survey s = survey(pos, us);
    const unsigned king_moves =
        (unsigned)count_bits(chess_king_attacks[s.king] & ~s.own & ~s.danger);
    if (JD_UNLIKELY(s.targets == 0))
        return (int)king_moves;

    // A slider and a pawn never reach the same square in the same direction: it would have to pass
    // it.
    const Rays sliders = rays_slide(s.sliders, &s.flow);
    const Rays captures = rays_and(
        rays_captures(rays_step(rays_and(rays_all(s.pawns), s.free)), us), rays_all(s.their));
    unsigned count = rays_count(rays_and(rays_or(sliders, captures), rays_all(s.targets)));
    const uint64_t one = forward(s.pawns & rays_lane(s.free, 0), us) & s.empty;
    const uint64_t two = forward(one & (us == CHESS_WHITE ? RANK_3 : RANK_6), us) & s.empty;
    count += (unsigned)(count_bits(one & s.targets) + count_bits(two & s.targets));
    if (JD_UNLIKELY((s.pawns & (us == CHESS_WHITE ? RANK_7 : RANK_2)) != 0)) {
        const uint64_t last = (us == CHESS_WHITE ? RANK_8 : RANK_1) & s.targets;
        count +=
            3 * ((unsigned)count_bits(one & last) + rays_count(rays_and(captures, rays_all(last))));
    }
    for (uint64_t knights = pos->kinds[CHESS_KNIGHT] & s.own & ~s.pinned; knights != 0;)
        count += (unsigned)count_bits(chess_knight_attacks[take_lowest(&knights)] & s.targets);
    if (JD_UNLIKELY(pos->ep_is_legal))
        count += (unsigned)count_bits(ep_capturers(pos, us, pos->ep_target));
    if ((pos->castling_rights & (us == CHESS_WHITE ? 3 : 12)) != 0 && !s.in_check)
        count += (unsigned)can_castle(pos, &s, us, true) + can_castle(pos, &s, us, false);
    return (int)(count + king_moves);
}

JD_ALWAYS_INLINE ChessMove *list_targets(ChessMove *at, int from, uint64_t targets) {
    while (targets != 0)
        *at++ = move_of(from, take_lowest(&targets), MOVE_PLAIN);
    return at;
}

// Pawn moves that arrive on targets, each having come by step.
JD_ALWAYS_INLINE ChessMove *list_steps(ChessMove *at, uint64_t targets, int step, int type) {
    while (targets != 0) {
        const int to = take_lowest(&targets);
        *at++ = move_of(to - step, to, type);
    }
    return at;
}

JD_ALWAYS_INLINE ChessMove *list_promotions(ChessMove *at, uint64_t targets, int step) {
    while (targets != 0) {
        const int to = take_lowest(&targets);
        for (int type = promotion_type(CHESS_QUEEN); type >= promotion_type(CHESS_KNIGHT); type--)
            *at++ = move_of(to - step, to, type);
    }
    return at;
}

JD_ALWAYS_INLINE ChessMove *list_pawns(ChessMove *at, const Survey *s, ChessColor us) {
    const PawnMoves pawns = pawn_moves(s, us);
    const uint64_t last_rank = us == CHESS_WHITE ? RANK_8 : RANK_1;
    const int step = us == CHESS_WHITE ? 8 : -8;
    if (((pawns.one | pawns.west | pawns.east) & last_rank) != 0) {
        at = list_promotions(at, pawns.west & last_rank, step - 1);
        at = list_promotions(at, pawns.east & last_rank, step + 1);
        at = list_promotions(at, pawns.one & last_rank, step);
    }
    at = list_steps(at, pawns.west & ~last_rank, step - 1, MOVE_PLAIN);
    at = list_steps(at, pawns.east & ~last_rank, step + 1, MOVE_PLAIN);
    at = list_steps(at, pawns.one & ~last_rank, step, MOVE_PLAIN);
    return list_steps(at, pawns.two, 2 * step, MOVE_DOUBLE_STEP);
}

JD_ALWAYS_INLINE ChessMove *list_moves(const ChessPosition *pos, ChessColor us, ChessMove *at) {
    const Survey s = survey(pos, us);
    if (s.targets != 0) {
        at = list_pawns(at, &s, us);
        if (JD_UNLIKELY(pos->ep_is_legal))
            for (uint64_t capturers = ep_capturers(pos, us, pos->ep_target); capturers != 0;)
                *at++ = move_of(take_lowest(&capturers), pos->ep_target, MOVE_EN_PASSANT);
        for (uint64_t knights = pos->kinds[CHESS_KNIGHT] & s.own & ~s.pinned; knights != 0;) {
            const int from = take_lowest(&knights);
            at = list_targets(at, from, chess_knight_attacks[from] & s.targets);
        }
        const uint64_t occupied = ~s.empty;
        const uint64_t queens = pos->kinds[CHESS_QUEEN];
        for (uint64_t bishops = (pos->kinds[CHESS_BISHOP] | queens) & s.own; bishops != 0;) {
            const int from = take_lowest(&bishops);
            uint64_t targets = bishop_attacks(from, occupied) & s.targets;
            if (JD_UNLIKELY((s.pinned & bit(from)) != 0))
                targets &= line_through(s.king, from);
            at = list_targets(at, from, targets);
        }
        for (uint64_t rooks = (pos->kinds[CHESS_ROOK] | queens) & s.own; rooks != 0;) {
            const int from = take_lowest(&rooks);
            uint64_t targets = rook_attacks(from, occupied) & s.targets;
            if (JD_UNLIKELY((s.pinned & bit(from)) != 0))
                targets &= line_through(s.king, from);
            at = list_targets(at, from, targets);
        }
        if (!s.in_check)
            for (int kingside = 1; kingside >= 0; kingside--)
                if (can_castle(pos, &s, us, kingside != 0))
                    *at++ = move_of(s.king, home_of(us) + pos->rook_files[kingside], MOVE_CASTLING);
    }
    return list_targets(at, s.king, chess_king_attacks[s.king] & ~s.own & ~s.danger);
}

int VARIANT(chess_count)(const ChessPosition *pos) {
    return pos->side_to_move == CHESS_WHITE ? count_moves(pos, CHESS_WHITE)
                                            : count_moves(pos, CHESS_BLACK);
}

void VARIANT(chess_generate)(const ChessPosition *pos, ChessMoveList *out) {
    ChessMove *end = pos->side_to_move == CHESS_WHITE ? list_moves(pos, CHESS_WHITE, out->moves)
                                                      : list_moves(pos, CHESS_BLACK, out->moves);
    out->count = (int)(end - out->moves);
}

static uint64_t perft_white(const ChessPosition *pos, int depth, const PerftMemory *memory);
static uint64_t perft_black(const ChessPosition *pos, int depth, const PerftMemory *memory);

// Recursion is bounded by depth, which is at most CHESS_PERFT_DEPTH_MAX.
JD_ALWAYS_INLINE uint64_t perft_side(const ChessPosition *pos, ChessColor us, int depth,
                                     const PerftMemory *memory) {
    uint64_t nodes = 0;
    if (memory != NULL && perft_recall(memory, pos, depth, &nodes))
        return nodes;
    ChessMove moves[CHESS_MOVES_MAX];
    const ChessMove *end = list_moves(pos, us, moves);
    for (const ChessMove *move = moves; move < end; move++) {
        ChessPosition after = *pos;
        make_move(&after, *move, us);
        if (depth == 2)
            nodes += (uint64_t)count_moves(&after, us == CHESS_WHITE ? CHESS_BLACK : CHESS_WHITE);
        else
            nodes += us == CHESS_WHITE ? perft_black(&after, depth - 1, memory)
                                       : perft_white(&after, depth - 1, memory);
    }
    if (memory != NULL)
        perft_remember(memory, pos, depth, nodes);
    return nodes;
}

static uint64_t perft_white(const ChessPosition *pos, int depth, const PerftMemory *memory) {
    return perft_side(pos, CHESS_WHITE, depth, memory);
}
static uint64_t perft_black(const ChessPosition *pos, int depth, const PerftMemory *memory) {
    return perft_side(pos, CHESS_BLACK, depth, memory);
}

uint64_t VARIANT(chess_perft_deep)(const ChessPosition *pos, int depth, const PerftMemory *memory) {
    return pos->side_to_move == CHESS_WHITE ? perft_white(pos, depth, memory)
                                            : perft_black(pos, depth, memory);
}
