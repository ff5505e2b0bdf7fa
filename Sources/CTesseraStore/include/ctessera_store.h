/* SPDX-License-Identifier: MIT */
/* SQLite VFS with page checksums and open file description locks, file identity, shared memory and process locks. */
#ifndef CTESSERA_STORE_H
#define CTESSERA_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A custom SQLite VFS.
 *
 * SQLite's Unix VFS uses POSIX locks, and records in global tables which of them the process holds. A child of fork()
 * inherits the tables without the locks, and accesses the database as if it held them. This VFS uses open file
 * description locks on the same bytes. They exclude other processes equally, and each connection holds its own.
 */
typedef struct ctessera_vfs ctessera_vfs;

/**
 * Create a VFS and register it with SQLite. `*vfs` is NULL if the system has no such locks.
 *
 * Returns false if memory ran out. Do not use the default VFS of SQLite in that case: it writes no page checksums.
 */
bool ctessera_vfs_create(ctessera_vfs **vfs);

/**
 * Mark the calling thread as inside SQLite.
 *
 * Call this function before each use of SQLite, and ctessera_sqlite_leave() afterwards.
 *
 * Returns true if the thread may call SQLite. Returns false in a child of fork() if any thread of the parent was inside
 * SQLite during the fork. The child may have inherited a locked SQLite mutex that no thread will ever unlock.
 *
 * Thread-safe and lock-free.
 */
bool ctessera_sqlite_enter(void);

/** Mark the calling thread as outside SQLite. Call it only after ctessera_sqlite_enter() returned true. */
void ctessera_sqlite_leave(void);

/** Return the name of the VFS, to be passed to sqlite3_open_v2(). */
const char *ctessera_vfs_name(const ctessera_vfs *vfs);

/**
 * Get the inode number and the birth time of a file, which together survive a remount or a reboot.
 *
 * A file system often reuses the inode number of a removed file, so compare both values. `birth` is in nanoseconds
 * since 1970, or 0 if the file system does not record it.
 *
 * Returns false if the file does not exist. The path variant does not open the file and does not follow symbolic links.
 */
bool ctessera_path_persistent_id(const char *path, uint64_t *number, uint64_t *birth);
bool ctessera_descriptor_persistent_id(int descriptor, uint64_t *number, uint64_t *birth);

/**
 * Return true if the path is a mount point, such as a single file in a container. No file can be renamed to it.
 *
 * Returns false if the system does not report it. Does not follow symbolic links.
 */
bool ctessera_is_mount_point(const char *path);

/** The identity of a file, independent of its name, and its size in bytes. */
typedef struct ctessera_identity {
  uint64_t device;
  uint64_t number;
  int64_t size;
} ctessera_identity;

/**
 * Get the identity and the size of a file, without its timestamps.
 *
 * Returns false and sets errno if the file does not exist or the system call fails. The path variant does not open the
 * file and does not follow symbolic links.
 */
bool ctessera_path_identity(const char *path, ctessera_identity *result);
bool ctessera_descriptor_identity(int descriptor, ctessera_identity *result);

/**
 * Return true if a path is on a network file system, which cannot share memory, and where locks may wait for the
 * network.
 *
 * For a path that does not exist, the nearest existing parent directory is checked. Returns false if the system does
 * not report the type.
 */
bool ctessera_is_remote(const char *path);

/** Unregister and free a VFS. All connections that use it must be closed. NULL does nothing. */
void ctessera_vfs_free(ctessera_vfs *vfs);

/**
 * Create shared memory that other processes of the user can attach to by its ID.
 *
 * The kernel frees it when the last process detaches. Unlike a mapped file, it has no name and cannot be truncated, so
 * that access never fails. Returns NULL if the system does not support or refuses it.
 */
void *ctessera_shared_memory_create(size_t size, int *number);

/**
 * Attach to shared memory by its ID. Returns NULL if it does not exist, has another size or owner, or is in another
 * container.
 */
void *ctessera_shared_memory_attach(size_t size, int number);

/** Detach from shared memory. */
void ctessera_shared_memory_detach(void *memory);

struct sqlite3;

/**
 * Reserve disk space for additional pages in the write-ahead log of a database, inside a write transaction.
 *
 * Returns an SQLite result code: SQLITE_IOERR_WRITE if the disk is full, and SQLITE_OK also if the space is unknown.
 */
int ctessera_reserve_log(struct sqlite3 *database, int pages);

/** Get the errno value because of which the WAL index is read-only or missing; 0 if it is writable or not in use. */
int ctessera_index_errno(struct sqlite3 *database);

/**
 * Return true if a connection uses POSIX locks, because the system refused open file description locks.
 *
 * POSIX locks do not exclude another copy of this library in the same process.
 */
bool ctessera_has_process_locks(struct sqlite3 *database);

/**
 * Count an opening of a file that this process locks with POSIX locks.
 *
 * The system releases all POSIX locks of a process on a file when the process closes any descriptor of the file. Call
 * this function before the first lock, and ctessera_process_locks_end() after the last one.
 *
 * Returns false if memory is exhausted. Do not lock the file in that case.
 */
bool ctessera_process_locks_begin(const ctessera_identity *file);

/** Count the end of an opening. The last one closes the descriptors that were kept open for the locks. */
void ctessera_process_locks_end(const ctessera_identity *file);

/** Close a descriptor, or keep it open as long as this process locks its file with POSIX locks. Preserves errno. */
void ctessera_close_keeping_locks(int descriptor);

/** Copy up to 16 random bytes that are the same for all code of this process. Returns false if there are none. */
bool ctessera_process_secret(void *bytes, size_t count);

/**
 * Claim a name until the process ends. Returns 0, EADDRINUSE if it is claimed already, or another errno value.
 *
 * The name is that of an abstract socket. The kernel therefore allows only one claim, and releases it when the process
 * ends.
 */
int ctessera_claim(const char *name);

#endif
