// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages of other nodes: any bytes are none, or one within its bounds that is written as the same
// bytes again.
#include <stdlib.h>
#include <string.h>

#include "net/envelope.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition) {
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NetEnvelope envelope;
    if (!net_envelope_read(jd_str_n((const char *)data, size), &envelope))
        return 0;
    must(envelope.nick.size < LIVE_NICK_SIZE);
    must(memchr(envelope.me.nick, '\0', sizeof(envelope.me.nick)) != NULL);
    must(envelope.list.size % 8 == 0);
    for (size_t i = 0; i < net_envelope_count(&envelope); i++)
        (void)net_envelope_item(&envelope, i);
    NetBuf *out = net_buf_new();
    net_envelope_write(out, &envelope);
    must(!out->failed && out->size == size && memcmp(out->data, data, size) == 0);
    net_buf_drop(out);
    return 0;
}
