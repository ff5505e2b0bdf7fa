/* SPDX-License-Identifier: MIT */
/* The files that this process locks with POSIX locks, so that closing a descriptor of one drops none of them. */
#ifndef CTESSERA_PROCESS_LOCKS_H
#define CTESSERA_PROCESS_LOCKS_H

#include <sqlite3.h>
#include <stdbool.h>

#include "ctessera_store.h"

/** Remember that the system refused locks of open file descriptions for a file. Without memory it is asked again. */
void ctessera_process_locks_refused(const ctessera_identity *file);

/** Whether the system refused locks of open file descriptions for a file in this process. */
bool ctessera_process_locks_are_needed(const ctessera_identity *file);

/**
 * Open a database by SQLite's own way, with POSIX locks, and count the opening.
 *
 * Returns SQLITE_BUSY if the path leads to another file afterwards. `identity` is set to the identity of the database.
 */
int ctessera_process_locks_open(const char *path, sqlite3_file *plain, int flags, int *out_flags,
                                ctessera_identity *identity);

/** Close what ctessera_process_locks_open() opened. */
int ctessera_process_locks_close(sqlite3_file *plain, const ctessera_identity *identity);

/** Close a descriptor that belongs to a database, or keep it open as long as this process locks the database. */
void ctessera_close_beside(const ctessera_identity *database, int descriptor);

/** Close SQLite's own file of a database. Leave it open for good if this process locks the database with POSIX locks. */
int ctessera_close_plain(const ctessera_identity *database, sqlite3_file *plain);

#endif
