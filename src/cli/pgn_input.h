// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file as a stream of bytes, unpacked on the way: gzip, bzip2 and Zstandard are known by their
// first bytes.
#ifndef CLI_PGN_INPUT_H
#define CLI_PGN_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PgnInput PgnInput;

// Opens a file; NULL or "-" is standard input. NULL on failure, and *error says why.
PgnInput *pgn_input_open(const char *name, const char **error);
// The next bytes, at most size; 0 at the end. -1 on failure, and *error says why.
ptrdiff_t pgn_input_read(PgnInput *input, char *out, size_t size, const char **error);
// Bytes of the file taken so far and in all (0: not known), for showing progress.
void pgn_input_progress(const PgnInput *input, uint64_t *taken, uint64_t *all);
void pgn_input_close(PgnInput *input);

#endif
