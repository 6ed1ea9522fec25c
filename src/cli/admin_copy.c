// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube admin copy: a site that stands still moves to another database.
#include <stdio.h>
#include <string.h>

#include <jadoube/base.h>

#include "cli/cli.h"
#include "store/store.h"

const char *cli_admin_copy_fault(int count, char **words) {
    return count == 5 && strcmp(words[1], "--from") == 0 && strcmp(words[3], "--to") == 0
               ? NULL
               : "expected: copy --from PLACE --to PLACE";
}

// A place is a data directory or an address of PostgreSQL.
static bool open_place(const char *place, Store **out, JdErr *err) {
    const bool is_address = strstr(place, "://") != NULL;
    const StoreConfig config = { .data_dir = is_address ? NULL : place,
                                 .database = is_address ? place : NULL };
    return store_open(&config, out, err);
}

int cli_admin_copy(char **words) {
    Store *from = NULL;
    Store *to = NULL;
    StoreCopied copied;
    JdErr err = { 0 };
    bool ok = open_place(words[2], &from, &err) && open_place(words[4], &to, &err) &&
              store_copy(from, to, &copied, &err);
    if (!store_close(to, ok ? &err : NULL))
        ok = false;
    if (!store_close(from, ok ? &err : NULL))
        ok = false;
    if (!ok) {
        fprintf(stderr, "jadoube admin: %s\n", err.text);
        return 1;
    }
    printf("%llu rows of %llu tables are there, each compared with what it was\n",
           (unsigned long long)copied.rows, (unsigned long long)copied.tables);
    return 0;
}
