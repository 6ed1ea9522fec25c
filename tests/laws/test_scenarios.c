// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays the games of tests/data/laws/*.txt; the format stands at the head of ends.txt. After every
// case the log of its accepted events is replayed and must give the same game, and a refused event
// must have left the game as it was.
#include <jadoube/notation.h>

#include "scenario.h"

#define LOG_MAX (LAWS_LOG_HEAD_SIZE + 2000 * LAWS_LOG_EVENT_SIZE)

static LawsPly plies[2000];
static LawsPly replayed_plies[2000];

typedef struct Run {
    const char *file;
    int line;
    char name[160];
    LawsSetup setup;
    LawsGame game;
    bool is_open;     // the game has been set up
    bool starts_late; // nostart
    bool has_rules;
    unsigned char log[LOG_MAX];
    size_t log_size;
    int cases;
    int64_t last_ms; // of the line before
    char sealed[LAWS_EVENT_TEXT_MAX];
    unsigned char commitment[LAWS_COMMITMENT_SIZE];
} Run;

static void fail_at(const Run *run, const char *what, JdStr detail) {
    fail_msg("%s:%d: case %s: %s \"%.*s\"", run->file, run->line, run->name, what,
             JD_PRINT(detail));
}

// ---- one event

static LawsVerdict apply(Run *run, const LawsEvent *event, int64_t at_ms) {
    const LawsGame before = run->game;
    const LawsVerdict verdict = laws_apply(&run->game, event, (JdInstant) { at_ms });
    if (verdict.refusal == LAWS_NOT_REFUSED) {
        // A TICK that found nothing changes nothing and belongs into no log.
        if (event->kind == LAWS_EVENT_TICK && !verdict.changed)
            return verdict;
        assert_true(run->log_size + LAWS_LOG_EVENT_SIZE <= LOG_MAX);
        LawsEvent logged = *event;
        laws_event_settle(&logged, &verdict);
        run->log_size += laws_log_event(&logged, (JdInstant) { at_ms }, run->log + run->log_size);
    } else if (verdict.changed) {
        // The flag had fallen: what the caller logs is a TICK of his own.
        LawsEvent tick = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
        laws_event_settle(&tick, &verdict);
        run->log_size += laws_log_event(&tick, (JdInstant) { at_ms }, run->log + run->log_size);
    } else if (memcmp(&before, &run->game, sizeof before) != 0) {
        fail_at(run, "a refused event changed the game", JD_STR(""));
    }
    return verdict;
}

static void open_game(Run *run) {
    if (run->is_open)
        return;
    if (!run->has_rules)
        fail_at(run, "no rules", JD_STR(""));
    JdErr err = { 0 };
    if (!laws_setup_check(&run->setup, &err))
        fail_at(run, err.text, jd_str(err.field));
    laws_game_init(&run->game, &run->setup, plies, JD_COUNT(plies));
    run->log_size = laws_log_open(&run->setup, run->log);
    run->is_open = true;
    if (!run->starts_late) {
        const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
        assert_int_equal(apply(run, &start, 0).refusal, LAWS_NOT_REFUSED);
    }
}

static void close_game(Run *run) {
    if (!run->is_open)
        return;
    LawsGame again;
    JdErr err = { 0 };
    if (!laws_log_replay(run->log, run->log_size, &again, replayed_plies, JD_COUNT(replayed_plies),
                         NULL, &err))
        fail_at(run, "replay", jd_str(err.text));
    if (laws_game_digest(&again) != laws_game_digest(&run->game))
        fail_at(run, "the replayed game differs", JD_STR(""));
    run->is_open = false;
}

// ---- expectations

static bool side_of(JdStr text, uint8_t *side) {
    if (jd_str_equal(text, JD_STR("white")))
        *side = CHESS_WHITE;
    else if (jd_str_equal(text, JD_STR("black")))
        *side = CHESS_BLACK;
    else if (jd_str_equal(text, JD_STR("both")))
        *side = LAWS_BOTH_SIDES;
    else
        return false;
    return true;
}

static void check_text(const Run *run, const char *what, const char *is, JdStr expected) {
    if (!jd_str_equal(jd_str(is), expected))
        fail_msg("%s:%d: case %s: %s is \"%s\", expected \"%.*s\"", run->file, run->line, run->name,
                 what, is, JD_PRINT(expected));
}

static void check_time(const Run *run, const char *what, int64_t is, JdStr expected) {
    int64_t ms;
    if (!parse_time(expected, &ms))
        fail_at(run, "no time", expected);
    char text[32];
    write_time(is, text);
    if (is != ms)
        fail_msg("%s:%d: case %s: %s is %s, expected %.*s", run->file, run->line, run->name, what,
                 text, JD_PRINT(expected));
}

static const char *offers_of(const LawsGame *game) {
    if (game->offer[0] && game->offer[1])
        return "both";
    return game->offer[0] ? "white" : game->offer[1] ? "black" : "none";
}

static uint8_t actor_of(const Run *run, JdStr text);
static ChessMove need_move(const Run *run, JdStr text);

// Exactly these moves may be made.
static void check_allowed(const Run *run, JdStr moves) {
    ChessMoveList list;
    int wanted = 0;
    laws_moves_allowed(&run->game, &list);
    while (moves.size > 0) {
        const JdStr text = jd_str_cut(&moves, ' ');
        const ChessMove move = need_move(run, text);
        bool found = false;
        for (int i = 0; i < list.count; i++)
            found |= list.moves[i] == move;
        if (!found)
            fail_at(run, "not allowed:", text);
        wanted++;
    }
    if (wanted != list.count)
        fail_msg("%s:%d: case %s: %d moves are allowed, expected %d", run->file, run->line,
                 run->name, list.count, wanted);
}

// "bars analysis 11.3.1", "allows voices": what is beside the game.
static void check_aside(const Run *run, bool bars, JdStr value) {
    static const char *const names[] = { "", "counters", "analysis", "voices" };
    const JdStr name = jd_str_cut(&value, ' ');
    for (size_t i = 1; i < JD_COUNT(names); i++) {
        if (!jd_str_equal(name, jd_str(names[i])))
            continue;
        const LawsVerdict verdict = laws_aside(&run->game, (LawsAside)i);
        if ((verdict.refusal == LAWS_REFUSED_NOT_ALLOWED) != bars)
            fail_at(run, "what is beside the game:", name);
        if (value.size > 0)
            check_text(run, "article", verdict.article, value);
        return;
    }
    fail_at(run, "nothing beside the game is called", name);
}

// "speaks white 0:05:00": the mark passed since the line before; "none": nothing is said.
static void check_spoken(const Run *run, JdStr value, int64_t at_ms) {
    uint8_t side = 0;
    if (!side_of(jd_str_cut(&value, ' '), &side) || side > CHESS_BLACK)
        fail_at(run, "no such side", value);
    const int64_t before =
        laws_clock_reading(&run->game, (ChessColor)side, (JdInstant) { run->last_ms });
    const int64_t after = laws_clock_reading(&run->game, (ChessColor)side, (JdInstant) { at_ms });
    const int64_t mark = laws_clock_mark(before, after);
    if (jd_str_equal(value, JD_STR("none")))
        assert_int_equal(mark, 0);
    else
        check_time(run, "spoken time", mark, value);
}

static void check_one(Run *run, JdStr phrase, const LawsVerdict *verdict, int64_t at_ms) {
    const JdInstant now = { at_ms };
    const LawsGame *const game = &run->game;
    JdStr value = phrase;
    const JdStr key = jd_str_cut(&value, ' ');
    if (jd_str_equal(key, JD_STR("accepted"))) {
        check_text(run, "verdict", laws_refusal_name((LawsRefusal)verdict->refusal),
                   JD_STR("not_refused"));
        if (verdict->claim_wrong)
            fail_at(run, "the claim was wrong", JD_STR(""));
    } else if (jd_str_equal(key, JD_STR("wrong"))) {
        check_text(run, "verdict", laws_refusal_name((LawsRefusal)verdict->refusal),
                   JD_STR("not_refused"));
        if (!verdict->claim_wrong)
            fail_at(run, "the claim was right", JD_STR(""));
    } else if (jd_str_equal(key, JD_STR("refused"))) {
        check_text(run, "refusal", laws_refusal_name((LawsRefusal)verdict->refusal), value);
    } else if (jd_str_equal(key, JD_STR("article"))) {
        check_text(run, "article", verdict->article[0] == '\0' ? "none" : verdict->article, value);
    } else if (jd_str_equal(key, JD_STR("result"))) {
        check_text(run, "result", laws_result_text(game), value);
    } else if (jd_str_equal(key, JD_STR("reason"))) {
        check_text(run, "reason", laws_reason_name((LawsReason)game->reason), value);
    } else if (jd_str_equal(key, JD_STR("state"))) {
        check_text(run, "state", laws_state_name((LawsState)game->state), value);
    } else if (jd_str_equal(key, JD_STR("offer"))) {
        check_text(run, "offer", offers_of(game), value);
    } else if (jd_str_equal(key, JD_STR("white"))) {
        check_time(run, "White's clock", laws_clock_reading(game, CHESS_WHITE, now), value);
    } else if (jd_str_equal(key, JD_STR("black"))) {
        check_time(run, "Black's clock", laws_clock_reading(game, CHESS_BLACK, now), value);
    } else if (jd_str_equal(key, JD_STR("delay"))) {
        check_time(run, "delay left", laws_clock_delay_left(game, now), value);
    } else if (jd_str_equal(key, JD_STR("ended"))) {
        check_time(run, "end", game->ended_ms, value);
    } else if (jd_str_equal(key, JD_STR("deadline"))) {
        JdInstant deadline;
        const bool due = laws_deadline(game, &deadline);
        if (jd_str_equal(value, JD_STR("none")))
            assert_false(due);
        else if (!due)
            fail_at(run, "no deadline, expected", value);
        else
            check_time(run, "deadline", deadline.ms, value);
    } else if (jd_str_equal(key, JD_STR("count"))) {
        char count[16];
        snprintf(count, sizeof count, "%d", laws_repetition_count(game, CHESS_NO_MOVE));
        check_text(run, "repetition", count, value);
    } else if (jd_str_equal(key, JD_STR("right")) || jd_str_equal(key, JD_STR("noright"))) {
        const ChessMove move = jd_str_equal(value, JD_STR("board"))
                                   ? CHESS_NO_MOVE
                                   : parse_move(value, &game->position);
        if (laws_claim_is_right(game, move) != jd_str_equal(key, JD_STR("right")))
            fail_at(run, "rightness of the claim with", value);
    } else if (jd_str_equal(key, JD_STR("open")) || jd_str_equal(key, JD_STR("settled"))) {
        if (verdict->is_open != jd_str_equal(key, JD_STR("open")))
            fail_at(run, "whether the position is dead is open:", key);
    } else if (jd_str_equal(key, JD_STR("stop"))) {
        check_text(run, "stop", laws_stop_name((LawsStop)game->desk.stop), value);
    } else if (jd_str_equal(key, JD_STR("incident"))) {
        check_text(run, "incident", laws_incident_name((LawsIncident)verdict->incident), value);
    } else if (jd_str_equal(key, JD_STR("message"))) {
        char name[LAWS_MESSAGE_NAME_SIZE];
        laws_message_name(verdict->message, name);
        check_text(run, "message", name, value);
    } else if (jd_str_equal(key, JD_STR("untimely")) || jd_str_equal(key, JD_STR("timely"))) {
        if (verdict->untimely != jd_str_equal(key, JD_STR("untimely")))
            fail_at(run, "timeliness of the offer", key);
    } else if (jd_str_equal(key, JD_STR("runs"))) {
        static const char *const running[] = { "none", "white", "black" };
        check_text(run, "running clock", running[game->clock.running], value);
    } else if (jd_str_equal(key, JD_STR("due"))) {
        static const char *const due[] = { "none", "white", "black", "both" };
        check_text(run, "press due", due[(game->desk.due[0] ? 1 : 0) + (game->desk.due[1] ? 2 : 0)],
                   value);
    } else if (jd_str_equal(key, JD_STR("illegal"))) {
        char counts[32];
        snprintf(counts, sizeof counts, "%d %d", game->desk.illegal_count[0],
                 game->desk.illegal_count[1]);
        check_text(run, "illegal moves", counts, value);
    } else if (jd_str_equal(key, JD_STR("done"))) {
        char counts[32];
        snprintf(counts, sizeof counts, "%u %u", game->clock.moves_done[0],
                 game->clock.moves_done[1]);
        check_text(run, "completed moves", counts, value);
    } else if (jd_str_equal(key, JD_STR("period"))) {
        char counts[32];
        snprintf(counts, sizeof counts, "%d %d", game->clock.period[0], game->clock.period[1]);
        check_text(run, "periods", counts, value);
    } else if (jd_str_equal(key, JD_STR("points"))) {
        char counts[32];
        const LawsScoring classic = LAWS_SCORING_CLASSIC;
        snprintf(counts, sizeof counts, "%d %d", laws_points(game, &classic, CHESS_WHITE),
                 laws_points(game, &classic, CHESS_BLACK));
        check_text(run, "points", counts, value);
    } else if (jd_str_equal(key, JD_STR("plies"))) {
        char count[16];
        snprintf(count, sizeof count, "%u", game->ply_count);
        check_text(run, "plies", count, value);
    } else if (jd_str_equal(key, JD_STR("allowed"))) {
        check_allowed(run, value);
    } else if (jd_str_equal(key, JD_STR("moves"))) {
        ChessMoveList list;
        char count[16];
        laws_moves_allowed(game, &list);
        snprintf(count, sizeof count, "%d", list.count);
        check_text(run, "allowed moves", count, value);
    } else if (jd_str_equal(key, JD_STR("may")) || jd_str_equal(key, JD_STR("maynot"))) {
        const uint8_t actor = actor_of(run, jd_str_cut(&value, ' '));
        uint8_t kind = 0;
        if (!laws_event_find(value, &kind))
            fail_at(run, "no such event", value);
        if (laws_event_possible(game, kind, actor) != jd_str_equal(key, JD_STR("may")))
            fail_at(run, "whether he may", phrase);
    } else if (jd_str_equal(key, JD_STR("allows")) || jd_str_equal(key, JD_STR("bars"))) {
        check_aside(run, jd_str_equal(key, JD_STR("bars")), value);
    } else if (jd_str_equal(key, JD_STR("speaks"))) {
        check_spoken(run, value, at_ms);
    } else if (jd_str_equal(key, JD_STR("must_record")) || jd_str_equal(key, JD_STR("exempt"))) {
        uint8_t side = 0;
        if (!side_of(value, &side) || laws_must_record(game, (ChessColor)side, now) !=
                                          jd_str_equal(key, JD_STR("must_record")))
            fail_at(run, "duty to record", value);
    } else if (jd_str_equal(key, JD_STR("sheet"))) {
        LawsSheetPly rows[1];
        uint64_t ply = 0;
        if (!jd_parse_u64(jd_str_cut(&value, ' '), 2000, &ply) || ply == 0 ||
            laws_sheet_write(game, game->setup.sheet_language[0], CHESS_FORM_FIDE,
                             (uint32_t)ply - 1, rows, 1) != 1)
            fail_at(run, "no such ply", phrase);
        check_text(run, "score sheet", rows[0].text, value);
    } else if (jd_str_equal(key, JD_STR("envelope"))) {
        LawsEnvelope envelope;
        const bool is_closed = laws_envelope(game, &envelope);
        char text[64] = "none";
        if (is_closed)
            snprintf(text, sizeof text, "%s %u %s",
                     envelope.sealer == CHESS_WHITE ? "white" : "black", envelope.move_number,
                     offers_of(game));
        check_text(run, "envelope", text, value);
    } else if (jd_str_equal(key, JD_STR("appealed"))) {
        assert_int_equal(game->desk.appealed != 0, 1);
    } else if (jd_str_equal(key, JD_STR("signed_differs"))) {
        assert_int_equal(game->desk.signed_differs, 1);
    } else if (jd_str_equal(key, JD_STR("forfeit"))) {
        assert_true(laws_is_forfeit(game));
    } else if (jd_str_equal(key, JD_STR("fen"))) {
        char fen[CHESS_FEN_SIZE];
        chess_fen_write(&game->position, CHESS_FEN_EP_LEGAL, fen);
        check_text(run, "position", fen, value);
    } else {
        fail_at(run, "unknown expectation", phrase);
    }
}

static void check_all(Run *run, JdStr expected, const LawsVerdict *verdict, int64_t at_ms) {
    while (expected.size > 0)
        check_one(run, jd_str_trim(jd_str_cut(&expected, ',')), verdict, at_ms);
}

// ---- actions

static ChessMove need_move(const Run *run, JdStr text) {
    const ChessMove move = parse_move(text, &run->game.position);
    if (move == CHESS_NO_MOVE)
        fail_at(run, "no such move", text);
    return move;
}

// A quiet move that repeats as little as possible.
static ChessMove quiet_move(const LawsGame *game) {
    const ChessPosition *const pos = &game->position;
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    uint64_t seed = pos->zobrist_key ^ game->ply_count;
    ChessMove best = list.moves[0];
    int least = 1000;
    for (int i = 0; i < list.count; i++) {
        const ChessMove move = list.moves[i];
        ChessPosition after = *pos;
        chess_move_make(&after, move, NULL);
        int cost = 10 * laws_repetition_count(game, move) + (int)jd_random_below(&seed, 10);
        if (after.halfmove_clock == 0)
            cost += 500;
        if (!chess_has_legal_move(&after) || after.castling_rights != pos->castling_rights)
            cost += 900;
        if (cost < least) {
            least = cost;
            best = move;
        }
    }
    return best;
}

static LawsVerdict play(Run *run, ChessMove move, int64_t at_ms) {
    const LawsEvent event = { .kind = LAWS_EVENT_MOVE,
                              .actor = run->game.position.side_to_move,
                              .move = move };
    return apply(run, &event, at_ms);
}

// "plays" and "shuffle" press the clock where it is pressed apart.
static void press(Run *run, int64_t at_ms) {
    const LawsEvent event = { .kind = LAWS_EVENT_PRESS,
                              .actor = run->game.desk.due[0] ? LAWS_WHITE : LAWS_BLACK };
    if (run->game.state == LAWS_RUNNING && (run->game.desk.due[0] || run->game.desk.due[1]) &&
        apply(run, &event, at_ms).refusal != LAWS_NOT_REFUSED)
        fail_at(run, "the press was refused", JD_STR(""));
}

static LawsVerdict play_several(Run *run, JdStr moves, int64_t at_ms) {
    LawsVerdict verdict = { 0 };
    while (moves.size > 0 && verdict.refusal == LAWS_NOT_REFUSED) {
        const JdStr text = jd_str_cut(&moves, ' ');
        verdict = play(run, need_move(run, text), at_ms);
        if (verdict.refusal != LAWS_NOT_REFUSED)
            fail_at(run, laws_refusal_name((LawsRefusal)verdict.refusal), text);
        press(run, at_ms);
    }
    return verdict;
}

static LawsVerdict shuffle(Run *run, JdStr count_text, int64_t at_ms) {
    uint64_t count;
    LawsVerdict verdict = { 0 };
    if (!jd_parse_u64(count_text, 1000, &count))
        fail_at(run, "no number", count_text);
    while (count-- > 0) {
        verdict = play(run, quiet_move(&run->game), at_ms);
        press(run, at_ms);
        if (verdict.refusal != LAWS_NOT_REFUSED || run->game.state != LAWS_RUNNING)
            fail_at(run, "the shuffle ended",
                    jd_str(laws_reason_name((LawsReason)run->game.reason)));
    }
    return verdict;
}

static uint8_t actor_of(const Run *run, JdStr text) {
    static const char *const names[] = { "white",  "black",           "arbiter",
                                         "server", "white_assistant", "black_assistant" };
    for (uint8_t i = 0; i < JD_COUNT(names); i++)
        if (jd_str_equal(text, jd_str(names[i])))
            return i;
    fail_at(run, "no such actor", text);
    return 0;
}

static const struct {
    const char *name;
    LawsEventKind kind;
} bare_events[] = {
    { "start", LAWS_EVENT_START },         { "offer", LAWS_EVENT_OFFER },
    { "accept", LAWS_EVENT_ACCEPT },       { "decline", LAWS_EVENT_DECLINE },
    { "resign", LAWS_EVENT_RESIGN },       { "tick", LAWS_EVENT_TICK },
    { "abort", LAWS_EVENT_ABORT },         { "interruption", LAWS_EVENT_INTERRUPTION },
    { "abandoned", LAWS_EVENT_ABANDONED }, { "default", LAWS_EVENT_DEFAULT },
};

static void parse_claim(const Run *run, JdStr words, LawsEvent *event) {
    const JdStr kind = jd_str_cut(&words, ' ');
    if (jd_str_equal(kind, JD_STR("rep")))
        event->kind = LAWS_EVENT_CLAIM_REP;
    else if (jd_str_equal(kind, JD_STR("50")))
        event->kind = LAWS_EVENT_CLAIM_50;
    else if (jd_str_equal(kind, JD_STR("draw")))
        event->kind = LAWS_EVENT_CLAIM_DRAW;
    else if (jd_str_equal(kind, JD_STR("flag")))
        event->kind = LAWS_EVENT_CLAIM_FLAG;
    else
        fail_at(run, "no such claim", kind);
    if (words.size > 0)
        event->move = need_move(run, words);
}

static void parse_move_event(const Run *run, JdStr word, JdStr words, LawsEvent *event) {
    event->kind = LAWS_EVENT_MOVE;
    event->move = jd_str_equal(word, JD_STR("any")) ? quiet_move(&run->game) : need_move(run, word);
    while (words.size > 0) {
        const JdStr extra = jd_str_cut(&words, ' ');
        if (jd_str_equal(extra, JD_STR("offer")))
            event->offer = 1;
        else if (!jd_str_equal(extra, JD_STR("credit")) ||
                 !parse_time(jd_str_cut(&words, ' '), &event->span_ms))
            fail_at(run, "unknown word", extra);
    }
}

static uint8_t code_of(const Run *run, uint8_t kind, JdStr name) {
    uint64_t number = 0;
    if (jd_parse_u64(name, 255, &number))
        return (uint8_t)number;
    for (uint8_t i = 1; i <= LAWS_BLOCKED && kind != LAWS_EVENT_INCIDENT; i++)
        if (jd_str_equal(name, jd_str(laws_reason_name((LawsReason)i))))
            return i;
    for (uint8_t i = 1; i < LAWS_INCIDENT_COUNT; i++)
        if (jd_str_equal(name, jd_str(laws_incident_name((LawsIncident)i))))
            return i;
    static const char *const answers[] = { "accept", "postpone", "reject", "final_draw",
                                           "final_loss" };
    for (uint8_t i = 0; i < JD_COUNT(answers); i++)
        if (jd_str_equal(name, jd_str(answers[i])))
            return i;
    static const char *const kinds[] = { "", "", "knight", "bishop", "rook", "queen" };
    for (uint8_t i = 2; i < JD_COUNT(kinds); i++)
        if (jd_str_equal(name, jd_str(kinds[i])))
            return i;
    static const char *const claims[] = { "position", "board", "colors" };
    for (uint8_t i = 0; i < JD_COUNT(claims); i++)
        if (jd_str_equal(name, jd_str(claims[i])))
            return i;
    fail_at(run, "no such code", name);
    return 0;
}

// The words after one of the events from ARRIVE on: a side, a square, "flag", or key=value.
static void parse_fields(Run *run, JdStr words, LawsEvent *event) {
    while (words.size > 0) {
        const JdStr word = jd_str_cut(&words, ' ');
        JdStr value = word;
        const JdStr key = jd_str_cut(&value, '=');
        uint64_t number = 0;
        if (side_of(word, &event->side))
            continue;
        if (jd_str_equal(word, JD_STR("flag"))) {
            event->flag = 1;
        } else if (word.size == 2 && word.data[0] >= 'a' && word.data[0] <= 'h') {
            event->square = chess_square(word.data[0] - 'a', word.data[1] - '1');
        } else if (jd_str_equal(key, JD_STR("code"))) {
            event->code = code_of(run, event->kind, value);
        } else if (jd_str_equal(key, JD_STR("span"))) {
            if (!parse_time(value, &event->span_ms))
                fail_at(run, "no time", value);
        } else if (jd_str_equal(key, JD_STR("count"))) {
            if (!jd_parse_u64(value, UINT32_MAX, &number))
                fail_at(run, "no number", value);
            event->count = (uint32_t)number;
        } else if (jd_str_equal(key, JD_STR("move"))) {
            event->move = need_move(run, value);
        } else if (jd_str_equal(key, JD_STR("result"))) {
            event->result[0] = (uint8_t)(value.data[0] - '0');
            event->result[1] = (uint8_t)(value.data[2] - '0');
        } else if (jd_str_equal(key, JD_STR("text"))) {
            event->text = value;
        } else if (jd_str_equal(key, JD_STR("seal")) || jd_str_equal(key, JD_STR("open"))) {
            // Nonce and text as the shell has them; an underscore stands for a blank.
            char *const at = run->sealed;
            memset(at, 'n', LAWS_NONCE_SIZE);
            size_t size = LAWS_NONCE_SIZE;
            for (size_t i = 0; i < value.size; i++)
                at[size++] = value.data[i] == '_' ? ' ' : value.data[i];
            event->text = jd_str_n(at, size);
            if (jd_str_equal(key, JD_STR("seal"))) {
                laws_seal_commit((const unsigned char *)at,
                                 jd_str_n(at + LAWS_NONCE_SIZE, size - LAWS_NONCE_SIZE),
                                 run->commitment);
                event->text = jd_str_n((const char *)run->commitment, LAWS_COMMITMENT_SIZE);
            }
        } else {
            fail_at(run, "unknown word", word);
        }
    }
}

static LawsEvent parse_event(Run *run, uint8_t actor, JdStr words) {
    LawsEvent event = { .actor = actor };
    const JdStr word = jd_str_cut(&words, ' ');
    uint8_t kind = 0;
    if (laws_event_find(word, &kind) && kind >= LAWS_EVENT_ARRIVE) {
        event.kind = kind;
        parse_fields(run, words, &event);
        return event;
    }
    if (jd_str_equal(word, JD_STR("claim"))) {
        parse_claim(run, words, &event);
        return event;
    }
    for (size_t i = 0; i < JD_COUNT(bare_events); i++)
        if (jd_str_equal(word, jd_str(bare_events[i].name)))
            event.kind = (uint8_t)bare_events[i].kind;
    if (event.kind == 0) {
        parse_move_event(run, word, words, &event);
    } else if (event.kind == LAWS_EVENT_INTERRUPTION) {
        if (!parse_time(words, &event.span_ms))
            fail_at(run, "no time", words);
    } else if (words.size > 0) {
        if (!side_of(jd_str_cut(&words, ' '), &event.side))
            fail_at(run, "no such side", words);
        event.draw = jd_str_equal(words, JD_STR("draw"));
    }
    return event;
}

static void run_line(Run *run, JdStr line) {
    open_game(run);
    size_t arrow = 0;
    while (arrow + 1 < line.size && !(line.data[arrow] == '-' && line.data[arrow + 1] == '>'))
        arrow++;
    if (arrow + 1 >= line.size)
        fail_at(run, "no arrow", line);
    const JdStr expected = jd_str_trim(jd_str_part(line, arrow + 2, line.size));
    JdStr words = jd_str_trim(jd_str_part(line, 0, arrow));
    int64_t at_ms;
    if (!parse_time(jd_str_cut(&words, ' '), &at_ms))
        fail_at(run, "no time", line);
    words = jd_str_trim(words);
    const JdStr first = jd_str_cut(&words, ' ');
    words = jd_str_trim(words);
    LawsVerdict verdict;
    if (jd_str_equal(first, JD_STR("plays"))) {
        verdict = play_several(run, words, at_ms);
    } else if (jd_str_equal(first, JD_STR("shuffle"))) {
        verdict = shuffle(run, words, at_ms);
    } else {
        const LawsEvent event = parse_event(run, actor_of(run, first), words);
        verdict = apply(run, &event, at_ms);
    }
    check_all(run, expected, &verdict, at_ms);
    run->last_ms = at_ms;
}

// ---- rules

static void parse_control(const Run *run, JdStr text, LawsControl *control) {
    JdErr err = { 0 };
    if (!laws_control_parse(text, control, &err))
        fail_at(run, err.text, text);
}

static uint8_t *event_switch(LawsSetup *setup, JdStr name) {
    const struct {
        const char *name;
        uint8_t *value;
    } switches[] = {
        { "press", &setup->separate_press },        { "touch", &setup->touch_move },
        { "unchecked", &setup->unchecked_moves },   { "arbiter", &setup->arbiter_present },
        { "manual", &setup->manual_scoresheet },    { "attendance", &setup->attendance },
        { "announced", &setup->rules_announced },   { "given", &setup->default_given },
        { "ruled_later", &setup->ruled_later },     { "add_at_zero", &setup->add_at_zero },
        { "drops_main", &setup->delay_drops_main }, { "quickplay", &setup->quickplay_announced },
        { "king_wins", &setup->king_capture_wins }, { "reversed", &setup->colors_reversed },
        { "strict", &setup->strict_display },
    };
    for (size_t i = 0; i < JD_COUNT(switches); i++)
        if (jd_str_equal(name, jd_str(switches[i].name)))
            return switches[i].value;
    return NULL;
}

static void parse_switch(Run *run, JdStr word) {
    JdStr value = word;
    const JdStr key = jd_str_cut(&value, '=');
    LawsSetup *const setup = &run->setup;
    uint64_t number = 0;
    if (jd_str_equal(key, JD_STR("black"))) {
        parse_control(run, value, &setup->control[CHESS_BLACK]);
        return;
    }
    if (value.size > 0 && !jd_parse_u64(value, 100000, &number))
        fail_at(run, "no number", value);
    if (jd_str_equal(key, JD_STR("supervised")))
        setup->supervised = (uint8_t)number;
    else if (jd_str_equal(key, JD_STR("draw_min")))
        setup->draw_min_moves = (uint16_t)number;
    else if (jd_str_equal(key, JD_STR("offer_gap")))
        setup->offer_gap_moves = (uint8_t)number;
    else if (jd_str_equal(key, JD_STR("default")))
        setup->default_ms = (int64_t)number * 1000;
    else if (jd_str_equal(key, JD_STR("draw_never")))
        setup->draw_never = 1;
    else if (jd_str_equal(key, JD_STR("fide_strict")))
        setup->fide_strict = 1;
    else if (jd_str_equal(key, JD_STR("slow_no_penalty")))
        setup->slow_no_penalty = 1;
    else if (jd_str_equal(key, JD_STR("ignore_fen_clock")))
        setup->ignore_fen_clock = 1;
    else if (jd_str_equal(key, JD_STR("exercisable")))
        setup->identity_exercisable = 1;
    else if (jd_str_equal(key, JD_STR("claimed")))
        setup->flag_mode = LAWS_FLAGS_CLAIMED;
    else if (jd_str_equal(key, JD_STR("first_increment")))
        setup->control[0].first_increment = setup->control[1].first_increment = 1;
    else if (jd_str_equal(key, JD_STR("exact")))
        setup->mating = LAWS_MATING_EXACT;
    else if (jd_str_equal(key, JD_STR("asked")))
        setup->mating = LAWS_MATING_ASKED;
    else if (jd_str_equal(key, JD_STR("nostart")))
        run->starts_late = true;
    else if (jd_str_equal(key, JD_STR("session")))
        setup->session_ms = (int64_t)number * 1000;
    else if (jd_str_equal(key, JD_STR("accessible")))
        setup->accessible = (uint8_t)number;
    else if (jd_str_equal(key, JD_STR("spam")))
        setup->offer_spam_after = (uint8_t)number;
    else if (jd_str_equal(key, JD_STR("language")))
        setup->sheet_language[0] = setup->sheet_language[1] = (uint8_t)number;
    else if (jd_str_starts_with(key, JD_STR("set:"))) {
        JdErr err = { 0 };
        if (!laws_setup_override(setup, jd_str_part(key, 4, key.size), (int64_t)number, &err))
            fail_at(run, err.text, key);
    } else if (event_switch(setup, key) != NULL)
        *event_switch(setup, key) = 1;
    else
        fail_at(run, "unknown switch", word);
}

static void parse_rules(Run *run, JdStr words) {
    LawsEdition edition;
    LawsPace pace = LAWS_STANDARD;
    const JdStr edition_name = jd_str_cut(&words, ' ');
    const JdStr pace_name = jd_str_cut(&words, ' ');
    if (!laws_edition_parse(edition_name, &edition) || !laws_pace_parse(pace_name, &pace))
        fail_at(run, "no such edition or pace", edition_name);
    run->setup.edition = (uint8_t)edition;
    run->setup.pace = (uint8_t)pace;
    run->setup.supervised = 1;
    parse_control(run, jd_str_cut(&words, ' '), &run->setup.control[0]);
    run->setup.control[1] = run->setup.control[0];
    while (words.size > 0)
        parse_switch(run, jd_str_cut(&words, ' '));
    run->has_rules = true;
}

static void begin_case(Run *run, JdStr name) {
    close_game(run);
    run->cases++;
    snprintf(run->name, sizeof run->name, "%.*s", JD_PRINT(name));
    memset(&run->setup, 0, sizeof run->setup);
    run->setup.start = chess_position_start();
    run->has_rules = false;
    run->starts_late = false;
    run->last_ms = 0;
}

static void run_file(const char *file, int least_cases) {
    static Run run;
    memset(&run, 0, sizeof run);
    run.file = file;
    JdStr rest = jd_str(table_read(file));
    JdStr line;
    while (table_line(&rest, &line, &run.line)) {
        JdStr words = line;
        const JdStr first = jd_str_cut(&words, ' ');
        if (jd_str_equal(first, JD_STR("case")))
            begin_case(&run, words);
        else if (jd_str_equal(first, JD_STR("rules")))
            parse_rules(&run, words);
        else if (jd_str_equal(first, JD_STR("fen"))) {
            if (!parse_position(words, &run.setup.start))
                fail_at(&run, "no position", words);
        } else if (jd_str_equal(first, JD_STR("declared"))) {
            ChessPosition declared;
            if (!parse_position(words, &declared))
                fail_at(&run, "no position", words);
            laws_setup_declare(&run.setup, &declared);
        } else if (jd_str_equal(first, JD_STR("unsound"))) {
            JdErr err = { 0 };
            if (laws_setup_check(&run.setup, &err))
                fail_at(&run, "the setup is sound, expected a fault in", words);
            check_text(&run, "field of the fault", err.field, words);
        } else {
            run_line(&run, line);
        }
    }
    close_game(&run);
    assert_true(run.cases >= least_cases);
}

static void test_ends(void **state) {
    (void)state;
    run_file("ends.txt", 55);
}

static void test_claims(void **state) {
    (void)state;
    run_file("claims.txt", 60);
}

static void test_clock(void **state) {
    (void)state;
    run_file("clock.txt", 55);
}

#define FILE_TEST(name, least)                                                                     \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        run_file(#name ".txt", least);                                                             \
    }
FILE_TEST(touch, 170)
FILE_TEST(press, 125)
FILE_TEST(illegal, 190)
FILE_TEST(setups, 90)
FILE_TEST(quickplay, 125)
FILE_TEST(arbiter, 205)
FILE_TEST(records, 100)
FILE_TEST(adjourned, 265)
FILE_TEST(flags, 195)
FILE_TEST(offers, 160)
FILE_TEST(moves, 130)
FILE_TEST(mating, 40)
FILE_TEST(editions, 200)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),      cmocka_unit_test(test_claims),
        cmocka_unit_test(test_clock),     cmocka_unit_test(test_touch),
        cmocka_unit_test(test_press),     cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_setups),    cmocka_unit_test(test_quickplay),
        cmocka_unit_test(test_arbiter),   cmocka_unit_test(test_records),
        cmocka_unit_test(test_adjourned), cmocka_unit_test(test_flags),
        cmocka_unit_test(test_offers),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_mating),    cmocka_unit_test(test_editions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
