// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the constant tables of src/chess.
//
//   gen_attacks tables    src/chess/tables.c: small, committed, the same for every processor
//   gen_attacks sliders   slider_tables.c: about 860 KB, made while building for processors of 64
//   bits
//
// Everything is computed from the steps of the pieces and one fixed seed, so that two runs on any
// machine write the same bytes.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROOK_ENTRIES = 102400, BISHOP_ENTRIES = 5248, ENTRIES = ROOK_ENTRIES + BISHOP_ENTRIES };

// File step and rank step. The order of the axes is that of chess_lines: file, diagonal, rank,
// antidiagonal; rooks use the even ones, bishops the odd ones.
static const int axes[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { -1, 1 } };
static const int knight_steps[8][2] = { { 1, 2 },   { 2, 1 },   { 2, -1 }, { 1, -2 },
                                        { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } };

static uint64_t bit_at(int file, int rank) {
    const bool on_board = file >= 0 && file < 8 && rank >= 0 && rank < 8;
    return on_board ? UINT64_C(1) << (rank * 8 + file) : 0;
}

// Squares from square in one direction, up to and including the first occupied one.
static uint64_t walk(int square, int file_step, int rank_step, uint64_t occupied) {
    uint64_t seen = 0;
    for (int file = square % 8 + file_step, rank = square / 8 + rank_step;;
         file += file_step, rank += rank_step) {
        const uint64_t next = bit_at(file, rank);
        seen |= next;
        if (next == 0 || (next & occupied) != 0)
            return seen;
    }
}

static uint64_t line(int square, int axis, uint64_t occupied) {
    return walk(square, axes[axis][0], axes[axis][1], occupied) |
           walk(square, -axes[axis][0], -axes[axis][1], occupied);
}

static uint64_t slider(int square, bool is_rook, uint64_t occupied) {
    const int first = is_rook ? 0 : 1;
    return line(square, first, occupied) | line(square, first + 2, occupied);
}

// Squares whose occupation changes the attack: the lines without their last squares.
static uint64_t relevant(int square, bool is_rook) {
    uint64_t mask = 0;
    for (int axis = is_rook ? 0 : 1; axis < 4; axis += 2)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int file = square % 8, rank = square / 8;;) {
                file += sign * axes[axis][0];
                rank += sign * axes[axis][1];
                if (bit_at(file + sign * axes[axis][0], rank + sign * axes[axis][1]) == 0)
                    break;
                mask |= bit_at(file, rank);
            }
    return mask;
}

static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int count_bits(uint64_t set) {
    int count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

// The index-th subset of mask, as the PDEP instruction has it.
static uint64_t deposit(uint64_t index, uint64_t mask) {
    uint64_t subset = 0;
    for (; mask != 0; mask &= mask - 1, index >>= 1)
        if ((index & 1) != 0)
            subset |= mask & (~mask + 1);
    return subset;
}

// The bits of set at the places of mask, close together, as the PEXT instruction has it.
static uint64_t extract(uint64_t set, uint64_t mask) {
    uint64_t packed = 0;
    for (int place = 0; mask != 0; mask &= mask - 1, place++)
        if ((set & mask & (~mask + 1)) != 0)
            packed |= UINT64_C(1) << place;
    return packed;
}

static void print_numbers(const char *declaration, const uint64_t *numbers, int count) {
    printf("\n%s = {\n", declaration);
    for (int i = 0; i < count; i++)
        printf("%s0x%016" PRIx64 ",%s", i % 4 == 0 ? "    " : " ", numbers[i],
               i % 4 == 3 || i == count - 1 ? "\n" : "");
    printf("};\n");
}

static void print_nested(const char *declaration, const uint64_t *numbers, int rows, int columns) {
    printf("\n%s = {\n", declaration);
    for (int row = 0; row < rows; row++) {
        printf("    {");
        for (int i = 0; i < columns; i++)
            printf("%s0x%016" PRIx64 ",", columns > 4 && i % 4 == 0 ? "\n        " : " ",
                   numbers[row * columns + i]);
        printf(columns > 4 ? "\n    },\n" : " },\n");
    }
    printf("};\n");
}

static void print_head(void) {
    printf("// SPDX-License-Identifier: GPL-3.0-or-later\n//\n"
           "// Written by tools/gen_attacks.c; do not edit.\n// clang-format off\n");
}

static void print_tables(void) {
    uint64_t knight[64] = { 0 };
    uint64_t king[64] = { 0 };
    uint64_t pawn[2 * 64] = { 0 };
    uint64_t lines[64 * 4] = { 0 };
    for (int square = 0; square < 64; square++) {
        const int file = square % 8;
        const int rank = square / 8;
        for (int i = 0; i < 8; i++)
            knight[square] |= bit_at(file + knight_steps[i][0], rank + knight_steps[i][1]);
        for (int axis = 0; axis < 4; axis++) {
            king[square] |= bit_at(file + axes[axis][0], rank + axes[axis][1]) |
                            bit_at(file - axes[axis][0], rank - axes[axis][1]);
            lines[square * 4 + axis] = line(square, axis, 0);
        }
        pawn[square] = bit_at(file - 1, rank + 1) | bit_at(file + 1, rank + 1);
        pawn[64 + square] = bit_at(file - 1, rank - 1) | bit_at(file + 1, rank - 1);
    }

    // Rows by ChessPiece: 1 to 6 white, 9 to 14 black; the others stay zero, so that "no piece" may
    // be looked up like any other.
    uint64_t seed = UINT64_C(0x4a61646f756265); // "Jadoube"
    static uint64_t squares[16 * 64];
    for (int piece = 0; piece < 16; piece++)
        for (int square = 0; square < 64; square++)
            squares[piece * 64 + square] =
                piece % 8 >= 1 && piece % 8 <= 6 ? next_random(&seed) : 0;
    uint64_t right[4];
    for (int i = 0; i < 4; i++)
        right[i] = next_random(&seed);
    uint64_t rights[16] = { 0 };
    for (int set = 0; set < 16; set++)
        for (int i = 0; i < 4; i++)
            rights[set] ^= (set >> i & 1) != 0 ? right[i] : 0;
    uint64_t files[8];
    for (int i = 0; i < 8; i++)
        files[i] = next_random(&seed);
    const uint64_t side = next_random(&seed);

    print_head();
    printf("#include \"chess/tables.h\"\n");
    print_numbers("const uint64_t chess_knight_attacks[64]", knight, 64);
    print_numbers("const uint64_t chess_king_attacks[64]", king, 64);
    print_nested("const uint64_t chess_pawn_attacks[2][64]", pawn, 2, 64);
    print_nested("const uint64_t chess_lines[64][4]", lines, 64, 4);
    print_nested("const uint64_t chess_zobrist_squares[16][64]", squares, 16, 64);
    print_numbers("const uint64_t chess_zobrist_rights[16]", rights, 16);
    print_numbers("const uint64_t chess_zobrist_ep_files[8]", files, 8);
    printf("\nconst uint64_t chess_zobrist_black = 0x%016" PRIx64 ";\n", side);
}

// Looks for a factor that maps every subset of the mask to a place of its own (or to one that holds
// the same attack), and fills the square's part of the table.
static uint64_t find_magic(int square, bool is_rook, uint64_t mask, uint64_t *table,
                           uint64_t *seed) {
    static uint64_t subsets[4096];
    static uint64_t attacks[4096];
    static uint32_t stamps[4096];
    const int bits = count_bits(mask);
    const uint32_t count = UINT32_C(1) << bits;
    for (uint32_t i = 0; i < count; i++) {
        subsets[i] = deposit(i, mask);
        attacks[i] = slider(square, is_rook, subsets[i]);
    }
    memset(stamps, 0, sizeof stamps);
    for (uint32_t attempt = 1;; attempt++) {
        const uint64_t factor = next_random(seed) & next_random(seed) & next_random(seed);
        if (count_bits((mask * factor) >> 56) < 6)
            continue;
        bool fits = true;
        for (uint32_t i = 0; i < count && fits; i++) {
            const uint64_t place = (subsets[i] * factor) >> (64 - bits);
            fits = stamps[place] != attempt || table[place] == attacks[i];
            stamps[place] = attempt;
            table[place] = attacks[i];
        }
        if (fits)
            return factor;
    }
}

static void print_sliders(void) {
    static uint64_t magic_table[ENTRIES];
    static uint16_t pext_table[ENTRIES];
    static struct {
        uint64_t mask, reach, factor;
        uint32_t offset;
    } rows[128];
    uint64_t seed = UINT64_C(0x6d61676963); // "magic"
    uint32_t offset = 0;
    for (int i = 0; i < 128; i++) {
        const bool is_rook = i >= 64;
        const int square = i % 64;
        rows[i].mask = relevant(square, is_rook);
        rows[i].reach = slider(square, is_rook, 0);
        rows[i].offset = offset;
        rows[i].factor = find_magic(square, is_rook, rows[i].mask, magic_table + offset, &seed);
        const uint32_t count = UINT32_C(1) << count_bits(rows[i].mask);
        for (uint32_t index = 0; index < count; index++)
            pext_table[offset + index] = (uint16_t)extract(
                slider(square, is_rook, deposit(index, rows[i].mask)), rows[i].reach);
        offset += count;
    }

    print_head();
    printf("#include \"chess/sliders.h\"\n\n#ifdef CHESS_SLIDER_TABLES\n");
    for (int part = 0; part < 2; part++) {
        printf("\nconst ChessSliderRow chess_%s_rows[64] = {\n", part == 0 ? "bishop" : "rook");
        for (int i = part * 64; i < part * 64 + 64; i++)
            printf("    { 0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 ", %u, %d },\n",
                   rows[i].mask, rows[i].reach, rows[i].factor, (unsigned)rows[i].offset,
                   64 - count_bits(rows[i].mask));
        printf("};\n");
    }
    print_numbers("const uint64_t chess_magic_attacks[CHESS_SLIDER_ENTRIES]", magic_table, ENTRIES);
    printf("\nconst uint16_t chess_pext_attacks[CHESS_SLIDER_ENTRIES] = {\n");
    for (int i = 0; i < ENTRIES; i++)
        printf("%u,%s", (unsigned)pext_table[i], i % 16 == 15 || i == ENTRIES - 1 ? "\n" : " ");
    printf("};\n\n#endif\n");
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "tables") == 0) {
        print_tables();
    } else if (argc == 2 && strcmp(argv[1], "sliders") == 0) {
        print_sliders();
    } else {
        fprintf(stderr, "usage: gen_attacks tables|sliders\n");
        return 2;
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
