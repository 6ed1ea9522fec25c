// SPDX-License-Identifier: GPL-3.0-or-later
//
// Portable Game Notation: a streaming reader and a writer.
//
// The reader is fed pieces of a file of any size and calls a visitor for each thing it finds: tags,
// moves, comments, variations, results. It needs only the memory the caller gives it, whatever the
// file holds; checks every move against the board when it is given room for positions; and survives
// any bytes: what is wrong is reported by line, column, byte and game, and reading goes on. The
// writer writes the export format of the PGN standard. Neither allocates, and both are pure.
//
//     static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
//     static ChessPgnLine lines[8];
//     ChessPgnOptions options = { .buffer = buffer, .buffer_size = sizeof buffer,
//                                 .lines = lines, .line_count = JD_COUNT(lines) };
//     ChessPgnVisitor visitor = { .game_end = count_game, .problem = print_problem };
//     ChessPgnReader reader;
//     chess_pgn_init(&reader, &options, &visitor, &my_context);
//     while ((size = read(0, chunk, sizeof chunk)) > 0)
//         chess_pgn_push(&reader, jd_str_n(chunk, size));
//     chess_pgn_finish(&reader);
#ifndef JADOUBE_PGN_H
#define JADOUBE_PGN_H

#include <jadoube/chess.h>
#include <jadoube/notation.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- results ------------------------------------------------------------------------------------

typedef enum ChessPgnResult {
    CHESS_PGN_NO_RESULT = 0, // nothing said
    CHESS_PGN_UNKNOWN = 1,   // "*": in progress, abandoned, or not known
    CHESS_PGN_WHITE_WINS = 2,
    CHESS_PGN_BLACK_WINS = 3,
    CHESS_PGN_DRAW = 4,
} ChessPgnResult;

// "1-0", "0-1", "1/2-1/2"; "*" for the others.
JD_API const char *chess_pgn_result_text(ChessPgnResult result);
// Reads exactly one of these texts; CHESS_PGN_NO_RESULT for anything else.
JD_API ChessPgnResult chess_pgn_result_parse(JdStr text);

// ---- problems -----------------------------------------------------------------------------------

// Numbers are stable. Below 64 the game is damaged from there on; the others are warnings.
typedef enum ChessPgnFault {
    CHESS_PGN_OK = 0,
    CHESS_PGN_ILLEGAL_MOVE = 1,
    CHESS_PGN_AMBIGUOUS_MOVE = 2,
    CHESS_PGN_MALFORMED_MOVE = 3,  // a word that is no move
    CHESS_PGN_INEXACT_MOVE = 4,    // needs a tolerance that is switched off
    CHESS_PGN_BAD_FEN = 5,         // the FEN tag is no legal position
    CHESS_PGN_UNKNOWN_VARIANT = 6, // the Variant tag names other rules
    CHESS_PGN_UNTERMINATED_COMMENT = 7,
    CHESS_PGN_UNTERMINATED_VARIATION = 8,
    CHESS_PGN_STRAY_BRACKET = 9,         // ")" or "}" that nothing opened
    CHESS_PGN_VARIATION_TOO_DEEP = 10,   // more levels than the caller gave lines
    CHESS_PGN_VARIATION_OF_NOTHING = 11, // "(" before any move of its line
    CHESS_PGN_MALFORMED_TAG = 12,
    CHESS_PGN_TAG_TOO_LONG = 13,   // above CHESS_PGN_TAG_MAX
    CHESS_PGN_WORD_TOO_LONG = 14,  // above CHESS_PGN_WORD_MAX
    CHESS_PGN_TOO_MANY_PLIES = 15, // above CHESS_GAME_PLIES_MAX
    CHESS_PGN_STRAY_BYTE = 16,     // NUL or a sign PGN does not know
    CHESS_PGN_NOT_TEXT = 17,       // UTF-16; nothing is read
    CHESS_PGN_MALFORMED_UTF8 = 64, // in a tag or comment; each bad byte is handed on as "?"
    CHESS_PGN_MISSING_RESULT = 65, // the game ends without 1-0, 0-1, 1/2-1/2 or *
    CHESS_PGN_RESULT_DIFFERS = 66, // from the Result tag
    CHESS_PGN_BAD_NAG = 67,        // above 255, or no number
    CHESS_PGN_TEXT_OUTSIDE = 68,   // words between games; the line is skipped
    CHESS_PGN_RESERVED = 69,       // "<" ... ">", reserved by the standard; skipped
    CHESS_PGN_SLOPPY_TAG = 70,     // a quote or bracket is missing or stands inside; taken as it is
} ChessPgnFault;

// "illegal_move" ...: stable names for reports.
JD_API const char *chess_pgn_fault_name(ChessPgnFault fault);
static inline bool chess_pgn_fault_damages(ChessPgnFault fault) {
    return fault < CHESS_PGN_MALFORMED_UTF8;
}

typedef struct ChessPgnProblem {
    ChessPgnFault fault;
    int depth;                   // 0 in the main line, 1 in a variation of it ...
    uint64_t game;               // number of the game, from 1; 0 before the first
    uint64_t line;               // from 1
    uint64_t column;             // bytes from 1 (characters when an encoding is converted)
    uint64_t offset;             // bytes from the start of the file
    uint64_t ply;                // plies made in the line before the fault
    char text[JD_ERR_TEXT_SIZE]; // a sentence: what was found and what was expected
} ChessPgnProblem;

// ---- visitor ------------------------------------------------------------------------------------

// What a visitor wants next.
typedef enum ChessPgnStep {
    CHESS_PGN_GO = 0,
    CHESS_PGN_SKIP =
        1, // from game_begin, tag, tags_end: the rest of the game (game_end is still called);
           // from variation_begin: the variation (variation_end is not called)
    CHESS_PGN_STOP = 2, // read nothing more
} ChessPgnStep;

typedef struct ChessPgnMove {
    JdStr text;                    // as written, without ! and ?
    const ChessPosition *position; // before the move; NULL when moves are not checked
    ChessMove move;                // CHESS_NO_MOVE when not checked, and for a null move
    bool is_null;                  // "--" in a variation: the other side is to move
    int depth;                     // 0 main line
    uint32_t tolerances; // ChessTolerance bits needed; see ChessPgnOptions.report_tolerances
} ChessPgnMove;

typedef struct ChessPgnGame {
    uint64_t number;               // from 1
    uint64_t begin;                // byte offset of its first tag or move
    uint64_t end;                  // byte offset behind its last sign
    uint64_t line;                 // of its first tag or move
    uint32_t plies;                // of the main line
    ChessPgnResult result;         // as the movetext says
    ChessPgnResult tag_result;     // as the Result tag says
    bool damaged;                  // a problem that damages was reported
    bool skipped;                  // the visitor skipped the rest
    const ChessPosition *position; // at the end of the main line; NULL when not checked or damaged
} ChessPgnGame;

// All functions may be NULL: what nobody wants to see is passed over as cheaply as possible. Texts
// are valid during the call. The order within a game is game_begin, tag ..., tags_end, then moves
// with their comments and variations, game_end. tags_end is called in every game. Comments may also
// come between games.
typedef struct ChessPgnVisitor {
    ChessPgnStep (*game_begin)(void *context, uint64_t number);
    ChessPgnStep (*tag)(void *context, JdStr name, JdStr value); // escapes resolved
    // start: the position of the FEN tag or the initial position; NULL when moves are not checked.
    ChessPgnStep (*tags_end)(void *context, const ChessPosition *start);
    void (*move)(void *context, const ChessPgnMove *move);
    // text: without braces; to_line_end: a ";" comment. more: the comment is longer than the buffer
    // and goes on in the next call.
    void (*comment)(void *context, JdStr text, bool to_line_end, bool more);
    void (*nag)(void *context, int nag); // 0 to 255; ! is 1, ? is 2, and so on
    // A line that began with "%", without the "%".
    void (*escape)(void *context, JdStr text, bool more);
    ChessPgnStep (*variation_begin)(void *context);
    void (*variation_end)(void *context);
    void (*game_end)(void *context, const ChessPgnGame *game);
    void (*problem)(void *context, const ChessPgnProblem *problem);
} ChessPgnVisitor;

// ---- reader -------------------------------------------------------------------------------------

// How the bytes of a file are to be understood. Latin-1 is read as Windows-1252, its superset in
// use.
typedef enum ChessEncoding {
    CHESS_UTF8 = 0,
    CHESS_LATIN1 = 1,
    CHESS_WINDOWS_1251 = 2,
} ChessEncoding;

// "utf-8", "latin-1", "windows-1251" and the usual other names, without regard to case.
JD_MUST_USE JD_API bool chess_encoding_find(JdStr name, ChessEncoding *out);
// Appends text as UTF-8, as much as fits; returns the bytes of text that were taken. Bytes that the
// encoding does not know become U+FFFD. One byte becomes at most three.
JD_API size_t chess_encoding_convert(ChessEncoding encoding, JdStr text, JdOut *out);

// Room for the position of one line of play: the main line or a variation.
typedef struct ChessPgnLine {
    ChessPosition position;
    ChessUndo undo;
    ChessMove last; // last move made, CHESS_NO_MOVE: none or a null move
    uint8_t has_last;
    uint8_t last_is_null;
    uint32_t plies;
} ChessPgnLine;

typedef struct ChessPgnOptions {
    void *buffer;        // the caller's memory for the text being looked at
    size_t buffer_size;  // at least CHESS_PGN_BUFFER_MIN; more only means longer pieces of comments
    ChessPgnLine *lines; // NULL: moves are handed on as text, not checked
    size_t line_count;   // main line and levels of variations: at least 1 when lines is given
    uint8_t encoding;    // ChessEncoding
    uint8_t language;    // ChessLanguage of the piece letters
    bool exact;          // moves must be exact: as if tolerances were CHESS_TOLERATE_NOTHING
    bool skip_variations;
    bool report_tolerances; // look at each move closely enough to say what it needed (slower); else
                            // tolerances in ChessPgnMove may lack bits
    uint32_t tolerances;    // ChessTolerance bits; 0 with exact false: CHESS_TOLERATE_DEFAULT
} ChessPgnOptions;

// The state of a reader; the caller places it, the functions change it.
typedef struct ChessPgnReader {
    ChessPgnOptions options;
    ChessPgnVisitor visitor;
    void *context;
    char *start;    // of the buffer
    char *at;       // first byte not yet read
    char *end;      // behind the last byte
    char *limit;    // behind the last byte that may be filled
    size_t scanned; // bytes behind at known not to end the present comment or tag
    // A place in the buffer whose line and offset in the file are known. It only moves forward, so
    // that lines are counted once.
    char *mark;
    uint64_t mark_offset;
    uint64_t mark_line;
    uint64_t mark_line_begin; // offset in the file of the beginning of that line
    ChessPosition initial;    // where games without a FEN tag begin
    ChessPgnGame game;
    ChessPgnProblem long_comment; // where a comment longer than the buffer began
    int depth;                    // of variations that are open
    int dead_depth; // depth from which on nothing is handed on; NOT_DEAD: everything is
    uint8_t state;
    uint8_t begun; // the byte order mark has been looked for
    uint8_t in_game;
    uint8_t has_event;    // an Event tag was seen
    uint8_t has_moves;    // the movetext has begun
    uint8_t number_seen;  // between games a number was seen that may begin one
    uint8_t outside_told; // text between games has been reported
    uint8_t stopped;
    uint8_t variant;      // of the Variant tag
    uint8_t comment_cut;  // pieces of the present comment have been handed on
    uint8_t comment_high; // it holds bytes that are no ASCII, or NUL
    uint8_t comment_bad;  // malformed UTF-8 in them has been reported
} ChessPgnReader;

JD_API void chess_pgn_init(ChessPgnReader *reader, const ChessPgnOptions *options,
                           const ChessPgnVisitor *visitor, void *context);
// Reads the next piece of the file, of any size. Returns false when the visitor stopped or the file
// is no text; nothing more need be pushed then.
JD_API bool chess_pgn_push(ChessPgnReader *reader, JdStr bytes);
// The file has ended: ends the game that is open.
JD_API void chess_pgn_finish(ChessPgnReader *reader);
// Byte offset in the file up to which everything has been read.
JD_API uint64_t chess_pgn_offset(const ChessPgnReader *reader);

// ---- commands in comments -----------------------------------------------------------------------

// "[%clk 1:02:03]" in a comment.
typedef struct ChessPgnCommand {
    JdStr name;     // "clk"
    JdStr argument; // "1:02:03"
    size_t begin;   // of the "[" in the comment
    size_t end;     // behind the "]"
} ChessPgnCommand;

// Finds the next command from *at on and moves *at behind it; false when there is none.
JD_MUST_USE JD_API bool chess_pgn_command_next(JdStr comment, size_t *at, ChessPgnCommand *out);

// Reads the argument of clk, emt, egt, mct: hours:minutes:seconds with up to three decimals; also
// minutes:seconds and seconds.
JD_MUST_USE JD_API bool chess_pgn_clock_parse(JdStr argument, JdSpan *out);
#define CHESS_PGN_CLOCK_SIZE 32
// "1:02:03" or "0:00:03.4"; a negative span is written as 0. Writes a NUL; returns the size without
// it.
JD_API size_t chess_pgn_clock_write(JdSpan span, char out[CHESS_PGN_CLOCK_SIZE]);

typedef struct ChessPgnEval {
    bool is_mate;
    int32_t centipawns; // for White; when is_mate: moves to mate, negative when Black mates
    int32_t depth;      // 0: not said
} ChessPgnEval;
// Reads the argument of eval: "0.17", "-1.5,22", "#-3".
JD_MUST_USE JD_API bool chess_pgn_eval_parse(JdStr argument, ChessPgnEval *out);

// A coloured square of csl or arrow of cal.
typedef struct ChessPgnShape {
    char color;       // 'G', 'R', 'Y', 'B'
    ChessSquare from; // or the square
    ChessSquare to;   // CHESS_NO_SQUARE for a square
} ChessPgnShape;
// Reads the next of "Ga4,Rb1" or "Gc2c4,Rb1b8" from *at on; false at the end or on anything else.
JD_MUST_USE JD_API bool chess_pgn_shape_next(JdStr argument, size_t *at, ChessPgnShape *out);

// ---- writer -------------------------------------------------------------------------------------

typedef struct ChessPgnTag {
    JdStr name;
    JdStr value;
} ChessPgnTag;

// Takes what the writer writes.
typedef void (*ChessPgnSink)(void *context, JdStr text);

typedef struct ChessPgnWriter {
    ChessPgnSink sink;
    void *context;
    uint8_t form;          // ChessForm of moves
    uint8_t language;      // ChessLanguage of moves
    uint8_t needs_number;  // the next move is given its number whoever makes it
    uint8_t bracket_waits; // a "(" to be written in front of the next word
    uint16_t width;        // columns of a line; 0: the whole movetext on one line
    uint16_t reserved;
    uint32_t column; // bytes in the present line
} ChessPgnWriter;

// CHESS_FORM_PGN, CHESS_ENGLISH and CHESS_PGN_WIDTH give the export format.
#define CHESS_PGN_WIDTH 79
JD_API void chess_pgn_writer_init(ChessPgnWriter *writer, ChessPgnSink sink, void *context,
                                  ChessForm form, ChessLanguage language, int width);

// Writes the tag section of a game: the Seven Tag Roster first (a missing one as "?", "????.??.??"
// or the result), then the others in ASCII order. Of two tags of one name the first counts. Sorts
// tags in place. result: written for the Result tag; CHESS_PGN_NO_RESULT: the tag's own, or "*".
// Quotes and backslashes are escaped, control characters become blanks; a tag whose name is no PGN
// symbol (letters, digits and underscores) is left out.
JD_API void chess_pgn_write_tags(ChessPgnWriter *writer, ChessPgnTag *tags, size_t count,
                                 ChessPgnResult result);
// A legal move of the position, with its number where one is due.
JD_API void chess_pgn_write_move(ChessPgnWriter *writer, const ChessPosition *before,
                                 ChessMove move);
// A null move ("--") by the side to move.
JD_API void chess_pgn_write_null_move(ChessPgnWriter *writer, const ChessPosition *before);
// A comment; runs of blanks and line ends become one blank or a line end. Text with a "}" is
// written as a
// ";" comment on a line of its own. Embedded commands are text like any other.
JD_API void chess_pgn_write_comment(ChessPgnWriter *writer, JdStr text);
JD_API void chess_pgn_write_nag(ChessPgnWriter *writer, int nag);
// A line that begins with "%"; text up to its first line end.
JD_API void chess_pgn_write_escape(ChessPgnWriter *writer, JdStr text);
JD_API void chess_pgn_write_variation_begin(ChessPgnWriter *writer);
JD_API void chess_pgn_write_variation_end(ChessPgnWriter *writer);
// The result and the empty line that ends a game.
JD_API void chess_pgn_write_result(ChessPgnWriter *writer, ChessPgnResult result);

#ifdef __cplusplus
}
#endif
#endif
