// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn convert: games written anew, in the export format or another notation.
#include "cli/pgn.h"

#include <errno.h>
#include <string.h>

#include "cli/pgn_text.h"

// Tags of one game. A file with more in one game is no file of games.
enum { TAGS_MAX = 512 };

static const char usage[] =
    "usage: jadoube pgn convert [OPTION...] [FILE...]\n"
    "\n"
    "Writes every sound game in the export format of the PGN standard, in UTF-8. Damaged games "
    "are\n"
    "reported and left out.\n"
    "\n"
    "  --form=FORM      of moves: pgn (the default), fide, long, uci, iccf\n"
    "  --to=LANG        language of the moves written: en (the default), ru, ro, de, figurine ...\n"
    "  --strip=LIST     leave out, by names with commas: comments, variations, nags, escapes, "
    "clocks,\n"
    "                   evals, shapes, commands (all [%...] in comments), tags (all but the first "
    "seven)\n"
    "  --width=N        columns of a line of movetext; 79 is the default, 0 writes one line a "
    "game\n"
    "  --split=N        N games to a file: PREFIX-1.pgn, PREFIX-2.pgn ...; needs --output=PREFIX\n"
    "  --output=FILE    write there instead of standard output\n"
    "  --keep-damaged   write damaged games up to their fault\n";

enum {
    STRIP_COMMENTS = 1,
    STRIP_VARIATIONS = 2,
    STRIP_NAGS = 4,
    STRIP_ESCAPES = 8,
    STRIP_CLOCKS = 16,
    STRIP_EVALS = 32,
    STRIP_SHAPES = 64,
    STRIP_COMMANDS = 128,
    STRIP_TAGS = 256,
};

static const struct {
    const char *name;
    unsigned bit;
} strips[] = {
    { "comments", STRIP_COMMENTS }, { "variations", STRIP_VARIATIONS }, { "nags", STRIP_NAGS },
    { "escapes", STRIP_ESCAPES },   { "clocks", STRIP_CLOCKS },         { "evals", STRIP_EVALS },
    { "shapes", STRIP_SHAPES },     { "commands", STRIP_COMMANDS },     { "tags", STRIP_TAGS },
};

// Which --strip bit takes a command out of a comment.
static const struct {
    const char *command;
    unsigned bit;
} commands[] = {
    { "clk", STRIP_CLOCKS }, { "emt", STRIP_CLOCKS }, { "egt", STRIP_CLOCKS },
    { "mct", STRIP_CLOCKS }, { "eval", STRIP_EVALS }, { "csl", STRIP_SHAPES },
    { "cal", STRIP_SHAPES },
};

typedef struct Convert {
    PgnRun run;
    unsigned strip;
    bool keep_damaged;
    uint64_t split; // games to a file; 0: all in one
    uint64_t written;
    const char *output;
    FILE *out;
    ChessPgnWriter writer;
    PgnText moves;    // movetext of the present game
    PgnText comment;  // pieces of the present comment
    PgnText outside;  // comments before the game, already as PGN
    PgnText tag_text; // names and values of the present game, one after the other
    size_t tag_count;
    ChessPgnTag tags[TAGS_MAX]; // sizes; the data is set when the game is written
    bool in_game;
} Convert;

static void to_moves(void *context, JdStr text) {
    pgn_text_add(&((Convert *)context)->moves, text);
}
static void to_outside(void *context, JdStr text) {
    pgn_text_add(&((Convert *)context)->outside, text);
}
static void to_file(void *context, JdStr text) {
    fwrite(text.data, 1, text.size, ((Convert *)context)->out);
}

// ---- what the reader tells ----------------------------------------------------------------------

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    Convert *convert = context;
    (void)number;
    pgn_text_clear(&convert->moves);
    pgn_text_clear(&convert->tag_text);
    pgn_text_clear(&convert->comment);
    convert->tag_count = 0;
    convert->in_game = true;
    convert->writer.sink = to_moves;
    convert->writer.column = 0;
    convert->writer.needs_number = true;
    convert->writer.bracket_waits = false;
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Convert *convert = context;
    if (convert->tag_count == TAGS_MAX) {
        convert->tag_text.overflowed = true;
        return CHESS_PGN_GO;
    }
    pgn_text_add(&convert->tag_text, name);
    pgn_text_add(&convert->tag_text, value);
    convert->tags[convert->tag_count++] =
        (ChessPgnTag) { { NULL, name.size }, { NULL, value.size } };
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    Convert *convert = context;
    if (move->is_null)
        chess_pgn_write_null_move(&convert->writer, move->position);
    else
        chess_pgn_write_move(&convert->writer, move->position, move->move);
}

static bool is_stripped(const Convert *convert, JdStr command) {
    if ((convert->strip & STRIP_COMMANDS) != 0)
        return true;
    for (size_t i = 0; i < JD_COUNT(commands); i++)
        if (jd_str_equal(command, jd_str(commands[i].command)))
            return (convert->strip & commands[i].bit) != 0;
    return false;
}

// Takes commands out of a comment, in place.
static JdStr strip_commands(const Convert *convert, PgnText *comment) {
    const JdStr text = jd_str_n(comment->data, comment->size);
    size_t at = 0;
    size_t kept = 0;
    size_t size = 0;
    ChessPgnCommand command;
    while (chess_pgn_command_next(text, &at, &command)) {
        if (!is_stripped(convert, command.name))
            continue;
        memmove(comment->data + size, comment->data + kept, command.begin - kept);
        size += command.begin - kept;
        kept = command.end;
    }
    memmove(comment->data + size, comment->data + kept, text.size - kept);
    size += text.size - kept;
    return jd_str_n(comment->data, size);
}

static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    Convert *convert = context;
    (void)to_line_end;
    if ((convert->strip & STRIP_COMMENTS) != 0)
        return;
    pgn_text_add(&convert->comment, text);
    if (more)
        return;
    convert->moves.overflowed |= convert->comment.overflowed;
    const bool strips_some =
        (convert->strip & (STRIP_CLOCKS | STRIP_EVALS | STRIP_SHAPES | STRIP_COMMANDS)) != 0;
    JdStr whole = jd_str_n(convert->comment.data, convert->comment.size);
    if (strips_some && whole.size > 0) {
        whole = strip_commands(convert, &convert->comment);
        if (jd_str_trim(whole).size == 0) {
            pgn_text_clear(&convert->comment);
            return;
        }
    }
    if (!convert->in_game)
        convert->writer.sink = to_outside;
    chess_pgn_write_comment(&convert->writer, whole);
    pgn_text_clear(&convert->comment);
}

static void on_nag(void *context, int nag) {
    Convert *convert = context;
    if ((convert->strip & STRIP_NAGS) == 0)
        chess_pgn_write_nag(&convert->writer, nag);
}

static void on_escape(void *context, JdStr text, bool more) {
    Convert *convert = context;
    if ((convert->strip & STRIP_ESCAPES) != 0)
        return;
    pgn_text_add(&convert->comment, text);
    if (more)
        return;
    if (!convert->in_game)
        convert->writer.sink = to_outside;
    chess_pgn_write_escape(&convert->writer,
                           jd_str_n(convert->comment.data, convert->comment.size));
    pgn_text_clear(&convert->comment);
}

static ChessPgnStep on_variation_begin(void *context) {
    chess_pgn_write_variation_begin(&((Convert *)context)->writer);
    return CHESS_PGN_GO;
}
static void on_variation_end(void *context) {
    chess_pgn_write_variation_end(&((Convert *)context)->writer);
}

// ---- writing a game -----------------------------------------------------------------------------

// The file the next game goes to. False when it cannot be opened.
static bool choose_file(Convert *convert) {
    if (convert->split > 0 && convert->written % convert->split == 0) {
        char name[4096];
        if (convert->out != NULL && fclose(convert->out) != 0)
            convert->run.io_failed = true;
        convert->out = NULL;
        const unsigned long long number = convert->written / convert->split + 1;
        (void)snprintf(name, sizeof name, "%s-%llu.pgn", convert->output, number);
        convert->out = fopen(name, "wb");
        if (convert->out == NULL)
            fprintf(stderr, "jadoube pgn convert: %s: %s\n", name, strerror(errno));
    }
    if (convert->out == NULL)
        convert->run.io_failed = true;
    return convert->out != NULL;
}

static void set_tag_texts(Convert *convert) {
    const char *at = convert->tag_text.data;
    for (size_t i = 0; i < convert->tag_count; i++) {
        convert->tags[i].name.data = at;
        at += convert->tags[i].name.size;
        convert->tags[i].value.data = at;
        at += convert->tags[i].value.size;
    }
}

// The Seven Tag Roster, and what the moves cannot do without.
static void keep_first_tags(Convert *convert) {
    static const char *const kept[] = { "Event", "Site",   "Date", "Round", "White",
                                        "Black", "Result", "FEN",  "SetUp", "Variant" };
    size_t left = 0;
    for (size_t i = 0; i < convert->tag_count; i++)
        for (size_t k = 0; k < JD_COUNT(kept); k++)
            if (jd_str_equal(convert->tags[i].name, jd_str(kept[k])))
                convert->tags[left++] = convert->tags[i];
    convert->tag_count = left;
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Convert *convert = context;
    convert->in_game = false;
    const bool is_too_large =
        convert->moves.overflowed || convert->tag_text.overflowed || convert->comment.overflowed;
    if (is_too_large) {
        pgn_tell(&convert->run, "too_large", true, game->number, game->line,
                 "the game has too much text or too many tags and is left out");
        convert->run.damaged += !game->damaged;
        return;
    }
    if ((game->damaged && !convert->keep_damaged) || !choose_file(convert))
        return;
    // What the movetext says counts; without it, what the tag says.
    const ChessPgnResult result =
        game->result != CHESS_PGN_NO_RESULT ? game->result : game->tag_result;
    chess_pgn_write_result(&convert->writer, result);
    fwrite(convert->outside.data, 1, convert->outside.size, convert->out);
    if (convert->outside.size > 0 && convert->outside.data[convert->outside.size - 1] != '\n')
        fputc('\n', convert->out);
    pgn_text_clear(&convert->outside);
    set_tag_texts(convert);
    if ((convert->strip & STRIP_TAGS) != 0)
        keep_first_tags(convert);
    ChessPgnWriter writer = convert->writer;
    writer.sink = to_file;
    chess_pgn_write_tags(&writer, convert->tags, convert->tag_count, result);
    fwrite(convert->moves.data, 1, convert->moves.size, convert->out);
    convert->written++;
    convert->writer.column = 0;
}

// ---- options ------------------------------------------------------------------------------------

static bool read_strip(Convert *convert, const char *list) {
    JdStr rest = jd_str(list);
    while (rest.size > 0) {
        const JdStr name = jd_str_cut(&rest, ',');
        size_t i = 0;
        while (i < JD_COUNT(strips) && !jd_str_equal(name, jd_str(strips[i].name)))
            i++;
        if (i == JD_COUNT(strips)) {
            fprintf(stderr, "jadoube pgn convert: --strip knows no \"%.*s\"\n", JD_PRINT(name));
            return false;
        }
        convert->strip |= strips[i].bit;
    }
    return true;
}

static bool open_output(Convert *convert) {
    if (convert->split > 0) {
        if (convert->output != NULL)
            return true;
        fprintf(stderr, "jadoube pgn convert: --split needs --output=PREFIX\n");
        return false;
    }
    convert->out = convert->output == NULL ? stdout : fopen(convert->output, "wb");
    if (convert->out == NULL)
        fprintf(stderr, "jadoube pgn convert: %s: %s\n", convert->output, strerror(errno));
    return convert->out != NULL;
}

int pgn_convert(int argc, char **argv) {
    static const struct option options[] = {
        { "form", required_argument, NULL, 'f' },   { "to", required_argument, NULL, 't' },
        { "strip", required_argument, NULL, 's' },  { "width", required_argument, NULL, 'w' },
        { "split", required_argument, NULL, 'n' },  { "output", required_argument, NULL, 'o' },
        { "keep-damaged", no_argument, NULL, 'k' }, PGN_COMMON_OPTIONS,
    };
    static Convert convert; // its tags are too many for a stack
    convert = (Convert) { .run = { .verb = "convert", .checks_moves = true } };
    ChessForm form = CHESS_FORM_PGN;
    ChessLanguage language = CHESS_ENGLISH;
    uint64_t width = CHESS_PGN_WIDTH;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int exit_code = PGN_EXIT_USAGE;
        bool is_right = true;
        switch (option) {
        case 'f':
            is_right = chess_form_find(jd_str(optarg), &form);
            if (!is_right)
                fprintf(stderr, "jadoube pgn convert: no form is called \"%s\"\n", optarg);
            break;
        case 't':
            is_right = chess_language_find(jd_str(optarg), &language);
            if (!is_right)
                fprintf(stderr, "jadoube pgn convert: no language is called \"%s\"\n", optarg);
            break;
        case 's':
            is_right = read_strip(&convert, optarg);
            break;
        case 'w':
            is_right = pgn_option_number("convert", "width", optarg, 10000, &width);
            break;
        case 'n':
            is_right = pgn_option_number("convert", "split", optarg, UINT32_MAX, &convert.split);
            break;
        case 'o':
            convert.output = optarg;
            break;
        case 'k':
            convert.keep_damaged = true;
            break;
        default:
            is_right = pgn_option_common(&convert.run, option, usage, &exit_code);
        }
        if (!is_right)
            return exit_code;
    }
    if (!open_output(&convert))
        return convert.split > 0 ? PGN_EXIT_USAGE : PGN_EXIT_IO;
    convert.moves.limit = PGN_GAME_TEXT_MAX;
    convert.comment.limit = PGN_GAME_TEXT_MAX;
    convert.outside.limit = PGN_GAME_TEXT_MAX;
    convert.tag_text.limit = (size_t)1 << 20;
    convert.run.context = &convert;
    convert.run.options.skip_variations = (convert.strip & STRIP_VARIATIONS) != 0;
    convert.run.visitor = (ChessPgnVisitor) {
        .game_begin = on_game_begin,
        .tag = on_tag,
        .move = on_move,
        .comment = (convert.strip & STRIP_COMMENTS) != 0 ? NULL : on_comment,
        .nag = on_nag,
        .escape = on_escape,
        .variation_begin = on_variation_begin,
        .variation_end = on_variation_end,
        .game_end = on_game_end,
    };
    chess_pgn_writer_init(&convert.writer, to_outside, &convert, form, language, (int)width);
    int exit_code = pgn_run(&convert.run, argc - optind, argv + optind);
    if (convert.out != NULL && convert.out != stdout && fclose(convert.out) != 0) {
        fprintf(stderr, "jadoube pgn convert: %s: cannot be written\n", convert.output);
        exit_code = PGN_EXIT_IO;
    }
    pgn_text_free(&convert.moves);
    pgn_text_free(&convert.comment);
    pgn_text_free(&convert.outside);
    pgn_text_free(&convert.tag_text);
    return exit_code;
}
