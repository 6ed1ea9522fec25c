// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game as the fold of its log: what play, replay and the decoding of finished games share.
//
// Everything here follows from the log alone. Who is connected and what was sent belongs to Live.
#ifndef JADOUBE_LIVE_FOLD_H
#define JADOUBE_LIVE_FOLD_H

#include "live/live.h"

typedef struct GameFold {
    LawsGame laws;
    LiveId id;
    LiveAccount players[2]; // by ChessColor
    uint32_t last_seq;
    uint8_t rated;
    uint8_t type; // LiveType
    uint8_t take_backs;
    uint16_t hints; // given to the player of a game against the computer
    int64_t created_ms;
    int64_t first_move_by_ms;     // S-077, or LIVE_NEVER
    int64_t vacation_until_ms[2]; // X-008, by ChessColor; LIVE_NEVER: none
    char article[12];             // of the verdict that ended the game
} GameFold;

// The body of LIVE_EVENT_GAME_CREATED.
typedef struct GameBirth {
    LiveAccount players[2];
    LiveId challenge;
    uint8_t rated;
    uint8_t type;       // LiveType
    uint8_t take_backs; // against the computer only
    LawsSetup setup;
} GameBirth;
size_t fold_birth_write(const GameBirth *birth, unsigned char out[LIVE_EVENT_BODY_MAX]);
JD_MUST_USE bool fold_birth_read(const LiveLogEvent *event, GameBirth *out, JdErr *err);

// The game after its first event.
void fold_begin(GameFold *fold, const LiveId *id, const GameBirth *birth, JdInstant at,
                LawsPly *plies, uint32_t ply_capacity);

// Applies an event and, when it is accepted, counts it as the next of the log. A flag that is due
// must have been seen by a TICK before (see laws_apply); a TICK too early is refused.
LawsVerdict fold_apply(GameFold *fold, const LawsEvent *event, JdInstant at);
// The log's entry for the event just accepted; body must hold LAWS_EVENT_BODY_SIZE bytes.
LiveLogEvent fold_log_event(const GameFold *fold, const LawsEvent *event, JdInstant at,
                            unsigned char body[LAWS_EVENT_BODY_SIZE]);
// Notes a vacation as the next entry of the log (LIVE_EVENT_VACATION): its body.
#define FOLD_VACATION_BODY 10
void fold_vacation(GameFold *fold, ChessColor side, int64_t until_ms,
                   unsigned char body[FOLD_VACATION_BODY]);
// The first vacation that ends in this game, or LIVE_NEVER; *side is whose.
int64_t fold_vacation_end(const GameFold *fold, ChessColor *side);
// Applies an entry of the log; on failure nothing has changed.
JD_MUST_USE bool fold_replay(GameFold *fold, const LiveLogEvent *event, JdErr *err);

static inline bool fold_is_slow(const GameFold *fold) {
    return laws_control_is_slow(&fold->laws.setup.control[CHESS_WHITE]);
}
// The rating list the game belongs to.
RatingList fold_list(const GameFold *fold);
// A control by days: a vacation holds its clock.
static inline bool fold_is_by_days(const GameFold *fold) {
    return fold->laws.setup.control[CHESS_WHITE].move_ms > 0;
}
static inline bool fold_has_ended(const GameFold *fold) {
    return fold->laws.state == LAWS_ENDED || fold->laws.state == LAWS_ANNULLED;
}
// The draw offer that stands: its colour, or LIVE_NO_COLOR.
uint8_t fold_offer(const GameFold *fold);
// How long a player must be away before the opponent may claim.
int64_t fold_abandon_ms(const GameFold *fold);

// Whether a flag falls by a player's claim only.
bool fold_flags_claimed(const GameFold *fold);
// The instant the flag of the running clock falls or fell, whoever may see it; LIVE_NEVER: no clock
// runs.
int64_t fold_flag_at(const GameFold *fold);
// Entries of a game's log that its Laws know nothing of.
bool fold_is_note(uint8_t kind);
// Counts a hint that was given.
void fold_hint(GameFold *fold);

// ---- what people are shown (snapshot.c)
void fold_touched(const GameFold *fold, LiveTouched *out);
LiveClocks fold_clocks(const GameFold *fold, JdInstant now);
// Seats hold the account numbers only.
void fold_row(const GameFold *fold, LiveGameRow *out);
// The row of one move made on *pos, which is moved on.
void fold_move_row(ChessPosition *pos, const LawsPly *ply, LiveMoveRow *out);
// The rows of all plies.
void fold_move_rows(const GameFold *fold, LiveMoveRow *out);
// The row of one ply, counted from 0.
void fold_move_row_at(const GameFold *fold, uint32_t ply, LiveMoveRow *out);
// All but seq, spectators and what concerns presence; moves as made by fold_move_rows.
void fold_view(const GameFold *fold, JdInstant now, const LiveMoveRow *moves, LiveGameView *out);

#endif
