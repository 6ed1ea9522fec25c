// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson.h"

#include <stdio.h>
#include <stdlib.h>

#define LINE_MAX 24
#define CLAIMS_MAX 24
#define LANGUAGES 3

static const char *const languages[LANGUAGES] = { "en", "ru", "ro" };

typedef struct Step {
    int line; // where it begins
    JdStr kind;
    bool has_position;
    ChessPosition pos;
    ChessMove game[LINE_MAX]; // moves from the initial position, where the step says "game"
    int game_plies;
    JdStr solution; // text of "line"
    ChessMove moves[LINE_MAX];
    int plies;
    bool first_has_choice;
    uint64_t squares;
    int options;
    int right_options;
    JdStr claims[CLAIMS_MAX];
    int claim_lines[CLAIMS_MAX];
    int claim_count;
} Step;

typedef struct Reader {
    JdStr rest;
    int line;
    Step step;
    bool in_step;
    JdStr block; // the keyword whose texts are being read
    int block_line;
    unsigned block_languages;
    bool has_block;
    LessonCount *count;
    JdErr *err;
} Reader;

static bool fail(Reader *reader, int line, const char *what, JdStr about) {
    return jd_fail(reader->err, 0, (size_t)line, "%s: %.*s", what, JD_PRINT(about));
}

static bool is(JdStr text, const char *word) {
    return jd_str_equal(text, jd_str(word));
}

// ---- moves and squares -------------------------------------------------------------------------

static bool square_of(JdStr text, ChessSquare *out) {
    if (text.size != 2 || text.data[0] < 'a' || text.data[0] > 'h' || text.data[1] < '1' ||
        text.data[1] > '8')
        return false;
    *out = chess_square(text.data[0] - 'a', text.data[1] - '1');
    return true;
}

static bool number_of(JdStr text, int *out) {
    uint64_t value;
    const bool is_negative = text.size > 0 && text.data[0] == '-';
    if (!jd_parse_u64(is_negative ? jd_str_part(text, 1, text.size - 1) : text, 100000, &value))
        return false;
    *out = is_negative ? -(int)value : (int)value;
    return true;
}

static bool play(ChessPosition *pos, JdStr san, ChessMove *out) {
    JdErr err;
    if (!chess_san_parse(san, pos, out, &err))
        return false;
    chess_move_make(pos, *out, NULL);
    return true;
}

// The moves of a line one after the other; at the solver's turns "A|B" names moves that are as
// good, of which the first goes on.
static bool play_line(Reader *reader, JdStr text, ChessPosition *pos, ChessMove *moves, int *plies,
                      bool *has_choice) {
    while (text.size > 0) {
        JdStr word = jd_str_cut(&text, ' ');
        if (*plies == LINE_MAX)
            return fail(reader, reader->line, "too many moves", text);
        const ChessPosition before = *pos;
        JdStr first = jd_str_cut(&word, '|');
        while (word.size > 0) {
            const JdStr other = jd_str_cut(&word, '|');
            ChessPosition copy = before;
            ChessMove move;
            if (!play(&copy, other, &move))
                return fail(reader, reader->line, "no legal move as SAN writes it", other);
            if (*plies == 0 && has_choice != NULL)
                *has_choice = true;
        }
        if (!play(pos, first, &moves[*plies]))
            return fail(reader, reader->line, "no legal move as SAN writes it", first);
        (*plies)++;
    }
    return true;
}

// ---- claims ------------------------------------------------------------------------------------

typedef struct Claim {
    const Step *step;
    ChessPosition pos; // it speaks of
    JdStr words[4];
    int count;
} Claim;

static uint64_t targets_of(const ChessPosition *pos, ChessSquare from) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    uint64_t targets = 0;
    for (int i = 0; i < list.count; i++)
        if (chess_move_from(list.moves[i]) == from)
            targets |= (uint64_t)1 << chess_move_arrival(list.moves[i]);
    return targets;
}

// The men a side may lose by an exchange that the other side begins now.
static uint64_t hanging(const ChessPosition *pos) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    uint64_t squares = 0;
    for (int i = 0; i < list.count; i++)
        if (chess_move_captured(pos, list.moves[i]) != CHESS_NO_PIECE &&
            chess_see(pos, list.moves[i]) > 0)
            squares |= (uint64_t)1 << chess_move_to(list.moves[i]);
    return squares;
}

static bool pinned(const ChessPosition *pos, ChessSquare square, bool skewer) {
    LearnLine lines[32];
    const ChessColor by = chess_other(chess_piece_color(chess_piece_at(pos, square)));
    const int count = learn_lines(pos, by, lines);
    for (int i = 0; i < count; i++)
        if (lines[i].front == square &&
            (skewer ? learn_is_skewer(pos, &lines[i]) : learn_is_pin(pos, &lines[i])))
            return true;
    return false;
}

static ChessColor color_of(JdStr text) {
    return is(text, "black") ? CHESS_BLACK : CHESS_WHITE;
}

static bool holds_square(const Claim *claim, const char **why) {
    const ChessPosition *pos = &claim->pos;
    ChessSquare square;
    int number = 0;
    const JdStr name = claim->words[0];
    if (!square_of(claim->words[1], &square))
        return *why = "expected a square", false;
    if (is(name, "pin"))
        return pinned(pos, square, false);
    if (is(name, "skewer"))
        return pinned(pos, square, true);
    if (is(name, "forks"))
        return __builtin_popcountll(learn_fork_targets(pos, square)) >= 2;
    if (is(name, "targets"))
        return targets_of(pos, square) == claim->step->squares;
    if (is(name, "attackers") && claim->count == 4 && number_of(claim->words[3], &number))
        return __builtin_popcountll(chess_attackers(pos, square, color_of(claim->words[2]))) ==
               number;
    if (!number_of(claim->words[2], &number))
        return *why = "expected a number", false;
    if (is(name, "moves"))
        return __builtin_popcountll(targets_of(pos, square)) == number;
    LearnExchange exchange;
    learn_exchange(pos, square, &exchange);
    return exchange.count > 0 && exchange.result == number;
}

static bool holds_move(const Claim *claim, const char **why) {
    ChessPosition pos = claim->pos;
    ChessMove move;
    JdErr err;
    int number = 0;
    const JdStr name = claim->words[0];
    if (is(name, "threatens-mate") && !tutor_pass(&claim->pos, &pos))
        return *why = "the side to move stands in check", false;
    if (!chess_san_parse(claim->words[1], &pos, &move, &err))
        return *why = "no legal move as SAN writes it", false;
    if (is(name, "legal"))
        return true;
    if (is(name, "threatens-mate")) {
        chess_move_make(&pos, move, NULL);
        return chess_is_checkmate(&pos);
    }
    if (is(name, "safe"))
        return learn_leaves(&pos, move) == 0;
    if (is(name, "leaves") && is(claim->words[2], "mate"))
        return learn_leaves(&pos, move) == LEARN_MATE;
    if (!number_of(claim->words[2], &number))
        return *why = "expected a number", false;
    if (is(name, "leaves"))
        return learn_leaves(&pos, move) == 100 * number;
    return chess_see(&pos, move) == 100 * number;
}

static bool holds_illegal(const Claim *claim) {
    ChessMove move;
    JdErr err;
    return !chess_uci_parse(claim->words[1], &claim->pos, &move, &err);
}

static bool holds_mate(const Claim *claim, int n, const char **why) {
    ChessMove one = CHESS_NO_MOVE;
    if (n < 1 || n > LEARN_MATE_MAX)
        return *why = "mates of more moves are not searched", false;
    if (n > 1 && learn_mates(&claim->pos, n - 1))
        return *why = "there is a shorter mate", false;
    const int count = learn_mating_moves(&claim->pos, n, &one);
    if (count != 1 && !claim->step->first_has_choice)
        return *why = "not exactly one move mates", false;
    return count > 0 && (claim->step->first_has_choice || one == claim->step->moves[0]);
}

static bool holds_gain(const Claim *claim, int pawns) {
    ChessMove best = CHESS_NO_MOVE;
    const int gain = learn_gain(&claim->pos, LEARN_GAIN_PLIES, CHESS_NO_MOVE, &best);
    const int next = learn_gain(&claim->pos, LEARN_GAIN_PLIES, best, NULL);
    return best == claim->step->moves[0] && gain >= 100 * pawns && gain - next >= 100;
}

static bool holds_motif(const Claim *claim, const char **why) {
    const Step *step = claim->step;
    if (step->plies < 3)
        return *why = "needs a line of three plies", false;
    for (int i = 1; i < LEARN_MOTIF_COUNT; i++)
        if (is(claim->words[1], learn_motif_names[i]))
            return learn_shows(&step->pos, step->moves, (LearnMotif)i);
    return *why = "unknown motif", false;
}

// "check-list centre kept white": of the moves from the initial position (L-043).
static bool holds_check(const Claim *claim, const char **why) {
    static const struct {
        const char *name;
        uint32_t rule;
    } rules[] = {
        { "centre", TUTOR_RULE_CENTER },   { "pieces", TUTOR_RULE_DEVELOP },
        { "twice", TUTOR_RULE_TWICE },     { "castled", TUTOR_RULE_CASTLE },
        { "bishops", TUTOR_RULE_BISHOPS }, { "pawns", TUTOR_RULE_PAWNS },
        { "queen", TUTOR_RULE_QUEEN },
    };
    if (claim->step->game_plies == 0)
        return *why = "needs a game from the initial position", false;
    TutorOpening opening;
    tutor_opening(claim->step->game, claim->step->game_plies, color_of(claim->words[3]), &opening);
    for (size_t i = 0; i < JD_COUNT(rules); i++)
        if (is(claim->words[1], rules[i].name))
            return ((opening.broken & rules[i].rule) == 0) == is(claim->words[2], "kept");
    return *why = "unknown item", false;
}

static bool holds(const Claim *claim, const char **why) {
    const ChessPosition *pos = &claim->pos;
    const JdStr name = claim->words[0];
    int number = 0;
    static const char *const of_squares[] = { "pin",   "skewer",    "forks",   "targets",
                                              "moves", "attackers", "exchange" };
    static const char *const of_moves[] = { "legal", "safe", "leaves", "see", "threatens-mate" };
    for (size_t i = 0; i < JD_COUNT(of_squares); i++)
        if (is(name, of_squares[i]))
            return holds_square(claim, why);
    for (size_t i = 0; i < JD_COUNT(of_moves); i++)
        if (is(name, of_moves[i]))
            return holds_move(claim, why);
    if (is(name, "illegal"))
        return holds_illegal(claim);
    if (is(name, "motif"))
        return holds_motif(claim, why);
    if (is(name, "check-list"))
        return holds_check(claim, why);
    if (is(name, "checkmate"))
        return chess_is_checkmate(pos);
    if (is(name, "stalemate"))
        return chess_is_stalemate(pos);
    if (is(name, "no-mate"))
        return !learn_mates(pos, 1);
    if (is(name, "hanging"))
        return hanging(pos) == claim->step->squares;
    if (is(name, "phase"))
        return is(claim->words[1], tutor_phase_name(tutor_phase(pos)));
    if (is(name, "developed") && number_of(claim->words[2], &number))
        return learn_developed(pos, color_of(claim->words[1])) == number;
    if (!number_of(claim->words[1], &number))
        return *why = "unknown claim, or a number is missing", false;
    if (is(name, "mate"))
        return holds_mate(claim, number, why);
    if (is(name, "gains"))
        return holds_gain(claim, number);
    if (is(name, "material"))
        return tutor_material(pos, CHESS_WHITE) == 100 * number;
    if (is(name, "promotes"))
        return learn_promotes(pos, number);
    if (is(name, "promotes-not"))
        return !learn_promotes(pos, number);
    return *why = "unknown claim", false;
}

static bool prove_claim(Reader *reader, int index) {
    const Step *step = &reader->step;
    Claim claim = { .step = step, .pos = step->pos };
    JdStr text = step->claims[index];
    if (is(text, "advice")) {
        reader->count->advice++;
        return true;
    }
    if (!step->has_position)
        return fail(reader, step->claim_lines[index], "a claim without a position", text);
    if (jd_str_starts_with(text, JD_STR("after "))) {
        for (int i = 0; i < step->plies; i++)
            chess_move_make(&claim.pos, step->moves[i], NULL);
        text = jd_str_part(text, 6, text.size - 6);
    } else if (jd_str_starts_with(text, JD_STR("then "))) { // after the first move of the line
        if (step->plies > 0)
            chess_move_make(&claim.pos, step->moves[0], NULL);
        text = jd_str_part(text, 5, text.size - 5);
    }
    for (JdStr rest = text; rest.size > 0 && claim.count < 4;)
        claim.words[claim.count++] = jd_str_cut(&rest, ' ');
    const char *why = "is not so";
    if (!holds(&claim, &why))
        return fail(reader, step->claim_lines[index], why, step->claims[index]);
    reader->count->claims++;
    return true;
}

// ---- steps -------------------------------------------------------------------------------------

// Every legal move of "safe" steps is judged in the browser by learn_leaves: there must be moves of
// both kinds, or there is nothing to learn.
static bool prove_safe(Reader *reader) {
    const Step *step = &reader->step;
    ChessMoveList list;
    chess_moves_generate(&step->pos, &list);
    int safe = 0;
    for (int i = 0; i < list.count; i++)
        safe += learn_leaves(&step->pos, list.moves[i]) == 0;
    if (safe == 0 || safe == list.count)
        return fail(reader, step->line, "all moves are alike", step->kind);
    return true;
}

static bool end_step(Reader *reader) {
    if (!reader->in_step)
        return true;
    const Step *step = &reader->step;
    const bool is_move = is(step->kind, "move");
    if (is_move && (step->plies == 0 || step->plies % 2 == 0))
        return fail(reader, step->line, "a line must end with the learner's move", step->kind);
    if (is(step->kind, "choice") && (step->options < 2 || step->right_options != 1))
        return fail(reader, step->line, "expected one right option of several", step->kind);
    if (is(step->kind, "squares") && step->squares == 0)
        return fail(reader, step->line, "no squares", step->kind);
    if (is(step->kind, "safe") && !prove_safe(reader))
        return false;
    const bool needs_position =
        is_move || is(step->kind, "squares") || is(step->kind, "safe") || is(step->kind, "win");
    if (needs_position && !step->has_position)
        return fail(reader, step->line, "no position", step->kind);
    if (step->claim_count == 0)
        return fail(reader, step->line, "nothing is claimed, not even advice", step->kind);
    for (int i = 0; i < step->claim_count; i++)
        if (!prove_claim(reader, i))
            return false;
    reader->count->steps++;
    return true;
}

static bool end_block(Reader *reader) {
    if (reader->has_block && reader->block_languages != (1U << LANGUAGES) - 1)
        return fail(reader, reader->block_line, "not in all three languages", reader->block);
    reader->has_block = false;
    return true;
}

static void begin_block(Reader *reader, JdStr keyword) {
    reader->has_block = true;
    reader->block = keyword;
    reader->block_line = reader->line;
    reader->block_languages = 0;
}

static bool begin_step(Reader *reader, JdStr kind) {
    static const char *const kinds[] = { "read", "move", "choice", "squares", "safe",
                                         "win",  "plan", "flag",   "links" };
    if (!end_step(reader))
        return false;
    reader->step = (Step) { .line = reader->line, .kind = kind };
    reader->in_step = true;
    for (size_t i = 0; i < JD_COUNT(kinds); i++)
        if (is(kind, kinds[i]))
            return true;
    return fail(reader, reader->line, "unknown kind of step", kind);
}

static bool read_position(Reader *reader, JdStr keyword, JdStr rest) {
    Step *step = &reader->step;
    step->has_position = true;
    if (is(keyword, "fen"))
        return chess_fen_parse(rest, &step->pos, reader->err) ||
               fail(reader, reader->line, "no legal position", rest);
    step->pos = chess_position_start();
    return play_line(reader, rest, &step->pos, step->game, &step->game_plies, NULL);
}

static bool read_shape(Reader *reader, JdStr rest) {
    while (rest.size > 0) {
        const JdStr word = jd_str_cut(&rest, ' ');
        ChessSquare square;
        for (size_t at = 0; at < word.size; at += 2)
            if (!square_of(jd_str_part(word, at, 2), &square))
                return fail(reader, reader->line, "no square", word);
    }
    return true;
}

static bool read_squares(Reader *reader, JdStr rest) {
    while (rest.size > 0) {
        const JdStr word = jd_str_cut(&rest, ' ');
        ChessSquare square;
        if (!square_of(word, &square))
            return fail(reader, reader->line, "no square", word);
        reader->step.squares |= (uint64_t)1 << square;
    }
    return true;
}

static bool read_overlay(Reader *reader, JdStr rest) {
    static const char *const names[] = { "centre", "pins", "phase", "checklist", "exchange" };
    const JdStr name = jd_str_cut(&rest, ' ');
    ChessSquare square;
    for (size_t i = 0; i < JD_COUNT(names); i++)
        if (is(name, names[i]))
            return rest.size == 0 || square_of(rest, &square) ||
                   fail(reader, reader->line, "no square", rest);
    return fail(reader, reader->line, "unknown overlay", name);
}

// A move that is commented on when tried.
static bool read_wrong(Reader *reader, JdStr rest) {
    ChessPosition pos = reader->step.pos;
    ChessMove move;
    if (!reader->step.has_position || !play(&pos, rest, &move))
        return fail(reader, reader->line, "no legal move as SAN writes it", rest);
    begin_block(reader, JD_STR("no"));
    return true;
}

static bool read_keyword(Reader *reader, JdStr keyword, JdStr rest) {
    Step *step = &reader->step;
    if (is(keyword, "step"))
        return begin_step(reader, rest);
    if (is(keyword, "lesson"))
        return true;
    if (is(keyword, "title") || is(keyword, "lead") || is(keyword, "say") || is(keyword, "done")) {
        begin_block(reader, keyword);
        return true;
    }
    if (!reader->in_step)
        return fail(reader, reader->line, "outside of a step", keyword);
    if (is(keyword, "fen") || is(keyword, "game"))
        return read_position(reader, keyword, rest);
    if (is(keyword, "line")) {
        ChessPosition pos = step->pos;
        return step->has_position &&
               play_line(reader, rest, &pos, step->moves, &step->plies, &step->first_has_choice);
    }
    if (is(keyword, "no"))
        return read_wrong(reader, rest);
    if (is(keyword, "option")) {
        step->options++;
        step->right_options += is(rest, "right");
        begin_block(reader, keyword);
        return true;
    }
    if (is(keyword, "squares"))
        return read_squares(reader, rest);
    if (is(keyword, "arrow") || is(keyword, "mark"))
        return read_shape(reader, rest);
    if (is(keyword, "overlay"))
        return read_overlay(reader, rest);
    if (is(keyword, "side"))
        return is(rest, "white") || is(rest, "black") ||
               fail(reader, reader->line, "white or black expected", rest);
    if (is(keyword, "claim")) {
        if (step->claim_count == CLAIMS_MAX)
            return fail(reader, reader->line, "too many claims", rest);
        step->claim_lines[step->claim_count] = reader->line;
        step->claims[step->claim_count++] = rest;
        return true;
    }
    return fail(reader, reader->line, "unknown word", keyword);
}

// A move in braces must at least look like one: "{Nf3}", "{e4}", "{0-0}".
static bool braces_are_closed(JdStr text) {
    bool open = false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '{' && open)
            return false;
        if (text.data[i] == '}' && !open)
            return false;
        if (text.data[i] == '{' || text.data[i] == '}')
            open = text.data[i] == '{';
    }
    return !open;
}

static bool read_line(Reader *reader, JdStr line) {
    JdStr rest = line;
    const JdStr keyword = jd_str_cut(&rest, ' ');
    for (int i = 0; i < LANGUAGES; i++) {
        if (!is(keyword, languages[i]))
            continue;
        if (!reader->has_block)
            return fail(reader, reader->line, "a text that belongs to nothing", rest);
        if (rest.size == 0 || !jd_utf8_valid(rest, NULL) || !braces_are_closed(rest))
            return fail(reader, reader->line, "no proper text", rest);
        reader->block_languages |= 1U << i;
        return true;
    }
    return end_block(reader) && read_keyword(reader, keyword, rest);
}

bool lesson_prove(JdStr text, LessonCount *count, JdErr *err) {
    Reader reader = { .rest = text, .count = count, .err = err };
    while (reader.rest.size > 0) {
        reader.line++;
        const JdStr line = jd_str_trim(jd_str_cut(&reader.rest, '\n'));
        if (line.size > 0 && line.data[0] != '#' && !read_line(&reader, line))
            return false;
    }
    return end_block(&reader) && end_step(&reader);
}
