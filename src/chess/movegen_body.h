// SPDX-License-Identifier: GPL-3.0-or-later
//
// Legal moves (Article 3) straight from pin and check masks: what is generated is legal, nothing is
// made to be tested. Included once by each variant (movegen_any.c, movegen_v3.c), which names its
// functions with VARIANT. Colour is a constant in every inlined body below.
#include "chess/make.h"
#include "chess/perft_memory.h"
#include "chess/quad.h"
#include "chess/variants.h"

// What both listing and counting need to know.
typedef struct Survey {
    uint64_t own;
    uint64_t their;
    uint64_t empty;
    uint64_t pawns;  // own
    uint64_t danger; // attacked by the opponent, looking through the king
    uint64_t
        targets; // where a move of a piece other than the king answers the check; none if double
    uint64_t pinned;
    Quad pins; // pinned pieces by the axis they may still move on
    Flow flow;
    int king;
    bool in_check;
} Survey;

JD_ALWAYS_INLINE Quad sliders_of(const ChessPosition *pos, uint64_t side) {
    const uint64_t rooks = (pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN]) & side;
    const uint64_t bishops = (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN]) & side;
    return quad(rooks, bishops, rooks, bishops);
}

JD_ALWAYS_INLINE void survey_check(const ChessPosition *pos, ChessColor us, Quad sliders,
                                   Survey *s) {
    const uint64_t rooks = pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN];
    const uint64_t bishops = pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN];
    const uint64_t occupied = pos->kinds[0];
    const uint64_t on_lines = (rook_attacks(s->king, occupied) & rooks & s->their) |
                              (bishop_attacks(s->king, occupied) & bishops & s->their);
    const uint64_t checkers =
        on_lines | (chess_knight_attacks[s->king] & pos->kinds[CHESS_KNIGHT] & s->their) |
        (chess_pawn_attacks[us][s->king] & pos->kinds[CHESS_PAWN] & s->their);
    s->in_check = true;
    s->targets = 0;
    if (!has_two(checkers))
        s->targets = checkers | (on_lines != 0 ? between(s->king, lowest(checkers)) : 0);
    // The king does not hide behind itself: squares further down the line are attacked too.
    const Flow flow = flow_over(s->empty | bit(s->king));
    s->danger |= quad_union(quad_or(slide_up(sliders, &flow), slide_down(sliders, &flow)));
}

JD_ALWAYS_INLINE void survey(const ChessPosition *pos, ChessColor us, Survey *s) {
    const ChessColor them = chess_other(us);
    s->own = pos->colors[us];
    s->their = pos->colors[them];
    s->empty = ~pos->kinds[0];
    s->pawns = pos->kinds[CHESS_PAWN] & s->own;
    const uint64_t king_set = pos->kinds[CHESS_KING] & s->own;
    s->king = lowest(king_set);
    s->flow = flow_over(s->empty);

    const Quad sliders = sliders_of(pos, s->their);
    const Quad their_up = slide_up(sliders, &s->flow);
    const Quad their_down = slide_down(sliders, &s->flow);
    const Quad king_quad = quad_all(king_set);
    const Quad king_up = slide_up(king_quad, &s->flow);
    const Quad king_down = slide_down(king_quad, &s->flow);
    // A piece seen from the king and, from the other side, from a slider is pinned on that axis.
    s->pins = quad_and(quad_all(s->own),
                       quad_or(quad_and(king_up, their_down), quad_and(king_down, their_up)));
    s->pinned = quad_union(s->pins);

    const uint64_t their_pawns = pos->kinds[CHESS_PAWN] & s->their;
    s->danger = quad_union(quad_or(their_up, their_down)) | pawns_attack_west(their_pawns, them) |
                pawns_attack_east(their_pawns, them) |
                knights_attack(pos->kinds[CHESS_KNIGHT] & s->their) |
                chess_king_attacks[lowest(pos->kinds[CHESS_KING] & s->their)];
    s->in_check = false;
    s->targets = ~s->own;
    if (JD_UNLIKELY((s->danger & king_set) != 0))
        survey_check(pos, us, sliders, s);
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
    const uint64_t unpinned = s->pawns & ~s->pinned;
    const uint64_t steps = unpinned | (s->pawns & quad_lane(s->pins, 0));
    const uint64_t west = unpinned | (s->pawns & quad_lane(s->pins, west_axis));
    const uint64_t east = unpinned | (s->pawns & quad_lane(s->pins, east_axis));
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
    Survey s;
    survey(pos, us, &s);
    int count = count_bits(chess_king_attacks[s.king] & ~s.own & ~s.danger);
    if (JD_UNLIKELY(s.targets == 0))
        return count;

    const PawnMoves pawns = pawn_moves(&s, us);
    const uint64_t last_rank = us == CHESS_WHITE ? RANK_8 : RANK_1;
    count += count_bits(pawns.one) + count_bits(pawns.two) + count_bits(pawns.west) +
             count_bits(pawns.east);
    if (((pawns.one | pawns.west | pawns.east) & last_rank) != 0)
        count += 3 * (count_bits(pawns.one & last_rank) + count_bits(pawns.west & last_rank) +
                      count_bits(pawns.east & last_rank));
    if (JD_UNLIKELY(pos->ep_is_legal))
        count += count_bits(ep_capturers(pos, us, pos->ep_target));

    for (uint64_t knights = pos->kinds[CHESS_KNIGHT] & s.own & ~s.pinned; knights != 0;)
        count += count_bits(chess_knight_attacks[take_lowest(&knights)] & s.targets);

    // Each lane moves the pieces that are not pinned, or pinned on its own axis.
    const Quad free = quad_or(quad_all(~s.pinned), s.pins);
    const Quad sliders = quad_and(sliders_of(pos, s.own), free);
    const Quad targets = quad_all(s.targets);
    count += quad_count(quad_and(slide_up(sliders, &s.flow), targets));
    count += quad_count(quad_and(slide_down(sliders, &s.flow), targets));
    if (!s.in_check)
        count += can_castle(pos, &s, us, true) + can_castle(pos, &s, us, false);
    return count;
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
    Survey s;
    survey(pos, us, &s);
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
