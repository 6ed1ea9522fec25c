// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define NCURSES_NOMACROS
#include <ncurses.h>

#include "cli/play_text.h"

enum { PAIR_LIGHT = 1, PAIR_DARK = 2 };

bool play_layout(PlayLayout *out) {
    if (LINES < PLAY_SCREEN_LINES || COLS < PLAY_SCREEN_COLUMNS)
        return false;
    int lines = (LINES - 8) / 8;
    const int by_width = (COLS - 44) / 16;
    lines = lines > by_width ? by_width : lines;
    lines = lines < 2 ? 2 : lines > 5 ? 5 : lines;
    *out = (PlayLayout) {
        .square_lines = lines,
        .square_columns = 2 * lines,
        .board_line = 1,
        .board_column = 3,
        .list_column = 3 + 16 * lines + 3,
        .message_line = 3 + 8 * lines,
        .message_lines = LINES - 5 - 8 * lines,
    };
    return true;
}

void play_draw_begin(PlayScreen *screen) {
    screen->has_colors = has_colors() && start_color() != ERR;
    if (!screen->has_colors)
        return;
    const bool many = COLORS >= 256;
    // Black men are filled and White's are outlined; colour is only the squares'.
    init_pair(PAIR_LIGHT, many ? 16 : COLOR_BLACK, many ? 223 : COLOR_WHITE);
    init_pair(PAIR_DARK, many ? 16 : COLOR_BLACK, many ? 173 : COLOR_CYAN);
}

// ---- text ---------------------------------------------------------------------------------------

// The bytes of text that fit columns; *used: how many columns they take. With whole_words a line
// ends between words where it can.
static size_t fitting(const char *text, int columns, bool whole_words, int *used) {
    mbstate_t state = { 0 };
    size_t at = 0;
    size_t blank = 0;
    int width = 0;
    while (text[at] != '\0') {
        wchar_t letter;
        const size_t size = mbrtowc(&letter, text + at, strlen(text + at), &state);
        if (size == (size_t)-1 || size == (size_t)-2 || size == 0)
            break;
        const int columns_of_it = wcwidth(letter) > 0 ? wcwidth(letter) : 0;
        if (width + columns_of_it > columns) {
            if (whole_words && blank > 0)
                at = blank;
            break;
        }
        width += columns_of_it;
        at += size;
        if (letter == L' ')
            blank = at;
    }
    *used = width;
    return at;
}

uint32_t play_wrapped_lines(const char *text, int columns) {
    uint32_t lines = 0;
    int used;
    do {
        const size_t size = fitting(text, columns, true, &used);
        lines++;
        text += size;
        if (size == 0)
            break;
    } while (*text != '\0');
    return lines;
}

static void put(int line, int column, int columns, const char *text) {
    int used;
    const size_t size = fitting(text, columns, false, &used);
    mvaddnstr(line, column, text, (int)size);
}

// ---- the board ----------------------------------------------------------------------------------

static bool is_black_below(const PlayScreen *screen) {
    return screen->table->options.black_below;
}

static int column_of(const PlayScreen *screen, const PlayLayout *layout, ChessSquare square) {
    const int file = is_black_below(screen) ? 7 - chess_file(square) : chess_file(square);
    return layout->board_column + file * layout->square_columns;
}

static int line_of(const PlayScreen *screen, const PlayLayout *layout, ChessSquare square) {
    const int row = is_black_below(screen) ? chess_rank(square) : 7 - chess_rank(square);
    return layout->board_line + row * layout->square_lines;
}

ChessSquare play_square_at(const PlayScreen *screen, int line, int column) {
    PlayLayout layout;
    if (!play_layout(&layout) || line < layout.board_line || column < layout.board_column)
        return CHESS_NO_SQUARE;
    const int row = (line - layout.board_line) / layout.square_lines;
    const int file = (column - layout.board_column) / layout.square_columns;
    if (row > 7 || file > 7)
        return CHESS_NO_SQUARE;
    return is_black_below(screen) ? chess_square(7 - file, row) : chess_square(file, 7 - row);
}

// Squares with a sign of their own, so that nothing is told by colour alone.
typedef struct Marks {
    uint64_t targets;
    uint64_t last_move;
    uint64_t hint;
    ChessSquare in_check;
} Marks;

static uint64_t bits_of(ChessMove move) {
    return UINT64_C(1) << chess_move_from(move) | UINT64_C(1) << chess_move_arrival(move);
}

static Marks find_marks(const PlayScreen *screen, const ChessPosition *pos) {
    const PlayTable *table = screen->table;
    const uint32_t shown = table->is_leafing ? table->shown : table->game.laws.ply_count;
    Marks marks = { .in_check = CHESS_NO_SQUARE };
    if (shown > 0)
        marks.last_move = bits_of(table->game.plies[shown - 1].move);
    if (table->hint != CHESS_NO_MOVE && !table->is_leafing)
        marks.hint = bits_of(table->hint);
    if (chess_is_check(pos))
        marks.in_check = chess_king_square(pos, (ChessColor)pos->side_to_move);
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++)
        if (chess_move_from(list.moves[i]) == screen->selected) // L-023
            marks.targets |= UINT64_C(1) << chess_move_arrival(list.moves[i]);
    return marks;
}

static void draw_square(const PlayScreen *screen, const PlayLayout *layout,
                        const ChessPosition *pos, const Marks *marks, ChessSquare square) {
    const int top = line_of(screen, layout, square);
    const int left = column_of(screen, layout, square);
    const bool is_dark = ((chess_file(square) + chess_rank(square)) & 1) == 0;
    const uint64_t bit = UINT64_C(1) << square;
    const ChessPiece piece = chess_piece_at(pos, square);
    char letter[8];
    if (screen->has_colors)
        attrset(COLOR_PAIR(is_dark ? PAIR_DARK : PAIR_LIGHT));
    for (int line = 0; line < layout->square_lines; line++)
        for (int column = 0; column < layout->square_columns; column++)
            mvaddch(top + line, left + column, is_dark && !screen->has_colors ? ':' : ' ');
    const int middle = left + layout->square_columns / 2 - 1;
    const int line = top + (layout->square_lines - 1) / 2;
    if (!screen->has_colors)
        mvaddstr(line, middle - 1, "   ");
    attron(A_BOLD);
    if (piece != CHESS_NO_PIECE)
        mvaddstr(line, middle, play_piece_text(&screen->table->options, piece, letter));
    else if ((marks->targets & bit) != 0)
        mvaddstr(line, middle, screen->table->options.ascii ? "." : "·");
    const int last = left + layout->square_columns - 1;
    if (square == screen->cursor || square == screen->selected) {
        mvaddch(line, left, square == screen->selected ? '(' : '[');
        mvaddch(line, last, square == screen->selected ? ')' : ']');
    }
    const int foot = top + layout->square_lines - 1;
    if (piece != CHESS_NO_PIECE && (marks->targets & bit) != 0)
        mvaddch(foot, middle, 'x');
    if ((marks->last_move & bit) != 0)
        mvaddch(foot, left, '*');
    if ((marks->hint & bit) != 0)
        mvaddch(foot, last, '?');
    if (square == marks->in_check)
        mvaddch(foot, last, '!');
    attrset(A_NORMAL);
}

static void draw_board(const PlayScreen *screen, const PlayLayout *layout) {
    const PlayTable *table = screen->table;
    const ChessPosition pos = play_table_shown(table);
    const Marks marks = find_marks(screen, &pos);
    // A pause hides the board (L-005).
    const bool is_hidden = table->game.laws.state == LAWS_STOPPED && !table->is_leafing;
    for (int i = 0; i < 8; i++) {
        const ChessSquare on_rank = chess_square(0, i);
        const ChessSquare on_file = chess_square(i, 0);
        mvaddch(line_of(screen, layout, on_rank) + (layout->square_lines - 1) / 2, 1,
                (chtype)('1' + i));
        mvaddch(layout->board_line + 8 * layout->square_lines,
                column_of(screen, layout, on_file) + layout->square_columns / 2 - 1,
                (chtype)('a' + i));
    }
    for (ChessSquare square = 0; square < 64 && !is_hidden; square++)
        draw_square(screen, layout, &pos, &marks, square);
    if (is_hidden)
        mvaddstr(layout->board_line + 4 * layout->square_lines,
                 layout->board_column + 3 * layout->square_columns,
                 play_word(PLAY_WORD_HIDDEN, table->options.language));
}

// ---- players and moves --------------------------------------------------------------------------

static void draw_player(const PlayScreen *screen, const PlayLayout *layout, int line, int side) {
    const PlayTable *table = screen->table;
    const PlaySetup *setup = &table->game.setup;
    const PlayLanguage language = table->options.language;
    char who[PLAY_NAME_SIZE + 64];
    char level[8];
    char clock[PLAY_CLOCK_SIZE] = "";
    JdOut text = jd_out(who, sizeof(who) - 1);
    const bool has_move =
        table->game.laws.state == LAWS_RUNNING && table->game.laws.position.side_to_move == side;
    jd_out_cstr(&text, has_move ? "> " : "  ");
    jd_out_cstr(&text,
                play_word(side == CHESS_WHITE ? PLAY_WORD_WHITE : PLAY_WORD_BLACK, language));
    jd_out_cstr(&text, ": ");
    (void)jd_format(level, sizeof(level), "%u", setup->level[side]);
    if (setup->level[side] > 0)
        play_fill(&text, play_word(PLAY_WORD_LEVEL, language), level, NULL, NULL);
    else
        jd_out_cstr(&text, setup->name[side][0] != '\0' ? setup->name[side]
                                                        : play_word(PLAY_WORD_PERSON, language));
    who[jd_out_str(&text).size] = '\0';
    if (play_setup_has_clock(setup))
        play_clock_text(play_reading(&table->game, (ChessColor)side, play_now()), clock);
    const int columns = layout->list_column - 1;
    put(line, 0, columns - (int)strlen(clock) - 1, who);
    attron(A_BOLD);
    mvaddstr(line, columns - (int)strlen(clock), clock);
    attrset(A_NORMAL);
}

static void draw_moves(const PlayScreen *screen, const PlayLayout *layout) {
    const PlayTable *table = screen->table;
    const LawsGame *laws = &table->game.laws;
    const uint32_t shown = table->is_leafing ? table->shown : laws->ply_count;
    const int columns = COLS - layout->list_column - 1;
    const bool in_words = table->options.notation == PLAY_WORDS; // a line for each ply
    const uint32_t odd = laws->setup.start.side_to_move;
    const uint32_t rows = (uint32_t)layout->message_line - 2;
    const uint32_t last_row = shown == 0 ? 0 : in_words ? shown - 1 : (shown - 1 + odd) / 2;
    const uint32_t first_row = last_row >= rows ? last_row - rows + 1 : 0;
    put(0, layout->list_column, columns, play_word(PLAY_WORD_HISTORY, table->options.language));
    ChessPosition pos = table->game.setup.start;
    for (uint32_t i = 0; i < laws->ply_count; i++) {
        const uint32_t row = in_words ? i : (i + odd) / 2;
        char text[CHESS_SPOKEN_SIZE];
        char line[CHESS_SPOKEN_SIZE + 24];
        if (row >= first_row + rows)
            break;
        if (row >= first_row) {
            const bool is_white = pos.side_to_move == CHESS_WHITE;
            const int at = 1 + (int)(row - first_row);
            const int column = layout->list_column + (in_words || is_white ? 0 : 16);
            play_move_text(&table->options, &pos, laws->plies[i].move, text);
            const bool has_number = is_white || in_words || i == 0;
            char number[16] = "";
            if (has_number)
                (void)jd_format(number, sizeof(number), "%u%s ", pos.fullmove_number,
                                is_white ? "." : "...");
            // The move shown has a sign of its own.
            (void)jd_format(line, sizeof(line), "%s%s%s", i + 1 == shown ? ">" : " ", number, text);
            if (i + 1 == shown)
                attron(A_BOLD);
            put(at, column, in_words ? columns : 15, line);
            attrset(A_NORMAL);
        }
        chess_move_make(&pos, laws->plies[i].move, NULL);
    }
}

// ---- messages -----------------------------------------------------------------------------------

static const char *message(const PlayScreen *screen, uint32_t number) {
    return screen->messages[number % PLAY_MESSAGES];
}

// Writes one text over as many lines as it takes from line on, leaving out the first skip of them;
// returns the line after it.
static int put_wrapped(int line, int end, int columns, uint32_t *skip, const char *text) {
    int used;
    do {
        const size_t size = fitting(text, columns, true, &used);
        if (*skip > 0)
            (*skip)--;
        else if (line < end)
            mvaddnstr(line++, 1, text, (int)size);
        text += size;
        if (size == 0)
            break;
    } while (*text != '\0');
    return line;
}

static void draw_messages(const PlayScreen *screen, const PlayLayout *layout) {
    const int columns = COLS - 2;
    uint32_t lines = 0;
    uint32_t first = screen->message_count;
    while (first > 0 && screen->message_count - first < 16 &&
           lines < (uint32_t)layout->message_lines)
        lines += play_wrapped_lines(message(screen, --first), columns);
    uint32_t skip =
        lines > (uint32_t)layout->message_lines ? lines - (uint32_t)layout->message_lines : 0;
    int line = layout->message_line;
    for (; first < screen->message_count; first++)
        line = put_wrapped(line, layout->message_line + layout->message_lines, columns, &skip,
                           message(screen, first));
}

static void draw_page(PlayScreen *screen) {
    uint32_t lines = 0;
    for (uint32_t i = screen->page_from; i < screen->message_count; i++)
        lines += play_wrapped_lines(message(screen, i), COLS - 2);
    const uint32_t room = (uint32_t)(LINES - 1);
    const uint32_t most = lines > room ? lines - room : 0;
    if (screen->page_skipped > most)
        screen->page_skipped = most;
    uint32_t skip = screen->page_skipped;
    int line = 0;
    for (uint32_t i = screen->page_from; i < screen->message_count; i++)
        line = put_wrapped(line, LINES - 1, COLS - 2, &skip, message(screen, i));
    attron(A_REVERSE);
    put(LINES - 1, 1, COLS - 2, play_word(PLAY_WORD_ANY_KEY, screen->table->options.language));
    attrset(A_NORMAL);
}

static void draw_input(const PlayScreen *screen) {
    const PlayTable *table = screen->table;
    const PlayWord word = play_is_over(&table->game) ? PLAY_WORD_PROMPT_OVER
                          : table->game.laws.position.side_to_move == CHESS_WHITE
                              ? PLAY_WORD_PROMPT_WHITE
                              : PLAY_WORD_PROMPT_BLACK;
    const char *prompt = play_word(word, table->options.language);
    int width;
    int used;
    (void)fitting(prompt, COLS, false, &width);
    put(LINES - 2, 1, COLS - 2, prompt);
    // The end of a long line is shown.
    const char *from = screen->input;
    while (fitting(from, COLS - width - 3, false, &used) < strlen(from))
        do
            from++;
        while (((unsigned char)*from & 0xc0) == 0x80);
    mvaddstr(LINES - 2, 1 + width, from);
    put(LINES - 1, 1, COLS - 2, play_word(PLAY_WORD_KEYS_LINE, table->options.language));
    move(LINES - 2, 1 + width + used);
}

static void draw_too_small(const PlayScreen *screen) {
    char found[32];
    char needed[32];
    char text[256];
    JdOut out = jd_out(text, sizeof(text) - 1);
    (void)jd_format(found, sizeof(found), "%dx%d", COLS, LINES);
    (void)jd_format(needed, sizeof(needed), "%dx%d", PLAY_SCREEN_COLUMNS, PLAY_SCREEN_LINES);
    play_fill(&out, play_word(PLAY_WORD_TOO_SMALL, screen->table->options.language), found, needed,
              NULL);
    text[jd_out_str(&out).size] = '\0';
    uint32_t none = 0;
    (void)put_wrapped(0, LINES, COLS > 2 ? COLS - 2 : 1, &none, text);
}

void play_draw(PlayScreen *screen) {
    PlayLayout layout;
    erase();
    if (!play_layout(&layout)) {
        draw_too_small(screen);
    } else if (screen->shows_page) {
        draw_page(screen);
    } else {
        const int below = is_black_below(screen) ? CHESS_BLACK : CHESS_WHITE;
        draw_player(screen, &layout, 0, below ^ 1);
        draw_board(screen, &layout);
        draw_player(screen, &layout, layout.message_line - 1, below);
        draw_moves(screen, &layout);
        draw_messages(screen, &layout);
        draw_input(screen);
    }
    refresh();
}
