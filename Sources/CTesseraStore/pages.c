// SPDX-License-Identifier: MIT
// The last eight bytes of a page are a sum over the others, if the database reserves them, as in SQLite's cksumvfs.c.

#include "pages.h"

#include <stdlib.h>
#include <string.h>

#include "reserve.h"
#include "sums.h"

// Where the head of a database has what is needed here (SQLite's file format, 1.3 "The Database Header").
enum { head_size = 100, page_size_at = 16, reserved_at = 20, reserved = 8 };
enum { smallest = 512, largest = 65536, sector = 512 };

// In place of a sum, in memory and in the write-ahead log. Another SQLite that writes the log back puts it into the
// database; such a page is not checked.
static const unsigned char unchecked[reserved + 1] = "uncheckd";
static const unsigned char nothing[sector];

static bool is_size(int size) {
  return size >= smallest && size <= largest && (size & (size - 1)) == 0;
}

/// Learns from the head of the file whether pages have sums.
static int learn(ctessera_pages *pages, const unsigned char *head) {
  pages->known = memcmp(head, "SQLite format 3", 16) == 0;
  int size = head[page_size_at] << 8 | head[page_size_at + 1];
  if (size == 1) size = largest;
  if (!pages->known || head[reserved_at] != reserved || !is_size(size)) size = 0;
  if (size > pages->size) {
    unsigned char *copy = realloc(pages->copy, (size_t)size);
    if (copy == NULL) return SQLITE_IOERR_NOMEM;
    pages->copy = copy;
  }
  pages->size = size;
  return SQLITE_OK;
}

/// The sum over a page, with the number of the page, so that none can lie in the place of another one.
static void sum(const unsigned char *page, int size, sqlite3_int64 offset, unsigned char *result) {
  uint32_t sums[2] = {(uint32_t)(offset / size) + 1, 0};
  int start = 0;
  if (offset == 0) {
    // Copies that SQLite makes differ in counters of the head: of changes, of the schema, of SQLite's version.
    unsigned char head[104];
    memcpy(head, page, sizeof head);
    memset(head + 24, 0, 4);
    memset(head + 40, 0, 4);
    memset(head + 92, 0, 8);
    ctessera_sum(sums, head, sizeof head, false);
    start = sizeof head;
  }
  ctessera_sum(sums, page + start, size - reserved - start, false);
  for (int i = 0; i < reserved; i++) result[i] = (unsigned char)(sums[i / 4] >> i % 4 * 8);
}

/// Whether a page of a tree has rows, but its end is gone: rows are written from the end on.
static bool has_lost_its_end(const unsigned char *page, int size, sqlite3_int64 offset) {
  const unsigned char *tree = offset == 0 ? page + head_size : page;
  bool is_tree = tree[0] == 2 || tree[0] == 5 || tree[0] == 10 || tree[0] == 13;
  return is_tree && (tree[3] | tree[4]) != 0 && memcmp(page + size - sector, nothing, sector) == 0;
}

/// Whether a page is as it was written.
static bool is_whole(const unsigned char *page, int size, sqlite3_int64 offset) {
  const unsigned char *found = page + size - reserved;
  unsigned char expected[reserved];
  sum(page, size, offset, expected);
  if (memcmp(found, expected, reserved) == 0 || memcmp(found, unchecked, reserved) == 0)
    return true;
  // A page that was new in the log when another SQLite wrote it back.
  return memcmp(found, nothing, reserved) == 0 && !has_lost_its_end(page, size, offset);
}

/// Whether the only thing wrong with the first page is that it says that there are no sums.
static bool denies_sums(unsigned char *page, int size) {
  unsigned char said = page[reserved_at], expected[reserved];
  if (said == reserved || !is_size(size)) return false;
  page[reserved_at] = reserved;
  sum(page, size, 0, expected);
  page[reserved_at] = said;
  return memcmp(page + size - reserved, expected, reserved) == 0;
}

static int learn_from_file(ctessera_pages *pages) {
  unsigned char head[head_size];
  int result = pages->plain->pMethods->xRead(pages->plain, head, sizeof head, 0);
  if (result == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
  return result == SQLITE_OK ? learn(pages, head) : result;
}

/// What a read that met the end of the file comes to: nothing is there yet, or half a page is.
static int end_met(ctessera_pages *pages, sqlite3_int64 offset) {
  sqlite3_int64 size = 0;
  int result = pages->plain->pMethods->xFileSize(pages->plain, &size);
  if (result != SQLITE_OK) return result;
  return size > offset ? SQLITE_IOERR_DATA : SQLITE_IOERR_SHORT_READ;
}

int ctessera_pages_read(ctessera_pages *pages, void *bytes, int count, sqlite3_int64 offset) {
  unsigned char *page = bytes;
  int result = pages->plain->pMethods->xRead(pages->plain, bytes, count, offset);
  bool is_short = result == SQLITE_IOERR_SHORT_READ;
  if (result != SQLITE_OK && !is_short) return result;
  int learnt = SQLITE_OK;
  if (offset == 0 && count >= head_size && !is_short)
    learnt = learn(pages, page);
  else if (!pages->known && count >= smallest)
    learnt = learn_from_file(pages);
  if (learnt != SQLITE_OK) return learnt;
  if (offset == 0 && !is_short && denies_sums(page, count)) return SQLITE_IOERR_DATA;
  if (pages->size == 0 || count != pages->size || offset % count != 0) return result;
  if (is_short) return end_met(pages, offset);
  if (!is_whole(page, count, offset)) return SQLITE_IOERR_DATA;
  memcpy(page + count - reserved, unchecked, reserved);
  return SQLITE_OK;
}

int ctessera_pages_write(ctessera_pages *pages, const void *bytes, int count,
                         sqlite3_int64 offset) {
  int result = SQLITE_OK;
  if (offset == 0 && count >= head_size)
    result = learn(pages, bytes);
  else if (!pages->known && count >= smallest)
    result = learn_from_file(pages);
  if (result != SQLITE_OK) return result;
  if (pages->size != 0 && count == pages->size && offset % count == 0) {
    memcpy(pages->copy, bytes, (size_t)count);
    sum(pages->copy, count, offset, pages->copy + count - reserved);
    bytes = pages->copy;
  }
  return ctessera_written(pages->plain->pMethods->xWrite(pages->plain, bytes, count, offset));
}

void ctessera_pages_end(ctessera_pages *pages) { free(pages->copy); }
