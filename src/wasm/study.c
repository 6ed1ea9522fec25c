// SPDX-License-Identifier: GPL-3.0-or-later
//
// PGN with variations in and out for the analysis board: see study.h. The buffers are static
// because a WebAssembly instance is their owner; nothing outlives a call in them but the answer.
#include "wasm/study.h"

#include <jadoube/chess.h>
#include <jadoube/pgn.h>

#ifdef __wasm__
#define STUDY_EXPORT(name) __attribute__((export_name(name)))
#else
#define STUDY_EXPORT(name)
#endif

static unsigned char input[STUDY_INPUT_SIZE];
static unsigned char output[STUDY_OUTPUT_SIZE];

STUDY_EXPORT("study_input") unsigned char *study_input(void) {
    return input;
}

STUDY_EXPORT("study_input_size") int32_t study_input_size(void) {
    return STUDY_INPUT_SIZE;
}

STUDY_EXPORT("study_output") unsigned char *study_output(void) {
    return output;
}

static JdOut answer(void) {
    return jd_out((char *)output, sizeof output);
}

// A comma, but at the beginning of a text, an object or a list.
static void separate(JdOut *out) {
    const JdStr text = jd_out_str(out);
    const char last = text.size > 0 ? text.data[text.size - 1] : '[';
    if (last != '[' && last != '{')
        jd_out_char(out, ',');
}

static void put_key(JdOut *out, const char *key) {
    separate(out);
    jd_out_char(out, '"');
    jd_out_cstr(out, key);
    jd_out_cstr(out, "\":");
}

static void put_text(JdOut *out, const char *key, JdStr value) {
    put_key(out, key);
    jd_out_json(out, value);
}

static void put_number(JdOut *out, const char *key, int64_t value) {
    put_key(out, key);
    jd_out_i64(out, value);
}

static int32_t error_of(const char *code, const JdErr *err) {
    JdOut out = answer();
    jd_out_cstr(&out, "{\"error\":{");
    put_text(&out, "code", jd_str(code));
    put_text(&out, "message", jd_str(err->text));
    put_text(&out, "field", jd_str(err->field));
    put_number(&out, "offset", err->offset);
    put_number(&out, "fault", err->code);
    jd_out_cstr(&out, "}}");
    return (int32_t)out.size;
}

static int32_t error_at(const char *code, size_t offset, const char *message) {
    JdErr err = { 0 };
    (void)jd_fail(&err, 0, offset, "%s", message);
    return error_of(code, &err);
}

static bool take_input(int32_t size, JdStr *text) {
    *text = jd_str_n((const char *)input, size < 0 ? 0 : (size_t)size);
    return size >= 0 && size <= STUDY_INPUT_SIZE;
}

static int32_t finish(const JdOut *out) {
    return jd_out_fits(out) ? (int32_t)out->size
                            : error_at("too_large", 0, "the answer does not fit");
}

// ---- reading ------------------------------------------------------------------------------------

typedef struct Reading {
    JdOut out; // "text"
    JdOut tags;
    JdOut problems;
    uint64_t wanted;
    uint64_t games;
    bool here; // inside the game that is wanted
    bool in_comment;
    int depth;
    int closed; // depth from which on nothing is taken, after a null move; -1: none
    int problem_count;
    ChessPosition start;
    ChessPgnResult result;
} Reading;

static Reading reading;
static unsigned char buffer[CHESS_PGN_BUFFER_MIN * 4];
static ChessPgnLine lines[STUDY_DEPTH_MAX + 1];
static char tags[64 * 1024];
static char problems[16 * 1024];

static bool taken(const Reading *r) {
    return r->here && r->closed < 0;
}

static ChessPgnStep on_game(void *context, uint64_t number) {
    Reading *r = context;
    r->games = number;
    r->here = number == r->wanted;
    r->depth = 0;
    r->closed = -1;
    return r->here ? CHESS_PGN_GO : CHESS_PGN_SKIP;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Reading *r = context;
    separate(&r->tags);
    jd_out_char(&r->tags, '[');
    jd_out_json(&r->tags, name);
    jd_out_char(&r->tags, ',');
    jd_out_json(&r->tags, value);
    jd_out_char(&r->tags, ']');
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    Reading *r = context;
    if (r->here && start != NULL)
        r->start = *start;
    return CHESS_PGN_GO;
}

static void tell(Reading *r, const char *fault, uint64_t line, uint64_t column, const char *text) {
    if (r->problem_count++ >= STUDY_PROBLEMS_MAX)
        return;
    separate(&r->problems);
    jd_out_char(&r->problems, '{');
    put_text(&r->problems, "fault", jd_str(fault));
    put_number(&r->problems, "line", (int64_t)line);
    put_number(&r->problems, "column", (int64_t)column);
    put_text(&r->problems, "message", jd_str(text));
    jd_out_char(&r->problems, '}');
}

static void on_move(void *context, const ChessPgnMove *move) {
    Reading *r = context;
    if (!taken(r))
        return;
    if (move->is_null || move->position == NULL) {
        r->closed = r->depth;
        tell(r, "null_move", 0, 0, "a null move; its variation ends before it");
        return;
    }
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    char fen[CHESS_FEN_SIZE];
    ChessPosition after = *move->position;
    (void)chess_uci_write(&after, move->move, uci);
    (void)chess_san_write(&after, move->move, san);
    chess_move_make(&after, move->move, NULL);
    (void)chess_fen_write(&after, CHESS_FEN_EP_LEGAL, fen);
    separate(&r->out);
    jd_out_char(&r->out, '{');
    put_text(&r->out, "uci", jd_str(uci));
    put_text(&r->out, "san", jd_str(san));
    put_text(&r->out, "fen", jd_str(fen));
    jd_out_char(&r->out, '}');
}

// A comment longer than the reader's buffer comes in pieces, each an item of its own.
static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    Reading *r = context;
    (void)to_line_end;
    (void)more;
    if (!taken(r))
        return;
    separate(&r->out);
    jd_out_char(&r->out, '{');
    put_text(&r->out, "comment", text);
    jd_out_char(&r->out, '}');
}

static void on_nag(void *context, int nag) {
    Reading *r = context;
    if (!taken(r))
        return;
    separate(&r->out);
    jd_out_char(&r->out, '{');
    put_number(&r->out, "nag", nag);
    jd_out_char(&r->out, '}');
}

static ChessPgnStep on_variation(void *context) {
    Reading *r = context;
    if (taken(r)) {
        separate(&r->out);
        jd_out_cstr(&r->out, "\"(\"");
    }
    r->depth++;
    return CHESS_PGN_GO;
}

static void on_variation_end(void *context) {
    Reading *r = context;
    if (r->closed == r->depth)
        r->closed = -1;
    r->depth--;
    if (taken(r)) {
        separate(&r->out);
        jd_out_cstr(&r->out, "\")\"");
    }
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Reading *r = context;
    if (r->here)
        r->result = game->result != CHESS_PGN_NO_RESULT ? game->result : game->tag_result;
    r->here = false;
}

static void on_problem(void *context, const ChessPgnProblem *problem) {
    Reading *r = context;
    if (problem->game == r->wanted)
        tell(r, chess_pgn_fault_name(problem->fault), problem->line, problem->column,
             problem->text);
}

static void read_games(Reading *r, JdStr pgn) {
    static const ChessPgnVisitor visitor = {
        .game_begin = on_game,
        .tag = on_tag,
        .tags_end = on_tags_end,
        .move = on_move,
        .comment = on_comment,
        .nag = on_nag,
        .variation_begin = on_variation,
        .variation_end = on_variation_end,
        .game_end = on_game_end,
        .problem = on_problem,
    };
    const ChessPgnOptions options = { .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .lines = lines,
                                      .line_count = JD_COUNT(lines) };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, r);
    (void)chess_pgn_push(&reader, pgn);
    chess_pgn_finish(&reader);
}

static void put_list(JdOut *out, const char *key, const JdOut *items) {
    put_key(out, key);
    jd_out_char(out, '[');
    jd_out_text(out, jd_out_str(items));
    jd_out_char(out, ']');
}

STUDY_EXPORT("study_read") int32_t study_read(int32_t size) {
    JdStr text;
    uint64_t wanted = 0;
    if (!take_input(size, &text))
        return error_at("too_long", STUDY_INPUT_SIZE, "the input exceeds 524288 bytes");
    if (!jd_parse_u64(jd_str_cut(&text, '\n'), UINT32_MAX, &wanted) || wanted == 0)
        return error_at("bad_number", 0, "the first line is no number of a game, from 1");
    Reading *r = &reading;
    *r = (Reading) { .out = answer(),
                     .tags = jd_out(tags, sizeof tags),
                     .problems = jd_out(problems, sizeof problems),
                     .wanted = wanted,
                     .closed = -1,
                     .start = chess_position_start() };
    jd_out_cstr(&r->out, "{\"text\":[");
    read_games(r, text);
    jd_out_char(&r->out, ']');
    if (r->games < wanted)
        return error_at("no_game", 0, "the text has no such game");
    char fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(&r->start, CHESS_FEN_EP_LEGAL, fen);
    put_number(&r->out, "games", (int64_t)r->games);
    put_text(&r->out, "start", jd_str(fen));
    put_text(&r->out, "result", jd_str(chess_pgn_result_text(r->result)));
    put_list(&r->out, "tags", &r->tags);
    put_list(&r->out, "problems", &r->problems);
    jd_out_char(&r->out, '}');
    return jd_out_fits(&r->tags) && jd_out_fits(&r->problems)
               ? finish(&r->out)
               : error_at("too_large", 0, "tags or problems do not fit");
}

// ---- writing ------------------------------------------------------------------------------------

typedef struct Level {
    ChessPosition before; // the last move of the line
    ChessPosition now;
    bool has_move;
} Level;

typedef struct Writing {
    JdOut pgn;
    ChessPgnWriter writer;
    ChessPgnTag tags[STUDY_TAGS_MAX];
    size_t tag_count;
    Level levels[STUDY_DEPTH_MAX + 1];
    int depth;
    bool begun; // the tags are written
    bool ended;
    JdErr err;
    const char *code; // of the error; NULL: none
} Writing;

static Writing writing;
static char pgn_text[STUDY_OUTPUT_SIZE / 2];

static void sink(void *context, JdStr text) {
    jd_out_text(context, text);
}

static bool bad_line(Writing *w, const char *message) {
    w->code = "bad_line";
    return jd_fail(&w->err, 0, 0, "%s", message);
}

static ChessPgnResult result_of(JdStr line) {
    return chess_pgn_result_parse(jd_str_trim(jd_str_part(line, 2, line.size)));
}

// The tags are written when the first thing that is none comes; the Result tag waits for nobody, so
// it is among them.
static void begin_moves(Writing *w) {
    if (w->begun)
        return;
    w->begun = true;
    ChessPgnResult result = CHESS_PGN_NO_RESULT;
    for (size_t i = 0; i < w->tag_count; i++)
        if (jd_str_equal(w->tags[i].name, JD_STR("Result")))
            result = chess_pgn_result_parse(w->tags[i].value);
    chess_pgn_write_tags(&w->writer, w->tags, w->tag_count, result);
}

static bool add_tag(Writing *w, JdStr rest) {
    if (w->begun || w->tag_count == STUDY_TAGS_MAX)
        return bad_line(w, "a tag after the moves, or more than 64");
    const JdStr name = jd_str_cut(&rest, ' ');
    w->tags[w->tag_count++] = (ChessPgnTag) { .name = name, .value = rest };
    return true;
}

static bool set_start(Writing *w, JdStr fen) {
    if (w->begun)
        return bad_line(w, "the start after the moves");
    w->code = "bad_fen";
    if (!chess_fen_parse(fen, &w->levels[0].now, &w->err))
        return false;
    w->code = NULL;
    return true;
}

static bool add_move(Writing *w, JdStr uci) {
    Level *level = &w->levels[w->depth];
    ChessMove move;
    if (!chess_uci_parse(uci, &level->now, &move, &w->err)) {
        w->code = w->err.code == CHESS_MOVE_ILLEGAL ? "illegal_move" : "bad_move";
        return false;
    }
    begin_moves(w);
    chess_pgn_write_move(&w->writer, &level->now, move);
    level->before = level->now;
    level->has_move = true;
    chess_move_make(&level->now, move, NULL);
    return true;
}

static bool open_variation(Writing *w) {
    const Level *level = &w->levels[w->depth];
    if (!level->has_move || w->depth == STUDY_DEPTH_MAX)
        return bad_line(w, "a variation of nothing, or more than 32 levels");
    w->levels[w->depth + 1] = (Level) { .now = level->before };
    w->depth++;
    chess_pgn_write_variation_begin(&w->writer);
    return true;
}

static bool close_variation(Writing *w) {
    if (w->depth == 0)
        return bad_line(w, "\")\" without \"(\"");
    w->depth--;
    chess_pgn_write_variation_end(&w->writer);
    return true;
}

static bool write_line(Writing *w, JdStr line) {
    const JdStr rest = jd_str_part(line, 2, line.size);
    uint64_t nag = 0;
    if (w->ended || line.size == 0 || (line.size > 1 && line.data[1] != ' '))
        return bad_line(w, "expected a letter and a blank");
    switch (line.data[0]) {
    case 'T':
        return add_tag(w, rest);
    case 'F':
        return set_start(w, rest);
    case 'M':
        return add_move(w, rest);
    case 'C':
        begin_moves(w);
        chess_pgn_write_comment(&w->writer, rest);
        return true;
    case 'N':
        if (!jd_parse_u64(rest, 255, &nag))
            return bad_line(w, "a NAG is a number up to 255");
        begin_moves(w);
        chess_pgn_write_nag(&w->writer, (int)nag);
        return true;
    case '(':
        return open_variation(w);
    case ')':
        return close_variation(w);
    case 'R':
        if (w->depth > 0)
            return bad_line(w, "a variation is open");
        begin_moves(w);
        chess_pgn_write_result(&w->writer, result_of(line));
        w->ended = true;
        return true;
    default:
        return bad_line(w, "an unknown letter");
    }
}

STUDY_EXPORT("study_write") int32_t study_write(int32_t size) {
    JdStr text;
    if (!take_input(size, &text))
        return error_at("too_long", STUDY_INPUT_SIZE, "the input exceeds 524288 bytes");
    Writing *w = &writing;
    *w = (Writing) { .pgn = jd_out(pgn_text, sizeof pgn_text),
                     .levels[0] = { .now = chess_position_start() } };
    chess_pgn_writer_init(&w->writer, sink, &w->pgn, CHESS_FORM_PGN, CHESS_ENGLISH,
                          CHESS_PGN_WIDTH);
    while (text.size > 0) {
        const size_t offset = (size_t)((const unsigned char *)text.data - input);
        if (!write_line(w, jd_str_cut(&text, '\n'))) {
            w->err.offset = (uint32_t)offset;
            return error_of(w->code, &w->err);
        }
    }
    if (!w->ended)
        return error_at("bad_line", (size_t)size, "the result is missing");
    if (!jd_out_fits(&w->pgn))
        return error_at("too_large", 0, "the game does not fit");
    JdOut out = answer();
    jd_out_char(&out, '{');
    put_text(&out, "pgn", jd_out_str(&w->pgn));
    jd_out_char(&out, '}');
    return finish(&out);
}
