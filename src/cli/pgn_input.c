// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files read as they are or unpacked: plain, gzip (zlib), bzip2, Zstandard. Packed streams may
// follow one another in a file, as `cat a.gz b.gz` makes them.
#include "cli/pgn_input.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKED_SIZE = 64 * 1024 };

typedef enum Packing { PLAIN, GZIP, BZIP2, ZSTD } Packing;

struct PgnInput {
    int fd;
    Packing packing;
    uint64_t taken;
    uint64_t all;
    bool at_end;    // of the file
    bool in_stream; // a packed stream has begun and not ended
    size_t begin;   // of what is not yet used
    size_t end;
    z_stream gzip;
    bz_stream bzip2;
    ZSTD_DStream *zstd;
    char packed[PACKED_SIZE];
};

// Reads more of the file behind what is not yet used. False on failure.
static bool fill(PgnInput *input, const char **error) {
    if (input->begin > 0) {
        memmove(input->packed, input->packed + input->begin, input->end - input->begin);
        input->end -= input->begin;
        input->begin = 0;
    }
    while (input->end < sizeof input->packed) {
        const ssize_t size =
            read(input->fd, input->packed + input->end, sizeof input->packed - input->end);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0) {
            *error = strerror(errno);
            return false;
        }
        input->at_end = size == 0;
        input->end += (size_t)size;
        input->taken += (uint64_t)size;
        return true;
    }
    return true;
}

static Packing packing_of(const char *start, size_t size) {
    const unsigned char *bytes = (const unsigned char *)start;
    if (size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
        return GZIP;
    if (size >= 4 && memcmp(start, "BZh", 3) == 0 && bytes[3] >= '1' && bytes[3] <= '9')
        return BZIP2;
    if (size >= 4 && memcmp(start, "\x28\xb5\x2f\xfd", 4) == 0)
        return ZSTD;
    // A skippable Zstandard frame: pzstd and seekable files begin or end with one.
    if (size >= 4 && (bytes[0] & 0xf0) == 0x50 && memcmp(start + 1, "\x2a\x4d\x18", 3) == 0)
        return ZSTD;
    return PLAIN;
}

PgnInput *pgn_input_open(const char *name, const char **error) {
    const bool is_standard = name == NULL || strcmp(name, "-") == 0;
    const int fd = is_standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    PgnInput *input = fd < 0 ? NULL : calloc(1, sizeof *input);
    if (input == NULL) {
        *error = strerror(errno);
        if (fd > STDIN_FILENO)
            close(fd);
        return NULL;
    }
    input->fd = fd;
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        input->all = (uint64_t)status.st_size;
    // A pipe may hand out the first bytes one by one.
    while (input->end < 4 && !input->at_end) {
        if (!fill(input, error)) {
            pgn_input_close(input);
            return NULL;
        }
    }
    input->packing = packing_of(input->packed, input->end);
    return input;
}

void pgn_input_progress(const PgnInput *input, uint64_t *taken, uint64_t *all) {
    *taken = input->taken - (input->end - input->begin);
    *all = input->all;
}

void pgn_input_close(PgnInput *input) {
    if (input == NULL)
        return;
    if (input->packing == GZIP)
        inflateEnd(&input->gzip);
    if (input->packing == BZIP2)
        BZ2_bzDecompressEnd(&input->bzip2);
    ZSTD_freeDStream(input->zstd);
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    free(input);
}

// ---- one step of each packing -------------------------------------------------------------------
// Each takes from the packed bytes, gives to out and returns the bytes given, or -1 when the stream
// is damaged. in_stream becomes false where a stream ends.

static ptrdiff_t step_gzip(PgnInput *input, char *out, size_t size) {
    z_stream *gzip = &input->gzip;
    if (!input->in_stream) {
        inflateEnd(gzip);
        memset(gzip, 0, sizeof *gzip);
        if (inflateInit2(gzip, 15 + 16) != Z_OK)
            return -1;
        input->in_stream = true;
    }
    gzip->next_in = (Bytef *)(input->packed + input->begin);
    gzip->avail_in = (uInt)(input->end - input->begin);
    gzip->next_out = (Bytef *)out;
    gzip->avail_out = (uInt)size;
    const int result = inflate(gzip, Z_NO_FLUSH);
    input->begin = input->end - gzip->avail_in;
    if (result == Z_STREAM_END)
        input->in_stream = false;
    else if (result != Z_OK && result != Z_BUF_ERROR)
        return -1;
    return (ptrdiff_t)(size - gzip->avail_out);
}

static ptrdiff_t step_bzip2(PgnInput *input, char *out, size_t size) {
    bz_stream *bzip2 = &input->bzip2;
    if (!input->in_stream) {
        BZ2_bzDecompressEnd(bzip2);
        memset(bzip2, 0, sizeof *bzip2);
        if (BZ2_bzDecompressInit(bzip2, 0, 0) != BZ_OK)
            return -1;
        input->in_stream = true;
    }
    bzip2->next_in = input->packed + input->begin;
    bzip2->avail_in = (unsigned)(input->end - input->begin);
    bzip2->next_out = out;
    bzip2->avail_out = (unsigned)size;
    const int result = BZ2_bzDecompress(bzip2);
    input->begin = input->end - bzip2->avail_in;
    if (result == BZ_STREAM_END)
        input->in_stream = false;
    else if (result != BZ_OK)
        return -1;
    return (ptrdiff_t)(size - bzip2->avail_out);
}

static ptrdiff_t step_zstd(PgnInput *input, char *out, size_t size) {
    if (input->zstd == NULL) {
        input->zstd = ZSTD_createDStream();
        // Files packed with --long up to 128 MiB are read as the zstd program reads them.
        if (input->zstd == NULL ||
            ZSTD_isError(ZSTD_DCtx_setParameter(input->zstd, ZSTD_d_windowLogMax, 27)))
            return -1;
    }
    ZSTD_inBuffer packed = { input->packed + input->begin, input->end - input->begin, 0 };
    ZSTD_outBuffer plain = { out, size, 0 };
    const size_t result = ZSTD_decompressStream(input->zstd, &plain, &packed);
    input->begin += packed.pos;
    if (ZSTD_isError(result))
        return -1;
    input->in_stream = result != 0;
    return (ptrdiff_t)plain.pos;
}

static ptrdiff_t step_plain(PgnInput *input, char *out, size_t size) {
    const size_t left = input->end - input->begin;
    const size_t given = left < size ? left : size;
    memcpy(out, input->packed + input->begin, given);
    input->begin += given;
    return (ptrdiff_t)given;
}

// Plain files are read where they are wanted once the first bytes have been handed on.
static ptrdiff_t read_plain(PgnInput *input, char *out, size_t size, const char **error) {
    if (input->begin < input->end)
        return step_plain(input, out, size);
    for (;;) {
        const ssize_t got = read(input->fd, out, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            *error = strerror(errno);
        else
            input->taken += (uint64_t)got;
        return got;
    }
}

ptrdiff_t pgn_input_read(PgnInput *input, char *out, size_t size, const char **error) {
    static ptrdiff_t (*const steps[])(PgnInput *, char *, size_t) = {
        [PLAIN] = step_plain,
        [GZIP] = step_gzip,
        [BZIP2] = step_bzip2,
        [ZSTD] = step_zstd,
    };
    if (input->packing == PLAIN)
        return read_plain(input, out, size, error);
    for (;;) {
        if (input->begin == input->end && !input->at_end && !fill(input, error))
            return -1;
        const bool has_input = input->begin < input->end;
        if (!has_input && input->at_end && !input->in_stream)
            return 0;
        // What follows a gzip stream and is no other one is padding (RFC 1952 knows none, tapes
        // do).
        if (input->packing == GZIP && !input->in_stream && input->taken > 0 && has_input &&
            input->packed[input->begin] == 0) {
            input->begin++;
            continue;
        }
        const ptrdiff_t given = steps[input->packing](input, out, size);
        if (given > 0)
            return given;
        if (given < 0) {
            *error = "the packed data is damaged";
            return -1;
        }
        if (!has_input && input->at_end && input->in_stream) {
            *error = "the packed data ends too early";
            return -1;
        }
    }
}
