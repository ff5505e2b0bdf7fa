/* SPDX-License-Identifier: MIT */
/* The write-ahead log of a database, with verification of each page on every read. */
#ifndef CTESSERA_WAL_H
#define CTESSERA_WAL_H

#include <sqlite3.h>

#include "pages.h"

/** The open files of a connection: its database and the write-ahead log; NULL if closed. */
typedef struct ctessera_opened {
  const ctessera_pages *pages;
  sqlite3_file *log;
} ctessera_opened;

/** The size of an open log in bytes, without that of the underlying SQLite file. */
extern const int ctessera_log_size;

/** Open a log through another VFS. The memory of its file must directly follow `handle`. */
int ctessera_log_open(sqlite3_vfs *plain, const char *path, sqlite3_file *handle, int flags,
                      int *out_flags, ctessera_opened *opened);

/** Write buffered frames, which wait for the last frame of their transaction. NULL does nothing. */
void ctessera_log_flush(sqlite3_file *log);

#endif
