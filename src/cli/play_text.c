// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_text.h"

#include <string.h>

// ---- moves --------------------------------------------------------------------------------------

void play_move_text(const PlayOptions *options, const ChessPosition *pos, ChessMove move,
                    char out[CHESS_SPOKEN_SIZE]) {
    const ChessLanguage language = play_chess_language(options->language);
    char text[CHESS_NOTATION_SIZE];
    switch ((PlayNotation)options->notation) {
    case PLAY_WORDS:
        (void)chess_spoken_write(pos, move, language, out);
        return;
    case PLAY_SHORT:
        (void)chess_notation_write(pos, move, CHESS_FORM_FIDE, language, text);
        break;
    case PLAY_LONG:
        (void)chess_notation_write(pos, move, CHESS_FORM_LONG, language, text);
        break;
    case PLAY_FIGURINE:
        (void)chess_notation_write(pos, move, CHESS_FORM_FIDE,
                                   options->ascii ? language : CHESS_FIGURINE, text);
        break;
    }
    (void)jd_format(out, CHESS_SPOKEN_SIZE, "%s", text);
}

PlayReading play_read_move(const PlayOptions *options, const ChessPosition *pos, JdStr text,
                           ChessReading *found) {
    const ChessLanguage languages[2] = { play_chess_language(options->language), CHESS_ENGLISH };
    const uint32_t tolerances = CHESS_TOLERATE_DEFAULT;
    PlayReading worst = PLAY_READ_MALFORMED;
    for (size_t i = 0; i < JD_COUNT(languages); i++) {
        ChessReading reading;
        JdErr err = { 0 };
        if (chess_notation_parse(text, pos, languages[i], tolerances, &reading, &err)) {
            *found = reading;
            return PLAY_READ_MOVE;
        }
        ChessReading queen;
        if (chess_notation_parse(text, pos, languages[i],
                                 tolerances | CHESS_TOLERATE_PROMOTION_MISSING, &queen, NULL)) {
            *found = queen;
            if (options->promotion == CHESS_NO_KIND)
                return PLAY_READ_PROMOTION;
            ChessMoveList list;
            chess_moves_generate(pos, &list);
            for (int m = 0; m < list.count; m++)
                if (chess_move_from(list.moves[m]) == chess_move_from(queen.move) &&
                    chess_move_to(list.moves[m]) == chess_move_to(queen.move) &&
                    chess_move_promotion(list.moves[m]) == (ChessKind)options->promotion)
                    found->move = list.moves[m];
            return PLAY_READ_MOVE;
        }
        if (err.code == CHESS_MOVE_AMBIGUOUS && worst != PLAY_READ_AMBIGUOUS) {
            worst = PLAY_READ_AMBIGUOUS;
            *found = reading;
        } else if (err.code == CHESS_MOVE_ILLEGAL && worst == PLAY_READ_MALFORMED) {
            worst = PLAY_READ_ILLEGAL;
            *found = reading;
        }
    }
    return worst;
}

void play_shown(JdStr text, char out[PLAY_SHOWN_SIZE]) {
    JdOut shown = jd_out(out, PLAY_SHOWN_SIZE - 5);
    for (size_t at = 0; at < text.size && shown.size + 4 < shown.capacity;) {
        char bytes[4];
        const uint32_t code = jd_utf8_next(text, &at);
        if (code < ' ' || (code >= 0x7f && code < 0xa0))
            jd_out_char(&shown, '?');
        else
            jd_out_text(&shown, jd_str_n(bytes, jd_utf8_write(code, bytes)));
    }
    out[jd_out_str(&shown).size] = '\0';
}

// ---- clocks and pieces --------------------------------------------------------------------------

void play_clock_text(int64_t ms, char out[PLAY_CLOCK_SIZE]) {
    const int64_t left = ms > 0 ? ms : 0;
    if (left < 10000) {
        (void)jd_format(out, PLAY_CLOCK_SIZE, "0:%02lld.%lld", (long long)(left / 1000),
                        (long long)(left / 100 % 10));
        return;
    }
    const long long seconds = (long long)((left + 999) / 1000); // 0 means that the flag is down
    if (seconds >= 3600)
        (void)jd_format(out, PLAY_CLOCK_SIZE, "%lld:%02lld:%02lld", seconds / 3600,
                        seconds / 60 % 60, seconds % 60);
    else
        (void)jd_format(out, PLAY_CLOCK_SIZE, "%lld:%02lld", seconds / 60, seconds % 60);
}

// Cyrillic capitals А to Я and Latin ones, as small letters.
static void to_small(const char *letter, char out[8]) {
    JdOut text = jd_out(out, 7);
    for (size_t at = 0; letter[at] != '\0';) {
        char bytes[4];
        const uint32_t code = jd_utf8_next(jd_str(letter), &at);
        const bool is_capital = (code >= 'A' && code <= 'Z') || (code >= 0x410 && code <= 0x42f);
        const size_t size = jd_utf8_write(is_capital ? code + 32 : code, bytes);
        jd_out_text(&text, jd_str_n(bytes, size));
    }
    out[jd_out_str(&text).size] = '\0';
}

const char *play_piece_text(const PlayOptions *options, ChessPiece piece, char out[8]) {
    static const char *const figurines[2][7] = { { " ", "♙", "♘", "♗", "♖", "♕", "♔" },
                                                 { " ", "♟", "♞", "♝", "♜", "♛", "♚" } };
    const ChessKind kind = chess_piece_kind(piece);
    if (piece == CHESS_NO_PIECE)
        return " ";
    if (!options->ascii)
        return figurines[chess_piece_color(piece)][kind];
    const char *letter = chess_language_letter(play_chess_language(options->language), kind);
    if (letter[0] == '\0')
        letter = "P";
    if (chess_piece_color(piece) == CHESS_WHITE)
        return letter;
    to_small(letter, out);
    return out;
}

void play_say_board(PlayTable *table) {
    const ChessPosition pos = play_table_shown(table);
    const bool black_below = table->options.black_below;
    char line[128];
    for (int row = 0; row < 8; row++) {
        const int rank = black_below ? row : 7 - row;
        JdOut out = jd_out(line, sizeof(line) - 1);
        jd_out_u64(&out, (uint64_t)rank + 1);
        for (int column = 0; column < 8; column++) {
            const ChessSquare square = chess_square(black_below ? 7 - column : column, rank);
            const ChessPiece piece = chess_piece_at(&pos, square);
            char letter[8];
            jd_out_char(&out, ' ');
            const char *text = play_piece_text(&table->options, piece, letter);
            jd_out_cstr(&out, piece == CHESS_NO_PIECE ? "." : text);
            if (!(table->options.ascii && table->options.language == PLAY_RUSSIAN))
                continue;
            if (strlen(text) <= 2) // one column; the Russian king has two
                jd_out_char(&out, ' ');
        }
        line[jd_out_str(&out).size] = '\0';
        table->say(table->context, line);
    }
    const bool wide = table->options.ascii && table->options.language == PLAY_RUSSIAN;
    JdOut out = jd_out(line, sizeof(line) - 1);
    jd_out_char(&out, ' ');
    for (int column = 0; column < 8; column++) {
        jd_out_char(&out, ' ');
        jd_out_char(&out, (char)('a' + (black_below ? 7 - column : column)));
        if (wide)
            jd_out_char(&out, ' ');
    }
    line[jd_out_str(&out).size] = '\0';
    table->say(table->context, line);
    play_say(
        table, PLAY_WORD_TO_MOVE,
        play_word(pos.side_to_move == CHESS_WHITE ? PLAY_WORD_WHITE_WITHIN : PLAY_WORD_BLACK_WITHIN,
                  table->options.language),
        NULL, NULL);
    if (chess_is_check(&pos))
        play_say(table, PLAY_WORD_CHECK, NULL, NULL, NULL);
}

void play_say_moves(PlayTable *table) {
    const LawsGame *laws = &table->game.laws;
    ChessPosition pos = table->game.setup.start;
    char line[2 * CHESS_SPOKEN_SIZE + 32];
    JdOut out = jd_out(line, sizeof(line) - 1);
    if (laws->ply_count == 0)
        play_say(table, PLAY_WORD_NO_MOVES, NULL, NULL, NULL);
    for (uint32_t i = 0; i < laws->ply_count; i++) {
        char text[CHESS_SPOKEN_SIZE];
        play_move_text(&table->options, &pos, laws->plies[i].move, text);
        if (out.size == 0) {
            jd_out_u64(&out, pos.fullmove_number);
            jd_out_cstr(&out, pos.side_to_move == CHESS_WHITE ? "." : "...");
        }
        jd_out_char(&out, ' ');
        jd_out_cstr(&out, text);
        if (pos.side_to_move == CHESS_WHITE && table->options.notation == PLAY_WORDS)
            jd_out_char(&out, ',');
        if (pos.side_to_move == CHESS_BLACK || i + 1 == laws->ply_count) {
            size_t size = jd_out_str(&out).size;
            if (line[size - 1] == ',')
                size--;
            line[size] = '\0';
            table->say(table->context, line);
            out = jd_out(line, sizeof(line) - 1);
        }
        chess_move_make(&pos, laws->plies[i].move, NULL);
    }
    if (play_is_over(&table->game))
        play_say(table, PLAY_WORD_RESULT, laws_result_text(laws), NULL, NULL);
}

// ---- help ---------------------------------------------------------------------------------------

static const struct {
    PlayCommand command;
    PlayWord word;
} help[] = {
    { PLAY_HELP, PLAY_WORD_HELP_HELP },         { PLAY_RULES, PLAY_WORD_HELP_RULES },
    { PLAY_BOARD, PLAY_WORD_HELP_BOARD },       { PLAY_MOVES, PLAY_WORD_HELP_MOVES },
    { PLAY_LEGAL, PLAY_WORD_HELP_LEGAL },       { PLAY_CLOCK, PLAY_WORD_HELP_CLOCK },
    { PLAY_DRAW, PLAY_WORD_HELP_DRAW },         { PLAY_ACCEPT, PLAY_WORD_HELP_ACCEPT },
    { PLAY_DECLINE, PLAY_WORD_HELP_DECLINE },   { PLAY_CLAIM, PLAY_WORD_HELP_CLAIM },
    { PLAY_FLAG, PLAY_WORD_HELP_FLAG },         { PLAY_RESIGN, PLAY_WORD_HELP_RESIGN },
    { PLAY_UNDO, PLAY_WORD_HELP_UNDO },         { PLAY_HINT, PLAY_WORD_HELP_HINT },
    { PLAY_CONSIDER, PLAY_WORD_HELP_CONSIDER }, { PLAY_PAUSE, PLAY_WORD_HELP_PAUSE },
    { PLAY_CONTINUE, PLAY_WORD_HELP_CONTINUE }, { PLAY_SAVE, PLAY_WORD_HELP_SAVE },
    { PLAY_OPEN, PLAY_WORD_HELP_OPEN },         { PLAY_NEW, PLAY_WORD_HELP_NEW },
    { PLAY_FEN, PLAY_WORD_HELP_FEN },           { PLAY_SETUP, PLAY_WORD_HELP_SETUP },
    { PLAY_RECOVER, PLAY_WORD_HELP_RECOVER },   { PLAY_FORGET, PLAY_WORD_HELP_FORGET },
    { PLAY_QUIT, PLAY_WORD_HELP_QUIT },
};

void play_say_help(PlayTable *table) {
    const PlayLanguage language = table->options.language;
    char line[PLAY_LINE_SIZE];
    const ChessPosition start = chess_position_start();
    const ChessMove knight = (ChessMove)(6 | 21 << 6);
    char short_text[CHESS_NOTATION_SIZE];
    (void)chess_notation_write(&start, knight, CHESS_FORM_FIDE, play_chess_language(language),
                               short_text);
    play_say(table, PLAY_WORD_HELP_FIRST, short_text, "e2e4", NULL);
    for (size_t i = 0; i < JD_COUNT(help); i++) {
        (void)jd_format(line, sizeof(line), "  %s: %s",
                        play_command_name(help[i].command, language),
                        play_word(help[i].word, language));
        table->say(table->context, line);
    }
    play_say(table, PLAY_WORD_HELP_KEYS, NULL, NULL, NULL);
}

void play_say_rules(PlayTable *table) {
    for (int i = 0; i < 4; i++)
        play_say(table, (PlayWord)(PLAY_WORD_RULES_1 + i), NULL, NULL, NULL);
}
