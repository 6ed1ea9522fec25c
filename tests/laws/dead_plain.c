// SPDX-License-Identifier: GPL-3.0-or-later
#include "dead_plain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_white(char piece) {
    return piece >= 'A' && piece <= 'Z';
}
static bool is_own(char piece, bool white) {
    return piece != '.' && is_white(piece) == white;
}
static bool on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static const int straight[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
static const int diagonal[4][2] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
static const int jumps[8][2] = { { 1, 2 },   { 2, 1 },   { 2, -1 }, { 1, -2 },
                                 { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };

// ---- attacks, moves -----------------------------------------------------------------------------

static char letter_at(const PlainBoard *board, int file, int rank) {
    return on_board(file, rank) ? board->at[rank * 8 + file] : ' ';
}

// Whether a man of that colour attacks the square.
static bool is_attacked(const PlainBoard *board, int square, bool by_white) {
    const int file = square % 8;
    const int rank = square / 8;
    const char *names = by_white ? "PNBRQK" : "pnbrqk";
    const int behind = by_white ? rank - 1 : rank + 1;
    if (letter_at(board, file - 1, behind) == names[0] ||
        letter_at(board, file + 1, behind) == names[0])
        return true;
    for (int i = 0; i < 8; i++)
        if (letter_at(board, file + jumps[i][0], rank + jumps[i][1]) == names[1])
            return true;
    for (int i = 0; i < 8; i++) {
        const int *step = i < 4 ? straight[i] : diagonal[i - 4];
        int f = file + step[0];
        int r = rank + step[1];
        if (letter_at(board, f, r) == names[5])
            return true;
        while (letter_at(board, f, r) == '.') {
            f += step[0];
            r += step[1];
        }
        const char met = letter_at(board, f, r);
        if (met == names[4] || met == names[i < 4 ? 3 : 2])
            return true;
    }
    return false;
}

static int king_of(const PlainBoard *board, bool white) {
    for (int square = 0; square < 64; square++)
        if (board->at[square] == (white ? 'K' : 'k'))
            return square;
    return -1;
}

bool plain_in_check(const PlainBoard *board, bool white) {
    return is_attacked(board, king_of(board, white), !white);
}

PlainBoard plain_after(const PlainBoard *board, PlainMove move) {
    PlainBoard after = *board;
    const char piece = board->at[move.from];
    const bool white = board->white;
    const int rank_step = white ? 8 : -8;
    after.passed = -1;
    after.at[move.from] = '.';
    after.at[move.to] = piece;
    if (move.promotion != 0)
        after.at[move.to] = white ? (char)toupper(move.promotion) : move.promotion;
    if (tolower(piece) == 'p') {
        if (move.from % 8 != move.to % 8 && board->at[move.to] == '.')
            after.at[move.to - rank_step] = '.'; // en passant
        if (move.to - move.from == 2 * rank_step) {
            // Only noted where an enemy pawn stands ready, so that equal positions compare equal.
            const char enemy = white ? 'p' : 'P';
            const int file = move.to % 8;
            const int rank = move.to / 8;
            if (letter_at(board, file - 1, rank) == enemy ||
                letter_at(board, file + 1, rank) == enemy)
                after.passed = move.from + rank_step;
        }
    }
    if (tolower(piece) == 'k') {
        if (move.to - move.from == 2 && move.from % 8 == 4) {
            after.at[move.from + 1] = after.at[move.from + 3];
            after.at[move.from + 3] = '.';
        } else if (move.from - move.to == 2 && move.from % 8 == 4) {
            after.at[move.from - 1] = after.at[move.from - 4];
            after.at[move.from - 4] = '.';
        }
        after.right[white ? 0 : 2] = false;
        after.right[white ? 1 : 3] = false;
    }
    static const int corners[4] = { 7, 0, 63, 56 };
    for (int i = 0; i < 4; i++)
        if (move.from == corners[i] || move.to == corners[i])
            after.right[i] = false;
    after.white = !white;
    return after;
}

typedef struct Listing {
    const PlainBoard *board;
    PlainMove *moves;
    int count;
} Listing;

static void try_move(Listing *list, int from, int to, char promotion) {
    const PlainMove move = { from, to, promotion };
    const PlainBoard after = plain_after(list->board, move);
    if (!plain_in_check(&after, list->board->white))
        list->moves[list->count++] = move;
}

static void try_pawn_arrival(Listing *list, int from, int to) {
    if (to / 8 == 0 || to / 8 == 7)
        for (const char *kind = "qrbn"; *kind != '\0'; kind++)
            try_move(list, from, to, *kind);
    else
        try_move(list, from, to, 0);
}

static void try_pawn(Listing *list, int from) {
    const PlainBoard *board = list->board;
    const int step = board->white ? 8 : -8;
    const int file = from % 8;
    if (board->at[from + step] == '.') {
        try_pawn_arrival(list, from, from + step);
        if (from / 8 == (board->white ? 1 : 6) && board->at[from + 2 * step] == '.')
            try_move(list, from, from + 2 * step, 0);
    }
    for (int side = -1; side <= 1; side += 2) {
        const int to = from + step + side;
        if (file + side < 0 || file + side > 7)
            continue;
        if (is_own(board->at[to], !board->white))
            try_pawn_arrival(list, from, to);
        else if (to == board->passed && board->at[to] == '.')
            try_move(list, from, to, 0);
    }
}

static void try_steps(Listing *list, int from, const int (*steps)[2], int count, bool far) {
    const PlainBoard *board = list->board;
    for (int i = 0; i < count; i++) {
        int file = from % 8 + steps[i][0];
        int rank = from / 8 + steps[i][1];
        while (on_board(file, rank)) {
            const char met = board->at[rank * 8 + file];
            if (is_own(met, board->white))
                break;
            try_move(list, from, rank * 8 + file, 0);
            if (met != '.' || !far)
                break;
            file += steps[i][0];
            rank += steps[i][1];
        }
    }
}

static void try_castling(Listing *list) {
    const PlainBoard *board = list->board;
    const bool white = board->white;
    const int king = white ? 4 : 60;
    const char rook = white ? 'R' : 'r';
    if (board->at[king] != (white ? 'K' : 'k') || is_attacked(board, king, !white))
        return;
    if (board->right[white ? 0 : 2] && board->at[king + 3] == rook && board->at[king + 1] == '.' &&
        board->at[king + 2] == '.' && !is_attacked(board, king + 1, !white))
        try_move(list, king, king + 2, 0);
    if (board->right[white ? 1 : 3] && board->at[king - 4] == rook && board->at[king - 1] == '.' &&
        board->at[king - 2] == '.' && board->at[king - 3] == '.' &&
        !is_attacked(board, king - 1, !white))
        try_move(list, king, king - 2, 0);
}

int plain_moves(const PlainBoard *board, PlainMove moves[PLAIN_MOVES_MAX]) {
    Listing list = { board, moves, 0 };
    for (int from = 0; from < 64; from++) {
        if (!is_own(board->at[from], board->white))
            continue;
        switch (tolower(board->at[from])) {
        case 'p':
            try_pawn(&list, from);
            break;
        case 'n':
            try_steps(&list, from, jumps, 8, false);
            break;
        case 'b':
            try_steps(&list, from, diagonal, 4, true);
            break;
        case 'r':
            try_steps(&list, from, straight, 4, true);
            break;
        case 'q':
            try_steps(&list, from, straight, 4, true);
            try_steps(&list, from, diagonal, 4, true);
            break;
        default:
            try_steps(&list, from, straight, 4, false);
            try_steps(&list, from, diagonal, 4, false);
        }
    }
    try_castling(&list);
    return list.count;
}

bool plain_is_mate(const PlainBoard *board) {
    PlainMove moves[PLAIN_MOVES_MAX];
    return plain_in_check(board, board->white) && plain_moves(board, moves) == 0;
}

uint64_t plain_perft(const PlainBoard *board, int depth) {
    PlainMove moves[PLAIN_MOVES_MAX];
    const int count = plain_moves(board, moves);
    if (depth <= 1)
        return depth == 1 ? (uint64_t)count : 1;
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        const PlainBoard after = plain_after(board, moves[i]);
        nodes += plain_perft(&after, depth - 1);
    }
    return nodes;
}

// ---- text ---------------------------------------------------------------------------------------

bool plain_read(const char *fen, PlainBoard *out) {
    memset(out, 0, sizeof *out);
    memset(out->at, '.', sizeof out->at);
    out->passed = -1;
    int file = 0;
    int rank = 7;
    for (; *fen != '\0' && *fen != ' '; fen++) {
        if (*fen == '/') {
            rank--;
            file = 0;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else if (strchr("PNBRQKpnbrqk", *fen) != NULL && on_board(file, rank)) {
            out->at[rank * 8 + file++] = *fen;
        } else {
            return false;
        }
    }
    if (*fen++ != ' ' || (*fen != 'w' && *fen != 'b'))
        return false;
    out->white = *fen++ == 'w';
    if (*fen++ != ' ')
        return false;
    for (; *fen != '\0' && *fen != ' '; fen++) {
        const char *found = strchr("KQkq", *fen);
        if (found != NULL)
            out->right[found - "KQkq"] = true;
    }
    while (*fen == ' ')
        fen++;
    if (fen[0] >= 'a' && fen[0] <= 'h' && fen[1] >= '1' && fen[1] <= '8')
        out->passed = (fen[1] - '1') * 8 + fen[0] - 'a';
    int kings[2] = { 0, 0 };
    for (int square = 0; square < 64; square++) {
        kings[0] += out->at[square] == 'K';
        kings[1] += out->at[square] == 'k';
    }
    return kings[0] == 1 && kings[1] == 1;
}

void plain_move_text(PlainMove move, char out[6]) {
    out[0] = (char)('a' + move.from % 8);
    out[1] = (char)('1' + move.from / 8);
    out[2] = (char)('a' + move.to % 8);
    out[3] = (char)('1' + move.to / 8);
    out[4] = move.promotion;
    out[5] = '\0';
}

bool plain_play(PlainBoard *board, const char *line) {
    while (*line == ' ')
        line++;
    while (*line != '\0') {
        const size_t size = strcspn(line, " ");
        PlainMove moves[PLAIN_MOVES_MAX];
        const int count = plain_moves(board, moves);
        int found = -1;
        for (int i = 0; i < count && found < 0; i++) {
            char text[6];
            plain_move_text(moves[i], text);
            if (strlen(text) == size && memcmp(text, line, size) == 0)
                found = i;
        }
        if (found < 0)
            return false;
        *board = plain_after(board, moves[found]);
        line += size;
        while (*line == ' ')
            line++;
    }
    return true;
}

// ---- every reachable position -------------------------------------------------------------------

// A position in 28 bytes: occupied squares, one nibble for each man in the order of the squares,
// and the rest. The letters of all men can be read back, so equal bytes are equal positions.
typedef struct Packed {
    uint64_t occupied;
    uint64_t men[2];
    uint16_t rest; // bit 0 side, bits 1 to 4 rights, bits 5 to 11 passed + 1
} Packed;

static Packed pack(const PlainBoard *board) {
    Packed packed;
    memset(&packed, 0, sizeof packed);
    int count = 0;
    for (int square = 0; square < 64; square++) {
        if (board->at[square] == '.')
            continue;
        const uint64_t code =
            (uint64_t)(strchr("PNBRQKpnbrqk", board->at[square]) - "PNBRQKpnbrqk");
        packed.occupied |= UINT64_C(1) << square;
        packed.men[count / 16] |= code << (4 * (count % 16));
        count++;
    }
    packed.rest = board->white;
    for (int i = 0; i < 4; i++)
        packed.rest = (uint16_t)(packed.rest | board->right[i] << (1 + i));
    packed.rest = (uint16_t)(packed.rest | (board->passed + 1) << 5);
    return packed;
}

static PlainBoard unpack(const Packed *packed) {
    PlainBoard board;
    memset(&board, 0, sizeof board);
    int count = 0;
    for (int square = 0; square < 64; square++) {
        board.at[square] = '.';
        if ((packed->occupied >> square & 1) != 0) {
            board.at[square] = "PNBRQKpnbrqk"[packed->men[count / 16] >> (4 * (count % 16)) & 15];
            count++;
        }
    }
    board.white = (packed->rest & 1) != 0;
    for (int i = 0; i < 4; i++)
        board.right[i] = (packed->rest >> (1 + i) & 1) != 0;
    board.passed = (packed->rest >> 5) - 1;
    return board;
}

static bool same(const Packed *a, const Packed *b) {
    return a->occupied == b->occupied && a->men[0] == b->men[0] && a->men[1] == b->men[1] &&
           a->rest == b->rest;
}

static uint64_t scatter(const Packed *packed) {
    uint64_t mixed = packed->occupied * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29 ^ packed->men[0]) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 32 ^ packed->men[1]) * UINT64_C(0x94d049bb133111eb);
    mixed = (mixed ^ mixed >> 31 ^ packed->rest) * UINT64_C(0x9e3779b97f4a7c15);
    return mixed ^ mixed >> 30;
}

typedef struct Walk {
    Packed *seen; // in the order of their discovery
    uint64_t count;
    uint64_t capacity;
    uint32_t *slots; // index + 1 into seen
    uint64_t slot_mask;
} Walk;

static bool grow(Walk *walk) {
    const uint64_t capacity = walk->capacity == 0 ? 1024 : walk->capacity * 2;
    Packed *seen = realloc(walk->seen, capacity * sizeof *seen);
    if (seen == NULL)
        return false;
    walk->seen = seen;
    uint32_t *slots = calloc(2 * capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    free(walk->slots);
    walk->slots = slots;
    walk->capacity = capacity;
    walk->slot_mask = 2 * capacity - 1;
    for (uint64_t i = 0; i < walk->count; i++) {
        uint64_t slot = scatter(&seen[i]) & walk->slot_mask;
        while (slots[slot] != 0)
            slot = (slot + 1) & walk->slot_mask;
        slots[slot] = (uint32_t)(i + 1);
    }
    return true;
}

static bool add(Walk *walk, const PlainBoard *board) {
    if (walk->count == walk->capacity && !grow(walk))
        return false;
    const Packed packed = pack(board);
    uint64_t slot = scatter(&packed) & walk->slot_mask;
    while (walk->slots[slot] != 0) {
        if (same(&walk->seen[walk->slots[slot] - 1], &packed))
            return true;
        slot = (slot + 1) & walk->slot_mask;
    }
    walk->seen[walk->count] = packed;
    walk->slots[slot] = (uint32_t)++walk->count;
    return true;
}

bool plain_enumerate(const PlainBoard *board, uint64_t limit, PlainFindings *out) {
    memset(out, 0, sizeof *out);
    Walk walk = { 0 };
    bool enough = add(&walk, board);
    uint64_t level_end = walk.count;
    int plies = 0;
    uint64_t at = 0;
    for (; enough && at < walk.count; at++) {
        if (at == level_end) {
            level_end = walk.count;
            plies++;
        }
        const PlainBoard here = unpack(&walk.seen[at]);
        PlainMove moves[PLAIN_MOVES_MAX];
        const int count = plain_moves(&here, moves);
        if (count == 0 && plain_in_check(&here, here.white)) {
            const int loser = here.white ? 0 : 1;
            if (!out->mated[loser])
                out->plies[loser] = plies;
            out->mated[loser] = true;
        }
        if ((out->mated[0] && out->mated[1]) || walk.count > limit)
            break;
        for (int i = 0; i < count && enough; i++) {
            const PlainBoard after = plain_after(&here, moves[i]);
            enough = add(&walk, &after);
        }
    }
    out->positions = walk.count;
    out->complete = enough && at == walk.count;
    free(walk.seen);
    free(walk.slots);
    return enough;
}
