/* SPDX-License-Identifier: MIT */
/* Open file description locks on byte ranges, with SQLite result codes. */
#ifndef CTESSERA_LOCKS_H
#define CTESSERA_LOCKS_H

#include <stdbool.h>
#include <sys/types.h>

/** Open a file to lock it, read-only if it cannot be written. Returns -1 and sets errno on failure. */
int ctessera_open_for_locks(const char *path);

/** Lock, convert or unlock a range (F_RDLCK, F_WRLCK, F_UNLCK). Returns SQLITE_OK, SQLITE_BUSY, or `failure`. */
int ctessera_lock(int descriptor, short type, off_t start, off_t length, int failure);

/** Return true if the system supports such locks for a file. Sandboxes and some file systems refuse them. */
bool ctessera_has_description_locks(int descriptor);

/** Return true if another file description holds a lock on the range, shared or exclusive. */
int ctessera_is_locked(int descriptor, off_t start, off_t length);

#endif
