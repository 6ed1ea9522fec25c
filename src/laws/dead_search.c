// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for a helpmate, best guess first, through every position that can be reached. Each position
// is held once; positions that a static rule settles are leaves. When nothing is left to look at,
// every line has been followed to its end and none mates: that is the proof.
//
// Most positions are settled by the first few moves of each on the way, so a position gives only a
// batch of its moves at a time and goes back into the queue with the rest.
#include "laws/dead_search.h"

#define BATCH 4
#define BATCH_COST 4
// The blockade rule costs as much as dozens of positions: it is asked only when the search is not a
// short one.
#define PATIENCE 400
// After so many positions a second guess has a share in the choice: one of so many.
#define LONG 500
#define SHARE 2

void dead_search_init(DeadSearch *search, const ChessPosition *root, ChessColor winner,
                      void *memory, size_t size) {
    search->root = *root;
    search->winner = winner;
    search->looked_at = 0;
    search->met_twice = false;
    search->is_long = false;
    search->turn = 0;
    search->is_full = !dead_table_init(&search->table, memory, size);
    search->mating_move = CHESS_NO_MOVE;
    uint32_t index;
    if (!search->is_full && dead_table_add(&search->table, root, &index) == DEAD_ADDED) {
        DeadNode *node = &search->table.nodes[index];
        node->parent = DEAD_NO_NODE;
        node->move = CHESS_NO_MOVE;
        node->batches = 0;
        node->fresh = 0;
        node->score[0] = node->score[1] = 0;
        dead_table_push(&search->table, 0, index);
    }
}

// A guess at the worth of a move that looks at the move alone.
static int promise(const ChessPosition *pos, ChessColor winner, ChessMove move, uint64_t offered,
                   uint64_t ring) {
    const int from = chess_move_from(move);
    const uint64_t to = bit(chess_move_to(move));
    const ChessKind kind = chess_piece_kind(pos->board[from]);
    int worth = 0;
    if (pos->side_to_move == winner) {
        if ((pos->kinds[0] & to) != 0)
            worth += 60;
        if (kind == CHESS_PAWN)
            worth += 20 + 2 * (winner == CHESS_WHITE ? from >> 3 : 7 - (from >> 3));
        if ((king_attacks(to) & ring) != 0)
            worth += 5;
    } else {
        if ((pos->kinds[0] & to) != 0)
            worth -= 30;
        if (kind == CHESS_KING)
            worth += 30 * (dead_edge_distance(from) - dead_edge_distance(chess_move_to(move)));
        else if ((offered & to) != 0)
            worth += 20;
    }
    if (chess_move_promotion(move) != CHESS_NO_KIND)
        worth += 8 * (int)chess_move_promotion(move);
    return worth;
}

// The moves in the order of their promise, as far as the batch that is due.
static int choose_batch(const ChessPosition *pos, ChessColor winner, ChessMoveList *list,
                        int batches) {
    int worth[CHESS_MOVES_MAX];
    uint64_t offered = 0;
    uint64_t ring = 0;
    if (pos->side_to_move == winner)
        ring = king_attacks(pos->kinds[CHESS_KING] & pos->colors[chess_other(winner)]);
    else
        offered = dead_attacks_of(pos, pos->colors[winner], winner, ~pos->kinds[0]) |
                  king_attacks(pos->kinds[CHESS_KING] & pos->colors[winner]);
    for (int i = 0; i < list->count; i++)
        worth[i] = promise(pos, winner, list->moves[i], offered, ring);
    int end = (batches + 1) * BATCH;
    if (end > list->count)
        end = list->count;
    for (int i = 0; i < end; i++) {
        int best = i;
        for (int j = i + 1; j < list->count; j++)
            if (worth[j] > worth[best])
                best = j;
        const ChessMove move = list->moves[best];
        // All up to count are written. NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
        const int value = worth[best];
        list->moves[best] = list->moves[i];
        worth[best] = worth[i];
        list->moves[i] = move;
        worth[i] = value;
    }
    return end;
}

// How often the like of the position was met before: what has the same pawns and the same men. A
// guess by which nothing new is left unseen for long.
static uint16_t familiarity(DeadSearch *search, const ChessPosition *pos) {
    uint64_t mixed = pos->kinds[CHESS_PAWN] & pos->colors[CHESS_WHITE];
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= pos->kinds[CHESS_PAWN] & pos->colors[CHESS_BLACK];
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed ^= chess_material_key(pos);
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x94d049bb133111eb);
    const uint32_t seen = search->visits[mixed >> 55]++;
    return (uint16_t)(seen < 4 * DEAD_BUCKETS ? seen >> 2 : DEAD_BUCKETS - 1);
}

// From now on a part of the positions is chosen by another guess, in case the first leads astray.
static void begin_second_queue(DeadSearch *search) {
    DeadTable *table = &search->table;
    search->is_long = true;
    dead_table_clear_queue(table, 1);
    jd_zero(search->visits, sizeof search->visits);
    for (uint32_t index = 0; index < table->count; index++) {
        DeadNode *node = &table->nodes[index];
        if (node->batches == DEAD_ALL_TRIED)
            continue;
        ChessPosition pos;
        dead_table_read(node, &search->root, &pos);
        node->score[1] = familiarity(search, &pos);
        dead_table_push(table, 1, index);
    }
}

static bool find_mate(DeadSearch *search, const ChessPosition *pos, const ChessMoveList *list) {
    for (int i = 0; i < list->count; i++) {
        if (!chess_move_gives_check(pos, list->moves[i]))
            continue;
        ChessPosition after = *pos;
        chess_move_make(&after, list->moves[i], NULL);
        if (!chess_has_legal_move(&after)) {
            search->mating_move = list->moves[i];
            return true;
        }
    }
    return false;
}

DeadVerdict dead_search_run(DeadSearch *search, uint64_t nodes) {
    DeadTable *table = &search->table;
    const ChessColor winner = search->winner;
    while (!search->is_full && search->looked_at < nodes) {
        if (!search->is_long && search->looked_at > LONG)
            begin_second_queue(search);
        const int queue = search->is_long && search->turn++ % SHARE == 0 ? 1 : 0;
        uint32_t at = dead_table_pop(table, queue);
        if (at == DEAD_NO_NODE && queue == 1)
            at = dead_table_pop(table, 0);
        if (at == DEAD_NO_NODE)
            return DEAD_IMPOSSIBLE;
        if (table->nodes[at].batches == DEAD_ALL_TRIED)
            continue;
        ChessPosition pos;
        dead_table_read(&table->nodes[at], &search->root, &pos);
        const int batches = table->nodes[at].batches;
        ChessMoveList list;
        chess_moves_generate(&pos, &list);
        if (batches == 0) {
            if (pos.side_to_move == winner && find_mate(search, &pos, &list)) {
                search->last = at;
                return DEAD_POSSIBLE;
            }
            if (table->nodes[at].fresh && search->looked_at > PATIENCE &&
                dead_is_blocked(&pos, winner))
                continue;
        }
        const int end = choose_batch(&pos, winner, &list, batches);
        for (int i = batches * BATCH; i < end; i++) {
            const ChessMove move = list.moves[i];
            const bool fresh = (pos.kinds[0] & bit(chess_move_to(move))) != 0 ||
                               chess_piece_kind(pos.board[chess_move_from(move)]) == CHESS_PAWN;
            ChessPosition after = pos;
            chess_move_make(&after, move, NULL);
            search->looked_at++;
            if (fresh && dead_is_material(&after, winner))
                continue;
            uint32_t index;
            const DeadAdded added = dead_table_add(table, &after, &index);
            if (added == DEAD_TABLE_FULL) {
                search->is_full = true;
                return DEAD_UNKNOWN;
            }
            if (added == DEAD_WAS_THERE) {
                search->met_twice = true;
                continue;
            }
            DeadNode *node = &table->nodes[index];
            node->parent = at;
            node->move = move;
            node->batches = 0;
            node->fresh = fresh;
            node->score[0] = (uint16_t)dead_estimate(&after, winner);
            dead_table_push(table, 0, index);
            if (search->is_long) {
                node->score[1] = familiarity(search, &after);
                dead_table_push(table, 1, index);
            }
        }
        DeadNode *node = &table->nodes[at];
        if (end == list.count) {
            node->batches = DEAD_ALL_TRIED;
        } else {
            node->batches++;
            node->score[queue] += BATCH_COST;
            dead_table_push(table, queue, at);
        }
    }
    return DEAD_UNKNOWN;
}

// A node on the way to the mate: fresh says so, next[0] is the following one, next[1] counts.
#define ON_THE_WAY 2

static void mark_way(DeadSearch *search) {
    DeadNode *nodes = search->table.nodes;
    uint32_t size = 0;
    for (uint32_t at = search->last; at != DEAD_NO_NODE; at = nodes[at].parent)
        size++;
    uint32_t next = DEAD_NO_NODE;
    for (uint32_t at = search->last; at != DEAD_NO_NODE; at = nodes[at].parent) {
        nodes[at].next[0] = next;
        nodes[at].next[1] = --size;
        nodes[at].fresh = ON_THE_WAY;
        next = at;
    }
}

// Which squares are occupied in the positions on the way, roughly: what is not in it is none of
// them.
#define WAY_BITS 12
typedef struct WayFilter {
    uint64_t words[(1 << WAY_BITS) / 64];
} WayFilter;

static uint32_t filter_bit(uint64_t occupied) {
    return (uint32_t)((occupied * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - WAY_BITS));
}

static void fill_filter(const DeadSearch *search, WayFilter *filter) {
    const DeadNode *nodes = search->table.nodes;
    jd_zero(filter, sizeof *filter);
    for (uint32_t at = 0; at != DEAD_NO_NODE; at = nodes[at].next[0]) {
        const uint32_t slot = filter_bit(nodes[at].occupied);
        filter->words[slot >> 6] |= UINT64_C(1) << (slot & 63);
    }
}

static bool may_be_on_the_way(const WayFilter *filter, const ChessPosition *pos, ChessMove move) {
    const uint64_t from = bit(chess_move_from(move));
    const uint64_t to = bit(chess_move_to(move));
    // Castling, and what may be a capture en passant, occupy more or less than that.
    const bool is_odd = chess_move_is_castling(move) ||
                        ((pos->kinds[CHESS_PAWN] & from) != 0 && pos->ep_is_legal != 0);
    const uint32_t slot = filter_bit((pos->kinds[0] & ~from) | to);
    return is_odd || (filter->words[slot >> 6] >> (slot & 63) & 1) != 0;
}

// A search that dives comes by roundabout ways: from each position on the way goes straight to the
// last one that can be reached in one move.
static void straighten_way(DeadSearch *search) {
    DeadNode *nodes = search->table.nodes;
    WayFilter filter;
    fill_filter(search, &filter);
    for (uint32_t at = 0; at != search->last; at = nodes[at].next[0]) {
        ChessPosition pos;
        dead_table_read(&nodes[at], &search->root, &pos);
        ChessMoveList list;
        chess_moves_generate(&pos, &list);
        for (int i = 0; i < list.count; i++) {
            if (!may_be_on_the_way(&filter, &pos, list.moves[i]))
                continue;
            ChessPosition after = pos;
            chess_move_make(&after, list.moves[i], NULL);
            const uint32_t found = dead_table_find(&search->table, &after);
            if (found != DEAD_NO_NODE && nodes[found].fresh == ON_THE_WAY &&
                nodes[found].next[1] > nodes[nodes[at].next[0]].next[1]) {
                nodes[at].next[0] = found;
                nodes[found].move = list.moves[i];
            }
        }
    }
}

uint32_t dead_search_verify(DeadSearch *search) {
    mark_way(search);
    straighten_way(search);
    const DeadNode *nodes = search->table.nodes;
    ChessPosition pos = search->root;
    uint32_t size = 1;
    for (uint32_t at = nodes[0].next[0]; at != DEAD_NO_NODE; at = nodes[at].next[0]) {
        JD_ASSERT(chess_move_is_legal(&pos, nodes[at].move));
        chess_move_make(&pos, nodes[at].move, NULL);
        size++;
    }
    JD_ASSERT(chess_move_is_legal(&pos, search->mating_move));
    chess_move_make(&pos, search->mating_move, NULL);
    JD_ASSERT(chess_is_checkmate(&pos));
    return size;
}

void dead_search_write(const DeadSearch *search, ChessMove *line, uint32_t capacity) {
    const DeadNode *nodes = search->table.nodes;
    uint32_t plies = 0;
    for (uint32_t at = nodes[0].next[0]; at != DEAD_NO_NODE && plies < capacity;
         at = nodes[at].next[0])
        line[plies++] = nodes[at].move;
    if (plies < capacity)
        line[plies] = search->mating_move;
}
