// SPDX-License-Identifier: GPL-3.0-or-later
//
// A disk that fails when told to, and whose power can be cut: a SQLite VFS over the system's. It
// keeps, for each file, what has been synced and what has only been written since; a cut keeps the
// first whole and of the second whatever chance leaves.
#ifndef TESTS_STORE_FAULT_VFS_H
#define TESTS_STORE_FAULT_VFS_H

#include "support.h"

#define FAULT_VFS "jadoube-fault"

// Registers the VFS (once) and forgets all it knew.
void fault_vfs_reset(void);
void fault_vfs_clear(void); // frees everything

// Operations that change a disk (write, truncate, sync, delete) since the reset.
uint64_t fault_vfs_operations(void);
// The operations with numbers from .. from+count-1 fail with a SQLite code.
void fault_vfs_fail(uint64_t from, uint64_t count, int code);

// Calls back before each operation, on the thread that does it, inside the VFS's lock.
typedef void (*FaultHook)(void *context, uint64_t operation);
void fault_vfs_hook(FaultHook hook, void *context);

// What a power cut now would leave of a file, by chance from *seed. NULL: there is no such file.
// Only from within a hook.
FileBytes fault_vfs_after_cut(const char *path, uint64_t *seed, bool *exists);

#endif
