// SPDX-License-Identifier: GPL-3.0-or-later
//
// The board: positions, legal moves, notation. Exact by Article 3 of the FIDE Laws of Chess.
//
// Everything here is pure: no I/O, no allocation, no global state, callable from any thread, the
// same answer on every platform. Structs are complete types the caller places where he likes: read
// their fields, change them through the functions.
#ifndef JADOUBE_CHESS_H
#define JADOUBE_CHESS_H

#include <jadoube/base.h>
#include <jadoube/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- squares, pieces ----------------------------------------------------------------------------

// 0 to 63: a1 = 0, b1 = 1, h1 = 7, a2 = 8, h8 = 63.
typedef uint8_t ChessSquare;
#define CHESS_NO_SQUARE ((ChessSquare)64)

static inline ChessSquare chess_square(int file, int rank) {
    return (ChessSquare)(rank * 8 + file);
}
static inline int chess_file(ChessSquare square) {
    return square & 7;
}
static inline int chess_rank(ChessSquare square) {
    return square >> 3;
}

typedef enum ChessColor { CHESS_WHITE = 0, CHESS_BLACK = 1 } ChessColor;

static inline ChessColor chess_other(ChessColor color) {
    return (ChessColor)(color ^ 1);
}

typedef enum ChessKind {
    CHESS_NO_KIND = 0,
    CHESS_PAWN = 1,
    CHESS_KNIGHT = 2,
    CHESS_BISHOP = 3,
    CHESS_ROOK = 4,
    CHESS_QUEEN = 5,
    CHESS_KING = 6,
} ChessKind;

// Kind and colour: kind + 8 for black. 0 is no piece.
typedef uint8_t ChessPiece;
#define CHESS_NO_PIECE ((ChessPiece)0)

static inline ChessPiece chess_piece(ChessColor color, ChessKind kind) {
    return (ChessPiece)((unsigned)kind | (unsigned)color << 3);
}
static inline ChessKind chess_piece_kind(ChessPiece piece) {
    return (ChessKind)(piece & 7);
}
static inline ChessColor chess_piece_color(ChessPiece piece) {
    return (ChessColor)(piece >> 3);
}

// ---- moves --------------------------------------------------------------------------------------

// A move of a given position. 0 is no move. Castling is held as "king takes own rook" (serves
// Chess960); the functions below speak of what people see.
typedef uint16_t ChessMove;
#define CHESS_NO_MOVE ((ChessMove)0)

// Departure square.
static inline ChessSquare chess_move_from(ChessMove move) {
    return (ChessSquare)(move & 63);
}
// Arrival square as held: for castling, the square of the rook.
static inline ChessSquare chess_move_to(ChessMove move) {
    return (ChessSquare)((move >> 6) & 63);
}
// Piece promoted to, or CHESS_NO_KIND.
JD_API ChessKind chess_move_promotion(ChessMove move);
JD_API bool chess_move_is_castling(ChessMove move);
JD_API bool chess_move_is_en_passant(ChessMove move);
// Where the king (or any other piece) ends up: for castling g1, c1, g8 or c8.
JD_API ChessSquare chess_move_arrival(ChessMove move);

typedef struct ChessMoveList {
    int count;
    ChessMove moves[CHESS_MOVES_MAX];
} ChessMoveList;

// ---- position -----------------------------------------------------------------------------------

// Castling rights: one bit each.
typedef enum ChessCastlingRight {
    CHESS_WHITE_KINGSIDE = 1,
    CHESS_WHITE_QUEENSIDE = 2,
    CHESS_BLACK_KINGSIDE = 4,
    CHESS_BLACK_QUEENSIDE = 8,
} ChessCastlingRight;

// A position that chess_fen_parse or chess_position_start made is legal in the sense of
// chess_position_faults and stays so under chess_move_make. Bytes are fully defined (no padding),
// so equal states are equal bytes.
typedef struct ChessPosition {
    uint64_t kinds[7];  // bitboard by ChessKind; kinds[0]: all occupied squares
    uint64_t colors[2]; // bitboard by ChessColor
    // Of squares, side, rights and the file of a legal en passant capture. A hint, not an identity.
    uint64_t zobrist_key;
    uint8_t board[64];       // ChessPiece by square
    uint8_t side_to_move;    // ChessColor
    uint8_t castling_rights; // ChessCastlingRight bits: the rook and king have never moved
    // Square passed over by the last move, a double step; CHESS_NO_SQUARE otherwise.
    uint8_t ep_target;
    // Files of the rooks that castle, [0] queenside, [1] kingside; 0 and 7 in standard chess.
    uint8_t rook_files[2];
    uint8_t is_chess960;     // 1: castling is written king-takes-rook in UCI, and X-FEN rules apply
    uint16_t halfmove_clock; // plies since the last capture or pawn move (stops at 65535)
    uint32_t fullmove_number; // number on the score sheet; starts at 1 and grows after Black's move
    uint8_t ep_is_legal;      // 1: a pawn may capture on ep_target now
    uint8_t reserved[3];      // 0
} ChessPosition;

// The initial position (Article 2.3).
JD_API ChessPosition chess_position_start(void);

// The start position of Chess960 by its number 0 to 959 (Scharnagl's numbering; 518 is the standard
// array). number must be below 960.
JD_API ChessPosition chess960_start(int number);

static inline ChessPiece chess_piece_at(const ChessPosition *pos, ChessSquare square) {
    return pos->board[square];
}
// Square of the king of that colour.
JD_API ChessSquare chess_king_square(const ChessPosition *pos, ChessColor color);

// Attackers of a colour on a square, as a bitboard. A pinned piece attacks as well (Article 3.1.2).
JD_API uint64_t chess_attackers(const ChessPosition *pos, ChessSquare square, ChessColor by);
// Pieces giving check to the side to move, as a bitboard.
JD_API uint64_t chess_checkers(const ChessPosition *pos);
// Pieces of a colour that are pinned to their own king by one enemy piece, as a bitboard.
JD_API uint64_t chess_pins(const ChessPosition *pos, ChessColor color);

// Every legal move (Article 3), each once. The order is unspecified but fixed for a position.
JD_API void chess_moves_generate(const ChessPosition *pos, ChessMoveList *out);
// Their number, without listing them.
JD_API int chess_moves_count(const ChessPosition *pos);
// Whether the bits of move are a legal move here; any 16 bits may be asked. Generates nothing.
JD_API bool chess_move_is_legal(const ChessPosition *pos, ChessMove move);
JD_API bool chess_has_legal_move(const ChessPosition *pos);

JD_API bool chess_is_check(const ChessPosition *pos);
JD_API bool chess_is_checkmate(const ChessPosition *pos); // Article 5.1.1
JD_API bool chess_is_stalemate(const ChessPosition *pos); // Article 5.2.1

// What chess_move_unmake needs and the position after the move does not hold.
typedef struct ChessUndo {
    uint64_t zobrist_key;
    uint16_t halfmove_clock;
    uint8_t castling_rights;
    uint8_t ep_target;
    uint8_t captured; // ChessPiece taken, or CHESS_NO_PIECE
    uint8_t ep_is_legal;
    uint8_t reserved[2];
} ChessUndo;

// Makes a legal move; undo may be NULL. The move must be legal here (checked in slow-check builds).
JD_API void chess_move_make(ChessPosition *pos, ChessMove move, ChessUndo *undo);
// Restores every byte of the position before the move.
JD_API void chess_move_unmake(ChessPosition *pos, ChessMove move, const ChessUndo *undo);

// The piece the move takes, or CHESS_NO_PIECE; en passant takes a pawn.
JD_API ChessPiece chess_move_captured(const ChessPosition *pos, ChessMove move);

// Whether the legal move checks the opponent's king. Makes nothing; a few look-ups.
JD_API bool chess_move_gives_check(const ChessPosition *pos, ChessMove move);

// Static exchange evaluation: what the legal move gains in material, in hundredths of a pawn, when
// both sides go on capturing on its arrival square with their least valuable piece as long as that
// pays. Pawn 100, knight 300, bishop 300, rook 500, queen 900; a pawn that captures on the last
// rank becomes a queen. Pieces that stand behind others join in, pinned pieces join on their line
// or when the pinning piece has gone, the king where nobody can recapture. Checks elsewhere are not
// seen. Castling gains 0.
JD_API int chess_see(const ChessPosition *pos, ChessMove move);

// Whether an en passant capture is legal now. Only then does the ep_target count for identity,
// for the key, and in a written FEN.
JD_API bool chess_ep_is_legal(const ChessPosition *pos);

// The same position in the sense of Article 9.2.3: same side to move, same pieces on the same
// squares, same castling rights, same legal en passant capture. Counters do not count.
JD_API bool chess_position_same(const ChessPosition *a, const ChessPosition *b);

// The key computed from scratch; always equal to pos->zobrist_key.
JD_API uint64_t chess_zobrist_key(const ChessPosition *pos);

// How many pieces of each kind and colour stand on the board: four bits each, white pawns lowest,
// then white knights, bishops, rooks, queens, then the same of Black from bit 20. Kings are not
// counted. A signature, not a hash: equal material gives equal keys, other material other keys.
JD_API uint64_t chess_material_key(const ChessPosition *pos);

// The position with files a and h exchanged. Castling rights do not survive (in Chess960 neither).
JD_API ChessPosition chess_position_mirrored(const ChessPosition *pos);
// The position turned by 180 degrees with colours exchanged; as seen from the other side of the
// board. Castling rights do not survive.
JD_API ChessPosition chess_position_rotated(const ChessPosition *pos);
// The position with ranks reversed and colours exchanged: the same game with White and Black
// renamed. Rights and the en passant target are carried over.
JD_API ChessPosition chess_position_flipped(const ChessPosition *pos);

// ---- FEN ----------------------------------------------------------------------------------------

typedef enum ChessFenFault {
    CHESS_FEN_OK = 0,
    CHESS_FEN_TOO_LONG = 1,
    CHESS_FEN_NOT_A_PIECE = 2,
    CHESS_FEN_RANK_TOO_WIDE = 3,
    CHESS_FEN_NO_SLASH = 4,
    CHESS_FEN_MISSING_FIELD = 5,
    CHESS_FEN_BAD_SIDE = 6,
    CHESS_FEN_BAD_CASTLING = 7,
    CHESS_FEN_BAD_EP = 8,
    CHESS_FEN_BAD_HALFMOVE = 9,
    CHESS_FEN_BAD_FULLMOVE = 10,
    CHESS_FEN_TRAILING_TEXT = 11,
    // Well-formed, but no legal position (Article 3.10.3):
    CHESS_FEN_KING_COUNT = 20,
    CHESS_FEN_PAWN_RANK = 21,
    CHESS_FEN_PIECE_COUNT = 22,
    CHESS_FEN_PAWN_COUNT = 23,
    CHESS_FEN_PROMOTED_COUNT = 24,
    CHESS_FEN_OPPONENT_IN_CHECK = 25,
    CHESS_FEN_IMPOSSIBLE_CASTLING = 26,
    CHESS_FEN_IMPOSSIBLE_EP = 27,
    CHESS_FEN_TOO_MANY_CHECKERS = 28,
    CHESS_FEN_IMPOSSIBLE_CHECKERS = 29,
} ChessFenFault;

// The fault in words for machines: "rank_too_wide", "opponent_in_check".
JD_API const char *chess_fen_fault_name(ChessFenFault fault);

// ---- positions set up by hand -------------------------------------------------------------------

// A board on which anything may stand anywhere. All zero is an empty board, White to move; then set
// ep_target to CHESS_NO_SQUARE, rook_files[1] to 7 and fullmove_number to 1 (chess_setup_empty
// does).
typedef struct ChessSetup {
    uint8_t board[64]; // ChessPiece by square
    uint8_t side_to_move;
    uint8_t castling_rights; // ChessCastlingRight bits
    uint8_t ep_target;       // square passed over by a double step just made, or CHESS_NO_SQUARE
    uint8_t rook_files[2];   // [0] queenside, [1] kingside; matter only where there are rights
    uint8_t is_chess960;
    uint16_t halfmove_clock;
    uint32_t fullmove_number;
} ChessSetup;

// The largest fullmove number read or built.
#define CHESS_FULLMOVE_MAX 99999

JD_API ChessSetup chess_setup_empty(void);
// The setup of an existing position.
JD_API ChessSetup chess_setup_of(const ChessPosition *pos);

// One thing that makes a setup no legal position (Article 3.10.3).
typedef struct ChessPositionFault {
    ChessFenFault code;
    ChessSquare square;     // the square it is about, or CHESS_NO_SQUARE
    uint8_t castling_right; // the ChessCastlingRight it is about, or 0
    char text[120];         // a sentence; NUL-terminated
} ChessPositionFault;

// More faults than these are not listed.
#define CHESS_FAULTS_MAX 40
typedef struct ChessFaultList {
    int count;
    ChessPositionFault faults[CHESS_FAULTS_MAX];
} ChessFaultList;

// Lists ALL that is wrong with a setup, in the order of the codes; returns the count, 0 for a legal
// position. What can be asked only of a position with one king on each side (checks, castling, en
// passant) is asked only there. Exact as to checks: two checkers are a fault unless a last move
// exists that gives both. O(64); allocates nothing.
JD_API int chess_position_faults(const ChessSetup *setup, ChessFaultList *out);

// Makes a position of a setup without faults. On failure (false) *out is untouched and *faults (may
// be NULL) lists what is wrong.
JD_MUST_USE JD_API bool chess_position_build(const ChessSetup *setup, ChessPosition *out,
                                             ChessFaultList *faults);

// ---- reading and writing FEN --------------------------------------------------------------------

// Reads one FEN, X-FEN or Shredder-FEN record (PGN standard 16.1) into a position.
//
// text   one record without its line end, at most CHESS_FEN_TEXT_MAX bytes; need not end in NUL
// out    written on success only
// err    written on failure only: code is a ChessFenFault, offset counts bytes from the start of
//        the text, field is one of "board", "side", "castling", "en passant", "halfmove clock",
//        "fullmove number"
//
// Six fields separated by single spaces; a missing field is a fault, never a default. Positions
// that cannot arise in any game are refused as far as ChessFenFault lists; whether a position can
// be reached from the start is left out on purpose (it is a research problem). O(size); allocates
// nothing.
//
// Castling: "-" or some of KQkq in this order, or the files of the rooks (A to H, a to h). K, Q, k,
// q mean the outermost rook on that side of the king. is_chess960 becomes 1 when files are named,
// or when a right belongs to a king that is not on file e or a rook that is not on file a or h; who
// expects standard chess refuses such a position.
JD_MUST_USE JD_API bool chess_fen_parse(JdStr text, ChessPosition *out, JdErr *err);

typedef enum ChessFenStyle {
    CHESS_FEN_EP_LEGAL = 0,  // the en passant target only where a legal capture exists
    CHESS_FEN_EP_ALWAYS = 1, // after every double step (PGN standard to the letter)
    CHESS_FEN_SHREDDER = 2,  // castling by files of the rooks, "HAha"; en passant as in EP_LEGAL
} ChessFenStyle;

#define CHESS_FEN_SIZE 128
// Writes the FEN record and a NUL; returns its size without the NUL.
JD_API size_t chess_fen_write(const ChessPosition *pos, ChessFenStyle style,
                              char out[CHESS_FEN_SIZE]);

// ---- UCI and SAN moves --------------------------------------------------------------------------

typedef enum ChessMoveFault {
    CHESS_MOVE_OK = 0,
    CHESS_MOVE_MALFORMED = 1, // does not parse
    CHESS_MOVE_ILLEGAL = 2,   // parses, but no legal move fits
    CHESS_MOVE_AMBIGUOUS = 3, // more than one legal move fits
    CHESS_MOVE_WRONG_SIGN =
        4 // strict reading only: a wrong or missing x, + or #, or superfluous detail
} ChessMoveFault;

// "malformed", "illegal", "ambiguous", "wrong_sign".
JD_API const char *chess_move_fault_name(ChessMoveFault fault);

#define CHESS_UCI_SIZE 6
// "e2e4", "e7e8q"; castling "e1g1", or king-takes-rook when pos->is_chess960. Writes a NUL; returns
// the size without it.
JD_API size_t chess_uci_write(const ChessPosition *pos, ChessMove move, char out[CHESS_UCI_SIZE]);
// Reads a UCI move that must be legal here. Both ways of writing castling are read where
// unambiguous.
JD_MUST_USE JD_API bool chess_uci_parse(JdStr text, const ChessPosition *pos, ChessMove *out,
                                        JdErr *err);

#define CHESS_SAN_SIZE 12
// PGN standard 8.2.3: shortest unambiguous text with + or #, "O-O", "e8=Q". Writes a NUL; returns
// the size without it. The move must be legal.
JD_API size_t chess_san_write(const ChessPosition *pos, ChessMove move, char out[CHESS_SAN_SIZE]);
// Reads strict SAN exactly as chess_san_write writes it; see notation.h for tolerant and localised
// reading.
JD_MUST_USE JD_API bool chess_san_parse(JdStr text, const ChessPosition *pos, ChessMove *out,
                                        JdErr *err);

// ---- perft --------------------------------------------------------------------------------------

#define CHESS_PERFT_DEPTH_MAX 64
// Number of legal lines of exactly depth plies (bulk-counted at the last ply). depth 0 gives 1;
// depth is at most CHESS_PERFT_DEPTH_MAX. The count wraps where it exceeds 64 bits.
JD_API uint64_t chess_perft(const ChessPosition *pos, int depth);

typedef struct ChessPerftEntry {
    uint64_t check; // what was asked, mixed with the answer
    uint64_t nodes;
} ChessPerftEntry;

// The same, remembering what was counted in the caller's memory, which starts zeroed. capacity, the
// number of entries, is a power of two. Several threads may count with the same memory at the same
// time. Answers are found by the 64-bit key: wrong only if two positions of the tree have the same
// key.
JD_API uint64_t chess_perft_hashed(const ChessPosition *pos, int depth, ChessPerftEntry *entries,
                                   size_t capacity);

// ---- description --------------------------------------------------------------------------------

#define CHESS_DESCRIBE_SIZE 16384
// One JSON object that describes the position: "fen", "side_to_move" ("white" or "black"),
// "legal_moves" as [{"uci","san"}...] in order of their uci text, "check", "checkmate",
// "stalemate", "zobrist_key" (16 hexadecimal digits). Without a line end; writes a NUL; returns the
// size without it. `jadoube position --json` and the browser's rules module print the same bytes.
JD_API size_t chess_describe(const ChessPosition *pos, char out[CHESS_DESCRIBE_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
