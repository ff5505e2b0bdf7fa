/* SPDX-License-Identifier: MIT */
/* The pages of a database file, with a checksum in each that detects damage. */
#ifndef CTESSERA_PAGES_H
#define CTESSERA_PAGES_H

#include <sqlite3.h>
#include <stdbool.h>

/** The state of an open database file. Zero-initialize it and set `plain` before the first use. */
typedef struct ctessera_pages {
  sqlite3_file *plain;
  /** Whether the database header was read. */
  bool known;
  /** The page size in bytes; 0 if pages have no checksums. */
  int size;
  unsigned char *copy;
} ctessera_pages;

/** Implement xRead and xWrite of SQLite. Reading a damaged page returns SQLITE_IOERR_DATA. */
int ctessera_pages_read(ctessera_pages *pages, void *bytes, int count, sqlite3_int64 offset);
int ctessera_pages_write(ctessera_pages *pages, const void *bytes, int count, sqlite3_int64 offset);

/**
 * Replace the checksum of a page in SQLite's memory with the marker for "not verified", if such pages have checksums.
 *
 * Pages that are new in memory end with zeros, and are written to the log in that form. The reserved bytes belong to the
 * VFS, so it may change them in SQLite's buffer, as SQLite's cksumvfs.c does.
 */
void ctessera_pages_mark_unverified(const ctessera_pages *pages, const void *page, int count);

/** Free the memory of the state. */
void ctessera_pages_free(ctessera_pages *pages);

#endif
