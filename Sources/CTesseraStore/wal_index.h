/* SPDX-License-Identifier: MIT */
/* The index of a write-ahead log in memory that all processes share. */
#ifndef CTESSERA_WAL_INDEX_H
#define CTESSERA_WAL_INDEX_H

#include "ctessera_store.h"

/** The shared memory of one connection. Zero-initialize it and set `database` before the first use. */
typedef struct ctessera_wal_index {
  /** The identity of the database file. */
  ctessera_identity database;
  char *path;
  int descriptor;
  /** Whether the file is read-only. It remains so until SQLite unmaps the memory. */
  int is_read_only;
  /** The errno value because of which the file is read-only or missing; 0 if it is writable. Kept after unmapping. */
  int index_errno;
  void **regions;
  int count;
  int step;
  int size;
} ctessera_wal_index;

/**
 * Implement xShmMap, xShmLock and xShmUnmap of SQLite for the database file at a path. A barrier needs no file.
 *
 * If the file cannot be created, for lack of disk space or permission, the result is SQLITE_READONLY_CANTINIT. SQLite
 * then reads the log without the index, and tries again in each transaction.
 */
int ctessera_wal_index_map(ctessera_wal_index *memory, const char *database, int region,
                               int size, int extend, void volatile **address);
struct sqlite3_file;

/**
 * Implement xShmMap through a file of SQLite's default VFS. If memory cannot be shared, SQLite reads the log without the
 * index.
 */
int ctessera_wal_index_map_plain(ctessera_wal_index *memory, struct sqlite3_file *plain,
                                     int region, int size, int extend, void volatile **address);
int ctessera_wal_index_lock(ctessera_wal_index *memory, int offset, int count, int flags);
int ctessera_wal_index_unmap(ctessera_wal_index *memory, int remove);

/** Get the number of frames in the log, as of the last transaction that this connection has read. */
int ctessera_wal_index_frames(const ctessera_wal_index *memory, unsigned *frames);

#endif
