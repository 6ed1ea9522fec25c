// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game on a screen of text: board, clocks, moves, messages and a line to type in; keys and
// mouse.
#include "cli/play_screen.h"

#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_NOMACROS
#include <ncurses.h>

#include "cli/play.h"
#include "cli/play_terminal.h"
#include "cli/play_text.h"

#define CONTROL(letter) ((letter) - 'A' + 1)
#define ESCAPE 27
#define ESCAPE_MS 25
#define MOUSE_PRESSES                                                                              \
    (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED)
#define CLOCK_MS 200 // between two looks at a running clock

static void say(void *context, const char *line) {
    PlayScreen *screen = context;
    char *slot = screen->messages[screen->message_count % PLAY_MESSAGES];
    (void)jd_format(slot, sizeof(screen->messages[0]), "%s", line);
    screen->message_count++;
}

// ---- what is typed ------------------------------------------------------------------------------

// Does something that may say much; more than the screen's few lines becomes a page.
static void page_if_long(PlayScreen *screen, uint32_t from) {
    PlayLayout layout;
    uint32_t lines = 0;
    if (!play_layout(&layout))
        return;
    if (screen->message_count - from >= PLAY_MESSAGES)
        from = screen->message_count - PLAY_MESSAGES + 1;
    for (uint32_t i = from; i < screen->message_count; i++)
        lines += play_wrapped_lines(screen->messages[i % PLAY_MESSAGES], COLS - 2);
    screen->shows_page = lines > (uint32_t)layout.message_lines;
    screen->page_from = from;
    screen->page_skipped = 0;
}

static void command(PlayScreen *screen, PlayCommand what) {
    const uint32_t from = screen->message_count;
    if (what != screen->table->leaving)
        screen->table->leaving = PLAY_NO_COMMAND;
    screen->selected = CHESS_NO_SQUARE;
    if (what == PLAY_UNDO || what == PLAY_NEW)
        play_table_leaf(screen->table, screen->table->game.laws.ply_count);
    play_table_command(screen->table, what, JD_STR(""));
    page_if_long(screen, from);
}

static void set_input(PlayScreen *screen, const char *text) {
    (void)jd_format(screen->input, sizeof(screen->input), "%s", text);
    screen->input_size = strlen(screen->input);
}

static void begin_command(PlayScreen *screen, PlayCommand what) {
    char text[64];
    (void)jd_format(text, sizeof(text), "%s ",
                    play_command_name(what, screen->table->options.language));
    set_input(screen, text);
}

static void submit(PlayScreen *screen) {
    char line[PLAY_INPUT_SIZE];
    const uint32_t from = screen->message_count;
    memcpy(line, screen->input, sizeof(line));
    set_input(screen, "");
    screen->selected = CHESS_NO_SQUARE;
    play_table_input(screen->table, jd_str(line));
    page_if_long(screen, from);
}

static void type(PlayScreen *screen, wint_t letter) {
    char bytes[4];
    const size_t size = jd_utf8_write((uint32_t)letter, bytes);
    if (size == 0 || screen->input_size + size >= sizeof(screen->input))
        return;
    memcpy(screen->input + screen->input_size, bytes, size);
    screen->input_size += size;
    screen->input[screen->input_size] = '\0';
}

static void erase_letter(PlayScreen *screen) {
    while (screen->input_size > 0) {
        const unsigned char byte = (unsigned char)screen->input[--screen->input_size];
        screen->input[screen->input_size] = '\0';
        if ((byte & 0xc0) != 0x80)
            break;
    }
}

// ---- the board ----------------------------------------------------------------------------------

// A move by its squares: made, or begun in the line where a promotion has to be named.
static bool move_to(PlayScreen *screen, ChessSquare to) {
    PlayTable *table = screen->table;
    const ChessPosition *pos = &table->game.laws.position;
    ChessMoveList list;
    ChessMove found = CHESS_NO_MOVE;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++) {
        const ChessMove move = list.moves[i];
        if (chess_move_from(move) != screen->selected ||
            (chess_move_arrival(move) != to && chess_move_to(move) != to))
            continue;
        // Castling held as king takes rook does not hide an ordinary move to that square.
        if (found == CHESS_NO_MOVE || chess_move_arrival(move) == to)
            found = move;
        if (chess_move_promotion(move) == (ChessKind)table->options.promotion &&
            table->options.promotion != CHESS_NO_KIND) {
            found = move;
            break;
        }
    }
    if (found == CHESS_NO_MOVE)
        return false;
    char squares[CHESS_UCI_SIZE];
    const ChessKind promotion = chess_move_promotion(found);
    (void)chess_uci_write(pos, found, squares);
    if (promotion != CHESS_NO_KIND && promotion != (ChessKind)table->options.promotion)
        squares[4] = '\0'; // the line says which piece is wanted, or asks
    play_table_input(table, jd_str(squares));
    if (promotion != CHESS_NO_KIND && squares[4] == '\0')
        set_input(screen, squares);
    return true;
}

static void choose_square(PlayScreen *screen, ChessSquare square) {
    PlayTable *table = screen->table;
    const ChessPosition pos = play_table_shown(table);
    const ChessPiece piece = chess_piece_at(&pos, square);
    screen->cursor = square;
    const bool was_selected = screen->selected == square;
    if (screen->selected != CHESS_NO_SQUARE && !was_selected && move_to(screen, square)) {
        screen->selected = CHESS_NO_SQUARE;
        return;
    }
    const bool may_pick = !table->is_leafing && !was_selected && piece != CHESS_NO_PIECE &&
                          chess_piece_color(piece) == (ChessColor)pos.side_to_move &&
                          play_level_to_move(&table->game) == 0 &&
                          table->game.laws.state == LAWS_RUNNING;
    screen->selected = may_pick ? square : CHESS_NO_SQUARE;
}

static void walk(PlayScreen *screen, int files, int ranks) {
    const int turn = screen->table->options.black_below ? -1 : 1;
    const int file = chess_file(screen->cursor) + turn * files;
    const int rank = chess_rank(screen->cursor) + turn * ranks;
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8)
        screen->cursor = chess_square(file, rank);
}

static void on_mouse(PlayScreen *screen) {
    MEVENT event;
    // Several may have come at once; a press and its release may have become a click.
    while (getmouse(&event) == OK) {
        const ChessSquare square = play_square_at(screen, event.y, event.x);
        if ((event.bstate & MOUSE_PRESSES) != 0 && square != CHESS_NO_SQUARE)
            choose_square(screen, square);
    }
}

// ---- keys ---------------------------------------------------------------------------------------

static void on_page_key(PlayScreen *screen, int key) {
    const uint32_t lines = (uint32_t)(LINES - 2);
    if (key == KEY_NPAGE || key == KEY_DOWN)
        screen->page_skipped += key == KEY_DOWN ? 1 : lines;
    else if (key == KEY_PPAGE || key == KEY_UP)
        screen->page_skipped -= screen->page_skipped < (key == KEY_UP ? 1 : lines)
                                    ? screen->page_skipped
                                : key == KEY_UP ? 1
                                                : lines;
    else if (key != KEY_RESIZE)
        screen->shows_page = false;
}

static void on_function_key(PlayScreen *screen, int key) {
    PlayTable *table = screen->table;
    const uint32_t plies = table->game.laws.ply_count;
    const uint32_t shown = table->is_leafing ? table->shown : plies;
    switch (key) {
    case KEY_LEFT:
        walk(screen, -1, 0);
        break;
    case KEY_RIGHT:
        walk(screen, 1, 0);
        break;
    case KEY_UP:
        walk(screen, 0, 1);
        break;
    case KEY_DOWN:
        walk(screen, 0, -1);
        break;
    case KEY_PPAGE:
        play_table_leaf(table, shown > 0 ? shown - 1 : 0);
        break;
    case KEY_NPAGE:
        play_table_leaf(table, shown + 1);
        break;
    case KEY_HOME:
        play_table_leaf(table, 0);
        break;
    case KEY_END:
        play_table_leaf(table, plies);
        break;
    case KEY_F(1):
        command(screen, PLAY_HELP);
        break;
    case KEY_BACKSPACE:
    case KEY_DC:
        erase_letter(screen);
        break;
    case KEY_ENTER:
        submit(screen);
        break;
    case KEY_MOUSE:
        on_mouse(screen);
        break;
    default: // KEY_RESIZE: everything is drawn anew anyhow
        break;
    }
}

static void on_letter(PlayScreen *screen, wint_t letter) {
    switch (letter) {
    case CONTROL('Z'):
        command(screen, PLAY_UNDO);
        break;
    case CONTROL('S'):
        if (screen->table->file[0] != '\0')
            command(screen, PLAY_SAVE);
        else
            begin_command(screen, PLAY_SAVE);
        break;
    case CONTROL('O'):
        begin_command(screen, PLAY_OPEN);
        break;
    case CONTROL('N'):
        command(screen, PLAY_NEW);
        break;
    case CONTROL('C'):
    case CONTROL('Q'):
        command(screen, PLAY_QUIT);
        break;
    case CONTROL('L'):
        clearok(curscr, TRUE);
        break;
    case '\n':
    case '\r':
        if (screen->input_size > 0)
            submit(screen);
        else
            choose_square(screen, screen->cursor);
        break;
    case 8:
    case 127:
        erase_letter(screen);
        break;
    case ESCAPE:
        set_input(screen, "");
        screen->selected = CHESS_NO_SQUARE;
        break;
    default:
        if (letter >= ' ')
            type(screen, letter);
        break;
    }
}

static void take_keys(PlayScreen *screen) {
    wint_t letter;
    for (int got; !screen->table->is_done && (got = get_wch(&letter)) != ERR;) {
        PlayLayout layout;
        const bool is_key = got == KEY_CODE_YES;
        const bool leaves = !is_key && (letter == CONTROL('Q') || letter == CONTROL('C'));
        if (!play_layout(&layout) && !leaves)
            continue; // a window that shows nothing takes no moves
        screen->shows_page = screen->shows_page && !leaves;
        if (screen->shows_page)
            on_page_key(screen, is_key ? (int)letter : 0);
        else if (is_key)
            on_function_key(screen, (int)letter);
        else
            on_letter(screen, letter);
    }
}

// ---- the loop -----------------------------------------------------------------------------------

static int wait_ms(const PlayTable *table) {
    const int wait = play_table_wait_ms(table);
    const bool runs =
        play_setup_has_clock(&table->game.setup) && table->game.laws.state == LAWS_RUNNING;
    return runs && (wait < 0 || wait > CLOCK_MS) ? CLOCK_MS : wait;
}

static void run(PlayScreen *screen) {
    PlayTable *table = screen->table;
    play_table_greet(table);
    while (!table->is_done) {
        play_table_step(table);
        play_draw(screen);
        struct pollfd fds[2] = {
            { .fd = STDIN_FILENO, .events = POLLIN },
            { .fd = play_engine_fd(table->engine), .events = POLLIN },
        };
        (void)poll(fds, 2, wait_ms(table)); // a signal wakes it: the window has a new size
        if ((fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            break; // the terminal is gone; the game is kept
        take_keys(screen);
    }
}

int play_screen(PlayTable *table) {
    if (setlocale(LC_ALL, "") == NULL || MB_CUR_MAX == 1) {
        if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
            return -1;
        table->options.ascii = true; // whether the terminal has figurines nobody said
    }
    PlayScreen *screen = calloc(1, sizeof(*screen));
    if (screen == NULL || !play_terminal_remember()) {
        free(screen);
        return -1;
    }
    SCREEN *terminal = newterm(NULL, stdout, stdin);
    if (terminal == NULL) {
        free(screen);
        return -1;
    }
    play_terminal_guard();
    raw(); // Ctrl+Z, Ctrl+S, Ctrl+Q are the game's
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    (void)mousemask(MOUSE_PRESSES | BUTTON1_RELEASED, NULL);
    (void)mouseinterval(0);
    screen->table = table;
    screen->cursor = table->options.black_below ? 60 : 4; // e8, e1
    screen->selected = CHESS_NO_SQUARE;
    table->say = say;
    table->context = screen;
    play_draw_begin(screen);
    run(screen);
    (void)endwin();
    play_terminal_release();
    delscreen(terminal);
    free(screen);
    return 0;
}
