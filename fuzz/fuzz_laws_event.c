// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes as a log, and bytes as events of a game whose setup they begin with: nothing crashes, a
// refused event changes nothing, what was accepted replays to the same game.
#include <string.h>

#include <jadoube/laws.h>
#include <jadoube/notation.h>

#define PLIES 256
#define EVENTS 400
#define RECORD 12 // bytes of input per event

static LawsPly plies[PLIES];
static LawsPly again_plies[PLIES];
static unsigned char log_bytes[LAWS_LOG_HEAD_SIZE + (EVENTS + 1) * LAWS_LOG_EVENT_SIZE];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static LawsEvent event_of(const uint8_t *at) {
    return (LawsEvent) {
        .kind = at[0] % (LAWS_EVENT_KIND_COUNT + 2),
        .actor = at[1] % 7,
        .offer = at[2] & 1,
        .draw = at[2] >> 1 & 1,
        .side = at[2] >> 2 & 3,
        .flag = at[2] >> 4 & 1,
        .code = at[2] >> 5 | (at[6] & 0x18),
        .move = (ChessMove)(at[3] | at[4] << 8),
        .span_ms = (at[5] | at[6] << 8) - 16,
        .square = at[3] & 63,
        .count = at[4],
        .result = { at[5] & 3, at[6] & 3 },
        .text = jd_str_n((const char *)at, at[10] % RECORD),
    };
}

// The move number index of those that are legal, so that games get somewhere.
static ChessMove some_move(const LawsGame *game, unsigned index) {
    ChessMoveList list;
    laws_moves_allowed(game, &list);
    return list.count == 0 ? CHESS_NO_MOVE : list.moves[index % (unsigned)list.count];
}

static void play(const LawsSetup *setup, const uint8_t *data, size_t size) {
    LawsGame game;
    int64_t now_ms = 1000;
    laws_game_init(&game, setup, plies, PLIES);
    size_t log_size = laws_log_open(setup, log_bytes);
    LawsEvent tick = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
    for (int count = 0; size >= RECORD && count < EVENTS; count++) {
        LawsEvent event = event_of(data);
        if (data[11] & 1)
            event.move = some_move(&game, event.move);
        if (data[11] & 2)
            event.actor = game.position.side_to_move;
        if (data[11] & 4)
            event.kind = LAWS_EVENT_MOVE;
        if (data[11] & 8 && game.desk.touched_count > 0)
            event.square = game.desk.touched[0];
        now_ms += (int64_t)(data[7] | data[8] << 8) << (data[9] % 12);
        data += RECORD;
        size -= RECORD;
        const LawsGame before = game;
        const LawsVerdict verdict = laws_apply(&game, &event, (JdInstant) { now_ms });
        JD_ASSERT(strlen(verdict.article) < sizeof verdict.article);
        if (verdict.refusal != LAWS_NOT_REFUSED && !verdict.changed)
            JD_ASSERT(memcmp(&before, &game, sizeof game) == 0);
        else if (event.kind != LAWS_EVENT_TICK || verdict.changed) {
            LawsEvent *logged = verdict.refusal == LAWS_NOT_REFUSED ? &event : &tick;
            tick.mating = 0;
            laws_event_settle(logged, &verdict);
            log_size += laws_log_event(logged, (JdInstant) { now_ms }, log_bytes + log_size);
        }
        JD_ASSERT(game.clock.running == 0 || game.state == LAWS_RUNNING ||
                  game.state == LAWS_SEALING || game.state == LAWS_ADJOURNED);
        JD_ASSERT((game.desk.stop != LAWS_NOT_STOPPED) == (game.state == LAWS_STOPPED));
        LawsSheetPly rows[4];
        (void)laws_sheet_write(&game, CHESS_RUSSIAN, CHESS_FORM_FIDE,
                               game.ply_count > 4 ? game.ply_count - 4 : 0, rows, 4);
        for (int color = 0; color < 2; color++)
            JD_ASSERT(laws_clock_reading(&game, (ChessColor)color, (JdInstant) { now_ms }) >= 0);
        JD_ASSERT(laws_repetition_count(&game, CHESS_NO_MOVE) >= 1);
        (void)laws_claim_is_right(&game, event.move);
    }
    LawsGame again;
    JdErr err;
    JD_ASSERT(laws_log_replay(log_bytes, log_size, &again, again_plies, PLIES, NULL, &err));
    JD_ASSERT(laws_game_digest(&again) == laws_game_digest(&game));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    LawsGame game;
    LawsVerdict last;
    JdErr err = { 0 };
    if (!laws_log_replay(data, size, &game, plies, PLIES, &last, &err))
        JD_ASSERT(err.text[0] != '\0');
    if (size < 6)
        return 0;
    const size_t setup_size = (size_t)(data[4] | data[5] << 8);
    LawsSetup setup;
    if (setup_size <= size - 6 && laws_setup_read(data + 6, setup_size, &setup, &err))
        play(&setup, data + 6 + setup_size, size - 6 - setup_size);
    LawsControl control;
    char text[LAWS_CONTROL_TEXT_SIZE];
    if (laws_control_parse(jd_str_n((const char *)data, size), &control, &err))
        laws_control_write(&control, text);
    return 0;
}
