// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUT_MAX ((size_t)1 << 20)

// In the child, between fork and exec: only what is safe there.
static JD_NORETURN void become(const char *program, int fd, pid_t parent,
                               const ProcessLimits *limits) {
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127); // the parent died before the line above
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(null, 2) < 0)
        _exit(127);
    (void)close_range(3, ~0U, 0);
    if (limits->memory_mib != UINT32_MAX) {
        const rlim_t bytes = (rlim_t)limits->memory_mib << 20;
        const struct rlimit memory = { bytes, bytes };
        (void)setrlimit(RLIMIT_AS, &memory);
    }
    const struct rlimit core = { 0, 0 };
    (void)setrlimit(RLIMIT_CORE, &core);
    if (limits->nice > 0)
        (void)setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + limits->nice);
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    char *const arguments[] = { (char *)(uintptr_t)program, NULL };
    execv(program, arguments);
    _exit(127);
}

bool process_start(Process *process, const char *program, const ProcessLimits *limits, JdErr *err) {
    memset(process, 0, sizeof *process);
    process->fd = -1;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return jd_fail(err, 1, 0, "no socket for %s: %s", program, strerror(errno));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0)
        become(program, ends[1], parent, limits);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return jd_fail(err, 1, 0, "no process for %s: %s", program, strerror(errno));
    }
    (void)setpgid(pid, pid); // whoever is first; killing the group must not miss it
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
    process->pid = pid;
    process->fd = ends[0];
    return true;
}

bool process_flush(Process *process) {
    while (process->out_size > 0) {
        const ssize_t sent = send(process->fd, process->out, process->out_size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        process->out_size -= (size_t)sent;
        memmove(process->out, process->out + sent, process->out_size);
    }
    return true;
}

bool process_send(Process *process, JdStr line) {
    const size_t wanted = process->out_size + line.size + 1;
    if (wanted > OUT_MAX)
        return false;
    if (wanted > process->out_capacity) {
        const size_t capacity = wanted * 2;
        char *grown = realloc(process->out, capacity);
        if (grown == NULL)
            return false;
        process->out = grown;
        process->out_capacity = capacity;
    }
    memcpy(process->out + process->out_size, line.data, line.size);
    process->out[wanted - 1] = '\n';
    process->out_size = wanted;
    return process_flush(process);
}

bool process_read(Process *process) {
    if (process->in_size == sizeof process->in) { // a line without an end
        process->in_size = 0;
        process->skipping = true;
    }
    const ssize_t got =
        recv(process->fd, process->in + process->in_size, sizeof process->in - process->in_size, 0);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    process->in_size += (size_t)got;
    process->in_bytes += (uint64_t)got;
    return got > 0;
}

bool process_line(Process *process, JdStr *out) {
    static const char end = '\n';
    for (;;) {
        const char *at = memchr(process->in, end, process->in_size);
        if (at == NULL)
            return false;
        const size_t size = (size_t)(at - process->in);
        // The line is moved behind what stays, so that the view lives on.
        char line[PROCESS_LINE_MAX];
        memcpy(line, process->in, size);
        process->in_size -= size + 1;
        memmove(process->in, at + 1, process->in_size);
        if (process->skipping) {
            process->skipping = false;
            continue;
        }
        memcpy(process->in + process->in_size, line, size);
        *out = jd_str_n(process->in + process->in_size, size);
        return true;
    }
}

static void forget(Process *process) {
    if (process->fd >= 0)
        close(process->fd);
    free(process->out);
    memset(process, 0, sizeof *process);
    process->fd = -1;
}

void process_kill(Process *process) {
    if (process->pid > 0) {
        (void)kill(-process->pid, SIGKILL);
        (void)kill(process->pid, SIGKILL);
        while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    forget(process);
}

bool process_ended(Process *process) {
    if (process->pid <= 0)
        return true;
    siginfo_t info = { 0 };
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == 0)
        return false;
    // Its number is not free before it is waited for: the group killed is its own.
    process_kill(process);
    return true;
}
