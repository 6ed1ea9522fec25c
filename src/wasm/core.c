// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules core behind a few functions that speak bytes: see core.h. The buffers are static
// because a WebAssembly instance is their owner; nothing outlives a call in them but the answer.
#include "wasm/core.h"

#include <jadoube/chess.h>
#ifndef CORE_BOARD // the small module knows moves only
#include <jadoube/dead.h>
#include <jadoube/laws.h>
#endif

#ifdef __wasm__
#define CORE_EXPORT(name) __attribute__((export_name(name)))
#else
#define CORE_EXPORT(name)
#endif

static unsigned char input[CORE_INPUT_SIZE];
static unsigned char output[CORE_OUTPUT_SIZE];

static JdOut answer(void) {
    return jd_out((char *)output, sizeof output);
}

static void put_key(JdOut *out, const char *key) {
    jd_out_char(out, '"');
    jd_out_cstr(out, key);
    jd_out_cstr(out, "\":");
}

static void put_text(JdOut *out, const char *key, const char *value) {
    put_key(out, key);
    jd_out_json(out, jd_str(value));
}

static void put_bool(JdOut *out, const char *key, bool value) {
    put_key(out, key);
    jd_out_cstr(out, value ? "true" : "false");
}

static void put_number(JdOut *out, const char *key, int64_t value) {
    put_key(out, key);
    jd_out_i64(out, value);
}

// ---- errors

// ply: below 0 where the error is not about one move of several.
static int32_t error_at(const char *code, const JdErr *err, int32_t ply) {
    JdOut out = answer();
    jd_out_cstr(&out, "{\"error\":{");
    put_text(&out, "code", code);
    jd_out_char(&out, ',');
    put_text(&out, "message", err->text);
    jd_out_char(&out, ',');
    put_text(&out, "field", err->field);
    jd_out_char(&out, ',');
    put_number(&out, "offset", err->offset);
    jd_out_char(&out, ',');
    put_number(&out, "fault", err->code);
    if (ply >= 0) {
        jd_out_char(&out, ',');
        put_number(&out, "ply", ply);
    }
    jd_out_cstr(&out, "}}");
    return (int32_t)out.size;
}

static int32_t error_of(const char *code, const char *field, const char *message, size_t offset) {
    JdErr err = { 0 };
    (void)jd_fail_field(&err, 0, field, offset, "%s", message);
    return error_at(code, &err, -1);
}

static int32_t too_long(void) {
    return error_of("too_long", "", "the input exceeds 262144 bytes", CORE_INPUT_SIZE);
}

static const char *move_error_code(uint32_t fault) {
    switch ((ChessMoveFault)fault) {
    case CHESS_MOVE_ILLEGAL:
        return "illegal_move";
    case CHESS_MOVE_AMBIGUOUS:
        return "ambiguous_move";
    case CHESS_MOVE_OK:
    case CHESS_MOVE_MALFORMED:
    case CHESS_MOVE_WRONG_SIGN:
        break;
    }
    return "bad_move";
}

static int32_t finish(const JdOut *out) {
    if (jd_out_fits(out))
        return (int32_t)out->size;
    return error_of("too_large", "", "the answer does not fit", 0);
}

// ---- input

static bool take_input(int32_t size, JdStr *text) {
    if (size < 0 || size > CORE_INPUT_SIZE)
        return false;
    *text = jd_str_n((const char *)input, (size_t)size);
    return true;
}

// The first line as a position (empty: the initial one); *rest is what follows it.
static bool take_position(JdStr *rest, ChessPosition *pos, JdErr *err) {
    const JdStr fen = jd_str_cut(rest, '\n');
    if (fen.size == 0) {
        *pos = chess_position_start();
        return true;
    }
    return chess_fen_parse(fen, pos, err);
}

static size_t offset_of(JdStr part) {
    return (size_t)((const unsigned char *)part.data - input);
}

// ---- moves

// {"uci","san","fen","check","captured"}; *pos moves to after the move.
static void put_move(JdOut *out, ChessPosition *pos, ChessMove move) {
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    char fen[CHESS_FEN_SIZE];
    const ChessPiece captured = chess_move_captured(pos, move);
    (void)chess_uci_write(pos, move, uci);
    (void)chess_san_write(pos, move, san);
    chess_move_make(pos, move, NULL);
    (void)chess_fen_write(pos, CHESS_FEN_EP_LEGAL, fen);
    jd_out_char(out, '{');
    put_text(out, "uci", uci);
    jd_out_char(out, ',');
    put_text(out, "san", san);
    jd_out_char(out, ',');
    put_text(out, "fen", fen);
    jd_out_char(out, ',');
    put_bool(out, "check", chess_is_check(pos));
    jd_out_char(out, ',');
    put_key(out, "captured");
    if (captured == CHESS_NO_PIECE) {
        jd_out_cstr(out, "null");
    } else {
        jd_out_char(out, '"');
        jd_out_char(out, ".pnbrqk"[chess_piece_kind(captured)]);
        jd_out_char(out, '"');
    }
    jd_out_char(out, '}');
}

CORE_EXPORT("core_input") unsigned char *core_input(void) {
    return input;
}

CORE_EXPORT("core_input_size") int32_t core_input_size(void) {
    return CORE_INPUT_SIZE;
}

CORE_EXPORT("core_output") unsigned char *core_output(void) {
    return output;
}

CORE_EXPORT("core_describe") int32_t core_describe(int32_t size) {
    JdStr text;
    if (!take_input(size, &text))
        return too_long();
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(text, &pos, &err))
        return error_at("bad_fen", &err, -1);
    _Static_assert(CORE_OUTPUT_SIZE >= CHESS_DESCRIBE_SIZE, "a description fits");
    return (int32_t)chess_describe(&pos, (char *)output);
}

CORE_EXPORT("core_move") int32_t core_move(int32_t size) {
    JdStr text;
    if (!take_input(size, &text))
        return too_long();
    ChessPosition pos;
    JdErr err = { 0 };
    if (!take_position(&text, &pos, &err))
        return error_at("bad_fen", &err, -1);
    ChessMove move;
    if (!chess_uci_parse(text, &pos, &move, &err)) {
        // What is no UCI text may be SAN; the error is then that of the SAN reader.
        if (err.code != CHESS_MOVE_MALFORMED || !chess_san_parse(text, &pos, &move, &err)) {
            err.offset += (uint32_t)((size_t)size - text.size);
            (void)jd_format(err.field, sizeof err.field, "move");
            return error_at(move_error_code(err.code), &err, -1);
        }
    }
    JdOut out = answer();
    put_move(&out, &pos, move);
    return finish(&out);
}

#ifndef CORE_BOARD

static LawsPly plies[CHESS_GAME_PLIES_MAX];
static LawsGame game;

// What is known of the position after the last move; `game` holds the record.
static void put_end(JdOut *out) {
    const ChessPosition *const pos = &game.position;
    char fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(pos, CHESS_FEN_EP_LEGAL, fen);
    put_key(out, "end");
    jd_out_char(out, '{');
    put_text(out, "fen", fen);
    jd_out_char(out, ',');
    put_text(out, "side_to_move", pos->side_to_move == CHESS_WHITE ? "white" : "black");
    jd_out_char(out, ',');
    put_bool(out, "check", chess_is_check(pos));
    jd_out_char(out, ',');
    put_bool(out, "checkmate", chess_is_checkmate(pos));
    jd_out_char(out, ',');
    put_bool(out, "stalemate", chess_is_stalemate(pos));
    jd_out_char(out, ',');
    put_bool(out, "dead", laws_is_dead(pos));
    jd_out_char(out, ',');
    put_key(out, "can_mate");
    jd_out_char(out, '{');
    put_bool(out, "white", laws_mate(pos, CHESS_WHITE) != LAWS_MATE_IMPOSSIBLE);
    jd_out_char(out, ',');
    put_bool(out, "black", laws_mate(pos, CHESS_BLACK) != LAWS_MATE_IMPOSSIBLE);
    jd_out_cstr(out, "},");
    put_number(out, "halfmove_clock", pos->halfmove_clock);
    jd_out_char(out, ',');
    put_number(out, "repetition", laws_repetition_count(&game, CHESS_NO_MOVE));
    jd_out_char(out, ',');
    put_number(out, "legal_moves", chess_moves_count(pos));
    jd_out_char(out, '}');
}

// The record as repetition needs it; claims and automatic draws have no say here.
static void record(ChessMove move, const ChessPosition *after) {
    const bool irreversible =
        after->halfmove_clock == 0 || after->castling_rights != game.position.castling_rights;
    plies[game.ply_count++] = (LawsPly) {
        .zobrist_key = after->zobrist_key,
        .move = move,
        .irreversible = irreversible,
    };
    game.position = *after;
}

CORE_EXPORT("core_play") int32_t core_play(int32_t size) {
    JdStr text;
    if (!take_input(size, &text))
        return too_long();
    JdErr err = { 0 };
    LawsSetup setup = { .edition = LAWS_FIDE_2023, .pace = LAWS_STANDARD };
    if (!take_position(&text, &setup.start, &err))
        return error_at("bad_fen", &err, -1);
    laws_game_init(&game, &setup, plies, CHESS_GAME_PLIES_MAX);
    JdOut out = answer();
    char fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(&setup.start, CHESS_FEN_EP_LEGAL, fen);
    jd_out_char(&out, '{');
    put_text(&out, "start", fen);
    jd_out_cstr(&out, ",\"plies\":[");
    while (text.size > 0) {
        const JdStr word = jd_str_cut(&text, ' ');
        const int32_t ply = (int32_t)game.ply_count;
        ChessMove move;
        if (ply == CHESS_GAME_PLIES_MAX)
            return error_of("too_large", "moves", "a game has at most 12000 plies",
                            offset_of(word));
        if (!chess_uci_parse(word, &game.position, &move, &err)) {
            err.offset += (uint32_t)offset_of(word);
            (void)jd_format(err.field, sizeof err.field, "moves");
            return error_at(move_error_code(err.code), &err, ply);
        }
        if (ply > 0)
            jd_out_char(&out, ',');
        ChessPosition after = game.position;
        put_move(&out, &after, move);
        record(move, &after);
    }
    jd_out_cstr(&out, "],");
    put_end(&out);
    jd_out_char(&out, '}');
    return finish(&out);
}

CORE_EXPORT("core_start960") int32_t core_start960(int32_t number) {
    if (number < 0 || number > 959)
        return error_of("bad_number", "number", "start positions are numbered 0 to 959", 0);
    const ChessPosition pos = chess960_start(number);
    char fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(&pos, CHESS_FEN_EP_LEGAL, fen);
    JdOut out = answer();
    jd_out_char(&out, '{');
    put_number(&out, "number", number);
    jd_out_char(&out, ',');
    put_text(&out, "fen", fen);
    jd_out_char(&out, '}');
    return finish(&out);
}

// ---- who can still mate

static unsigned char small_memory[CORE_DEAD_SMALL] __attribute__((aligned(16)));
static ChessMove mate_line[CHESS_GAME_PLIES_MAX];

#ifdef __wasm__
// Grown at the first question that needs it; NULL when the host gives no more.
static unsigned char *large_memory(void) {
    static unsigned char *grown;
    enum { PAGE = 65536 };
    if (grown == NULL) {
        const size_t page = __builtin_wasm_memory_grow(0, CORE_DEAD_LARGE / PAGE);
        if (page != SIZE_MAX)
            grown = (unsigned char *)(page * PAGE);
    }
    return grown;
}
#else
static unsigned char *large_memory(void) {
    static unsigned char memory[CORE_DEAD_LARGE] __attribute__((aligned(16)));
    return memory;
}
#endif

static DeadAnswer ask(const ChessPosition *pos, ChessColor winner, uint64_t nodes) {
    DeadLimits limits = { .nodes = nodes, .memory = small_memory, .memory_size = CORE_DEAD_SMALL };
    DeadAnswer found = dead_can_mate(pos, winner, &limits, mate_line, CHESS_GAME_PLIES_MAX);
    if (found.verdict == DEAD_UNKNOWN && found.out_of_memory) {
        limits.memory = large_memory();
        limits.memory_size = CORE_DEAD_LARGE;
        if (limits.memory != NULL)
            found = dead_can_mate(pos, winner, &limits, mate_line, CHESS_GAME_PLIES_MAX);
    }
    return found;
}

static void put_mate(JdOut *out, const char *key, const ChessPosition *from,
                     const DeadAnswer *found) {
    put_key(out, key);
    jd_out_char(out, '{');
    put_text(out, "verdict", dead_verdict_name((DeadVerdict)found->verdict));
    jd_out_char(out, ',');
    put_text(out, "proof", dead_proof_name((DeadProof)found->proof));
    jd_out_cstr(out, ",\"line\":[");
    const uint32_t plies_known =
        found->verdict == DEAD_POSSIBLE && found->line_size <= CHESS_GAME_PLIES_MAX
            ? found->line_size
            : 0;
    ChessPosition pos = *from;
    for (uint32_t ply = 0; ply < plies_known; ply++) {
        char uci[CHESS_UCI_SIZE];
        (void)chess_uci_write(&pos, mate_line[ply], uci);
        chess_move_make(&pos, mate_line[ply], NULL);
        if (ply > 0)
            jd_out_char(out, ',');
        jd_out_json(out, jd_str(uci));
    }
    jd_out_cstr(out, "],");
    put_number(out, "nodes", (int64_t)found->nodes);
    jd_out_char(out, ',');
    put_key(out, "limit");
    jd_out_cstr(out, found->verdict != DEAD_UNKNOWN ? "null"
                     : found->out_of_memory         ? "\"memory\""
                                                    : "\"nodes\"");
    jd_out_char(out, '}');
}

CORE_EXPORT("core_dead") int32_t core_dead(int32_t size) {
    JdStr text;
    if (!take_input(size, &text))
        return too_long();
    ChessPosition pos;
    JdErr err = { 0 };
    if (!take_position(&text, &pos, &err))
        return error_at("bad_fen", &err, -1);
    uint64_t nodes = 0;
    if (text.size > 0 && (!jd_parse_u64(text, INT32_MAX, &nodes) || nodes == 0))
        return error_of("bad_limit", "limit", "the limit is a number of positions, 1 or more",
                        offset_of(text));
    char fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(&pos, CHESS_FEN_EP_LEGAL, fen);
    JdOut out = answer();
    jd_out_char(&out, '{');
    put_text(&out, "fen", fen);
    jd_out_char(&out, ',');
    // The sides first, for the line is held for one of them at a time.
    DeadAnswer found[2];
    for (int color = 0; color < 2; color++) {
        found[color] = ask(&pos, (ChessColor)color, nodes);
        put_mate(&out, color == CHESS_WHITE ? "white" : "black", &pos, &found[color]);
        jd_out_char(&out, ',');
    }
    put_key(&out, "dead");
    const bool is_alive = found[0].verdict == DEAD_POSSIBLE || found[1].verdict == DEAD_POSSIBLE;
    const bool is_dead = found[0].verdict == DEAD_IMPOSSIBLE && found[1].verdict == DEAD_IMPOSSIBLE;
    jd_out_cstr(&out, is_dead ? "true}" : is_alive ? "false}" : "null}");
    return finish(&out);
}

// ---- logs

static void put_side(JdOut *out, const char *key, bool white, bool black) {
    put_key(out, key);
    jd_out_cstr(out, white && black ? "\"both\""
                     : white        ? "\"white\""
                     : black        ? "\"black\""
                                    : "null");
}

static void put_clock(JdOut *out) {
    const JdInstant at = { .ms = game.now_ms };
    put_key(out, "clock");
    jd_out_char(out, '{');
    put_number(out, "white", laws_clock_reading(&game, CHESS_WHITE, at));
    jd_out_char(out, ',');
    put_number(out, "black", laws_clock_reading(&game, CHESS_BLACK, at));
    jd_out_char(out, ',');
    put_side(out, "running", game.clock.running == 1, game.clock.running == 2);
    jd_out_char(out, ',');
    put_number(out, "at", at.ms);
    jd_out_char(out, '}');
}

static void put_moves(JdOut *out) {
    put_key(out, "moves");
    jd_out_char(out, '"');
    ChessPosition pos = game.setup.start;
    for (uint32_t i = 0; i < game.ply_count; i++) {
        char uci[CHESS_UCI_SIZE];
        const size_t size = chess_uci_write(&pos, plies[i].move, uci);
        if (i > 0)
            jd_out_char(out, ' ');
        jd_out_text(out, jd_str_n(uci, size));
        laws_ply_make(&pos, &plies[i]);
    }
    jd_out_char(out, '"');
}

// What stands at the board beyond position and clocks.
static void put_desk(JdOut *out) {
    const LawsDesk *const desk = &game.desk;
    put_key(out, "desk");
    jd_out_char(out, '{');
    put_text(out, "stop", laws_stop_name((LawsStop)desk->stop));
    jd_out_char(out, ',');
    put_side(out, "press_due", desk->due[CHESS_WHITE] != 0, desk->due[CHESS_BLACK] != 0);
    jd_out_char(out, ',');
    put_bool(out, "loose", desk->loose != 0);
    jd_out_char(out, ',');
    put_key(out, "illegal");
    jd_out_char(out, '[');
    jd_out_i64(out, desk->illegal_count[CHESS_WHITE]);
    jd_out_char(out, ',');
    jd_out_i64(out, desk->illegal_count[CHESS_BLACK]);
    jd_out_cstr(out, "],");
    put_number(out, "incidents", desk->incidents);
    jd_out_char(out, ',');
    put_number(out, "adjournments", desk->adjournments);
    jd_out_char(out, '}');
}

CORE_EXPORT("core_laws_replay") int32_t core_laws_replay(int32_t size) {
    if (size < 0 || size > CORE_INPUT_SIZE)
        return too_long();
    JdErr err = { 0 };
    LawsVerdict last;
    if (!laws_log_replay(input, (size_t)size, &game, plies, CHESS_GAME_PLIES_MAX, &last, &err))
        return error_at("bad_log", &err, -1);
    char fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(&game.position, CHESS_FEN_EP_LEGAL, fen);
    JdOut out = answer();
    jd_out_char(&out, '{');
    put_text(&out, "state", laws_state_name((LawsState)game.state));
    jd_out_char(&out, ',');
    put_text(&out, "result", laws_result_text(&game));
    jd_out_char(&out, ',');
    put_text(&out, "reason", laws_reason_name((LawsReason)game.reason));
    jd_out_char(&out, ',');
    put_text(&out, "article", last.article);
    jd_out_char(&out, ',');
    put_text(&out, "edition", laws_edition_name((LawsEdition)game.setup.edition));
    jd_out_char(&out, ',');
    put_text(&out, "pace", laws_pace_name((LawsPace)game.setup.pace));
    jd_out_char(&out, ',');
    put_text(&out, "fen", fen);
    jd_out_char(&out, ',');
    put_number(&out, "plies", game.ply_count);
    jd_out_char(&out, ',');
    put_number(&out, "events", game.events);
    jd_out_char(&out, ',');
    put_clock(&out);
    jd_out_char(&out, ',');
    put_side(&out, "offer", game.offer[CHESS_WHITE] != 0, game.offer[CHESS_BLACK] != 0);
    jd_out_char(&out, ',');
    put_desk(&out);
    jd_out_char(&out, ',');
    put_moves(&out);
    jd_out_char(&out, ',');
    put_key(&out, "digest");
    jd_out_char(&out, '"');
    jd_out_hex(&out, laws_game_digest(&game), 16);
    jd_out_cstr(&out, "\"}");
    return finish(&out);
}

#endif
