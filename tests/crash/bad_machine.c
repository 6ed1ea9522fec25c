// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bad machine under the real program: preloaded before libc (LD_PRELOAD), it makes the disk fail
// and the system's clock jump when a test says so. The test writes sixteen bytes into the file
// named in JADOUBE_TEST_MACHINE, least byte first: what the disk does (4), nothing (4), and by how
// many milliseconds the clock is ahead (8). Nothing of it is in `jadoube`.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DISK_SOUND = 0,
    DISK_FULL = 1,      // no byte more
    DISK_READ_ONLY = 2, // as after remount,ro
    DISK_NO_SYNC = 3,   // it takes bytes, and says of none that it is safe
    DISK_TORN = 4,      // half of what is written goes through, then an error
    DISK_SLOW = 5,      // a sync takes a third of a second
    DISK_LIES = 6,      // says that all is well and keeps nothing: the fault no program can survive
};

typedef struct Machine {
    uint32_t disk;
    uint32_t reserved;
    int64_t ahead_ms;
} Machine;

static const Machine sound;
static const volatile Machine *machine = &sound;

typedef ssize_t (*PwriteFn)(int, const void *, size_t, off_t);
typedef int (*FdFn)(int);
typedef int (*TruncateFn)(int, off_t);
typedef int (*UnlinkFn)(const char *);
typedef int (*OpenFn)(const char *, int, ...);
typedef int (*ClockFn)(clockid_t, struct timespec *);

static struct {
    PwriteFn pwrite;
    FdFn fsync;
    FdFn fdatasync;
    TruncateFn ftruncate;
    UnlinkFn unlink;
    OpenFn open;
    ClockFn clock_gettime;
} libc;

// A function pointer out of an object pointer, as dlsym's own manual does it.
static void find(const char *name, void *out) {
    *(void **)out = dlsym(RTLD_NEXT, name);
    if (*(void **)out == NULL)
        abort();
}

__attribute__((constructor)) static void begin(void) {
    find("pwrite64", &libc.pwrite);
    find("fsync", &libc.fsync);
    find("fdatasync", &libc.fdatasync);
    find("ftruncate64", &libc.ftruncate);
    find("unlink", &libc.unlink);
    find("open64", &libc.open);
    find("clock_gettime", &libc.clock_gettime);
    const char *path = getenv("JADOUBE_TEST_MACHINE");
    const int fd = path != NULL ? libc.open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *memory = fd >= 0 ? mmap(NULL, sizeof(Machine), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (memory != MAP_FAILED)
        machine = memory;
    if (fd >= 0)
        close(fd);
}

// Constructors of other libraries may come first.
static void ready(void) {
    if (libc.clock_gettime == NULL)
        begin();
}

static int fails(int code) {
    errno = code;
    return -1;
}

// ---- the disk -----------------------------------------------------------------------------------

// SQLite alone writes with pwrite; sockets and logs do not.
static ssize_t write_at(int fd, const void *bytes, size_t size, off_t at) {
    switch (machine->disk) {
    case DISK_FULL:
        return fails(ENOSPC);
    case DISK_READ_ONLY:
        return fails(EROFS);
    case DISK_TORN:
        if (size > 1 && libc.pwrite(fd, bytes, size / 2, at) < 0)
            return -1;
        return fails(EIO);
    case DISK_LIES:
        return (ssize_t)size;
    default:
        return libc.pwrite(fd, bytes, size, at);
    }
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return write_at(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return write_at(fd, bytes, size, (off_t)at);
}

static int sync_by(FdFn sync, int fd) {
    switch (machine->disk) {
    case DISK_NO_SYNC:
    case DISK_TORN:
        return fails(EIO);
    case DISK_SLOW:
        nanosleep(&(struct timespec) { .tv_nsec = 330 * 1000000L }, NULL);
        return sync(fd);
    case DISK_LIES:
        return 0;
    default:
        return sync(fd);
    }
}

int fsync(int fd) {
    return sync_by(libc.fsync, fd);
}
int fdatasync(int fd) {
    return sync_by(libc.fdatasync, fd);
}

static int cut(int fd, off_t size) {
    struct stat now;
    if (machine->disk == DISK_READ_ONLY)
        return fails(EROFS);
    if (machine->disk == DISK_FULL && fstat(fd, &now) == 0 && size > now.st_size)
        return fails(ENOSPC);
    return libc.ftruncate(fd, size);
}

int ftruncate(int fd, off_t size) {
    return cut(fd, size);
}
int ftruncate64(int fd, off64_t size) {
    return cut(fd, (off_t)size);
}

int unlink(const char *path) {
    return machine->disk == DISK_READ_ONLY ? fails(EROFS) : libc.unlink(path);
}

static int open_as(const char *path, int flags, mode_t mode) {
    ready();
    if (machine->disk == DISK_READ_ONLY && (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0)
        return fails(EROFS);
    return libc.open(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_as(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_as(path, flags, mode);
}

// ---- the clock ----------------------------------------------------------------------------------

int clock_gettime(clockid_t which, struct timespec *out) {
    ready();
    const int result = libc.clock_gettime(which, out);
    const int64_t ahead_ms = machine->ahead_ms;
    if (result == 0 && which == CLOCK_REALTIME && ahead_ms != 0) {
        const int64_t ns = out->tv_nsec + ahead_ms % 1000 * 1000000;
        out->tv_sec += (time_t)(ahead_ms / 1000 + (ns >= 1000000000) - (ns < 0));
        out->tv_nsec = (long)(ns + (ns < 0 ? 1000000000 : 0) - (ns >= 1000000000 ? 1000000000 : 0));
    }
    return result;
}
