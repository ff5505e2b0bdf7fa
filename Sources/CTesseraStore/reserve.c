// SPDX-License-Identifier: MIT
// Reservation of disk space for the write-ahead log, and diagnosis of a full disk.

#include "reserve.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>

#include "ctessera_store.h"

// Sizes of the WAL header and of a frame header (SQLite's file format, 4.1).
enum { log_header = 32, frame_header = 24, page_size = 4096, chunk_size = 64 * 1024 };

int ctessera_map_write_error(int result) {
  return result == SQLITE_IOERR_WRITE && (errno == EDQUOT || errno == EFBIG) ? SQLITE_FULL : result;
}

int ctessera_index_errno(struct sqlite3 *database) {
  int index_errno = 0;
  int result = sqlite3_file_control(database, "main", ctessera_index_refusal, &index_errno);
  return result == SQLITE_OK ? index_errno : 0;
}

bool ctessera_has_process_locks(struct sqlite3 *database) {
  int has_locks = 0;
  int result = sqlite3_file_control(database, "main", ctessera_process_locks, &has_locks);
  return result == SQLITE_OK && has_locks;
}

int ctessera_reserve_log(struct sqlite3 *database, int pages) {
  unsigned frames = 0;
  sqlite3_file *log = NULL;
  if (sqlite3_file_control(database, "main", ctessera_log_frames, &frames) != SQLITE_OK)
    return SQLITE_OK;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (result != SQLITE_OK || log == NULL || log->pMethods == NULL) return result;
  // SQLite extends a file only in chunks. Data after the last frame of a log is ignored.
  int chunk = chunk_size;
  sqlite3_int64 size = log_header + ((sqlite3_int64)frames + pages) * (frame_header + page_size);
  log->pMethods->xFileControl(log, SQLITE_FCNTL_CHUNK_SIZE, &chunk);
  return log->pMethods->xFileControl(log, SQLITE_FCNTL_SIZE_HINT, &size);
}
