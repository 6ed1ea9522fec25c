// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_terminal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define NCURSES_NOMACROS
#include <ncurses.h>
#include <term.h>

#include <jadoube/base.h>

// What a handler needs stands ready here before it is installed: a handler only writes and sets.
static struct {
    struct termios modes;
    char sequence[512];
    size_t size;
    bool is_known;
} terminal;

static const int deadly[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT,
                              SIGSEGV, SIGBUS, SIGFPE, SIGILL };
static struct sigaction before[JD_COUNT(deadly)];
static char spare_stack[64 * 1024]; // for a fault that used up the stack

bool play_terminal_remember(void) {
    terminal.is_known = tcgetattr(STDIN_FILENO, &terminal.modes) == 0;
    return terminal.is_known;
}

static void add(const char *name) {
    const char *text = tigetstr(name);
    if (text == NULL || text == (const char *)-1 || strchr(text, '$') != NULL)
        return; // not there, or with a delay that only tputs understands
    const size_t size = strlen(text);
    if (terminal.size + size > sizeof(terminal.sequence))
        return;
    memcpy(terminal.sequence + terminal.size, text, size);
    terminal.size += size;
}

static void on_deadly(int number) {
    const int kept = errno;
    const ssize_t written = write(STDOUT_FILENO, terminal.sequence, terminal.size);
    (void)written; // there is nobody left to tell
    if (terminal.is_known)
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &terminal.modes);
    errno = kept;
    // The handler was reset when it was entered: this ends the program as the signal would have.
    (void)raise(number);
}

void play_terminal_guard(void) {
    static const char mouse_off[] = "\033[?1000l\033[?1002l\033[?1003l\033[?1006l";
    terminal.size = sizeof(mouse_off) - 1;
    memcpy(terminal.sequence, mouse_off, terminal.size);
    add("sgr0");
    add("cnorm");
    add("rmkx");
    add("rmcup");
    const stack_t stack = { .ss_sp = spare_stack, .ss_size = sizeof(spare_stack) };
    (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < JD_COUNT(deadly); i++) {
        struct sigaction action = { .sa_handler = on_deadly };
        action.sa_flags = (int)((unsigned)SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
        (void)sigemptyset(&action.sa_mask);
        (void)sigaction(deadly[i], &action, &before[i]);
    }
}

void play_terminal_release(void) {
    for (size_t i = 0; i < JD_COUNT(deadly); i++)
        (void)sigaction(deadly[i], &before[i], NULL);
    if (terminal.is_known)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal.modes);
}
