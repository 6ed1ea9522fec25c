// SPDX-License-Identifier: GPL-3.0-or-later
//
// The move generator for any processor.
#define VARIANT(name) name##_any
#include "chess/movegen_body.h"
