// SPDX-License-Identifier: MIT
// Write-ahead log: verifies the checksum of each page on every read. SQLite verifies them only during recovery.

#include "wal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reserve.h"
#include "checksum.h"

// Sizes of the WAL header, of a frame header, and of the checksum at the end of both (SQLite's file format, 4.1).
enum { log_header = 32, frame_header = 24, checksum_size = 8, smallest = 512, largest = 65536 };
// The maximum number of frames in one write. Storing one token response takes seven frames.
enum { frames_per_write = 16 };

typedef struct log_file {
  sqlite3_file base;
  sqlite3_file *plain;
  /// The offset of the frame header that this connection wrote last.
  sqlite3_int64 header_offset;
  /// Whether frames of the current transaction are being rewritten. SQLite writes their checksums at commit.
  bool is_rewriting;
  /// Whether a frame header is buffered until its page is written, so that one write stores both.
  bool has_pending_header;
  unsigned char head[frame_header];
  /// A buffer of adjacent frames of a transaction, written with its last frame. `buffer_offset` is the offset of the first.
  unsigned char *buffer;
  int capacity;
  int filled;
  sqlite3_int64 buffer_offset;
  ctessera_opened *opened;
  /// A buffer for reading two frames.
  unsigned char *frames;
  int page_size;
} log_file;

const int ctessera_log_size = sizeof(log_file);

#define PLAIN(handle) ((log_file *)(handle))->plain
#define CALL(handle, method, ...) PLAIN(handle)->pMethods->method(PLAIN(handle), ##__VA_ARGS__)

static int write_plain(log_file *self, const void *bytes, int count, sqlite3_int64 offset) {
  return ctessera_map_write_error(self->plain->pMethods->xWrite(self->plain, bytes, count, offset));
}

/// Writes the buffered frames.
static int flush(log_file *self) {
  int count = self->filled;
  self->filled = 0;
  return count == 0 ? SQLITE_OK : write_plain(self, self->buffer, count, self->buffer_offset);
}

/// Writes the buffered frames and header, before any operation that does not add the next page or frame.
static int flush_all(sqlite3_file *handle) {
  log_file *self = (log_file *)handle;
  int result = flush(self);
  if (!self->has_pending_header || result != SQLITE_OK) return result;
  self->has_pending_header = false;
  return write_plain(self, self->head, frame_header, self->header_offset);
}

/// Reserves buffer space for one more frame. First writes the buffered frames if the buffer is full or they are not
/// adjacent.
static int reserve_buffer(log_file *self, int size) {
  bool is_next = self->header_offset == self->buffer_offset + self->filled;
  int result = self->filled == 0 || (is_next && self->filled + size <= self->capacity)
                   ? SQLITE_OK
                   : flush(self);
  if (result != SQLITE_OK || size <= self->capacity) return result;
  unsigned char *buffer = realloc(self->buffer, (size_t)size * frames_per_write);
  if (buffer == NULL) return SQLITE_IOERR_NOMEM;
  self->buffer = buffer;
  self->capacity = size * frames_per_write;
  return SQLITE_OK;
}

/// Appends a page with its header to the buffer. Writes the buffer with the last frame of a transaction.
static int write_frame(log_file *self, const void *page, int count) {
  int size = frame_header + count;
  self->has_pending_header = false;
  int result = reserve_buffer(self, size);
  if (result != SQLITE_OK) return result;
  if (self->filled == 0) self->buffer_offset = self->header_offset;
  memcpy(self->buffer + self->filled, self->head, frame_header);
  memcpy(self->buffer + self->filled + frame_header, page, (size_t)count);
  ctessera_pages_mark_unverified(self->opened->pages, page, count);
  self->filled += size;
  // The last frame of a transaction contains the size of the database, the others contain 0 (SQLite's file format,
  // 4.1).
  bool is_last = ctessera_decode_u32(self->head + 4) != 0;
  return is_last || self->filled + size > self->capacity ? flush(self) : SQLITE_OK;
}

/// Returns whether a frame starts at an offset, for a page size.
static bool is_frame(sqlite3_int64 offset, int page_size) {
  return offset >= log_header && (offset - log_header) % (frame_header + page_size) == 0;
}

/// Returns whether an access is to the page of a frame.
static bool is_page(int count, sqlite3_int64 offset) {
  return count >= smallest && count <= largest && (count & (count - 1)) == 0 &&
         is_frame(offset - frame_header, count);
}

static void decode_checksum(const unsigned char *bytes, uint32_t checksum[2]) {
  checksum[0] = __builtin_bswap32(ctessera_decode_u32(bytes));
  checksum[1] = __builtin_bswap32(ctessera_decode_u32(bytes + 4));
}

/// Returns whether the checksum of a frame is correct. It continues the checksum of the preceding frame.
static bool has_valid_checksum(const unsigned char *before, const unsigned char *head,
                     const unsigned char *page, int page_size, bool highest_first) {
  uint32_t checksum[2], found[2];
  decode_checksum(before, checksum);
  ctessera_checksum(checksum, head, 8, highest_first);
  ctessera_checksum(checksum, page, page_size, highest_first);
  decode_checksum(head + frame_header - checksum_size, found);
  return checksum[0] == found[0] && checksum[1] == found[1];
}

/// Reads a page of a transaction before its checksums are written.
static int read_before_checksum(log_file *self, void *bytes, int count, sqlite3_int64 offset) {
  int result = self->plain->pMethods->xRead(self->plain, bytes, count, offset);
  if (result == SQLITE_OK) ctessera_pages_mark_unverified(self->opened->pages, bytes, count);
  return result;
}

static int read_log(sqlite3_file *handle, void *bytes, int count, sqlite3_int64 offset) {
  log_file *self = (log_file *)handle;
  int flushed = flush_all(handle);
  if (flushed != SQLITE_OK) return flushed;
  if (!is_page(count, offset)) return CALL(handle, xRead, bytes, count, offset);
  if (self->is_rewriting) return read_before_checksum(self, bytes, count, offset);
  if (count > self->page_size) {
    unsigned char *frames = realloc(self->frames, (size_t)count * 2 + frame_header + checksum_size);
    if (frames == NULL) return SQLITE_IOERR_NOMEM;
    self->frames = frames;
    self->page_size = count;
  }
  // One read covers the preceding checksum (of a frame or of the WAL header), the page of the preceding frame, and this
  // frame.
  bool is_first = offset == log_header + frame_header;
  int skipped = checksum_size + (is_first ? 0 : count);
  int length = skipped + frame_header + count;
  int result = CALL(handle, xRead, self->frames, length, offset - frame_header - skipped);
  if (result == SQLITE_IOERR_SHORT_READ) return SQLITE_IOERR_DATA;
  if (result != SQLITE_OK) return result;
  const unsigned char *head = self->frames + skipped, *page = head + frame_header;
  if (!has_valid_checksum(self->frames, head, page, count, false) &&
      !has_valid_checksum(self->frames, head, page, count, true))
    return SQLITE_IOERR_DATA;
  memcpy(bytes, page, (size_t)count);
  ctessera_pages_mark_unverified(self->opened->pages, bytes, count);
  return SQLITE_OK;
}

static int write_log(sqlite3_file *handle, const void *bytes, int count, sqlite3_int64 offset) {
  log_file *self = (log_file *)handle;
  bool is_next = is_page(count, offset) && self->header_offset == offset - frame_header;
  if (self->has_pending_header && is_next) return write_frame(self, bytes, count);
  // The header of the next frame. Keep the buffered frames.
  bool begins = count == frame_header && !self->has_pending_header;
  int flushed = begins ? SQLITE_OK : flush_all(handle);
  if (flushed != SQLITE_OK) return flushed;
  if (count == frame_header) {
    self->header_offset = offset;
    // A header without salt and checksum is completed at commit (wal.c: walEncodeFrame). Then all frames are complete.
    const unsigned char *salt = (const unsigned char *)bytes + 8;
    self->is_rewriting = memcmp(salt, (const unsigned char[16]){0}, 16) == 0;
    memcpy(self->head, bytes, frame_header);
    self->has_pending_header = true;
    return SQLITE_OK;
  }
  if (is_page(count, offset) && !is_next) self->is_rewriting = true;
  int result = write_plain(self, bytes, count, offset);
  if (is_page(count, offset)) ctessera_pages_mark_unverified(self->opened->pages, bytes, count);
  return result;
}

static int close_log(sqlite3_file *handle) {
  log_file *self = (log_file *)handle;
  if (self->opened->log == handle) self->opened->log = NULL;
  free(self->frames);
  free(self->buffer);
  return CALL(handle, xClose);
}
static int truncate_log(sqlite3_file *handle, sqlite3_int64 size) {
  int flushed = flush_all(handle);
  return flushed == SQLITE_OK ? CALL(handle, xTruncate, size) : flushed;
}
static int sync_log(sqlite3_file *handle, int flags) {
  int flushed = flush_all(handle);
  return flushed == SQLITE_OK ? CALL(handle, xSync, flags) : flushed;
}
static int log_file_size(sqlite3_file *handle, sqlite3_int64 *size) {
  int flushed = flush_all(handle);
  return flushed == SQLITE_OK ? CALL(handle, xFileSize, size) : flushed;
}
static int lock_log(sqlite3_file *handle, int level) { return CALL(handle, xLock, level); }
static int unlock_log(sqlite3_file *handle, int level) { return CALL(handle, xUnlock, level); }
static int check_reserved(sqlite3_file *handle, int *result) {
  return CALL(handle, xCheckReservedLock, result);
}
static int control_log(sqlite3_file *handle, int operation, void *argument) {
  return CALL(handle, xFileControl, operation, argument);
}
static int sector_size(sqlite3_file *handle) { return CALL(handle, xSectorSize); }
static int characteristics(sqlite3_file *handle) { return CALL(handle, xDeviceCharacteristics); }

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = log_file_size,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = check_reserved,
    .xFileControl = control_log,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

void ctessera_log_flush(sqlite3_file *log) {
  if (log != NULL) flush_all(log);
}

int ctessera_log_open(sqlite3_vfs *plain, const char *path, sqlite3_file *handle, int flags,
                      int *out_flags, ctessera_opened *opened) {
  log_file *self = (log_file *)handle;
  memset(self, 0, sizeof *self);
  self->plain = (sqlite3_file *)(self + 1);
  int result = plain->xOpen(plain, path, self->plain, flags, out_flags);
  if (result != SQLITE_OK) return result;
  self->base.pMethods = &methods;
  self->opened = opened;
  opened->log = handle;
  return result;
}
