/* SPDX-License-Identifier: MIT */
/* The write-ahead log of a database, whose pages are checked whenever they are read. */
#ifndef CTESSERA_LOG_H
#define CTESSERA_LOG_H

#include <sqlite3.h>

/** Bytes of an open log, without those of SQLite's own file behind it. */
extern const int ctessera_log_size;

/** Open a log through another way to files, which needs its bytes directly behind; *owner leads to it while it is open. */
int ctessera_log_open(sqlite3_vfs *plain, const char *path, sqlite3_file *handle, int flags,
                      int *out_flags, sqlite3_file **owner);

/** Write what a log still has in memory: frames wait there for the last one of their transaction. NULL does nothing. */
void ctessera_log_settle(sqlite3_file *log);

#endif
