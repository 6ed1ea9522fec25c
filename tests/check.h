// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every test file needs before cmocka.h, in the order cmocka wants it.
#ifndef JADOUBE_TESTS_CHECK_H
#define JADOUBE_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jadoube/base.h>

#endif
