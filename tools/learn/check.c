// SPDX-License-Identifier: GPL-3.0-or-later
//
// Proves what stands in learn: every position legal, every move legal, every mate, motif and
// gain as claimed, every problem out of its game and none twice. Ends with 1 at any fault.
//
// usage: learn_check DIR
#include <jadoube/pgn.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson.h"

#define FILE_MAX (4 << 20)
#define PROBLEMS_MAX 4096
#define PROBLEMS_MIN 500
#define OPENING_PLIES_MIN 8
#define OPENING_PLIES_MAX 10

static int faults;

static void report(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    faults++;
}

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = malloc(FILE_MAX);
    if (file == NULL || text == NULL) {
        report(path, 0, "cannot be read");
        free(text);
        if (file != NULL)
            fclose(file);
        return NULL;
    }
    *size = fread(text, 1, FILE_MAX, file);
    fclose(file);
    return text;
}

// ---- problems ----------------------------------------------------------------------------------

typedef struct Row {
    LearnProblem problem;
    int line;
    bool seen; // in its game
} Row;

typedef struct Problems {
    const char *path;
    Row rows[PROBLEMS_MAX];
    uint64_t keys[PROBLEMS_MAX];
    int count;
    int by_theme[LEARN_THEME_COUNT];
    // The game being read.
    uint32_t game;
    uint32_t ply;
} Problems;

static void add_problem(Problems *all, JdStr text, int line) {
    JdErr err = { 0 };
    Row *row = &all->rows[all->count];
    *row = (Row) { .line = line };
    if (all->count == PROBLEMS_MAX) {
        report(all->path, line, "too many problems");
        return;
    }
    if (!learn_problem_parse(text, &row->problem, &err) ||
        !learn_problem_prove(&row->problem, &err)) {
        report(all->path, line, err.text);
        return;
    }
    const uint64_t key = learn_position_key(&row->problem.pos);
    for (int i = 0; i < all->count; i++)
        if (all->keys[i] == key)
            report(all->path, line, "the position, or its mirror image, stood already");
    all->by_theme[row->problem.theme]++;
    all->keys[all->count++] = key;
}

static ChessPgnStep on_begin(void *context, uint64_t number) {
    Problems *all = context;
    all->game = (uint32_t)number;
    all->ply = 0;
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Problems *all = context;
    uint64_t number;
    if (jd_str_equal(name, JD_STR("Round")) && jd_parse_u64(value, UINT32_MAX, &number))
        all->game = (uint32_t)number;
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    Problems *all = context;
    if (move->depth != 0)
        return;
    for (int i = 0; i < all->count; i++) {
        Row *row = &all->rows[i];
        if (row->problem.game == all->game && row->problem.ply == all->ply &&
            chess_position_same(&row->problem.pos, move->position))
            row->seen = true;
    }
    all->ply++;
}

static void on_problem(void *context, const ChessPgnProblem *problem) {
    (void)context;
    report("games.pgn", (int)problem->line, problem->text);
}

static void find_in_games(Problems *all, JdStr pgn) {
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[2];
    const ChessPgnOptions options = { .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .lines = lines,
                                      .line_count = JD_COUNT(lines),
                                      .exact = true };
    const ChessPgnVisitor visitor = {
        .game_begin = on_begin, .tag = on_tag, .move = on_move, .problem = on_problem
    };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, all);
    (void)!chess_pgn_push(&reader, pgn);
    chess_pgn_finish(&reader);
    for (int i = 0; i < all->count; i++)
        if (!all->rows[i].seen)
            report(all->path, all->rows[i].line, "does not stand in its game");
}

static void check_problems(const char *folder) {
    char path[512];
    size_t size = 0;
    Problems *all = calloc(1, sizeof *all);
    snprintf(path, sizeof path, "%s/problems.txt", folder);
    char *text = read_file(path, &size);
    if (all == NULL || text == NULL) {
        free(all);
        return;
    }
    all->path = path;
    JdStr rest = jd_str_n(text, size);
    for (int line = 1; rest.size > 0; line++) {
        const JdStr row = jd_str_trim(jd_str_cut(&rest, '\n'));
        if (row.size > 0 && row.data[0] != '#')
            add_problem(all, row, line);
    }
    char games[512];
    snprintf(games, sizeof games, "%s/games.pgn", folder);
    char *pgn = read_file(games, &size);
    if (pgn != NULL)
        find_in_games(all, jd_str_n(pgn, size));
    if (all->count < PROBLEMS_MIN)
        report(path, 0, "fewer than 500 problems");
    printf("%d problems:", all->count);
    for (int i = 0; i < LEARN_THEME_COUNT; i++)
        printf(" %s %d", learn_theme_names[i], all->by_theme[i]);
    printf("\n");
    free(pgn);
    free(text);
    free(all);
}

// ---- openings ----------------------------------------------------------------------------------

static void check_opening(const char *path, int line, JdStr row) {
    JdStr fields[5] = { 0 };
    for (int i = 0; i < 5; i++)
        fields[i] = jd_str_cut(&row, ';');
    if (row.size > 0 || fields[0].size != 3 || fields[1].size == 0 || fields[2].size == 0 ||
        fields[3].size == 0) {
        report(path, line, "expected ECO;English;Russian;Romanian;moves");
        return;
    }
    ChessPosition pos = chess_position_start();
    int plies = 0;
    while (fields[4].size > 0) {
        ChessMove move;
        JdErr err;
        if (!chess_san_parse(jd_str_cut(&fields[4], ' '), &pos, &move, &err)) {
            report(path, line, err.text);
            return;
        }
        chess_move_make(&pos, move, NULL);
        plies++;
    }
    if (plies < OPENING_PLIES_MIN || plies > OPENING_PLIES_MAX)
        report(path, line, "four or five moves expected");
}

static void check_openings(const char *folder) {
    char path[512];
    size_t size = 0;
    snprintf(path, sizeof path, "%s/openings.txt", folder);
    char *text = read_file(path, &size);
    if (text == NULL)
        return;
    int count = 0;
    JdStr rest = jd_str_n(text, size);
    for (int line = 1; rest.size > 0; line++) {
        const JdStr row = jd_str_trim(jd_str_cut(&rest, '\n'));
        if (row.size == 0 || row.data[0] == '#')
            continue;
        check_opening(path, line, row);
        count++;
    }
    printf("%d openings\n", count);
    free(text);
}

// ---- lessons -----------------------------------------------------------------------------------

static void check_lessons(const char *folder) {
    char path[768];
    snprintf(path, sizeof path, "%s/lessons", folder);
    DIR *dir = opendir(path);
    if (dir == NULL) {
        report(path, 0, "cannot be read");
        return;
    }
    LessonCount count = { 0 };
    int lessons = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".txt") != 0)
            continue;
        size_t size = 0;
        JdErr err = { 0 };
        snprintf(path, sizeof path, "%s/lessons/%s", folder, entry->d_name);
        char *text = read_file(path, &size);
        if (text != NULL && !lesson_prove(jd_str_n(text, size), &count, &err))
            report(path, (int)err.offset, err.text);
        free(text);
        lessons++;
    }
    closedir(dir);
    printf("%d lessons: %d steps, %d claims proved, %d pieces of advice\n", lessons, count.steps,
           count.claims, count.advice);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: learn_check DIR\n");
        return 2;
    }
    check_lessons(argv[1]);
    check_openings(argv[1]);
    check_problems(argv[1]);
    if (faults > 0)
        fprintf(stderr, "%d faults\n", faults);
    return faults > 0;
}
