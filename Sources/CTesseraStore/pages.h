/* SPDX-License-Identifier: MIT */
/* The pages of a database file, with a sum in each by which damage is recognised. */
#ifndef CTESSERA_PAGES_H
#define CTESSERA_PAGES_H

#include <sqlite3.h>
#include <stdbool.h>

/** How a database file is read and written; zeroed, but for the file, before it is first used. */
typedef struct ctessera_pages {
  sqlite3_file *plain;
  /** Whether the head of the file has been seen. */
  bool known;
  /** Bytes of a page; 0 in a database whose pages have no sums. */
  int size;
  unsigned char *copy;
} ctessera_pages;

/** What SQLite wants (xRead, xWrite); SQLITE_IOERR_DATA for a page that is not as it was written. */
int ctessera_pages_read(ctessera_pages *pages, void *bytes, int count, sqlite3_int64 offset);
int ctessera_pages_write(ctessera_pages *pages, const void *bytes, int count, sqlite3_int64 offset);

/**
 * Say of a page in SQLite's memory that it has no sum, as of those that are read, if pages of that size have sums.
 *
 * What is new in memory ends in zeros and comes into the log like that. SQLite lends its memory to those who write, as
 * cksumvfs.c of SQLite does, which puts its sums there: the reserved bytes belong to them.
 */
void ctessera_pages_mark(const ctessera_pages *pages, const void *page, int count);

/** Give back what was allocated. */
void ctessera_pages_end(ctessera_pages *pages);

#endif
