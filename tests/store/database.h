// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests on PostgreSQL: with JADOUBE_TEST_DATABASE (tests/tools/with_postgres.sh) the same tests run
// there.
#ifndef TESTS_STORE_DATABASE_H
#define TESTS_STORE_DATABASE_H

#include <stdbool.h>

bool test_on_postgres(void);
// What StoreConfig.database is for a test's directory: a schema of its own, made when it is not
// there; NULL, SQLite in the directory, without the variable. Valid until the next call.
const char *test_database(const char *dir);
// The first value a query gives, asked past the program.
const char *test_database_text(const char *dir, const char *sql); // valid until the next call
void test_database_drop(const char *dir);                         // nothing without the variable

#endif
