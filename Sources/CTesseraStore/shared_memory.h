/* SPDX-License-Identifier: MIT */
/* The index of a write-ahead log in memory that all processes share. */
#ifndef CTESSERA_SHARED_MEMORY_H
#define CTESSERA_SHARED_MEMORY_H

/** The shared memory of one connection; zeroed before it is first used. */
typedef struct ctessera_shared_memory {
  char *path;
  int descriptor;
  /** Whether the file can be read only; it stays so until SQLite gives the memory back. */
  int is_read_only;
  /** Why the file can be read only, or not be made, as errno says it; 0 for neither. It outlasts the rest. */
  int refusal;
  void **regions;
  int count;
  int step;
  int size;
} ctessera_shared_memory;

/**
 * What SQLite wants (xShmMap, xShmLock, xShmUnmap), for a database file at a path; a barrier needs no file.
 *
 * Where the file cannot be made, for lack of room or of permission, the answer is SQLITE_READONLY_CANTINIT: then SQLite
 * reads the log by itself, and looks again at each transaction.
 */
int ctessera_shared_memory_map(ctessera_shared_memory *memory, const char *database, int region,
                               int size, int extend, void volatile **address);
struct sqlite3_file;

/** The same by a file of SQLite's own. Where memory cannot be shared, SQLite reads the log by itself. */
int ctessera_shared_memory_map_plain(ctessera_shared_memory *memory, struct sqlite3_file *plain,
                                     int region, int size, int extend, void volatile **address);
int ctessera_shared_memory_lock(ctessera_shared_memory *memory, int offset, int count, int flags);
int ctessera_shared_memory_unmap(ctessera_shared_memory *memory, int remove);

/** How many frames the log has, as of the last transaction that this connection has seen. */
int ctessera_shared_memory_frames(const ctessera_shared_memory *memory, unsigned *frames);

#endif
