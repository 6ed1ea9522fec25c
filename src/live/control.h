// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls in the log of challenges; the rest of the subject stands in live.h.
#ifndef JADOUBE_LIVE_CONTROL_H
#define JADOUBE_LIVE_CONTROL_H

#include "live/codec.h"
#include "live/live.h"

void control_write(const LiveControl *control, Writer *out);
// Whether what was read is sound is for live_control_to_laws to say.
void control_read(Reader *in, LiveControl *out);

#endif
