// SPDX-License-Identifier: GPL-3.0-or-later
//
// The errors of the public API (docs/protocol.md): a stable code, an English sentence for
// developers, the field at fault. One table knows the HTTP status of each code.
#ifndef JADOUBE_NET_ERRORS_H
#define JADOUBE_NET_ERRORS_H

#include <jadoube/base.h>

#include "net/buf.h"

typedef struct NetError {
    const char *code; // a word of the table; NULL: no error
    char field[24];   // empty: none
    char message[JD_ERR_TEXT_SIZE];
    int retry_after;  // seconds; 0: does not apply
    char article[12]; // of the Laws, where they refuse; empty: none
} NetError;

// Fills err and returns false, so that a reader can say: return net_fail(...). field may be NULL.
bool net_fail(NetError *err, const char *code, const char *field, const char *format, ...)
    JD_FORMAT(4, 5);

// HTTP status of a code; an unknown code is a fault of ours: 500.
int net_error_status(const char *code);
// More than there are codes; the last place is for a code that is not in the table.
#define NET_ERROR_CODES_MAX 128
size_t net_error_index(const char *code);
// The code at a place; NULL after the last.
const char *net_error_name(size_t index);
// Whether the code stands in the table.
bool net_error_known(const char *code);

// {"code":...,"message":...,"field"?,"retry_after"?,"article"?}; ref is printed for 500 (0: none).
void net_error_write(NetBuf *out, const NetError *err, uint64_t ref);

#endif
