/* SPDX-License-Identifier: MIT */
/* The way to a store's database files: SQLite's own, with locks that belong to open file descriptions. */
#ifndef CTESSERA_STORE_H
#define CTESSERA_STORE_H

#include <stdbool.h>

/**
 * A way to database files (a VFS of SQLite) of its own.
 *
 * SQLite's own way locks with POSIX locks, and remembers in global tables which of them the process has. A child of
 * fork() inherits the tables without the locks, and reads and writes as if it had them. This one locks with open file
 * description locks on the same bytes, so it keeps others out just as well, and every connection has its own.
 */
typedef struct ctessera_vfs ctessera_vfs;

/** Make one and make it known to SQLite; NULL where the system has no such locks, or memory ran out. */
ctessera_vfs *ctessera_vfs_create(void);

/**
 * Say that this thread goes into SQLite, which has locks for the whole process.
 *
 * Returns false in a child of fork() in whose parent a thread was in SQLite at that moment: such a lock may be held there
 * for ever, by nobody.
 */
bool ctessera_sqlite_enter(void);

/** Say that this thread has come out again; only after ctessera_sqlite_enter() returned true. */
void ctessera_sqlite_leave(void);

/** The name to open a database with. */
const char *ctessera_vfs_name(const ctessera_vfs *vfs);

/** Forget one; every connection that was opened with it must be closed. NULL does nothing. */
void ctessera_vfs_free(ctessera_vfs *vfs);

#endif
