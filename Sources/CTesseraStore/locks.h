/* SPDX-License-Identifier: MIT */
/* Locks on byte ranges that belong to an open file description, as SQLite wants them answered. */
#ifndef CTESSERA_LOCKS_H
#define CTESSERA_LOCKS_H

#include <stdbool.h>
#include <sys/types.h>

/** Open a file to lock it, for reading only where it cannot be written. Returns -1 with the reason in errno. */
int ctessera_open_for_locks(const char *path);

/** Take, change or give back (F_RDLCK, F_WRLCK, F_UNLCK) a range: SQLITE_OK, SQLITE_BUSY, or `failure`. */
int ctessera_lock(int descriptor, short type, off_t start, off_t length, int failure);

/** Whether the system has locks of open file descriptions for this file: sandboxes and some file systems refuse them. */
bool ctessera_has_description_locks(int descriptor);

/** Whether somebody else holds a lock that would keep a writer out. */
int ctessera_is_locked(int descriptor, off_t start, off_t length);

#endif
