// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writing effects: the list grows, and what its entries point at lies in chunks that never move.
#ifndef JADOUBE_LIVE_EFFECTS_H
#define JADOUBE_LIVE_EFFECTS_H

#include "live/live.h"

// Zeroed memory that stays until live_effects_clear.
void *fx_take(LiveEffects *effects, size_t size);
// A new effect at the end of the list, to be filled in; the pointer holds until the next one.
LiveEffect *fx_push(LiveEffects *effects, LiveEffectKind kind);

LiveAnswer *fx_answer(LiveEffects *effects, LiveOrigin origin, LiveAnswerKind kind);
// field may be NULL.
LiveAnswer *fx_error(LiveEffects *effects, LiveOrigin origin, const char *code, const char *field,
                     const char *format, ...) JD_FORMAT(5, 6);
void fx_log(LiveEffects *effects, const LiveLogEvent *event); // copies the body
LiveMessage *fx_message(LiveEffects *effects, LiveMessageKind kind, uint64_t seq);
void fx_send(LiveEffects *effects, uint64_t connection, const LiveMessage *message);
void fx_publish(LiveEffects *effects, const LiveChannel *channel, const LiveMessage *message);

#endif
