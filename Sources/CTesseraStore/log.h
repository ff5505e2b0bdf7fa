/* SPDX-License-Identifier: MIT */
/* The write-ahead log of a database, whose pages are checked whenever they are read. */
#ifndef CTESSERA_LOG_H
#define CTESSERA_LOG_H

#include <sqlite3.h>

#include "pages.h"

/** What one connection has open: its database and the log of it; NULL where that is closed. */
typedef struct ctessera_opened {
  const ctessera_pages *pages;
  sqlite3_file *log;
} ctessera_opened;

/** Bytes of an open log, without those of SQLite's own file behind it. */
extern const int ctessera_log_size;

/** Open a log through another way to files, which needs its bytes directly behind. */
int ctessera_log_open(sqlite3_vfs *plain, const char *path, sqlite3_file *handle, int flags,
                      int *out_flags, ctessera_opened *opened);

/** Write what a log still has in memory: frames wait there for the last one of their transaction. NULL does nothing. */
void ctessera_log_settle(sqlite3_file *log);

#endif
