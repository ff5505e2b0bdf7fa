/* SPDX-License-Identifier: MIT */
/* The write-ahead log of a database, whose pages are checked whenever they are read. */
#ifndef CTESSERA_LOG_H
#define CTESSERA_LOG_H

#include <sqlite3.h>

/** Bytes of an open log, without those of SQLite's own file behind it. */
extern const int ctessera_log_size;

/** Open a log through another way to files, which needs its bytes directly behind. */
int ctessera_log_open(sqlite3_vfs *plain, const char *path, sqlite3_file *handle, int flags,
                      int *out_flags);

#endif
