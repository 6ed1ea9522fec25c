// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube explain: what is true of a move. jadoube hint: the engine's best move, and why.
#include "cli/cli.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cli/position_argument.h"
#include "cli/tutor_words.h"
#include "engine/engine.h"

#define HINT_MS_DEFAULT 1000
#define HINT_MS_MAX 60000

static const char explain_usage[] =
    "usage: jadoube explain [--json] [--language en|ru|ro] FEN MOVE\n"
    "\n"
    "Says what is true of the move (SAN or UCI) in the position FEN (one argument, or its six\n"
    "fields): what it attacks, wins, threatens, leaves. Every sentence is checked by the rules.\n"
    "\n"
    "Exit codes: 0 explained, 1 refused, 2 wrong usage.\n";

static const char hint_usage[] =
    "usage: jadoube hint [--json] [--language en|ru|ro] [--engine PATH] [--time MS] FEN\n"
    "\n"
    "Asks the engine (stockfish, or PATH) for the best move in the position FEN and says in one\n"
    "line why it is good. --time: to think, in milliseconds; 1000 by default.\n"
    "\n"
    "Exit codes: 0 answered, 1 refused or no engine, 2 wrong usage.\n";

typedef struct Asked {
    const char *command;
    const char *usage;
    bool json;
    PlayLanguage language;
    const char *engine;
    uint32_t time_ms;
    ChessPosition pos;
    const char *move; // explain: the last word
} Asked;

static int wrong(const Asked *asked, const char *what) {
    fprintf(stderr, "jadoube %s: %s\n%s", asked->command, what, asked->usage);
    return 2;
}

// Options, then the position; -1: go on, else the exit code.
static int read_arguments(Asked *asked, int argc, char **argv, int moves) {
    char memory[CHESS_FEN_TEXT_MAX + 2];
    int count = 0;
    uint64_t number = 0;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--help") == 0) {
            fputs(asked->usage, stdout);
            return 0;
        }
        if (strcmp(argv[i], "--json") == 0) {
            asked->json = true;
        } else if (strcmp(argv[i], "--language") == 0) {
            if (!play_language_find(value, &asked->language))
                return wrong(asked, "--language takes en, ru or ro");
            i++;
        } else if (strcmp(argv[i], "--engine") == 0 && moves == 0 && *value != '\0') {
            asked->engine = value;
            i++;
        } else if (strcmp(argv[i], "--time") == 0 && moves == 0) {
            if (!jd_parse_u64(jd_str(value), HINT_MS_MAX, &number) || number == 0)
                return wrong(asked, "--time takes milliseconds, 1 to 60000");
            asked->time_ms = (uint32_t)number;
            i++;
        } else if (argv[i][0] == '-' && argv[i][1] == '-') {
            return wrong(asked, "unknown option");
        } else {
            argv[count++] = argv[i];
        }
    }
    if (count <= moves)
        return wrong(asked, moves > 0 ? "FEN and move are needed" : "FEN is missing");
    const JdStr fen = cli_join_arguments(argv, count - moves, memory, sizeof memory);
    JdErr err = { 0 };
    asked->move = argv[count - 1];
    if (chess_fen_parse(fen, &asked->pos, &err))
        return -1;
    cli_show_fault(moves > 0 ? "jadoube explain" : "jadoube hint", fen, &err);
    return 1;
}

static void print_facts(const Asked *asked, ChessMove move, const TutorFacts *facts) {
    for (int i = 0; i < facts->count; i++) {
        const TutorFact *fact = &facts->facts[i];
        char line[1024];
        JdOut out = jd_out(line, sizeof line);
        cli_fact_say(asked->language, &asked->pos, move, fact, NULL, NULL, &out);
        printf("%s %.*s\n",
               fact->kind < TUTOR_ALLOWS_MATE || fact->kind == TUTOR_KING_SAFE ? "+" : "-",
               JD_PRINT(jd_out_str(&out)));
    }
}

static void print_json(const Asked *asked, ChessMove move, const TutorFacts *facts) {
    static char text[32 * 1024];
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    JdOut out = jd_out(text, sizeof text);
    (void)chess_uci_write(&asked->pos, move, uci);
    (void)chess_san_write(&asked->pos, move, san);
    jd_out_cstr(&out, "{\"move\":");
    jd_out_json(&out, jd_str(uci));
    jd_out_cstr(&out, ",\"san\":");
    jd_out_json(&out, jd_str(san));
    jd_out_cstr(&out, ",\"facts\":");
    tutor_facts_write(&asked->pos, move, facts, &out);
    jd_out_char(&out, '}');
    printf("%.*s\n", JD_PRINT(jd_out_str(&out)));
}

int cli_explain(int argc, char **argv) {
    Asked asked = { .command = "explain",
                    .usage = explain_usage,
                    .language = play_language_of_locale() };
    ChessMove move;
    TutorFacts facts;
    JdErr err = { 0 };
    const int code = read_arguments(&asked, argc, argv, 1);
    if (code >= 0)
        return code;
    ChessReading found;
    if (!chess_notation_parse(jd_str(asked.move), &asked.pos, CHESS_ENGLISH, CHESS_TOLERATE_DEFAULT,
                              &found, &err)) {
        cli_show_fault("jadoube explain", jd_str(asked.move), &err);
        return 1;
    }
    move = found.move;
    tutor_move_facts(&asked.pos, move, (TutorLine) { NULL, 0 }, &facts);
    if (asked.json)
        print_json(&asked, move, &facts);
    else
        print_facts(&asked, move, &facts);
    return 0;
}

// ---- the engine ---------------------------------------------------------------------------------

typedef struct Wait {
    pthread_mutex_t lock;
    pthread_cond_t there;
    bool is_there;
    EngineAnswer answer;
} Wait;

static void on_answer(void *context, const EngineAnswer *answer) {
    Wait *wait = context;
    pthread_mutex_lock(&wait->lock);
    wait->answer = *answer;
    wait->is_there = true;
    pthread_cond_signal(&wait->there);
    pthread_mutex_unlock(&wait->lock);
}

static bool ask_engine(const Asked *asked, EngineAnswer *answer) {
    const EngineConfig config = { .program = asked->engine, .processes = 1 };
    Wait wait = { .is_there = false };
    EnginePool *pool = NULL;
    JdErr err = { 0 };
    pthread_mutex_init(&wait.lock, NULL);
    pthread_cond_init(&wait.there, NULL);
    const bool opened = engine_pool_open(&config, &pool, &err);
    if (opened) {
        const EngineQuestion question = { .start = &asked->pos,
                                          .time_ms = asked->time_ms,
                                          .skill = -1,
                                          .priority = ENGINE_FOR_HINT,
                                          .asker = 1,
                                          .done = on_answer,
                                          .context = &wait };
        (void)engine_ask(pool, &question);
        pthread_mutex_lock(&wait.lock);
        while (!wait.is_there)
            pthread_cond_wait(&wait.there, &wait.lock);
        pthread_mutex_unlock(&wait.lock);
        *answer = wait.answer;
        engine_pool_close(pool);
    }
    pthread_cond_destroy(&wait.there);
    pthread_mutex_destroy(&wait.lock);
    return opened;
}

static void print_hint(const Asked *asked, ChessMove move, const TutorFacts *facts) {
    char san[CHESS_SAN_SIZE];
    char line[1024];
    JdOut out = jd_out(line, sizeof line);
    const TutorFact *reason = tutor_reason(facts);
    (void)chess_san_write(&asked->pos, move, san);
    if (reason != NULL)
        cli_fact_say(asked->language, &asked->pos, move, reason, NULL, NULL, &out);
    else
        jd_out_cstr(&out, cli_tutor_text(asked->language, "tutor.plain"));
    printf("%s: %.*s\n", san, JD_PRINT(jd_out_str(&out)));
}

int cli_hint(int argc, char **argv) {
    static EngineAnswer answer;
    Asked asked = { .command = "hint",
                    .usage = hint_usage,
                    .language = play_language_of_locale(),
                    .time_ms = HINT_MS_DEFAULT };
    TutorFacts facts;
    const int code = read_arguments(&asked, argc, argv, 0);
    if (code >= 0)
        return code;
    if (!chess_has_legal_move(&asked.pos)) {
        fprintf(stderr, "jadoube hint: the game is over in this position\n");
        return 1;
    }
    if (!ask_engine(&asked, &answer) || answer.outcome != ENGINE_ANSWERED) {
        fprintf(stderr, "jadoube hint: no answer of an engine: %s\n",
                engine_outcome_name(answer.outcome));
        return 1;
    }
    const bool has_line = answer.lines_count > 0 && answer.lines[0].moves[0] == answer.best;
    const TutorLine line = { answer.lines[0].moves, has_line ? answer.lines[0].count : 0 };
    tutor_move_facts(&asked.pos, answer.best, line, &facts);
    if (asked.json)
        print_json(&asked, answer.best, &facts);
    else
        print_hint(&asked, answer.best, &facts);
    return 0;
}
