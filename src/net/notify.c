// SPDX-License-Identifier: GPL-3.0-or-later
//
// sd_notify(3) by hand: a datagram to the socket that $NOTIFY_SOCKET names, which is all that the
// library would do.
#include "net/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void net_notify(const char *state) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    const char *path = getenv("NOTIFY_SOCKET");
    const size_t size = path != NULL ? strlen(path) : 0;
    if (size < 2 || size >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, size);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; // the abstract name space
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    // Whoever started the site and does not listen is no reason to stop.
    const ssize_t sent =
        sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
    (void)sent;
    close(fd);
}

uint64_t net_notify_watchdog_ms(void) {
    const char *whom = getenv("WATCHDOG_PID");
    const char *every = getenv("WATCHDOG_USEC");
    uint64_t pid = 0;
    uint64_t us = 0;
    if (every == NULL || !jd_parse_u64(jd_str(every), INT64_MAX, &us))
        return 0;
    if (whom != NULL && (!jd_parse_u64(jd_str(whom), INT32_MAX, &pid) || pid != (uint64_t)getpid()))
        return 0; // meant for another process
    return us / 2000;
}
