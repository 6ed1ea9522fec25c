// SPDX-License-Identifier: GPL-3.0-or-later
//
// An engine that behaves badly, in the way the environment variable BAD_ENGINE names. It answers
// with the first legal move otherwise. BAD_ENGINE_MARK names a file that is made at the first
// fault; with a mode that ends in "_once" the fault does not come again when the file is there.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jadoube/chess.h>

static const char *mode = "";

static bool is_fault(const char *name) {
    const size_t size = strlen(name);
    if (strncmp(mode, name, size) != 0)
        return false;
    if (strcmp(mode + size, "_once") != 0)
        return mode[size] == '\0';
    const char *mark = getenv("BAD_ENGINE_MARK");
    return mark != NULL && open(mark, O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0;
}

static void read_position(const char *line, ChessPosition *pos) {
    JdStr rest = jd_str(line + strlen("position fen "));
    const char *moves = strstr(rest.data, " moves ");
    const JdStr fen = moves == NULL ? rest : jd_str_n(rest.data, (size_t)(moves - rest.data));
    if (!chess_fen_parse(jd_str_trim(fen), pos, NULL))
        abort();
    rest = moves == NULL ? jd_str("") : jd_str(moves + strlen(" moves "));
    while (rest.size > 0) {
        ChessMove move;
        ChessUndo undo;
        if (!chess_uci_parse(jd_str_cut(&rest, ' '), pos, &move, NULL))
            abort();
        chess_move_make(pos, move, &undo);
    }
}

static void go(const ChessPosition *pos) {
    if (is_fault("hang"))
        for (;;)
            pause();
    if (is_fault("die"))
        raise(SIGSEGV);
    if (is_fault("exit"))
        exit(0);
    while (is_fault("flood"))
        for (;;)
            puts("info string and so on and so forth, without an end, until somebody stops me");
    if (is_fault("lie")) {
        puts("bestmove a1a1");
        return;
    }
    if (is_fault("noise")) { // rubbish that must not matter
        puts("info depth 99999999 score cp 1 pv e2e4");
        puts("info multipv 0 score cp 1 pv e2e4");
        puts("info depth 3 score cp 12 multipv 1 nodes 77 pv z9z9");
        puts("info depth 4 score mate");
        puts("bestmove");
        for (int i = 0; i < 20000; i++)
            putchar('x');
        putchar('\n');
    }
    ChessMoveList list;
    char uci[CHESS_UCI_SIZE];
    chess_moves_generate(pos, &list);
    chess_uci_write(pos, list.moves[0], uci);
    printf("info depth 1 multipv 1 score cp 7 nodes 42 pv %s\nbestmove %s\n", uci, uci);
}

int main(void) {
    char line[65536];
    ChessPosition pos = chess_position_start();
    if (getenv("BAD_ENGINE") != NULL)
        mode = getenv("BAD_ENGINE");
    setvbuf(stdout, NULL, _IOLBF, 0);
    // A gate that is shut holds it up at the start.
    for (const char *gate = getenv("BAD_ENGINE_GATE"); gate != NULL && access(gate, F_OK) != 0;)
        usleep(1000);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, "uci") == 0) {
            if (is_fault("mute"))
                for (;;)
                    pause();
            if (is_fault("slow"))
                usleep(1500000);
            puts("id name Bad Engine\noption name MultiPV type spin default 1 min 1 max 4\nuciok");
        } else if (strcmp(line, "isready") == 0)
            puts("readyok");
        else if (strncmp(line, "position fen ", 13) == 0)
            read_position(line, &pos);
        else if (strncmp(line, "go", 2) == 0)
            go(&pos);
        else if (strcmp(line, "quit") == 0 && !is_fault("stay"))
            return 0;
    }
    while (is_fault("stay"))
        pause();
    return 0;
}
