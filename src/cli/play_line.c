// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game line by line: for screen readers, pipes and terminals that know nothing more.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/play.h"
#include "cli/play_text.h"

#define INPUT_SIZE 4096 // a longer line is cut; its rest is thrown away

typedef struct Input {
    char bytes[INPUT_SIZE];
    size_t size;
    bool skipping;
    bool has_ended;
} Input;

static void say(void *context, const char *line) {
    (void)context;
    printf("%s\n", line);
}

static void prompt(const PlayTable *table) {
    if (isatty(STDIN_FILENO) && !table->is_done) {
        const PlayWord word = play_is_over(&table->game) ? PLAY_WORD_PROMPT_OVER
                              : table->game.laws.position.side_to_move == CHESS_WHITE
                                  ? PLAY_WORD_PROMPT_WHITE
                                  : PLAY_WORD_PROMPT_BLACK;
        printf("%s", play_word(word, table->options.language));
    }
    fflush(stdout);
}

// Takes the next whole line out of the buffer; at the end of the input also a line without its end.
static bool take_line(Input *input, char out[INPUT_SIZE], size_t *size) {
    const char *end = memchr(input->bytes, '\n', input->size);
    size_t used;
    if (end != NULL) {
        *size = (size_t)(end - input->bytes);
        used = *size + 1;
    } else if (input->size == sizeof(input->bytes) || (input->has_ended && input->size > 0)) {
        *size = input->size;
        used = input->size;
    } else {
        return false;
    }
    const bool is_rest = input->skipping;
    input->skipping = end == NULL && !input->has_ended;
    memcpy(out, input->bytes, *size);
    memmove(input->bytes, input->bytes + used, input->size - used);
    input->size -= used;
    if (is_rest)
        *size = 0;
    return true;
}

static void fill(Input *input) {
    const ssize_t got =
        read(STDIN_FILENO, input->bytes + input->size, sizeof(input->bytes) - input->size);
    if (got > 0)
        input->size += (size_t)got;
    else if (got == 0 || errno != EINTR)
        input->has_ended = true;
}

static bool plays_alone(const PlayTable *table) {
    return table->game.setup.level[0] > 0 && table->game.setup.level[1] > 0;
}

// Waits for input, the engine, or what is due.
static void wait_for_something(const PlayTable *table, Input *input, bool wants_input) {
    struct pollfd fds[2] = {
        { .fd = play_engine_fd(table->engine), .events = POLLIN },
        { .fd = wants_input && !input->has_ended ? STDIN_FILENO : -1, .events = POLLIN },
    };
    if (poll(fds, 2, play_table_wait_ms(table)) > 0 && fds[1].revents != 0)
        fill(input);
}

int play_lines(PlayTable *table) {
    Input input = { .size = 0 };
    char line[INPUT_SIZE];
    size_t size;
    table->say = say;
    play_table_greet(table);
    play_say_board(table);
    bool is_prompted = false;
    while (!table->is_done) {
        const uint32_t plies = table->game.laws.ply_count;
        const bool was_over = play_is_over(&table->game);
        play_table_step(table);
        // What is typed waits for the computer's answer, so that a pipe may hold a whole game.
        const bool takes_input = !play_table_is_busy(table) || plays_alone(table);
        if (takes_input && take_line(&input, line, &size)) {
            play_table_input(table, jd_str_n(line, size));
            is_prompted = false;
            continue;
        }
        if (input.has_ended && input.size == 0 && !play_table_is_busy(table))
            break;
        if (plies != table->game.laws.ply_count || was_over != play_is_over(&table->game))
            is_prompted = false;
        if (takes_input && !is_prompted)
            prompt(table);
        is_prompted = is_prompted || takes_input;
        fflush(stdout);
        wait_for_something(table, &input, takes_input);
    }
    if (!table->is_done && table->game.laws.ply_count > 0 && !play_is_over(&table->game) &&
        table->kept_path[0] != '\0') {
        play_table_keep(table);
        play_say(table, PLAY_WORD_KEPT, NULL, NULL, NULL);
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
