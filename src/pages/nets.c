// SPDX-License-Identifier: GPL-3.0-or-later
//
// Networks in the operator's file: the exits of anonymisers (S-023).
#include <stdlib.h>
#include <string.h>

#include "pages/internal.h"

#define NETS_MAX 100000

typedef struct Net {
    uint8_t bytes[16];
    uint8_t bits; // of bytes that must be alike
} Net;

static bool read_net(JdStr line, Net *out) {
    PagesAddress address;
    uint64_t bits = 128;
    JdStr rest = line;
    const JdStr name = jd_str_trim(jd_str_cut(&rest, '/'));
    if (!pages_address_parse(name, &address))
        return false;
    const bool v4 = jd_str_find(name, ':') == name.size;
    if (name.size < line.size && (!jd_parse_u64(jd_str_trim(rest), v4 ? 32 : 128, &bits)))
        return false;
    if (v4 && name.size < line.size)
        bits += 96;
    memcpy(out->bytes, address.bytes, sizeof out->bytes);
    out->bits = (uint8_t)bits;
    return true;
}

bool nets_open(const char *path, Nets *out, JdErr *err) {
    *out = (Nets) { .count = 0 };
    if (path == NULL || path[0] == '\0')
        return true;
    char *text = malloc(FILE_TEXT_MAX);
    size_t size = 0;
    out->list = calloc(NETS_MAX, sizeof *out->list);
    bool ok = text != NULL && out->list != NULL;
    if (!ok)
        (void)jd_fail(err, PAGES_INTERNAL, 0, "%s: no memory", path);
    ok = ok && file_read(path, text, FILE_TEXT_MAX, &size, err);
    JdStr rest = jd_str_n(text, ok ? size : 0);
    for (int number = 1; ok && rest.size > 0; number++) {
        const JdStr line = jd_str_trim(jd_str_cut(&rest, '\n'));
        if (line.size == 0 || line.data[0] == '#')
            continue;
        if (out->count == NETS_MAX || !read_net(line, &out->list[out->count++]))
            ok = jd_fail(err, PAGES_BAD_REQUEST, 0,
                         "%s, line %d: expected an address or address/bits", path, number);
    }
    free(text);
    if (!ok)
        nets_close(out);
    return ok;
}

void nets_close(Nets *nets) {
    free(nets->list);
    *nets = (Nets) { .count = 0 };
}

static bool is_in(const Net *net, const PagesAddress *address) {
    const size_t whole = net->bits / 8;
    const unsigned rest = net->bits % 8;
    if (memcmp(net->bytes, address->bytes, whole) != 0)
        return false;
    return rest == 0 || (net->bytes[whole] ^ address->bytes[whole]) >> (8 - rest) == 0;
}

bool nets_hold(const Nets *nets, const PagesAddress *address) {
    for (size_t i = 0; i < nets->count; i++)
        if (is_in(&nets->list[i], address))
            return true;
    return false;
}
