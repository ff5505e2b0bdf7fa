/* SPDX-License-Identifier: MIT */
/* Registry of the files that this process locks with POSIX locks, so that closing a descriptor does not release them. */
#ifndef CTESSERA_PROCESS_LOCKS_H
#define CTESSERA_PROCESS_LOCKS_H

#include <sqlite3.h>
#include <stdbool.h>

#include "ctessera_store.h"

/**
 * Record that the system refused open file description locks for a file.
 *
 * If memory is exhausted, nothing is recorded, and the system is queried again.
 */
void ctessera_process_locks_refused(const ctessera_identity *file);

/** Return true if the system refused open file description locks for a file in this process. */
bool ctessera_process_locks_are_needed(const ctessera_identity *file);

/**
 * Open a database through SQLite's default VFS, with POSIX locks, and count the opening.
 *
 * Sets `identity` to the identity of the database. Returns SQLITE_BUSY if the path refers to another file afterwards.
 */
int ctessera_process_locks_open(const char *path, sqlite3_file *plain, int flags, int *out_flags,
                                ctessera_identity *identity);

/** Close a file that ctessera_process_locks_open() opened, and count the end of the opening. */
int ctessera_process_locks_close(sqlite3_file *plain, const ctessera_identity *identity);

/** Close a descriptor that belongs to a database, or keep it open as long as this process locks the database. */
void ctessera_close_or_delay(const ctessera_identity *database, int descriptor);

/** Close SQLite's file of a database. If this process locks the database with POSIX locks, it stays open forever. */
int ctessera_close_plain(const ctessera_identity *database, sqlite3_file *plain);

#endif
