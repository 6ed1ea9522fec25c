// SPDX-License-Identifier: GPL-3.0-or-later
//
// A hint in a game against the computer (L-024), and what a move one thinks of is worth (L-052).
// live says whether there may be one and counts it; then the engines are asked, after all moves
// that wait, and the tutor says why.
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/commands.h"
#include "net/computer.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "tutor/tutor.h"

#define HINT_NODES 400000
#define HINT_MS 3000
#define FACTS_SIZE (16 * 1024)

// One hint being found; the request is held meanwhile.
typedef struct Hint {
    NetRequest *request;
    ChessPosition position;
    ChessMove considered; // CHESS_NO_MOVE: none
    uint16_t hints;
    bool has_best;
    EngineAnswer best;
} Hint;

// ---- the answer ---------------------------------------------------------------------------------

static void write_score(NetBuf *out, const EngineLine *line) {
    json_out_key(out, "score");
    if (line == NULL) {
        json_out_null(out);
        return;
    }
    json_out_open(out, '{');
    json_out_key_int(out, line->is_mate ? "mate" : "cp", line->score);
    json_out_close(out, '}');
}

static void write_fact(NetBuf *out, const char *key, const ChessPosition *pos, ChessMove move,
                       const TutorFact *fact) {
    char text[2048];
    JdOut json = jd_out(text, sizeof text);
    json_out_key(out, key);
    if (fact == NULL) {
        json_out_null(out);
        return;
    }
    tutor_fact_write(pos, move, fact, &json);
    json_out_raw(out, jd_out_str(&json));
}

static void write_line(NetBuf *out, ChessPosition pos, TutorLine line) {
    json_out_key(out, "line");
    json_out_open(out, '[');
    for (int i = 0; i < line.count; i++) {
        char uci[CHESS_UCI_SIZE];
        const size_t size = chess_uci_write(&pos, line.moves[i], uci);
        json_out_text(out, jd_str_n(uci, size));
        chess_move_make(&pos, line.moves[i], NULL);
    }
    json_out_close(out, ']');
}

// A move and what is true of it; score may be NULL.
static void write_move(NetBuf *out, const ChessPosition *pos, ChessMove move, TutorLine line,
                       const EngineLine *score) {
    static char text[FACTS_SIZE]; // of the loop thread
    TutorFacts facts;
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    tutor_move_facts(pos, move, line, &facts);
    (void)chess_uci_write(pos, move, uci);
    (void)chess_san_write(pos, move, san);
    json_out_open(out, '{');
    json_out_key_cstr(out, "uci", uci);
    json_out_key_cstr(out, "san", san);
    write_score(out, score);
    write_line(out, *pos, line);
    JdOut json = jd_out(text, sizeof text);
    tutor_facts_write(pos, move, &facts, &json);
    json_out_key(out, "facts");
    json_out_raw(out, jd_out_str(&json));
    write_fact(out, "reason", pos, move, tutor_reason(&facts));
    write_fact(out, "objection", pos, move, tutor_objection(&facts));
    json_out_close(out, '}');
}

// The line of the best move, if the engine told one.
static const EngineLine *line_of(const EngineAnswer *answer) {
    const bool fits = answer->lines_count > 0 && answer->lines[0].moves[0] == answer->best;
    return fits ? &answer->lines[0] : NULL;
}

static void write_best(NetBuf *out, const Hint *hint) {
    const EngineLine *line = line_of(&hint->best);
    const TutorLine moves = { line != NULL ? line->moves : NULL, line != NULL ? line->count : 0 };
    json_out_key(out, "best");
    write_move(out, &hint->position, hint->best.best, moves, line);
}

// The move one thought of, with the engine's reply to it; reply NULL: the game ends with the move.
static void write_considered(NetBuf *out, const Hint *hint, const EngineAnswer *reply) {
    ChessMove moves[ENGINE_LINE_PLIES + 1] = { hint->considered };
    int count = 1;
    EngineLine score = { .score = 0 };
    const EngineLine *line = reply != NULL ? line_of(reply) : NULL;
    ChessPosition after = hint->position;
    chess_move_make(&after, hint->considered, NULL);
    if (line != NULL) {
        for (int i = 0; i < line->count; i++)
            moves[count++] = line->moves[i];
        // For the player, and a ply earlier: being mated in n after the move is being mated in n.
        score.is_mate = line->is_mate;
        score.score = line->is_mate && line->score < 0 ? 1 - line->score : -line->score;
    } else if (reply == NULL && chess_is_checkmate(&after)) {
        score.is_mate = true;
        score.score = 1;
    }
    json_out_key(out, "considered");
    write_move(out, &hint->position, hint->considered, (TutorLine) { moves, count },
               line != NULL || reply == NULL ? &score : NULL);
}

static void reply(Hint *hint, const EngineAnswer *considered, bool is_considered) {
    NetBuf *out = net_reply_json(hint->request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_int(out, "hints", hint->hints);
        write_best(out, hint);
        if (is_considered)
            write_considered(out, hint, considered);
        else
            json_out_key_null(out, "considered");
        json_out_close(out, '}');
    }
}

// ---- asking -------------------------------------------------------------------------------------

static void end(Hint *hint) {
    NetRequest *request = hint->request;
    free(hint);
    net_request_finish(request);
    net_request_drop(request);
}

static void fail(Hint *hint, const EngineAnswer *answer) {
    const bool missing = answer != NULL && answer->outcome == ENGINE_MISSING;
    net_reply_fault(hint->request, missing ? "no_engine" : "unavailable", NULL,
                    missing ? "no engine is installed here"
                            : "the engine gave no answer; try again");
    end(hint);
}

static void on_thought(void *context, const EngineAnswer *answer);

static bool ask(Hint *hint, const ChessPosition *pos) {
    EngineQuestion question = {
        .start = pos,
        .nodes = HINT_NODES,
        .time_ms = HINT_MS,
        .skill = -1,
        .priority = ENGINE_FOR_HINT,
        .asker = (uint64_t)hint->request->me.account,
    };
    return net_computer_ask(hint->request->server->computer, &question, on_thought, hint);
}

static void consider(Hint *hint) {
    ChessPosition after = hint->position;
    chess_move_make(&after, hint->considered, NULL);
    if (!chess_has_legal_move(&after)) {
        reply(hint, NULL, true);
        end(hint);
    } else if (!ask(hint, &after)) {
        fail(hint, NULL);
    }
}

static void on_thought(void *context, const EngineAnswer *answer) {
    Hint *hint = context;
    if (answer->outcome != ENGINE_ANSWERED) {
        fail(hint, answer);
    } else if (hint->has_best) {
        reply(hint, answer, true);
        end(hint);
    } else {
        hint->best = *answer;
        hint->has_best = true;
        if (hint->considered != CHESS_NO_MOVE) {
            consider(hint);
        } else {
            reply(hint, NULL, false);
            end(hint);
        }
    }
}

// live has counted it.
static void allowed(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind != LIVE_ANSWER_ACK || answer->game == NULL) {
        net_answer_reply(request, answer);
        return;
    }
    Hint *hint = calloc(1, sizeof *hint);
    JdErr err = { 0 };
    NetError fault = { 0 };
    LiveCommand command;
    const bool read = hint != NULL &&
                      net_command_hint(net_request_json(request), &command, &fault) &&
                      chess_fen_parse(jd_str(answer->game->fen), &hint->position, &err);
    if (!read) {
        free(hint);
        net_reply_fault(request, "internal", NULL, "no memory for the hint");
        net_request_finish(request);
        return;
    }
    hint->request = request;
    hint->hints = answer->game->row.hints;
    if (command.uci.size > 0 &&
        !chess_uci_parse(command.uci, &hint->position, &hint->considered, &err))
        hint->considered = CHESS_NO_MOVE; // it was legal when the command was read, or never
    net_request_hold(request);
    if (!ask(hint, &hint->position))
        fail(hint, NULL);
}

void api_hint(NetRequest *request) {
    LiveCommand command;
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL) {
        net_request_finish(request);
        return;
    }
    const bool read = net_command_hint(object, &command, &err);
    if (!read) {
        net_reply_error(request, &err);
    } else if (!live_id_parse(request->params[0], &command.id)) {
        net_reply_fault(request, "not_found", NULL, "there is nothing of that id");
    } else if (!net_computer_is_there(request->server->computer)) {
        net_reply_fault(request, "no_engine", NULL, "no engine is installed here");
    } else {
        net_request_live(request, &command, allowed);
        return;
    }
    net_request_finish(request);
}
