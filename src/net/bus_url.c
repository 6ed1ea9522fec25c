// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a node and the address of its bus are written.
#include "net/bus.h"

static bool is_word(JdStr text) {
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_' || c == '.'))
            return false;
    }
    return text.size > 0;
}

bool net_bus_name_ok(JdStr name) {
    return name.size < NET_BUS_NAME_SIZE && is_word(name);
}

static bool put(char *out, size_t size, JdStr text) {
    if (text.size >= size)
        return false;
    jd_copy(out, text.data, text.size);
    out[text.size] = '\0';
    return true;
}

static bool read_port(JdStr text, int *out) {
    uint64_t port = 0;
    if (!jd_parse_u64(text, 65535, &port) || port == 0)
        return false;
    *out = (int)port;
    return true;
}

// host, host:port, [address]:port
static bool read_host(JdStr text, NetBusUrl *out) {
    out->port = 6379;
    if (text.size > 0 && text.data[0] == '[') {
        const size_t end = jd_str_find(text, ']');
        if (end == text.size || !put(out->host, sizeof(out->host), jd_str_part(text, 1, end - 1)))
            return false;
        const JdStr rest = jd_str_part(text, end + 1, text.size);
        return rest.size == 0 ||
               (rest.data[0] == ':' && read_port(jd_str_part(rest, 1, rest.size), &out->port));
    }
    JdStr port = text;
    const JdStr host = jd_str_cut(&port, ':');
    return host.size > 0 && put(out->host, sizeof(out->host), host) &&
           (host.size == text.size || read_port(port, &out->port));
}

bool net_bus_url_read(JdStr text, NetBusUrl *out, JdErr *err) {
    static const char wanted[] = "expected redis://[[user]:password@]host[:port][/site]";
    *out = (NetBusUrl) { .site = "jadoube" };
    if (!jd_str_starts_with(text, JD_STR("redis://")))
        return jd_fail_field(err, 1, "bus", 0, "bus: %s", wanted);
    JdStr rest = jd_str_part(text, 8, text.size);
    const JdStr place = jd_str_cut(&rest, '/');
    if (rest.size > 0 && !(is_word(rest) && put(out->site, sizeof(out->site), rest)))
        return jd_fail_field(err, 1, "bus", 0, "bus: the site's name has letters, digits, - _ .");
    size_t at = place.size; // a password may hold an '@'
    while (at > 0 && place.data[at - 1] != '@')
        at--;
    if (at > 0) {
        JdStr password = jd_str_part(place, 0, at - 1);
        const JdStr user = jd_str_cut(&password, ':');
        if (!put(out->user, sizeof(out->user), user) || password.size == 0 ||
            !put(out->password, sizeof(out->password), password))
            return jd_fail_field(err, 1, "bus", 0, "bus: %s", wanted);
    }
    return read_host(jd_str_part(place, at, place.size), out) ||
           jd_fail_field(err, 1, "bus", 0, "bus: %s", wanted);
}
