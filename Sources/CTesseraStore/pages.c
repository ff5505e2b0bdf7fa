// SPDX-License-Identifier: MIT
// Page checksums: if the database reserves eight bytes at the end of each page, they are a checksum, as in SQLite's
// cksumvfs.c.

#include "pages.h"

#include <stdlib.h>
#include <string.h>

#include "reserve.h"
#include "checksum.h"

// Offsets in the database header (SQLite's file format, 1.3 "The Database Header").
enum { head_size = 100, page_size_at = 16, reserved_at = 20, reserved = 8 };
enum { smallest = 512, largest = 65536, sector = 512 };

// A marker in place of the checksum, in memory and in the write-ahead log. If another SQLite checkpoints the log, it
// copies the marker to the database. Such a page is not verified.
static const unsigned char unchecked[reserved + 1] = "uncheckd";
static const unsigned char zeros[sector];

static bool is_size(int size) {
  return size >= smallest && size <= largest && (size & (size - 1)) == 0;
}

/// Reads from the database header whether pages have checksums.
static int read_header(ctessera_pages *pages, const unsigned char *head) {
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

/// Computes the checksum of a page. It includes the page number, so that a page at the wrong position is detected.
static void compute_checksum(const unsigned char *page, int size, sqlite3_int64 offset,
                             unsigned char *result) {
  uint32_t checksum[2] = {(uint32_t)(offset / size) + 1, 0};
  int start = 0;
  if (offset == 0) {
    // Exclude header fields that differ in copies by SQLite: change counter, schema cookie, version-valid-for and
    // version.
    unsigned char head[104];
    memcpy(head, page, sizeof head);
    memset(head + 24, 0, 4);
    memset(head + 40, 0, 4);
    memset(head + 92, 0, 8);
    ctessera_checksum(checksum, head, sizeof head, false);
    start = sizeof head;
  }
  ctessera_checksum(checksum, page + start, size - reserved - start, false);
  for (int i = 0; i < reserved; i++) result[i] = (unsigned char)(checksum[i / 4] >> i % 4 * 8);
}

/// Returns whether a b-tree page has rows but its last sector is lost. Rows are stored from the end of the page.
static bool has_lost_its_end(const unsigned char *page, int size, sqlite3_int64 offset) {
  const unsigned char *tree = offset == 0 ? page + head_size : page;
  bool is_tree = tree[0] == 2 || tree[0] == 5 || tree[0] == 10 || tree[0] == 13;
  return is_tree && (tree[3] | tree[4]) != 0 && memcmp(page + size - sector, zeros, sector) == 0;
}

/// Inverts a checksum. On the first page, an inverted checksum means that other pages may lack theirs.
static void invert(unsigned char *sum) {
  for (int i = 0; i < reserved; i++) sum[i] ^= 0xff;
}

/// Returns whether the first page ends with its checksum or with the inverted one.
static bool has_valid_checksum(const unsigned char *page, int size) {
  unsigned char expected[reserved];
  compute_checksum(page, size, 0, expected);
  const unsigned char *found = page + size - reserved;
  if (memcmp(found, expected, reserved) == 0) return true;
  invert(expected);
  return memcmp(found, expected, reserved) == 0;
}

/// Reads from the first page whether every page was written with a checksum.
///
/// If another SQLite checkpoints a page that was new in the log, it also writes the first page, which contains the page
/// count. The checksum of the first page is then missing, and Tessera inverts the next one that it writes.
static int read_coverage(ctessera_pages *pages, bool *all_have_checksums) {
  *all_have_checksums = true;
  int result = pages->plain->pMethods->xRead(pages->plain, pages->copy, pages->size, 0);
  if (result == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
  if (result != SQLITE_OK) return result;
  unsigned char expected[reserved];
  compute_checksum(pages->copy, pages->size, 0, expected);
  *all_have_checksums = memcmp(pages->copy + pages->size - reserved, expected, reserved) == 0;
  return SQLITE_OK;
}

/// Decides whether a page may lack a checksum: it was never written, or another SQLite wrote it from the log.
static int verify_without_checksum(ctessera_pages *pages, const unsigned char *page,
                             sqlite3_int64 offset) {
  int size = pages->size;
  if (memcmp(page + size - reserved, zeros, reserved) != 0) return SQLITE_IOERR_DATA;
  if (offset != 0) {
    if (page[0] == 0 && memcmp(page, page + 1, (size_t)size - 1) == 0) return SQLITE_OK;
    bool all_have_checksums;
    int result = read_coverage(pages, &all_have_checksums);
    if (result != SQLITE_OK) return result;
    if (all_have_checksums) return SQLITE_IOERR_DATA;
  }
  return has_lost_its_end(page, size, offset) ? SQLITE_IOERR_DATA : SQLITE_OK;
}

/// Verifies a page. Returns SQLITE_OK, or SQLITE_IOERR_DATA if it is damaged.
static int verify(ctessera_pages *pages, const unsigned char *page, sqlite3_int64 offset) {
  const unsigned char *found = page + pages->size - reserved;
  unsigned char expected[reserved];
  compute_checksum(page, pages->size, offset, expected);
  if (memcmp(found, expected, reserved) == 0 || memcmp(found, unchecked, reserved) == 0)
    return SQLITE_OK;
  if (offset == 0 && has_valid_checksum(page, pages->size)) return SQLITE_OK;
  return verify_without_checksum(pages, page, offset);
}

/// Returns whether the first page is valid except for its header, which wrongly declares no checksums.
static bool declares_no_checksums(unsigned char *page, int size) {
  unsigned char declared = page[reserved_at];
  if (declared == reserved || !is_size(size)) return false;
  page[reserved_at] = reserved;
  bool is_otherwise_valid = has_valid_checksum(page, size);
  page[reserved_at] = declared;
  return is_otherwise_valid;
}

static int read_header_from_file(ctessera_pages *pages) {
  unsigned char head[head_size];
  int result = pages->plain->pMethods->xRead(pages->plain, head, sizeof head, 0);
  if (result == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
  return result == SQLITE_OK ? read_header(pages, head) : result;
}

/// Returns the result of a read at the end of the file: the page does not exist yet, or it is truncated.
static int short_read_result(ctessera_pages *pages, sqlite3_int64 offset) {
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
  int header_result = SQLITE_OK;
  if (offset == 0 && count >= head_size && !is_short)
    header_result = read_header(pages, page);
  else if (!pages->known && count >= smallest)
    header_result = read_header_from_file(pages);
  if (header_result != SQLITE_OK) return header_result;
  if (offset == 0 && !is_short && declares_no_checksums(page, count)) return SQLITE_IOERR_DATA;
  if (pages->size == 0 || count != pages->size || offset % count != 0) return result;
  if (is_short) return short_read_result(pages, offset);
  int verified = verify(pages, page, offset);
  if (verified == SQLITE_OK) ctessera_pages_mark_unverified(pages, page, count);
  return verified;
}

/// Zeroes the gap between the cell pointer array of a leaf page and its rows.
///
/// SQLite overwrites deleted content ("PRAGMA secure_delete"), but a page split leaves copies of the moved rows in the
/// gap. These would outlive the rows.
static void clear_gap(unsigned char *page, int size, sqlite3_int64 offset) {
  int head = offset == 0 ? head_size : 0;
  const unsigned char *leaf = page + head;
  // No other page starts with these values: pointer-map pages start with 1 to 5, and other pages with a page number.
  if (leaf[0] != 10 && leaf[0] != 13) return;
  int begin = head + 8 + 2 * (leaf[3] << 8 | leaf[4]), end = leaf[5] << 8 | leaf[6];
  if (begin < end && end <= size - reserved) memset(page + begin, 0, (size_t)(end - begin));
}

/// Copies a page to the buffer, with its checksum.
static int copy_with_checksum(ctessera_pages *pages, const void *bytes, sqlite3_int64 offset) {
  bool all_have_checksums = true;
  if (offset == 0) {
    int result = read_coverage(pages, &all_have_checksums);
    if (result != SQLITE_OK) return result;
  }
  unsigned char *end = pages->copy + pages->size - reserved;
  memcpy(pages->copy, bytes, (size_t)pages->size);
  clear_gap(pages->copy, pages->size, offset);
  compute_checksum(pages->copy, pages->size, offset, end);
  if (!all_have_checksums) invert(end);
  return SQLITE_OK;
}

int ctessera_pages_write(ctessera_pages *pages, const void *bytes, int count,
                         sqlite3_int64 offset) {
  int result = SQLITE_OK;
  if (offset == 0 && count >= head_size)
    result = read_header(pages, bytes);
  else if (!pages->known && count >= smallest)
    result = read_header_from_file(pages);
  if (result != SQLITE_OK) return result;
  if (pages->size != 0 && count == pages->size && offset % count == 0) {
    result = copy_with_checksum(pages, bytes, offset);
    if (result != SQLITE_OK) return result;
    ctessera_pages_mark_unverified(pages, bytes, count);
    bytes = pages->copy;
  }
  return ctessera_map_write_error(pages->plain->pMethods->xWrite(pages->plain, bytes, count, offset));
}

void ctessera_pages_mark_unverified(const ctessera_pages *pages, const void *page, int count) {
  if (pages != NULL && pages->size == count)
    memcpy((unsigned char *)page + count - reserved, unchecked, reserved);
}

void ctessera_pages_free(ctessera_pages *pages) { free(pages->copy); }
