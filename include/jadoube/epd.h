// SPDX-License-Identifier: GPL-3.0-or-later
//
// Extended Position Description (PGN standard 16.2): a position and operations about it, one to a
// line.
//
//     r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - bm Nd5 a4; id "BT2630-01";
#ifndef JADOUBE_EPD_H
#define JADOUBE_EPD_H

#include <jadoube/chess.h>

#ifdef __cplusplus
extern "C" {
#endif

// What an opcode's operands are. Opcodes the standard does not know are CHESS_EPD_ANY.
typedef enum ChessEpdType {
    CHESS_EPD_ANY = 0,
    CHESS_EPD_NOTHING = 1,  // draw_accept, draw_claim, draw_offer, draw_reject, resign
    CHESS_EPD_UNSIGNED = 2, // acd, acn, acs, dm, fmvn, hmvc, rc, tcgs
    CHESS_EPD_SIGNED = 3,   // ce
    CHESS_EPD_STRING = 4,   // c0 to c9, eco, id, nic, v0 to v9; quotes may be missing
    CHESS_EPD_STRINGS = 5,  // tcri, tcsi: one or two strings
    CHESS_EPD_MOVE = 6,     // pm, sm: a move of the position
    CHESS_EPD_MOVES = 7,    // am, bm: moves of the position
    CHESS_EPD_LINE = 8,     // pv: moves one after the other
} ChessEpdType;

// The type of an opcode's operands.
JD_API ChessEpdType chess_epd_type(JdStr opcode);

typedef enum ChessEpdFault {
    CHESS_EPD_OK = 0,
    CHESS_EPD_TOO_LONG = 1,     // above CHESS_EPD_TEXT_MAX
    CHESS_EPD_BAD_POSITION = 2, // the text is that of chess_fen_parse
    CHESS_EPD_BAD_OPCODE = 3,
    CHESS_EPD_UNCLOSED_STRING = 4,
    CHESS_EPD_BAD_OPERAND = 5, // not of the opcode's type; a move that is not legal
    CHESS_EPD_TOO_MANY = 6,    // above CHESS_EPD_OPERATIONS_MAX
    CHESS_EPD_TWICE = 7,       // an opcode stands twice
} ChessEpdFault;

typedef struct ChessEpdOperation {
    JdStr opcode;
    JdStr operands; // as written, without the blanks around
} ChessEpdOperation;

typedef struct ChessEpd {
    ChessPosition position; // hmvc and fmvn are its counters
    bool has_counters;      // hmvc or fmvn was given
    int count;
    ChessEpdOperation operations[CHESS_EPD_OPERATIONS_MAX]; // hmvc and fmvn are not among them
} ChessEpd;

// Reads one line without its line end. Every operand of a known opcode is checked; moves are read
// as tolerantly as in PGN. A missing ";" at the end and FEN counters behind the four fields are
// taken.
//
// text   what the operations of out point into
// out    written on success only
// err    written on failure only: code is a ChessEpdFault, offset counts bytes of text
JD_MUST_USE JD_API bool chess_epd_parse(JdStr text, ChessEpd *out, JdErr *err);

// The operation with this opcode, or NULL.
JD_API const ChessEpdOperation *chess_epd_find(const ChessEpd *epd, JdStr opcode);
// Sets or replaces an operation; operands in EPD syntax, checked as by chess_epd_parse. opcode and
// operands are kept by reference. Setting hmvc or fmvn sets the position's counter.
JD_MUST_USE JD_API bool chess_epd_set(ChessEpd *epd, JdStr opcode, JdStr operands, JdErr *err);
// Removes an operation; false when there is none.
JD_API bool chess_epd_remove(ChessEpd *epd, JdStr opcode);

// Takes the operand at *at: a word, or a string without its quotes; moves *at behind it. False at
// the end.
JD_MUST_USE JD_API bool chess_epd_operand_next(const ChessEpdOperation *operation, size_t *at,
                                               JdStr *out);
// The moves of am, bm, pm, sm, pv in the order written; returns their number, of which the first
// capacity were stored. 0 when the operation has other operands.
JD_API size_t chess_epd_moves(const ChessEpd *epd, const ChessEpdOperation *operation,
                              ChessMove *out, size_t capacity);
// The number of an operation with one; false when it has none.
JD_MUST_USE JD_API bool chess_epd_number(const ChessEpdOperation *operation, int64_t *out);

// Puts a text in quotes as an operand; quotes and control characters inside, which EPD cannot hold,
// become ' and blanks. Returns the size the whole would have; writes at most capacity bytes, no
// NUL.
JD_API size_t chess_epd_quote(JdStr text, char *out, size_t capacity);

// Writes the line in its canonical form, without a line end: operations in ASCII order of their
// opcodes, single blanks, hmvc and fmvn when has_counters is set. Writes at most capacity bytes
// including a NUL; returns the size the whole text would have, without it.
JD_API size_t chess_epd_write(const ChessEpd *epd, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
