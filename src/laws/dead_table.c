// SPDX-License-Identifier: GPL-3.0-or-later
#include "laws/dead_table.h"

#define SLOTS_MIN 256

// Codes of men: 0 to 5 white pawn to king, 6 to 11 black; and those who carry a right of the
// position.
enum {
    CODE_PAWN_JUST_PASSED = 12, // may be taken en passant; his rank tells his colour
    CODE_ROOK_TO_CASTLE = 13,   // his rank tells his colour
    CODE_KING_TO_MOVE = 14,     // the other king tells his colour
};

static void pack(const ChessPosition *pos, DeadNode *out) {
    const uint64_t kings = pos->kinds[CHESS_KING] & pos->colors[pos->side_to_move];
    uint64_t passed = 0;
    uint64_t rooks = 0;
    if (JD_UNLIKELY(pos->ep_is_legal))
        passed = bit(pos->ep_target ^ 8);
    if (JD_UNLIKELY(pos->castling_rights != 0))
        for (int i = 0; i < 4; i++)
            if ((pos->castling_rights >> i & 1) != 0)
                rooks |= bit((i < 2 ? 0 : 56) + pos->rook_files[(i & 1) == 0]);
    const uint64_t special = kings | passed | rooks;
    uint64_t words[2] = { 0, 0 };
    int at = 0;
    for (uint64_t left = pos->kinds[0]; left != 0; at += 4) {
        const int square = take_lowest(&left);
        const unsigned piece = pos->board[square];
        uint64_t code = (piece & 7) - 1 + (piece >> 3) * 6;
        if (JD_UNLIKELY((special >> square & 1) != 0))
            code = (kings >> square & 1) != 0    ? CODE_KING_TO_MOVE
                   : (passed >> square & 1) != 0 ? CODE_PAWN_JUST_PASSED
                                                 : CODE_ROOK_TO_CASTLE;
        words[at >> 6] |= code << (at & 63);
    }
    out->occupied = pos->kinds[0];
    out->men[0] = words[0];
    out->men[1] = words[1];
}

static void put(ChessPosition *pos, ChessColor color, ChessKind kind, int square) {
    pos->board[square] = chess_piece(color, kind);
    pos->kinds[kind] |= bit(square);
    pos->colors[color] |= bit(square);
}

void dead_table_read(const DeadNode *node, const ChessPosition *root, ChessPosition *out) {
    jd_zero(out, sizeof *out);
    out->ep_target = CHESS_NO_SQUARE;
    out->rook_files[0] = root->rook_files[0];
    out->rook_files[1] = root->rook_files[1];
    out->is_chess960 = root->is_chess960;
    out->fullmove_number = 1;
    int mover = 0;
    int at = 0;
    for (uint64_t left = node->occupied; left != 0; at += 4) {
        const int square = take_lowest(&left);
        const int code = (int)(node->men[at >> 6] >> (at & 63) & 15);
        if (code == CODE_KING_TO_MOVE) {
            mover = square;
        } else if (code == CODE_PAWN_JUST_PASSED) {
            put(out, square < 32 ? CHESS_WHITE : CHESS_BLACK, CHESS_PAWN, square);
            out->ep_target = (ChessSquare)(square ^ 8);
            out->ep_is_legal = 1;
        } else if (code == CODE_ROOK_TO_CASTLE) {
            const ChessColor color = square < 8 ? CHESS_WHITE : CHESS_BLACK;
            const bool kingside = (square & 7) == root->rook_files[1];
            put(out, color, CHESS_ROOK, square);
            out->castling_rights |= (uint8_t)((kingside ? 1U : 2U) << (2 * (unsigned)color));
        } else {
            put(out, code < 6 ? CHESS_WHITE : CHESS_BLACK, (ChessKind)(code % 6 + 1), square);
        }
    }
    const uint64_t other_king = out->kinds[CHESS_KING];
    out->side_to_move = (other_king & out->colors[CHESS_WHITE]) != 0 ? CHESS_BLACK : CHESS_WHITE;
    put(out, (ChessColor)out->side_to_move, CHESS_KING, mover);
    out->kinds[0] = node->occupied;
}

static uint32_t scatter(const DeadNode *node) {
    uint64_t mixed = (node->occupied ^ node->men[1]) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 32;
    mixed = (mixed ^ node->men[0]) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(mixed >> 32);
}

static bool same(const DeadNode *a, const DeadNode *b) {
    return a->occupied == b->occupied && a->men[0] == b->men[0] && a->men[1] == b->men[1];
}

// Twice as many slots as before, or the first ones. False when nodes stand in the way.
static bool grow(DeadTable *table) {
    const uint32_t slot_count = table->slot_count == 0 ? SLOTS_MIN : table->slot_count * 2;
    const size_t need = (size_t)slot_count * sizeof *table->slots;
    if ((size_t)(table->end - (unsigned char *)table->nodes) <
        need + (table->count + 1) * sizeof(DeadNode))
        return false;
    table->slots = (uint32_t *)(void *)(table->end - need);
    table->slot_count = slot_count;
    jd_zero(table->slots, need);
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t slot = scatter(&table->nodes[i]) & (slot_count - 1);
        while (table->slots[slot] != 0)
            slot = (slot + 1) & (slot_count - 1);
        table->slots[slot] = i + 1;
    }
    return true;
}

bool dead_table_init(DeadTable *table, void *memory, size_t size) {
    table->nodes = memory;
    table->end = (unsigned char *)memory + (size & ~(size_t)7);
    table->count = 0;
    table->slot_count = 0;
    table->slots = NULL;
    dead_table_clear_queue(table, 0);
    return memory != NULL && grow(table);
}

// The slot of a packed position, or the free one where it belongs.
static uint32_t slot_of(const DeadTable *table, const DeadNode *node) {
    uint32_t slot = scatter(node) & (table->slot_count - 1);
    while (table->slots[slot] != 0 && !same(&table->nodes[table->slots[slot] - 1], node))
        slot = (slot + 1) & (table->slot_count - 1);
    return slot;
}

DeadAdded dead_table_add(DeadTable *table, const ChessPosition *pos, uint32_t *index) {
    if (table->count >= table->slot_count / 4 * 3 && !grow(table))
        return DEAD_TABLE_FULL;
    DeadNode *node = &table->nodes[table->count];
    if ((unsigned char *)(node + 1) > (unsigned char *)table->slots)
        return DEAD_TABLE_FULL;
    pack(pos, node);
    const uint32_t slot = slot_of(table, node);
    if (table->slots[slot] != 0)
        return DEAD_WAS_THERE;
    *index = table->count;
    table->slots[slot] = ++table->count;
    return DEAD_ADDED;
}

uint32_t dead_table_find(const DeadTable *table, const ChessPosition *pos) {
    DeadNode node;
    pack(pos, &node);
    const uint32_t entry = table->slots[slot_of(table, &node)];
    return entry != 0 ? entry - 1 : DEAD_NO_NODE;
}

void dead_table_clear_queue(DeadTable *table, int queue) {
    table->lowest[queue] = DEAD_BUCKETS;
    for (int i = 0; i < DEAD_BUCKETS; i++)
        table->heads[queue][i] = DEAD_NO_NODE;
}

void dead_table_push(DeadTable *table, int queue, uint32_t index) {
    DeadNode *node = &table->nodes[index];
    const uint32_t score = node->score[queue];
    const uint32_t bucket = score < DEAD_BUCKETS ? score : DEAD_BUCKETS - 1;
    node->next[queue] = table->heads[queue][bucket];
    table->heads[queue][bucket] = index;
    if (bucket < table->lowest[queue])
        table->lowest[queue] = bucket;
}

uint32_t dead_table_pop(DeadTable *table, int queue) {
    uint32_t *lowest = &table->lowest[queue];
    while (*lowest < DEAD_BUCKETS && table->heads[queue][*lowest] == DEAD_NO_NODE)
        ++*lowest;
    if (*lowest == DEAD_BUCKETS)
        return DEAD_NO_NODE;
    const uint32_t index = table->heads[queue][*lowest];
    table->heads[queue][*lowest] = table->nodes[index].next[queue];
    return index;
}
