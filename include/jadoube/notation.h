// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves as people write them: in their own language, long or short, with and without signs.
//
// chess.h reads and writes the one exact form of the PGN standard. This header writes every form
// that the Laws of Chess (Appendix C) and correspondence players use, and reads what real score
// sheets and files contain. Each liberty a text takes has a name and a switch; a reading says which
// were taken, so that the caller can accept, warn or refuse. Nothing here allocates or guesses
// between languages.
#ifndef JADOUBE_NOTATION_H
#define JADOUBE_NOTATION_H

#include <jadoube/chess.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- languages ----------------------------------------------------------------------------------

// Numbers go into settings and are never reused.
typedef enum ChessLanguage {
    CHESS_ENGLISH = 0,
    CHESS_RUSSIAN = 1,
    CHESS_ROMANIAN = 2,
    CHESS_GERMAN = 3,
    CHESS_FRENCH = 4,
    CHESS_FIGURINE = 5, // chess symbols; the colour of the symbol says nothing
    CHESS_SPANISH = 6,
    CHESS_ITALIAN = 7,
    CHESS_PORTUGUESE = 8,
    CHESS_CATALAN = 9,
    CHESS_DUTCH = 10,
    CHESS_POLISH = 11,
    CHESS_CZECH = 12,
    CHESS_SLOVAK = 13,
    CHESS_HUNGARIAN = 14,
    CHESS_SWEDISH = 15,
    CHESS_DANISH = 16,
    CHESS_NORWEGIAN = 17,
    CHESS_FINNISH = 18,
    CHESS_ICELANDIC = 19,
    CHESS_ESTONIAN = 20,
    CHESS_LATVIAN = 21,
    CHESS_LITHUANIAN = 22,
    CHESS_UKRAINIAN = 23,
    CHESS_BULGARIAN = 24,
    CHESS_SERBIAN = 25, // Cyrillic
    CHESS_CROATIAN = 26,
    CHESS_SLOVENE = 27,
    CHESS_GREEK = 28,
    CHESS_TURKISH = 29,
    CHESS_ESPERANTO = 30,
    CHESS_LANGUAGE_COUNT = 31,
} ChessLanguage;

// Code of ISO 639-1 ("en", "ru"); "figurine" for the symbols.
JD_API const char *chess_language_code(ChessLanguage language);
// "English", "Russian" ...
JD_API const char *chess_language_name(ChessLanguage language);
// By code or English name, without regard to case; false when there is no such language.
JD_MUST_USE JD_API bool chess_language_find(JdStr code_or_name, ChessLanguage *out);
// What a piece is called in a move ("Кр"), UTF-8. For CHESS_PAWN: the letter some write although
// none is due, or the empty string when the language has none that is no piece letter as well.
JD_API const char *chess_language_letter(ChessLanguage language, ChessKind kind);

// ---- writing ------------------------------------------------------------------------------------

typedef enum ChessForm {
    CHESS_FORM_PGN = 0,  // Nf3, exd6, e8=Q, O-O, Qxf7#
    CHESS_FORM_FIDE = 1, // Nf3, exd6 e.p., e8Q, 0-0, Qxf7#   (Appendix C)
    CHESS_FORM_LONG = 2, // Ng1-f3, e5xd6 e.p., e7-e8Q, 0-0, Qh5xf7#
    CHESS_FORM_UCI = 3,  // g1f3, e5d6, e7e8q, e1g1; language does not matter
    CHESS_FORM_ICCF = 4, // 7163, 5546, 57581 (1 queen, 2 rook, 3 bishop, 4 knight), 5171
} ChessForm;

// "pgn", "fide", "long", "uci", "iccf".
JD_API const char *chess_form_name(ChessForm form);
JD_MUST_USE JD_API bool chess_form_find(JdStr name, ChessForm *out);

#define CHESS_NOTATION_SIZE 32
// Writes a legal move of the position and a NUL; returns the size without it. With CHESS_FORM_PGN
// and CHESS_ENGLISH the text is that of chess_san_write.
JD_API size_t chess_notation_write(const ChessPosition *pos, ChessMove move, ChessForm form,
                                   ChessLanguage language, char out[CHESS_NOTATION_SIZE]);

#define CHESS_SPOKEN_SIZE 160
// Writes the move as it is announced to a blind player (Appendix D): "Springer Felix drei", "Bauer
// Eva schlägt David sechs en passant". File names are those of the Laws in every language; numbers
// and pieces are German, English, Russian, Romanian or French, and English for any other language.
// Writes a NUL; returns the size without it.
JD_API size_t chess_spoken_write(const ChessPosition *pos, ChessMove move, ChessLanguage language,
                                 char out[CHESS_SPOKEN_SIZE]);

// ---- reading ------------------------------------------------------------------------------------

// What a text may do that the exact form does not. Without any of these only the text that
// chess_notation_write writes with CHESS_FORM_PGN in the same language is read.
typedef enum ChessTolerance {
    CHESS_TOLERATE_MISSING_CHECK = 1 << 0,      // no + or # where one is due, or + for #
    CHESS_TOLERATE_WRONG_CHECK = 1 << 1,        // + or # where none is due, or # for +
    CHESS_TOLERATE_CHECK_STYLE = 1 << 2,        // ++ † ‡ for + and #
    CHESS_TOLERATE_MISSING_CAPTURE = 1 << 3,    // Be5, ed5 for captures
    CHESS_TOLERATE_WRONG_CAPTURE = 1 << 4,      // Bxe5 although nothing is taken
    CHESS_TOLERATE_CAPTURE_STYLE = 1 << 5,      // : or × for x, also behind the move
    CHESS_TOLERATE_MARKS = 1 << 6,              // ! and ? behind the move
    CHESS_TOLERATE_ZERO_CASTLING = 1 << 7,      // 0-0, o-o
    CHESS_TOLERATE_PROMOTION_PLAIN = 1 << 8,    // e8Q
    CHESS_TOLERATE_PROMOTION_BRACKETS = 1 << 9, // e8(Q)
    CHESS_TOLERATE_PROMOTION_SLASH = 1 << 10,   // e8/Q
    CHESS_TOLERATE_PROMOTION_MISSING = 1 << 11, // e8 means a queen; not part of the default
    CHESS_TOLERATE_EP_SUFFIX = 1 << 12,         // e.p. or ep behind the move
    CHESS_TOLERATE_LONG = 1 << 13, // the departure square in full, a hyphen: Ng1-f3, e2-e4
    CHESS_TOLERATE_OVER_DISAMBIGUATION = 1 << 14, // Ngf3 where Nf3 would do, N1f3 where Ngf3 is due
    CHESS_TOLERATE_LOWER_CASE = 1 << 15,  // nf3, e8=q; bc4 is a pawn move as long as one fits
    CHESS_TOLERATE_PAWN_LETTER = 1 << 16, // Pe4
    CHESS_TOLERATE_LOOKALIKE = 1 << 17, // Cyrillic а с е х О in squares and signs, other dashes,
                                        // Latin K C for the Cyrillic letters
    CHESS_TOLERATE_DRAW_OFFER = 1 << 18,  // (=) or = behind the move
    CHESS_TOLERATE_COORDINATES = 1 << 19, // g1f3, e1g1, e7e8q: squares only, as in UCI
    CHESS_TOLERATE_FIGURINE = 1 << 20,    // ♘f3 beside the letters of the language
    CHESS_TOLERATE_BLANKS = 1 << 21,      // blanks around and between the parts
    CHESS_TOLERATE_MOVE_NUMBER = 1 << 22, // 12.Nf3, 12...Nf3
    CHESS_TOLERATE_NUMERIC = 1 << 23,     // 7163 (ICCF); not part of the default
    // No liberty of the text but one of the reader: check signs are not looked at, which saves
    // making the move. Missing and wrong check signs are then not reported.
    CHESS_TOLERATE_SIGNS_UNSEEN = 1 << 24,
} ChessTolerance;

#define CHESS_TOLERANCE_COUNT 25
// Nothing: the exact form only.
#define CHESS_TOLERATE_NOTHING 0u
// All but those that could change the meaning of a text.
#define CHESS_TOLERATE_DEFAULT                                                                     \
    (((1u << 24) - 1) & ~(unsigned)(CHESS_TOLERATE_PROMOTION_MISSING | CHESS_TOLERATE_NUMERIC))
// What CHESS_FORM_FIDE writes.
#define CHESS_TOLERATE_FIDE                                                                        \
    ((unsigned)(CHESS_TOLERATE_ZERO_CASTLING | CHESS_TOLERATE_PROMOTION_PLAIN |                    \
                CHESS_TOLERATE_EP_SUFFIX | CHESS_TOLERATE_BLANKS))

// "missing_check" ...: stable names for options and reports; bit must be a single one.
JD_API const char *chess_tolerance_name(ChessTolerance bit);
JD_MUST_USE JD_API bool chess_tolerance_find(JdStr name, ChessTolerance *out);

#define CHESS_READING_CANDIDATES 16

typedef struct ChessReading {
    ChessMove move;      // the move, or CHESS_NO_MOVE when there is not exactly one
    ChessMove castling;  // illegal king move to g1, c1, g8, c8: the legal castling it may mean
    uint32_t tolerances; // ChessTolerance bits the text needed; DRAW_OFFER: it offers a draw
    int count;           // legal moves that fit
    ChessMove candidates[CHESS_READING_CANDIDATES]; // the first of them
} ChessReading;

// Reads one move of the position as specification section 8.5 matches texts: legal moves whose
// piece, arrival square, given departure parts, promotion piece and castling side agree. x, +, #,
// e.p. never choose between moves; a pawn move without a departure file is never a capture.
//
// text        the move alone, UTF-8, not NUL-terminated; any bytes may be asked
// language    of the piece letters; longest match, so that Russian Кр is the king and К the knight
// tolerances  ChessTolerance bits that are allowed
// out         always written
// err         written on failure only: code is a ChessMoveFault; the text names the tolerance that
// was
//             missing, or the moves that fit
//
// O(size) and a few look-ups; moves are not generated.
JD_MUST_USE JD_API bool chess_notation_parse(JdStr text, const ChessPosition *pos,
                                             ChessLanguage language, uint32_t tolerances,
                                             ChessReading *out, JdErr *err);

#ifdef __cplusplus
}
#endif
#endif
