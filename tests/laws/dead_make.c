// SPDX-License-Identifier: GPL-3.0-or-later
#include "dead_make.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static uint64_t state;

static uint32_t below(uint32_t bound) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = state;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((mixed ^ mixed >> 31) % bound);
}

typedef struct Sketch {
    char at[64];
    bool white;
    char rights[5];
    int passed; // square passed over, or -1
} Sketch;

static void clear(Sketch *sketch) {
    memset(sketch->at, '.', sizeof sketch->at);
    sketch->white = below(2) == 0;
    strcpy(sketch->rights, "-");
    sketch->passed = -1;
}

static void write_fen(const Sketch *sketch, char *out) {
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char piece = sketch->at[rank * 8 + file];
            if (piece == '.') {
                empty++;
                continue;
            }
            if (empty > 0)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = piece;
        }
        if (empty > 0)
            *out++ = (char)('0' + empty);
        *out++ = rank > 0 ? '/' : ' ';
    }
    out += sprintf(out, "%c %s ", sketch->white ? 'w' : 'b', sketch->rights);
    if (sketch->passed >= 0)
        sprintf(out, "%c%c 0 1", 'a' + sketch->passed % 8, '1' + sketch->passed / 8);
    else
        strcpy(out, "- 0 1");
}

// Puts a piece on a free square of ranks low to high; pawns keep off the first and last rank.
static void put(Sketch *sketch, char piece, int low, int high) {
    if (tolower(piece) == 'p') {
        low = low < 1 ? 1 : low;
        high = high > 6 ? 6 : high;
    }
    for (int tries = 0; tries < 100; tries++) {
        const int square = (low + (int)below((uint32_t)(high - low + 1))) * 8 + (int)below(8);
        if (sketch->at[square] == '.') {
            sketch->at[square] = piece;
            return;
        }
    }
}

static char any_of(const char *pieces) {
    return pieces[below((uint32_t)strlen(pieces))];
}

static void material(Sketch *sketch) {
    put(sketch, 'K', 0, 7);
    put(sketch, 'k', 0, 7);
    for (uint32_t men = 1 + below(3); men > 0; men--)
        put(sketch, any_of("PNBRQpnbrqNBnbPp"), 0, 7);
}

// Pawns that stop each other on most files, the kings behind their own or not.
static void wall(Sketch *sketch) {
    int rank = 2 + (int)below(3);
    const int parity = (int)below(2);
    const bool ragged = below(2) == 0;
    for (int file = 0; file < 8; file++) {
        if (ragged && below(3) == 0)
            rank += (int)below(3) - 1;
        rank = rank < 1 ? 1 : rank > 5 ? 5 : rank;
        const uint32_t kind = below(12);
        if (file % 2 == parity ? kind == 0 && ragged : kind < 9)
            continue;
        sketch->at[rank * 8 + file] = 'P';
        sketch->at[(rank + 1) * 8 + file] = 'p';
        if (kind == 11 && rank >= 2)
            sketch->at[(rank - 1) * 8 + file] = 'P';
        if (kind == 10 && rank <= 4)
            sketch->at[(rank + 2) * 8 + file] = 'p';
    }
    const bool mixed = below(6) == 0;
    put(sketch, 'K', 0, mixed ? 7 : 1);
    put(sketch, 'k', mixed ? 0 : 6, 7);
}

static void chain(Sketch *sketch) {
    wall(sketch);
    for (uint32_t men = 1 + below(2); men > 0; men--) {
        const char piece = any_of("BbBbBbBbBbNr");
        put(sketch, piece, isupper(piece) ? 0 : 5, isupper(piece) ? 2 : 7);
    }
}

static void promotion(Sketch *sketch) {
    put(sketch, 'K', 0, 7);
    put(sketch, 'k', 0, 7);
    const uint32_t pairs = below(4);
    for (uint32_t i = 0; i < pairs; i++) {
        const int square = (1 + (int)below(5)) * 8 + (int)below(8);
        if (sketch->at[square] == '.' && sketch->at[square + 8] == '.') {
            sketch->at[square] = 'P';
            sketch->at[square + 8] = 'p';
        }
    }
    put(sketch, 'P', 1, 6);
    if (below(2) == 0)
        put(sketch, any_of("pnbrqP"), 0, 7);
}

// One side has a lone minor piece: it needs a man of the other in the way, sometimes a promoted
// one.
static void minor(Sketch *sketch) {
    put(sketch, 'K', 0, 7);
    put(sketch, 'k', 0, 7);
    put(sketch, any_of("NB"), 0, 7);
    for (uint32_t men = 1 + below(2); men > 0; men--)
        put(sketch, any_of("ppnbrq"), 0, 7);
}

// Men crowded around two kings in a corner: checks, few replies, stalemates.
static void corner(Sketch *sketch) {
    const char *men = "QRBNPqrbnpQRqr";
    int squares[16];
    int count = 0;
    for (int rank = 0; rank < 4; rank++)
        for (int file = 0; file < 4; file++)
            squares[count++] = rank * 8 + file;
    const uint32_t wanted = 3 + below(5);
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t pick = below((uint32_t)count);
        const int square = squares[pick];
        squares[pick] = squares[--count];
        char piece = i == 0 ? 'K' : i == 1 ? 'k' : any_of(men);
        if (tolower(piece) == 'p' && square < 8)
            piece = any_of("Rr");
        sketch->at[square] = piece;
    }
}

// A wall with a pawn that has just passed another: taking it may be the only way through.
static void passing(Sketch *sketch) {
    wall(sketch);
    sketch->white = true;
    for (int tries = 0; tries < 50; tries++) {
        const int file = (int)below(8);
        const int side = below(2) == 0 ? -1 : 1;
        if (file + side < 0 || file + side > 7)
            continue;
        for (int rank = 3; rank < 7; rank++) {
            sketch->at[rank * 8 + file] = '.';
            sketch->at[rank * 8 + file + side] = '.';
        }
        sketch->at[32 + file] = 'p';
        sketch->at[32 + file + side] = 'P';
        sketch->at[40 + file + side] = 'p';
        if (sketch->at[24 + file] == '.')
            sketch->at[24 + file] = 'P';
        sketch->passed = below(3) == 0 ? -1 : 40 + file;
        return;
    }
}

static void castling(Sketch *sketch) {
    sketch->at[4] = 'K';
    strcpy(sketch->rights, "");
    if (below(2) == 0) {
        sketch->at[7] = 'R';
        strcat(sketch->rights, "K");
    }
    if (sketch->at[7] != 'R' || below(2) == 0) {
        sketch->at[0] = 'R';
        strcat(sketch->rights, "Q");
    }
    put(sketch, 'k', 0, 7);
    for (uint32_t men = below(4); men > 0; men--)
        put(sketch, any_of("pnbrPp"), 0, 3);
}

// Positions at the border between dead and not dead, changed a little.
static const char *const borders[] = {
    "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7",
    "k1b5/8/8/1p1p1p1p/1P1P1P1P/8/8/K1B5",
    "k2b4/8/8/1p1p1p1p/1P1P1P1P/8/8/K2B4",
    "k7/8/5p2/1p1p1Pp1/1P1P2P1/8/8/K7",
    "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K1B5",
    "k7/8/8/1p1p1p2/1P1P1P2/8/8/K7",
    "8/k7/8/p3p2p/P1p1P2P/2P5/2K5/8",
    "8/2b1k3/8/6p1/1p1p1pP1/1P1P1P2/6K1/8",
    "1k6/8/8/p1p1p3/P1P1Pp1p/5P1P/6B1/K7",
    "b6b/5k2/8/p1p2p2/P1P1pP2/4P3/8/K4B2",
    "6bk/6p1/6P1/8/8/8/8/K7",
    "k7/8/8/1p1p1p1p/1P1P1P1P/8/8/KQ6",
    "7K/6r1/7k/6Q1/8/8/8/8",
    "5r1K/8/5N1k/5Q2/8/8/8/8",
    "2k5/K7/B2Q4/1r6/8/8/8/8",
    "K7/8/kq6/8/1P6/8/8/8",
    "1b5k/p1p5/PpP5/1P6/8/8/8/K7",
    "k7/Pp6/1P6/8/8/8/8/6K1",
    "8/8/8/8/7p/5p1P/5PpK/6Bk",
    "6k1/4p1p1/4P1P1/8/8/1p6/1P6/K1B5",
    "8/5k2/3p1p2/2pP1P2/1pP5/pP6/P7/K1B5",
    "kb6/p1p5/P1P5/8/8/6p1/4p1P1/4K3",
    "8/1p4k1/1P1p4/3P1p1p/5P1P/8/1K6/2B5",
    "rk6/pb6/P1p5/2P5/8/8/5p2/5K2",
};

static void near_border(Sketch *sketch) {
    const char *fen = borders[below(sizeof borders / sizeof borders[0])];
    int square = 56;
    for (; *fen != '\0'; fen++) {
        if (*fen == '/')
            square -= 16;
        else if (isdigit(*fen))
            square += *fen - '0';
        else
            sketch->at[square++] = *fen;
    }
    for (uint32_t changes = below(4); changes > 0; changes--) {
        const int from = (int)below(64);
        const char piece = sketch->at[from];
        const uint32_t what = below(6);
        if (piece == '.') {
            if (what == 0)
                put(sketch, any_of("BbBbNnPpPpRr"), 0, 7);
            continue;
        }
        if (what == 0 && tolower(piece) != 'k') {
            sketch->at[from] = '.';
            continue;
        }
        const int to = from + (int)below(3) - 1 + 8 * ((int)below(3) - 1);
        const bool off = to < 0 || to > 63 || (tolower(piece) == 'p' && (to < 8 || to > 55));
        if (!off && sketch->at[to] == '.') {
            sketch->at[to] = piece;
            sketch->at[from] = '.';
        }
    }
    if (below(2) == 0) {
        // The same with colours exchanged.
        char turned[64];
        for (int i = 0; i < 64; i++) {
            const char piece = sketch->at[i ^ 56];
            turned[i] = (char)(isupper(piece) ? tolower(piece) : toupper(piece));
        }
        memcpy(sketch->at, turned, sizeof turned);
    }
}

static const struct {
    const char *name;
    void (*make)(Sketch *);
} kinds[DEAD_KIND_COUNT] = {
    { "material", material },   { "wall", wall },         { "chain", chain },
    { "promotion", promotion }, { "minor", minor },       { "corner", corner },
    { "passing", passing },     { "castling", castling }, { "near", near_border },
};

const char *dead_kind_name(int kind) {
    return kinds[kind].name;
}

void dead_make(int kind, uint64_t *seed, char fen[DEAD_FEN_SIZE]) {
    Sketch sketch;
    state = *seed;
    clear(&sketch);
    kinds[kind].make(&sketch);
    write_fen(&sketch, fen);
    *seed = state;
}
