// SPDX-License-Identifier: GPL-3.0-or-later
#include "fault_vfs.h"

#include <sqlite3.h>

// A change that has been written and not yet synced.
typedef struct Change {
    struct Change *next;
    bool truncates; // to `at` bytes
    size_t at;
    size_t size;
    unsigned char data[];
} Change;

typedef struct Image {
    struct Image *next;
    char path[256];
    bool exists;
    unsigned char *synced;
    size_t size;
    Change *first, *last;
} Image;

typedef struct FaultFile {
    sqlite3_file base;
    Image *image; // NULL: a file nobody asks about
    sqlite3_file *real;
} FaultFile;

static struct {
    pthread_mutex_t mutex;
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    Image *images;
    uint64_t operations;
    uint64_t fail_from, fail_count;
    int fail_code;
    FaultHook hook;
    void *context;
} disk = { .mutex = PTHREAD_MUTEX_INITIALIZER };

// ---- images -------------------------------------------------------------------------------------

// A power of two that holds the bytes, so that a file that grows page by page is seldom moved.
static size_t room(size_t size) {
    size_t capacity = 4096;
    while (capacity < size)
        capacity *= 2;
    return capacity;
}

static void apply(unsigned char **data, size_t *size, const Change *change, size_t part) {
    if (change->truncates) {
        if (change->at < *size)
            *size = change->at;
        return;
    }
    const size_t end = change->at + part;
    if (end > *size) {
        if (room(end) != room(*size)) {
            *data = realloc(*data, room(end));
            assert_non_null(*data);
        }
        if (change->at > *size)
            memset(*data + *size, 0, change->at - *size);
        *size = end;
    }
    memcpy(*data + change->at, change->data, part);
}

static void drop_changes(Image *image) {
    for (Change *at = image->first, *next; at != NULL; at = next) {
        next = at->next;
        free(at);
    }
    image->first = image->last = NULL;
}

static void sync_image(Image *image) {
    for (const Change *at = image->first; at != NULL; at = at->next)
        apply(&image->synced, &image->size, at, at->size);
    drop_changes(image);
}

static void add_change(Image *image, bool truncates, size_t at, const void *data, size_t size) {
    Change *change = calloc(1, sizeof *change + size);
    assert_non_null(change);
    change->truncates = truncates;
    change->at = at;
    change->size = size;
    if (size > 0)
        memcpy(change->data, data, size);
    *(image->last != NULL ? &image->last->next : &image->first) = change;
    image->last = change;
}

static Image *find_image(const char *path) {
    Image *image = disk.images;
    while (image != NULL && strcmp(image->path, path) != 0)
        image = image->next;
    return image;
}

// The image of a file that is opened; what it holds already counts as synced.
static Image *open_image(const char *path) {
    Image *image = find_image(path);
    if (image == NULL) {
        image = calloc(1, sizeof *image);
        assert_non_null(image);
        snprintf(image->path, sizeof image->path, "%s", path);
        image->next = disk.images;
        disk.images = image;
    }
    if (!image->exists) {
        const FileBytes bytes = file_read(path);
        free(image->synced);
        image->synced = realloc(bytes.data, room(bytes.size));
        assert_non_null(image->synced);
        image->size = bytes.size;
        image->exists = true;
    }
    return image;
}

FileBytes fault_vfs_after_cut(const char *path, uint64_t *seed, bool *exists) {
    Image *image = find_image(path);
    *exists = image != NULL && image->exists;
    FileBytes out = { 0 };
    if (!*exists)
        return out;
    out.size = image->size;
    out.data = malloc(room(image->size));
    assert_non_null(out.data);
    if (image->size > 0)
        memcpy(out.data, image->synced, image->size);
    // Three ways: everything got to the disk, nothing did, or any part of any write.
    const uint32_t way = jd_random_below(seed, 4);
    for (const Change *at = image->first; at != NULL && way != 0; at = at->next) {
        if (way == 1 || jd_random_below(seed, 2) == 0)
            apply(&out.data, &out.size, at, at->size);
        else if (!at->truncates && jd_random_below(seed, 2) == 0)
            apply(&out.data, &out.size, at,
                  jd_random_below(seed, (uint32_t)(at->size / 512 + 1)) * 512 % (at->size + 1));
    }
    return out;
}

// ---- operations ---------------------------------------------------------------------------------

// Counts an operation with the lock taken, which stays taken; a code other than OK: it must fail.
static int begin(void) {
    pthread_mutex_lock(&disk.mutex);
    const uint64_t operation = disk.operations++;
    if (disk.hook != NULL)
        disk.hook(disk.context, operation);
    const bool fails = operation >= disk.fail_from && operation - disk.fail_from < disk.fail_count;
    return fails ? disk.fail_code : SQLITE_OK;
}

static int end(int code) {
    pthread_mutex_unlock(&disk.mutex);
    return code;
}

static sqlite3_file *real_of(sqlite3_file *file) {
    return ((FaultFile *)file)->real;
}

static int on_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
    const int code = begin();
    if (code != SQLITE_OK)
        return end(code);
    const int done = real_of(file)->pMethods->xWrite(real_of(file), data, size, at);
    Image *image = ((FaultFile *)file)->image;
    if (done == SQLITE_OK && image != NULL)
        add_change(image, false, (size_t)at, data, (size_t)size);
    return end(done);
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size) {
    const int code = begin();
    if (code != SQLITE_OK)
        return end(code);
    const int done = real_of(file)->pMethods->xTruncate(real_of(file), size);
    Image *image = ((FaultFile *)file)->image;
    if (done == SQLITE_OK && image != NULL)
        add_change(image, true, (size_t)size, NULL, 0);
    return end(done);
}

// The real disk is never synced: that is what the image is for, and it makes the tests quick.
static int on_sync(sqlite3_file *file, int flags) {
    (void)flags;
    const int code = begin();
    Image *image = ((FaultFile *)file)->image;
    if (code == SQLITE_OK && image != NULL)
        sync_image(image);
    return end(code);
}

static int on_close(sqlite3_file *file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}
static int on_read(sqlite3_file *file, void *data, int size, sqlite3_int64 at) {
    return real_of(file)->pMethods->xRead(real_of(file), data, size, at);
}
static int on_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
static int on_lock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}
static int on_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
static int on_reserved(sqlite3_file *file, int *out) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}
static int on_control(sqlite3_file *file, int op, void *arg) {
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}
static int on_sector(sqlite3_file *file) {
    (void)file;
    return 512;
}
// Nothing is promised beyond that a sector is written whole: no PSOW, no atomic pages.
static int on_device(sqlite3_file *file) {
    (void)file;
    return 0;
}
static int on_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}
static int on_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
static void on_shm_barrier(sqlite3_file *file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}
static int on_shm_unmap(sqlite3_file *file, int remove) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = on_close,
    .xRead = on_read,
    .xWrite = on_write,
    .xTruncate = on_truncate,
    .xSync = on_sync,
    .xFileSize = on_size,
    .xLock = on_lock,
    .xUnlock = on_unlock,
    .xCheckReservedLock = on_reserved,
    .xFileControl = on_control,
    .xSectorSize = on_sector,
    .xDeviceCharacteristics = on_device,
    .xShmMap = on_shm_map,
    .xShmLock = on_shm_lock,
    .xShmBarrier = on_shm_barrier,
    .xShmUnmap = on_shm_unmap,
};

static int on_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    FaultFile *fault = (FaultFile *)file;
    *fault = (FaultFile) { .real = (sqlite3_file *)(fault + 1) };
    const int code = disk.real->xOpen(disk.real, path, fault->real, flags, out);
    if (code != SQLITE_OK)
        return code;
    fault->base.pMethods = &methods;
    if (path != NULL && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL))) {
        pthread_mutex_lock(&disk.mutex);
        fault->image = open_image(path);
        pthread_mutex_unlock(&disk.mutex);
    }
    return SQLITE_OK;
}

static int on_delete(sqlite3_vfs *vfs, const char *path, int sync_directory) {
    (void)vfs;
    const int code = begin();
    if (code != SQLITE_OK)
        return end(code);
    const int done = disk.real->xDelete(disk.real, path, sync_directory);
    Image *image = find_image(path);
    if (done == SQLITE_OK && image != NULL) {
        drop_changes(image);
        image->exists = false;
    }
    return end(done);
}

// ---- steering -----------------------------------------------------------------------------------

void fault_vfs_clear(void) {
    for (Image *at = disk.images, *next; at != NULL; at = next) {
        next = at->next;
        drop_changes(at);
        free(at->synced);
        free(at);
    }
    disk.images = NULL;
    disk.operations = disk.fail_from = disk.fail_count = 0;
    disk.hook = NULL;
}

void fault_vfs_reset(void) {
    fault_vfs_clear();
    if (disk.real != NULL)
        return;
    disk.real = sqlite3_vfs_find(NULL);
    disk.vfs = *disk.real;
    disk.vfs.pNext = NULL;
    disk.vfs.zName = FAULT_VFS;
    disk.vfs.szOsFile = (int)sizeof(FaultFile) + disk.real->szOsFile;
    disk.vfs.xOpen = on_open;
    disk.vfs.xDelete = on_delete;
    assert_int_equal(sqlite3_vfs_register(&disk.vfs, 0), SQLITE_OK);
}

uint64_t fault_vfs_operations(void) {
    pthread_mutex_lock(&disk.mutex);
    const uint64_t operations = disk.operations;
    pthread_mutex_unlock(&disk.mutex);
    return operations;
}

void fault_vfs_fail(uint64_t from, uint64_t count, int code) {
    pthread_mutex_lock(&disk.mutex);
    disk.fail_from = from;
    disk.fail_count = count;
    disk.fail_code = code;
    pthread_mutex_unlock(&disk.mutex);
}

void fault_vfs_hook(FaultHook hook, void *context) {
    pthread_mutex_lock(&disk.mutex);
    disk.hook = hook;
    disk.context = context;
    pthread_mutex_unlock(&disk.mutex);
}
