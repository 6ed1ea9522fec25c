// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game as PGN in export format, with the clock after each move.
#include "live/live.h"

#include <jadoube/pgn.h>

#define TAGS_MAX 16
#define ELO_SIZE 16
#define DATE_SIZE 16
#define DAY_MS INT64_C(86400000)

// ---- dates --------------------------------------------------------------------------------------

typedef struct Date {
    int64_t year;
    unsigned month;
    unsigned day;
} Date;

// The civil calendar from days since 1970-01-01: years that begin in March have their odd day at
// the end, and 400 of them have 146,097 days.
static Date date_of_days(int64_t days) {
    const int64_t shifted = days + 719468; // from 0000-03-01
    const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const unsigned day_of_era = (unsigned)(shifted - era * 146097);
    const unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const unsigned day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const unsigned month = (5 * day_of_year + 2) / 153; // 0: March
    return (Date) {
        .year = (int64_t)year_of_era + era * 400 + (month >= 10 ? 1 : 0),
        .month = month >= 10 ? month - 9 : month + 3,
        .day = day_of_year - (153 * month + 2) / 5 + 1,
    };
}

static int64_t day_of(int64_t ms) {
    return (ms >= 0 ? ms : ms - (DAY_MS - 1)) / DAY_MS;
}

static JdStr write_date(int64_t ms, char out[DATE_SIZE]) {
    const Date date = date_of_days(day_of(ms));
    const size_t size =
        jd_format(out, DATE_SIZE, "%04d.%02u.%02u", (int)date.year, date.month, date.day);
    return jd_str_n(out, size);
}

static JdStr write_time(int64_t ms, char out[DATE_SIZE]) {
    const int64_t second = (ms - day_of(ms) * DAY_MS) / 1000;
    const size_t size = jd_format(out, DATE_SIZE, "%02d:%02d:%02d", (int)(second / 3600),
                                  (int)(second / 60 % 60), (int)(second % 60));
    return jd_str_n(out, size);
}

// ---- tags ---------------------------------------------------------------------------------------

// PGN standard 9.8.1.
static const char *termination_of(const LiveGameRow *row) {
    switch ((LawsReason)row->reason) {
    case LAWS_NOT_ENDED:
        return "unterminated";
    case LAWS_FLAG:
    case LAWS_FLAG_DRAW:
    case LAWS_BOTH_FLAGS:
        return "time forfeit";
    case LAWS_ABORTED:
    case LAWS_ABANDONED:
    case LAWS_DEFAULT:
    case LAWS_BOTH_DEFAULT:
        return "abandoned";
    case LAWS_ILLEGAL_LIMIT:
    case LAWS_ILLEGAL_CLAIM:
    case LAWS_ILLEGAL_DRAW:
    case LAWS_ILLEGAL_POSITION_DRAW:
    case LAWS_SEALED_FAULT:
    case LAWS_DEVICE:
    case LAWS_PENALTY:
    case LAWS_BOTH_GUILTY:
    case LAWS_BLOCKED:
        return "rules infraction";
    case LAWS_QPF_DRAW:
    case LAWS_QPF_PENDING:
    case LAWS_ARBITER:
    case LAWS_ANNULLED_REASON:
        return "adjudication";
    case LAWS_CHECKMATE:
    case LAWS_STALEMATE:
    case LAWS_DEAD_POSITION:
    case LAWS_RESIGNATION:
    case LAWS_RESIGN_DRAW:
    case LAWS_AGREEMENT:
    case LAWS_CLAIM_REPETITION:
    case LAWS_CLAIM_50:
    case LAWS_AUTO_REPETITION:
    case LAWS_AUTO_75:
        return "normal";
    }
    return "normal";
}

static ChessPgnResult result_of(const LiveGameRow *row) {
    if (row->state != LAWS_ENDED)
        return CHESS_PGN_UNKNOWN;
    const int white = row->halves[CHESS_WHITE];
    const int black = row->halves[CHESS_BLACK];
    return white == 2 && black == 0   ? CHESS_PGN_WHITE_WINS
           : white == 0 && black == 2 ? CHESS_PGN_BLACK_WINS
           : white == 1 && black == 1 ? CHESS_PGN_DRAW
                                      : CHESS_PGN_UNKNOWN;
}

// A former player has no name.
static JdStr name_of(const LiveSeat *seat) {
    return seat->nick[0] != '\0' ? jd_str(seat->nick) : JD_STR("?");
}

static JdStr text_or(JdStr text, const char *otherwise) {
    return text.size > 0 ? text : jd_str(otherwise);
}

static void write_tags(ChessPgnWriter *writer, const LiveGameView *game, const LivePgnTags *given) {
    const LiveGameRow *row = &game->row;
    const int64_t at_ms = row->started_ms != LIVE_NEVER ? row->started_ms : row->created_ms;
    char date[DATE_SIZE];
    char time[DATE_SIZE];
    char control_text[LAWS_CONTROL_TEXT_SIZE] = "?";
    char start[CHESS_FEN_SIZE];
    LawsControl control;
    JdErr err = { 0 };
    if (live_control_to_laws(&row->control, &control, &err))
        (void)laws_control_write(&control, control_text);
    const JdStr day = write_date(at_ms, date);
    ChessPgnTag tags[TAGS_MAX] = {
        { JD_STR("Event"), text_or(given->event, "?") },
        { JD_STR("Site"), text_or(given->site, "?") },
        { JD_STR("Date"), day },
        { JD_STR("Round"), JD_STR("-") }, // no tournament
        { JD_STR("White"), name_of(&row->seats[CHESS_WHITE]) },
        { JD_STR("Black"), name_of(&row->seats[CHESS_BLACK]) },
        { JD_STR("UTCDate"), day },
        { JD_STR("UTCTime"), write_time(at_ms, time) },
        { JD_STR("TimeControl"), jd_str(control_text) },
        { JD_STR("Termination"), jd_str(termination_of(row)) },
    };
    size_t count = 10;
    char elo[2][ELO_SIZE];
    static const char *const elo_tags[2] = { "WhiteElo", "BlackElo" };
    for (int color = 0; color < 2 && row->rated; color++) {
        // What a player brought to the game.
        const int32_t rating =
            game->has_ratings ? game->ratings.change[color].before : row->seats[color].rating;
        const size_t size = jd_format(elo[color], ELO_SIZE, "%d", (int)rating);
        tags[count++] = (ChessPgnTag) { jd_str(elo_tags[color]), jd_str_n(elo[color], size) };
    }
    const ChessPosition standard = chess_position_start();
    (void)chess_fen_write(&standard, CHESS_FEN_EP_LEGAL, start);
    if (!jd_str_equal(jd_str(start), jd_str(game->start_fen))) {
        tags[count++] = (ChessPgnTag) { JD_STR("SetUp"), JD_STR("1") };
        tags[count++] = (ChessPgnTag) { JD_STR("FEN"), jd_str(game->start_fen) };
    }
    chess_pgn_write_tags(writer, tags, count, result_of(row));
    if (row->hints > 0) { // L-024
        char text[24];
        (void)jd_format(text, sizeof(text), "hints: %u", (unsigned)row->hints);
        chess_pgn_write_comment(writer, jd_str(text));
    }
}

// ---- moves --------------------------------------------------------------------------------------

static void write_clock(ChessPgnWriter *writer, int64_t ms) {
    char clock[CHESS_PGN_CLOCK_SIZE];
    char text[CHESS_PGN_CLOCK_SIZE + 16];
    (void)chess_pgn_clock_write((JdSpan) { ms }, clock);
    (void)jd_format(text, sizeof(text), "[%%clk %s]", clock);
    chess_pgn_write_comment(writer, jd_str(text));
}

// Whoever has days for each move begins each of them with all of them; that says nothing.
static void write_moves(ChessPgnWriter *writer, const LiveGameView *game) {
    const bool with_clock = game->row.control.kind != LIVE_CONTROL_DAYS;
    ChessPosition pos;
    JdErr err = { 0 };
    const bool sound = chess_fen_parse(jd_str(game->start_fen), &pos, &err);
    JD_ASSERT(sound); // live wrote it
    for (uint32_t i = 0; i < game->row.plies; i++) {
        ChessMove move;
        const bool legal = chess_uci_parse(jd_str(game->moves[i].uci), &pos, &move, &err);
        JD_ASSERT(legal);
        chess_pgn_write_move(writer, &pos, move);
        if (with_clock)
            write_clock(writer, game->moves[i].clock_ms);
        chess_move_make(&pos, move, NULL);
    }
}

static void sink(void *context, JdStr text) {
    jd_out_text(context, text);
}

void live_game_pgn(const LiveGameView *game, const LivePgnTags *tags, JdOut *out) {
    ChessPgnWriter writer;
    chess_pgn_writer_init(&writer, sink, out, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    write_tags(&writer, game, tags);
    write_moves(&writer, game);
    chess_pgn_write_result(&writer, result_of(&game->row));
}

// Per ply: number, move, "{[%clk 999:59:59.999]}" and blanks.
size_t live_game_pgn_size(const LiveGameView *game, const LivePgnTags *tags) {
    return 1024 + 2 * (tags->event.size + tags->site.size + 2 * LIVE_NICK_SIZE) +
           (size_t)game->row.plies * 64;
}
