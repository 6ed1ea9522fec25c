// SPDX-License-Identifier: GPL-3.0-or-later
//
// The move generator for x86-64-v3; the build gives this file the flags for it.
#if !defined(__AVX2__) || !defined(__BMI2__) || !defined(__POPCNT__)
#error "compile with the flags of x86-64-v3 (src/chess/meson.build)"
#endif
#define VARIANT(name) name##_v3
#include "chess/movegen_body.h"
