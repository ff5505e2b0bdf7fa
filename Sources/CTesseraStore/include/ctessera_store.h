/* SPDX-License-Identifier: MIT */
/* The way to a store's database files, with sums of pages and locks that belong to open file descriptions; and shared memory. */
#ifndef CTESSERA_STORE_H
#define CTESSERA_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/**
 * Tell which file lies at a path or is open: its number, and when it was made, in nanoseconds since 1970.
 *
 * A file that takes the place of a removed one often gets its number. `birth` is 0 where the file system does not keep it.
 * Returns false if there is none; a path is never opened, and a symbolic link not followed.
 */
bool ctessera_path_stamp(const char *path, uint64_t *number, uint64_t *birth);
bool ctessera_descriptor_stamp(int descriptor, uint64_t *number, uint64_t *birth);

/**
 * Whether a file system is mounted at a path, such as a single file in a container: no file can be renamed to it.
 *
 * Returns false where the system does not report it. A symbolic link is not followed.
 */
bool ctessera_is_mount_point(const char *path);

/** A file, whatever its name, and how many bytes are in it. */
typedef struct ctessera_identity {
  uint64_t device;
  uint64_t number;
  int64_t size;
} ctessera_identity;

/**
 * Tell which file lies at a path or is open, without a look at its times.
 *
 * Returns false if there is none, or if the system does not tell: errno says why. A path is never opened, and a symbolic
 * link not followed.
 */
bool ctessera_path_identity(const char *path, ctessera_identity *result);
bool ctessera_descriptor_identity(int descriptor, ctessera_identity *result);

/**
 * Tell whether what lies at a path is on another machine: memory cannot be shared there, and locks may wait for a network.
 *
 * Of a path that does not exist, the nearest directory above it is asked. Returns false where the system does not report it.
 */
bool ctessera_is_remote(const char *path);

/** Forget one; every connection that was opened with it must be closed. NULL does nothing. */
void ctessera_vfs_free(ctessera_vfs *vfs);

/**
 * Make memory that other processes of the user find by its number, until the last one that has it ends.
 *
 * Unlike a mapped file it has no name and no end that anybody could move: touching it never fails.
 * Returns NULL where the system has no such memory, or refuses it.
 */
void *ctessera_segment_create(size_t size, int *number);

/** Get the memory with a number; NULL if there is none of that size of this user, or if it lies in another container. */
void *ctessera_segment_attach(size_t size, int number);

/** Give it back. */
void ctessera_segment_detach(void *memory);

struct sqlite3;

/**
 * Take room from the disk for some more pages in a database's write-ahead log, inside a write transaction.
 *
 * Returns SQLite's code: SQLITE_IOERR_WRITE where there is no room, SQLITE_OK also where it cannot be told.
 */
int ctessera_reserve_log(struct sqlite3 *database, int pages);

/** Tell why the index of the log can be read only, or not at all, as errno; 0 if it can be written, or nobody asked for it. */
int ctessera_why_no_index(struct sqlite3 *database);

/**
 * Whether a connection locks with POSIX locks, because the system refused locks of open file descriptions.
 *
 * They do not keep two copies of this library in one process apart.
 */
bool ctessera_has_process_locks(struct sqlite3 *database);

/** Copy up to 16 random bytes that are the same for all code of this process. Returns false where there are none. */
bool ctessera_process_secret(void *bytes, size_t count);

/**
 * Take a name for the rest of the process. Returns 0, EADDRINUSE if it is taken, or another errno value.
 *
 * The name is that of a socket, so the kernel keeps every other claimant out, and frees the name when the process ends.
 */
int ctessera_claim(const char *name);

#endif
