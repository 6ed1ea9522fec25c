// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PGN reader's movetext: moves, numbers, annotation glyphs, variations and results.
#include <jadoube/pgn.h>

#include "chess/pgn_board.h"
#include "chess/pgn_reader.h"
#include "chess/pgn_san.h"
#include "chess/pgn_scan.h"

// What a token of movetext begins with.
enum {
    C_END = 'E', // NUL: the end of the data, or a stray byte
    C_BLANK = 'B',
    C_DIGIT = 'D',
    C_WORD = 'W', // letters and signs of moves and evaluations, and everything that is no ASCII
    C_DOT = 'P',
    C_MARK = 'M',
    C_BRACE = 'C',
    C_OPEN = 'O',
    C_CLOSE = 'X',
    C_TAG = 'T',
    C_LINE = 'L', // ;
    C_PERCENT = 'Y',
    C_NAG = 'N',
    C_STAR = 'R',
    C_RESERVED = 'V',
    C_STRAY = 'S',
};

// By byte.
static const char token_classes[257] = "ESSSSSSSSBBBBBSS"
                                       "SSSSSSSSSSSSSSSS"
                                       "BMSWNYSSOXRWSWPW" //  !"#$%&'()*+,-./
                                       "DDDDDDDDDDWLVWSM" // 0123456789:;<=>?
                                       "WWWWWWWWWWWWWWWW" // @ABCDEFGHIJKLMNO
                                       "WWWWWWWWWWWTSSWW" // PQRSTUVWXYZ[\ ]^_
                                       "SWWWWWWWWWWWWWWW" // `abcdefghijklmno
                                       "WWWWWWWWWWWCSSWS"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW"
                                       "WWWWWWWWWWWWWWWW";

const uint8_t chess_san_classes[256] = {
    4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    4, 4, 0, 0, 4, 0, 0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 4, 0, 0, 0, 4,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 4, 0, 0, 0, 0,
};

static int class_of(char c) {
    return token_classes[(unsigned char)c];
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static ChessPgnLine *line_of(ChessPgnReader *reader) {
    return &reader->options.lines[reader->depth];
}

// ---- the board ----------------------------------------------------------------------------------

void chess_pgn_moves_begin(ChessPgnReader *reader) {
    const ChessPosition *start = NULL;
    if (reader->options.lines != NULL && !chess_pgn_is_dead(reader)) {
        ChessPosition *pos = &reader->options.lines[0].position;
        if (reader->variant == PGN_CHESS960)
            pos->is_chess960 = 1;
        start = pos;
    }
    reader->has_moves = true;
    if (reader->visitor.tags_end != NULL && !reader->game.skipped)
        chess_pgn_obey(reader, reader->visitor.tags_end(reader->context, start));
}

// Movetext is met: the game begins, if it has not, and its moves.
static void open_moves(ChessPgnReader *reader, char *at) {
    if (!reader->in_game)
        chess_pgn_game_begin(reader, at);
    if (!reader->has_moves && !reader->stopped)
        chess_pgn_moves_begin(reader);
}

static void play(ChessPgnReader *reader, ChessPgnLine *line, ChessMove move, JdStr text,
                 uint32_t tolerances) {
    if (reader->visitor.move != NULL) {
        const ChessPgnMove told = {
            .text = text,
            .position = &line->position,
            .move = move,
            .depth = reader->depth,
            .tolerances = tolerances,
        };
        reader->visitor.move(reader->context, &told);
        chess_move_make(&line->position, move, &line->undo);
    } else {
        make_unwatched(&line->position, move, &line->undo);
    }
    line->last = move;
    line->has_last = true;
    line->last_is_null = false;
    line->plies++;
}

static void null_make(ChessPosition *pos, ChessUndo *undo) {
    *undo = (ChessUndo) {
        .zobrist_key = pos->zobrist_key,
        .halfmove_clock = pos->halfmove_clock,
        .ep_target = pos->ep_target,
        .ep_is_legal = pos->ep_is_legal,
    };
    pos->fullmove_number += pos->side_to_move == CHESS_BLACK;
    pos->halfmove_clock = (uint16_t)(pos->halfmove_clock + (pos->halfmove_clock < UINT16_MAX));
    pos->side_to_move ^= 1;
    pos->ep_target = CHESS_NO_SQUARE;
    pos->ep_is_legal = 0;
    pos->zobrist_key = chess_zobrist_key(pos);
}

static void null_unmake(ChessPosition *pos, const ChessUndo *undo) {
    pos->side_to_move ^= 1;
    pos->fullmove_number -= pos->side_to_move == CHESS_BLACK;
    pos->halfmove_clock = undo->halfmove_clock;
    pos->ep_target = undo->ep_target;
    pos->ep_is_legal = undo->ep_is_legal;
    pos->zobrist_key = undo->zobrist_key;
}

// "--" in a variation: the side to move passes, as annotators show a threat.
static bool play_null(ChessPgnReader *reader, JdStr text) {
    ChessPgnLine *line = line_of(reader);
    ChessPosition *pos = &line->position;
    if (reader->depth == 0 || chess_is_check(pos))
        return false;
    if (reader->visitor.move != NULL) {
        const ChessPgnMove told = {
            .text = text, .position = pos, .is_null = true, .depth = reader->depth
        };
        reader->visitor.move(reader->context, &told);
    }
    null_make(pos, &line->undo);
    line->last = CHESS_NO_MOVE;
    line->has_last = true;
    line->last_is_null = true;
    line->plies++;
    return true;
}

static void count_ply(ChessPgnReader *reader, const char *at) {
    if (reader->depth == 0 && ++reader->game.plies > CHESS_GAME_PLIES_MAX) {
        chess_pgn_report(reader, CHESS_PGN_TOO_MANY_PLIES, at, "a game of more than %d plies",
                         CHESS_GAME_PLIES_MAX);
        reader->game.plies = CHESS_GAME_PLIES_MAX;
    }
}

void chess_pgn_refresh_position(ChessPgnReader *reader) {
    if (reader->visitor.move == NULL)
        refresh_unwatched(&reader->options.lines[0].position);
}

// ---- variations ---------------------------------------------------------------------------------

static void variation_begin(ChessPgnReader *reader, const char *at) {
    if (chess_pgn_is_dead(reader)) {
        reader->depth += reader->depth < PGN_NOT_DEAD - 1;
        return;
    }
    ChessPgnLine *lines = reader->options.lines;
    const int depth = reader->depth;
    bool is_wanted = !reader->options.skip_variations;
    if (is_wanted && lines != NULL) {
        if (!lines[depth].has_last) {
            chess_pgn_report(reader, CHESS_PGN_VARIATION_OF_NOTHING, at,
                             "a variation stands behind the move it replaces; there is none");
            reader->depth += 1;
            return;
        }
        if ((size_t)depth + 1 >= reader->options.line_count) {
            chess_pgn_warn(reader, CHESS_PGN_VARIATION_TOO_DEEP, at,
                           "variations nested more than %d deep; this one is passed over", depth);
            reader->game.damaged = true;
            is_wanted = false;
        }
    }
    ChessPgnStep step = CHESS_PGN_GO;
    if (is_wanted && reader->visitor.variation_begin != NULL)
        step = reader->visitor.variation_begin(reader->context);
    reader->depth = depth + 1;
    if (!is_wanted || step == CHESS_PGN_SKIP) {
        reader->dead_depth = depth + 1;
        return;
    }
    if (step == CHESS_PGN_STOP) {
        reader->stopped = true;
        return;
    }
    if (lines == NULL)
        return;
    ChessPgnLine *line = &lines[depth + 1];
    line->position = lines[depth].position;
    if (lines[depth].last_is_null)
        null_unmake(&line->position, &lines[depth].undo);
    else
        chess_move_unmake(&line->position, lines[depth].last, &lines[depth].undo);
    line->has_last = false;
    line->last_is_null = false;
    line->plies = lines[depth].plies - 1;
}

void chess_pgn_variation_end(ChessPgnReader *reader) {
    if (!chess_pgn_is_dead(reader) && reader->visitor.variation_end != NULL)
        reader->visitor.variation_end(reader->context);
    reader->depth--;
    if (reader->depth < reader->dead_depth && reader->dead_depth != PGN_NOT_DEAD)
        reader->dead_depth = PGN_NOT_DEAD;
}

// ---- words --------------------------------------------------------------------------------------

// Signs that stand for annotation glyphs as words of their own.
static const struct {
    const char *text;
    uint8_t nag;
} glyph_words[] = {
    { "=", 10 },   { "+=", 14 },  { "+/=", 14 }, { "=+", 15 }, { "=/+", 15 },
    { "+/-", 16 }, { "-/+", 17 }, { "+-", 18 },  { "-+", 19 }, { "∞", 13 },
    { "⩲", 14 },   { "⩱", 15 },   { "±", 16 },   { "∓", 17 },  { "□", 7 },
    { "⨀", 22 },   { "⟳", 32 },   { "→", 36 },   { "↑", 40 },  { "⇆", 132 },
    { "∆", 140 },  { "‼", 3 },    { "⁇", 4 },    { "⁉", 5 },   { "⁈", 6 },
};

// Words that add nothing to the move before them.
static const char *const idle_words[] = { "e.p.", "e.p", "ep", "+", "++", "#", "†", "‡" };
static const char *const null_words[] = { "--", "Z0", "null", "@@@@" };

static bool is_one_of(JdStr word, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (jd_str_equal(word, jd_str(list[i])))
            return true;
    return false;
}

static void give_nag(ChessPgnReader *reader, int nag) {
    if (!chess_pgn_is_dead(reader) && reader->visitor.nag != NULL)
        reader->visitor.nag(reader->context, nag);
}

// A short printable part of a word, for messages.
static JdStr shown(JdStr word, char out[40]) {
    JdOut text = jd_out(out, 36);
    size_t at = 0;
    while (at < word.size && text.size < 30) {
        char bytes[4];
        const uint32_t code = jd_utf8_next(word, &at);
        jd_out_text(&text, jd_str_n(bytes, jd_utf8_write(code < 0x20 ? 0xfffd : code, bytes)));
    }
    if (at < word.size)
        jd_out_cstr(&text, "...");
    return jd_out_str(&text);
}

static ChessPgnFault fault_of_move(uint32_t move_fault) {
    switch ((ChessMoveFault)move_fault) {
    case CHESS_MOVE_ILLEGAL:
        return CHESS_PGN_ILLEGAL_MOVE;
    case CHESS_MOVE_AMBIGUOUS:
        return CHESS_PGN_AMBIGUOUS_MOVE;
    case CHESS_MOVE_WRONG_SIGN:
        return CHESS_PGN_INEXACT_MOVE;
    case CHESS_MOVE_OK:
    case CHESS_MOVE_MALFORMED:
        break;
    }
    return CHESS_PGN_MALFORMED_MOVE;
}

// Words where no game is: prose between games is passed over, line by line.
static void text_outside(ChessPgnReader *reader, const char *at, JdStr word) {
    char text[40];
    const JdStr part = shown(word, text);
    if (!reader->outside_told)
        chess_pgn_warn(reader, CHESS_PGN_TEXT_OUTSIDE, at,
                       "\"%.*s\" between games is no tag and no move", JD_PRINT(part));
    reader->outside_told = true;
    reader->number_seen = false;
    reader->state = PGN_SKIPS_LINE;
}

static void read_checked_move(ChessPgnReader *reader, const char *at, JdStr word) {
    ChessPgnLine *line = line_of(reader);
    const ChessPgnOptions *options = &reader->options;
    uint32_t tolerances = options->tolerances;
    ChessReading reading;
    JdErr err = { 0 };
    if (!options->exact && !options->report_tolerances)
        tolerances |= CHESS_TOLERATE_SIGNS_UNSEEN;
    if (!chess_notation_parse(word, &line->position, (ChessLanguage)options->language, tolerances,
                              &reading, &err)) {
        char text[40];
        const JdStr part = shown(word, text);
        chess_pgn_report(reader, fault_of_move(err.code), at, "%s's move %u \"%.*s\": %s",
                         line->position.side_to_move == CHESS_WHITE ? "White" : "Black",
                         line->position.fullmove_number, JD_PRINT(part), err.text);
        return;
    }
    count_ply(reader, at);
    if (!chess_pgn_is_dead(reader))
        play(reader, line, reading.move, word, reading.tolerances);
}

// One word of movetext that the fast path left.
static void read_word(ChessPgnReader *reader, char *at, JdStr word) {
    for (size_t i = 0; reader->in_game && i < JD_COUNT(glyph_words); i++) {
        if (jd_str_equal(word, jd_str(glyph_words[i].text))) {
            open_moves(reader, at);
            give_nag(reader, glyph_words[i].nag);
            return;
        }
    }
    if (reader->in_game && is_one_of(word, idle_words, JD_COUNT(idle_words)))
        return;
    if (!reader->in_game) {
        ChessReading reading;
        JdErr err = { 0 };
        if (!chess_notation_parse(word, &reader->initial, (ChessLanguage)reader->options.language,
                                  CHESS_TOLERATE_DEFAULT, &reading, &err) &&
            err.code == CHESS_MOVE_MALFORMED) {
            text_outside(reader, at, word);
            return;
        }
    }
    open_moves(reader, at);
    if (chess_pgn_is_dead(reader) || reader->stopped)
        return;
    const bool is_null = is_one_of(word, null_words, JD_COUNT(null_words));
    if (reader->options.lines == NULL) {
        const ChessPgnMove told = { .text = word, .is_null = is_null, .depth = reader->depth };
        count_ply(reader, at);
        if (reader->visitor.move != NULL && !chess_pgn_is_dead(reader))
            reader->visitor.move(reader->context, &told);
    } else if (!is_null) {
        read_checked_move(reader, at, word);
    } else if (!play_null(reader, word)) {
        chess_pgn_report(reader, CHESS_PGN_ILLEGAL_MOVE, at, "a null move %s",
                         reader->depth == 0 ? "in the main line" : "while in check");
    }
}

// ---- tokens -------------------------------------------------------------------------------------

// End of the word that begins at p; the end of the data where it may be cut. A bracket belongs to
// it in "e8(Q)" only. Looks no further than CHESS_PGN_WORD_MAX.
static char *word_end(const ChessPgnReader *reader, char *p, PgnSupply supply) {
    const char *const begin = p;
    for (; p - begin < CHESS_PGN_WORD_MAX; p++) {
        const int class = class_of(*p);
        if (class == C_WORD || class == C_DIGIT || class == C_DOT)
            continue;
        if (class != C_OPEN || p == begin || (p[-1] != '8' && p[-1] != '1') || p[1] == '=')
            return p;
        char *close = p + 1;
        while (close < p + 4 && class_of(*close) == C_WORD)
            close++;
        if (close >= reader->end && supply == PGN_MORE_COMES)
            return reader->end;
        if (*close != ')' || close == p + 1)
            return p;
        p = close;
    }
    return p;
}

static bool line_begins(const char *at, const char *start) {
    while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == start || at[-1] == '\n' || at[-1] == '\r';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "1-0", "0-1", "1/2-1/2" or "1/2" at p; *behind is set for one of them.
static ChessPgnResult result_at(char *p, char **behind) {
    static const struct {
        JdStr text;
        ChessPgnResult result;
    } forms[] = {
        { { "1-0", 3 }, CHESS_PGN_WHITE_WINS },
        { { "0-1", 3 }, CHESS_PGN_BLACK_WINS },
        { { "1/2-1/2", 7 }, CHESS_PGN_DRAW },
        { { "1/2", 3 }, CHESS_PGN_DRAW },
    };
    for (size_t i = 0; i < JD_COUNT(forms); i++) {
        const size_t size = forms[i].text.size;
        if (!jd_bytes_equal(p, forms[i].text.data, size))
            continue;
        const int next = class_of(p[size]);
        if (next == C_DIGIT || next == C_WORD)
            continue;
        *behind = p + size;
        return forms[i].result;
    }
    return CHESS_PGN_NO_RESULT;
}

// A result ends the game; in a variation, where it should not stand, it is only remembered.
static void read_result(ChessPgnReader *reader, char *at, char *behind, ChessPgnResult result) {
    open_moves(reader, at);
    if (reader->stopped)
        return;
    reader->game.result = result;
    if (reader->depth == 0)
        chess_pgn_game_end(reader, behind);
}

static void stray_byte(ChessPgnReader *reader, const char *at) {
    const unsigned byte = (unsigned char)*at;
    if (!reader->in_game) {
        text_outside(reader, at, jd_str_n(at, 1));
        return;
    }
    if (chess_pgn_is_dead(reader))
        return;
    if (byte == '}' || byte == ']')
        chess_pgn_report(reader, CHESS_PGN_STRAY_BRACKET, at, "\"%c\" that nothing opened",
                         (int)byte);
    else
        chess_pgn_report(reader, CHESS_PGN_STRAY_BYTE, at, "byte 0x%02x has no meaning in movetext",
                         byte);
}

// Whether a run that begins at begin and was read up to p may be longer than the data: then more is
// needed. Runs of absurd length are taken in parts.
static bool may_be_cut(const ChessPgnReader *reader, const char *begin, const char *p,
                       PgnSupply supply) {
    return p >= reader->end && supply == PGN_MORE_COMES && p - begin < CHESS_PGN_WORD_MAX;
}

// "$n" at p. Returns what is behind it; NULL when the data may be cut.
static char *read_nag(ChessPgnReader *reader, char *p, PgnSupply supply) {
    char *const at = p++;
    unsigned value = 0;
    while (is_digit(*p) && p - at < CHESS_PGN_WORD_MAX) {
        value = value > 100000 ? value : value * 10 + (unsigned)(*p - '0');
        p++;
    }
    if (may_be_cut(reader, at, p, supply))
        return NULL;
    if (reader->in_game && !chess_pgn_is_dead(reader)) {
        open_moves(reader, at);
        if (p == at + 1 || value > 255)
            chess_pgn_warn(reader, CHESS_PGN_BAD_NAG, at,
                           "\"$\" and a number from 0 to 255 expected");
        else
            give_nag(reader, (int)value);
    }
    return p;
}

// A run of "!" and "?" at p. Returns what is behind it; NULL when the data may be cut.
static char *read_marks(ChessPgnReader *reader, char *p, PgnSupply supply) {
    char *const at = p;
    while ((*p == '!' || *p == '?') && p - at < CHESS_PGN_WORD_MAX)
        p++;
    if (may_be_cut(reader, at, p, supply))
        return NULL;
    if (!reader->in_game)
        return p;
    open_moves(reader, at);
    const bool first_good = at[0] == '!';
    if (p - at == 1)
        give_nag(reader, first_good ? 1 : 2);
    else if (at[0] == at[1])
        give_nag(reader, first_good ? 3 : 4);
    else
        give_nag(reader, first_good ? 5 : 6);
    return p;
}

// Any word but numbers and results. Returns what is behind it; NULL when the data may be cut.
static char *read_letters(ChessPgnReader *reader, char *p, PgnSupply supply) {
    char *const end = word_end(reader, p, supply);
    if (may_be_cut(reader, p, end, supply))
        return NULL;
    if (end - p >= CHESS_PGN_WORD_MAX) {
        if (!reader->in_game)
            text_outside(reader, p, jd_str_n(p, 16));
        else if (!chess_pgn_is_dead(reader))
            chess_pgn_report(reader, CHESS_PGN_WORD_TOO_LONG, p, "a word of %d bytes or more",
                             CHESS_PGN_WORD_MAX);
        if (reader->state == PGN_IN_TEXT)
            reader->state = PGN_SKIPS_WORD;
        return p;
    }
    if (!reader->in_game || !chess_pgn_is_dead(reader))
        read_word(reader, p, jd_str_n(p, (size_t)(end - p)));
    return end;
}

// A token that begins with a digit: a number, a result or castling with zeros. Returns what is
// behind it; NULL when the data may be cut.
static char *read_digits(ChessPgnReader *reader, char *p, PgnSupply supply) {
    char *const at = p;
    while (is_digit(*p) && p - at < CHESS_PGN_WORD_MAX)
        p++;
    if (may_be_cut(reader, at, p, supply))
        return NULL;
    if (*p == '-' || *p == '/') {
        char *behind = NULL;
        if (may_be_cut(reader, at, word_end(reader, at, supply), supply))
            return NULL;
        const ChessPgnResult result = result_at(at, &behind);
        if (result == CHESS_PGN_NO_RESULT)
            return read_letters(reader, at, supply);
        read_result(reader, at, behind, result);
        return behind;
    }
    if (!reader->in_game && !reader->number_seen) {
        const uint64_t number = reader->game.number;
        chess_pgn_mark(reader, at);
        reader->game = (ChessPgnGame) { .number = number,
                                        .begin = reader->mark_offset,
                                        .line = reader->mark_line };
        reader->number_seen = true;
    }
    return p;
}

// Whether words are moves in the text and language of the standard that only need to be played.
static bool may_read_fast(const ChessPgnReader *reader) {
    return reader->has_moves && reader->in_game && !chess_pgn_is_dead(reader) &&
           reader->options.lines != NULL && reader->options.language == CHESS_ENGLISH &&
           !reader->options.exact && !reader->options.report_tolerances;
}

// The bulk of all files: moves, their numbers and short comments, one after the other. Returns the
// first byte that needs a closer look.
static char *read_fast(ChessPgnReader *reader, char *p) {
    ChessPgnLine *line = line_of(reader);
    for (;;) {
        while (*p == ' ' || *p == '\n')
            p++;
        const char c = *p;
        if (is_digit(c)) {
            char *q = p + 1;
            while (is_digit(*q))
                q++;
            if (*q != '.' && *q != ' ')
                return p; // a result, or cut off
            while (*q == '.')
                q++;
            p = q;
        } else if (class_of(c) == C_WORD) {
            const char *behind = p;
            const ChessMove move = san_read_fast(&line->position, p, &behind);
            if (move == CHESS_NO_MOVE || behind >= reader->end)
                return p;
            count_ply(reader, p);
            if (JD_UNLIKELY(chess_pgn_is_dead(reader)))
                return p;
            const size_t size = (size_t)(behind - p);
            play(reader, line, move, jd_str_n(p, size), 0);
            p += size;
        } else if (c == '{') {
            uint64_t high = 0;
            char *const brace = find_brace(p + 1, reader->end, &high);
            if (*brace != '}' || brace >= reader->end || high != 0)
                return p;
            if (reader->visitor.comment != NULL)
                reader->visitor.comment(reader->context, jd_str_n(p + 1, (size_t)(brace - p - 1)),
                                        false, false);
            p = brace + 1;
        } else {
            return p;
        }
    }
}

bool chess_pgn_read_movetext(ChessPgnReader *reader, PgnSupply supply) {
    char *p = reader->at;
    for (;;) {
        char *next = NULL;
        if (may_read_fast(reader))
            p = read_fast(reader, p);
        if (reader->stopped) {
            reader->at = p;
            return false;
        }
        switch (class_of(*p)) {
        case C_BLANK:
        case C_DOT:
            p++;
            continue;
        case C_END:
            if (p >= reader->end) {
                reader->at = p;
                return false;
            }
            stray_byte(reader, p);
            next = p + 1;
            break;
        case C_DIGIT:
            next = read_digits(reader, p, supply);
            break;
        case C_WORD:
            if (reader->in_game && !reader->has_moves) {
                chess_pgn_moves_begin(reader);
                continue;
            }
            next = read_letters(reader, p, supply);
            break;
        case C_MARK:
            next = read_marks(reader, p, supply);
            break;
        case C_NAG:
            next = read_nag(reader, p, supply);
            break;
        case C_STAR:
            next = p + 1;
            read_result(reader, p, next, CHESS_PGN_UNKNOWN);
            break;
        case C_OPEN:
            // "(=)" is a draw offer and stays as a comment.
            if (reader->end - p < 3 && supply == PGN_MORE_COMES)
                break;
            open_moves(reader, p);
            if (p[1] == '=' && p[2] == ')') {
                if (!chess_pgn_is_dead(reader) && reader->visitor.comment != NULL)
                    reader->visitor.comment(reader->context, jd_str_n(p, 3), false, false);
                next = p + 3;
                break;
            }
            variation_begin(reader, p);
            next = p + 1;
            break;
        case C_CLOSE:
            next = p + 1;
            if (reader->depth > 0)
                chess_pgn_variation_end(reader);
            else if (!reader->in_game)
                stray_byte(reader, p);
            else if (!chess_pgn_is_dead(reader))
                chess_pgn_report(reader, CHESS_PGN_STRAY_BRACKET, p, "\")\" that nothing opened");
            break;
        case C_BRACE:
        case C_LINE:
            if (reader->in_game)
                open_moves(reader, p);
            reader->state = *p == '{' ? PGN_IN_BRACES : PGN_IN_LINE;
            reader->at = p + 1;
            return true;
        case C_PERCENT:
            if (p[-1] == '\n' || p[-1] == '\r') {
                reader->state = PGN_IN_ESCAPE;
                reader->at = p + 1;
                return true;
            }
            stray_byte(reader, p);
            next = p + 1;
            break;
        case C_TAG:
            if (reader->end - p < 2 && supply == PGN_MORE_COMES)
                break;
            if (is_letter(p[1]) &&
                (!reader->has_moves || !reader->in_game || line_begins(p, reader->start))) {
                reader->at = p;
                if (!chess_pgn_read_tag(reader, supply))
                    return false;
                if (reader->state != PGN_IN_TEXT)
                    return true;
                next = reader->at;
                break;
            }
            stray_byte(reader, p);
            next = p + 1;
            break;
        case C_RESERVED:
            if (reader->in_game && !chess_pgn_is_dead(reader))
                chess_pgn_warn(reader, CHESS_PGN_RESERVED, p, "\"<\" is reserved by the standard");
            reader->state = PGN_IN_RESERVED;
            reader->at = p + 1;
            return true;
        default:
            stray_byte(reader, p);
            next = p + 1;
            break;
        }
        if (next == NULL) {
            reader->at = p;
            return false;
        }
        p = next;
        if (reader->state != PGN_IN_TEXT) {
            reader->at = p;
            return true;
        }
    }
}
