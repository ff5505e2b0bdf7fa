// SPDX-License-Identifier: MIT
// A custom SQLite VFS: verifies page checksums, and uses open file description locks (protocol: os_unix.c).

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ctessera_descriptors.h>
#include "ctessera_store.h"
#include "locks.h"
#include "wal.h"
#include "pages.h"
#include "process_locks.h"
#include "reserve.h"
#include "wal_index.h"

#ifdef F_OFD_SETLK

// The bytes that SQLite's file format reserves for locks.
enum { pending = 0x40000000, reserved = pending + 1, shared = pending + 2, shared_size = 510 };
// A level that SQLite never requests: set before EXCLUSIVE, and kept while readers remain.
enum { level_pending = SQLITE_LOCK_PENDING };

/// The VFS of one connection, which has one open database and its write-ahead log.
struct ctessera_vfs {
  sqlite3_vfs vfs;
  char name[40];
  ctessera_opened opened;
  /// The errno of the latest file that could not be created; 0 for none.
  int problem;
};

/// A database file: a file of SQLite's own VFS without locks, and a descriptor for open file description locks.
///
/// If the system refuses such locks, SQLite's own file acquires POSIX locks and maps the WAL index.
typedef struct file {
  sqlite3_file base;
  sqlite3_file *plain;
  bool has_process_locks;
  ctessera_identity identity;
  const char *path;
  int descriptor;
  int level;
  ctessera_pages pages;
  ctessera_wal_index memory;
  ctessera_vfs *vfs;
} file;

#define PLAIN(handle) ((file *)(handle))->plain
#define CALL(handle, method, ...) PLAIN(handle)->pMethods->method(PLAIN(handle), ##__VA_ARGS__)

static int read_file(sqlite3_file *handle, void *bytes, int count, sqlite3_int64 offset) {
  return ctessera_pages_read(&((file *)handle)->pages, bytes, count, offset);
}
static int write_file(sqlite3_file *handle, const void *bytes, int count, sqlite3_int64 offset) {
  return ctessera_pages_write(&((file *)handle)->pages, bytes, count, offset);
}
static int truncate_file(sqlite3_file *handle, sqlite3_int64 size) {
  return CALL(handle, xTruncate, size);
}
static int sync_file(sqlite3_file *handle, int flags) { return CALL(handle, xSync, flags); }
static int file_size(sqlite3_file *handle, sqlite3_int64 *size) {
  return CALL(handle, xFileSize, size);
}
static int control_file(sqlite3_file *handle, int operation, void *argument) {
  if (operation == ctessera_process_locks) {
    *(int *)argument = ((file *)handle)->has_process_locks;
    return SQLITE_OK;
  }
  if (operation == ctessera_log_frames)
    return ctessera_wal_index_frames(&((file *)handle)->memory, argument);
  if (operation == ctessera_index_refusal) {
    *(int *)argument = ((file *)handle)->memory.index_errno;
    return SQLITE_OK;
  }
  return CALL(handle, xFileControl, operation, argument);
}
static int sector_size(sqlite3_file *handle) { return CALL(handle, xSectorSize); }
static int characteristics(sqlite3_file *handle) {
  // Clear SQLITE_IOCAP_SUBPAGE_READ of newer versions: only whole pages can be verified.
  return CALL(handle, xDeviceCharacteristics) & ~0x8000;
}

static int close_file(sqlite3_file *handle) {
  file *self = (file *)handle;
  ctessera_wal_index_unmap(&self->memory, 0);
  self->vfs->opened.pages = NULL;
  ctessera_pages_free(&self->pages);
  if (self->has_process_locks) return ctessera_process_locks_close(self->plain, &self->identity);
  ctessera_close_or_delay(&self->identity, self->descriptor);
  return ctessera_close_plain(&self->identity, self->plain);
}

static int lock_shared(file *self) {
  int result = ctessera_lock(self->descriptor, F_RDLCK, pending, 1, SQLITE_IOERR_LOCK);
  if (result != SQLITE_OK) return result;
  result = ctessera_lock(self->descriptor, F_RDLCK, shared, shared_size, SQLITE_IOERR_LOCK);
  int ended = ctessera_lock(self->descriptor, F_UNLCK, pending, 1, SQLITE_IOERR_UNLOCK);
  return result != SQLITE_OK ? result : ended;
}

static int lock_exclusive(file *self) {
  if (self->level < level_pending) {
    int result = ctessera_lock(self->descriptor, F_WRLCK, pending, 1, SQLITE_IOERR_LOCK);
    if (result != SQLITE_OK) return result;
    self->level = level_pending;
  }
  return ctessera_lock(self->descriptor, F_WRLCK, shared, shared_size, SQLITE_IOERR_LOCK);
}

static int lock_file(sqlite3_file *handle, int level) {
  file *self = (file *)handle;
  if (self->has_process_locks) return CALL(handle, xLock, level);
  if (self->level >= level) return SQLITE_OK;
  int result;
  if (level == SQLITE_LOCK_SHARED)
    result = lock_shared(self);
  else if (level == SQLITE_LOCK_RESERVED)
    result = ctessera_lock(self->descriptor, F_WRLCK, reserved, 1, SQLITE_IOERR_LOCK);
  else
    result = lock_exclusive(self);
  if (result == SQLITE_OK) self->level = level;
  return result;
}

static int unlock_file(sqlite3_file *handle, int level) {
  file *self = (file *)handle;
  if (self->has_process_locks) return CALL(handle, xUnlock, level);
  if (self->level <= level) return SQLITE_OK;
  int result = SQLITE_OK;
  if (level == SQLITE_LOCK_SHARED)
    result = ctessera_lock(self->descriptor, F_RDLCK, shared, shared_size, SQLITE_IOERR_RDLOCK);
  if (result == SQLITE_OK)
    // The pending and the reserved byte, or all bytes.
    result = level == SQLITE_LOCK_SHARED
                 ? ctessera_lock(self->descriptor, F_UNLCK, pending, 2, SQLITE_IOERR_UNLOCK)
                 : ctessera_lock(self->descriptor, F_UNLCK, 0, 0, SQLITE_IOERR_UNLOCK);
  if (result == SQLITE_OK) self->level = level;
  return result;
}

static int check_reserved(sqlite3_file *handle, int *is_reserved) {
  file *self = (file *)handle;
  if (self->has_process_locks) return CALL(handle, xCheckReservedLock, is_reserved);
  *is_reserved =
      self->level > SQLITE_LOCK_SHARED || ctessera_is_locked(self->descriptor, reserved, 1);
  return SQLITE_OK;
}

static int map_memory(sqlite3_file *handle, int region, int size, int extend,
                      void volatile **address) {
  file *self = (file *)handle;
  if (self->has_process_locks)
    return ctessera_wal_index_map_plain(&self->memory, self->plain, region, size, extend,
                                            address);
  return ctessera_wal_index_map(&self->memory, self->path, region, size, extend, address);
}
static int lock_memory(sqlite3_file *handle, int offset, int count, int flags) {
  file *self = (file *)handle;
  // Write buffered frames before unlocking. Afterwards another connection may write to the log.
  if (flags & SQLITE_SHM_UNLOCK) ctessera_log_flush(self->vfs->opened.log);
  if (self->has_process_locks) return CALL(handle, xShmLock, offset, count, flags);
  return ctessera_wal_index_lock(&self->memory, offset, count, flags);
}
static void memory_barrier(sqlite3_file *handle) {
  (void)handle;
  __sync_synchronize();
}
static int unmap_memory(sqlite3_file *handle, int remove) {
  if (((file *)handle)->has_process_locks) return CALL(handle, xShmUnmap, remove);
  return ctessera_wal_index_unmap(&((file *)handle)->memory, remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_memory,
    .xShmLock = lock_memory,
    .xShmBarrier = memory_barrier,
    .xShmUnmap = unmap_memory,
};

/// Records why a file could not be created. SQLite retries without O_CREAT, and reports that the file is missing.
static int record_open_error(ctessera_vfs *own, const char *path, int flags, int result) {
  own->problem = 0;
  if (result != SQLITE_CANTOPEN || !(flags & SQLITE_OPEN_CREATE) || path == NULL) return result;
  // Create a new file only. Closing an existing file would release the POSIX locks of this process on it.
  int probe = ctessera_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (probe >= 0) ctessera_close_keeping_locks(probe);
  else own->problem = errno != EEXIST || access(path, R_OK | W_OK) != 0 ? errno : 0;
  return result;
}

static int last_error(sqlite3_vfs *vfs, int size, char *text) {
  sqlite3_vfs *plain = vfs->pAppData;
  int problem = ((ctessera_vfs *)vfs)->problem;
  return problem != 0 ? problem : plain->xGetLastError(plain, size, text);
}

/// Opens a database through SQLite's default VFS, with POSIX locks.
static int open_with_process_locks(file *self, const char *path, int flags, int *out_flags) {
  self->has_process_locks = true;
  int result = ctessera_process_locks_open(path, self->plain, flags, out_flags, &self->identity);
  if (result == SQLITE_OK) self->base.pMethods = &methods;
  return record_open_error(self->vfs, path, flags, result);
}

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *handle, int flags,
                     int *out_flags) {
  sqlite3_vfs *plain = vfs->pAppData;
  ctessera_vfs *own = (ctessera_vfs *)vfs;
  ctessera_fill_standard_descriptors();
  if (flags & SQLITE_OPEN_WAL)
    return record_open_error(own, path, flags,
                     ctessera_log_open(plain, path, handle, flags, out_flags, &own->opened));
  // Only the database is locked. Temporary files are not shared.
  if (!(flags & SQLITE_OPEN_MAIN_DB))
    return record_open_error(own, path, flags, plain->xOpen(plain, path, handle, flags, out_flags));
  file *self = (file *)handle;
  memset(self, 0, sizeof *self);
  self->plain = (sqlite3_file *)(self + 1);
  self->pages.plain = self->plain;
  own->opened.pages = &self->pages;
  self->path = path;
  self->vfs = own;
  if (ctessera_path_identity(path, &self->identity) &&
      ctessera_process_locks_are_needed(&self->identity))
    return open_with_process_locks(self, path, flags, out_flags);
  int result = plain->xOpen(plain, path, self->plain, flags, out_flags);
  if (result != SQLITE_OK) return record_open_error(own, path, flags, result);
  self->descriptor = ctessera_open_for_locks(path);
  if (self->descriptor < 0) {
    ctessera_close_plain(&self->identity, self->plain);
    return SQLITE_CANTOPEN;
  }
  ctessera_descriptor_identity(self->descriptor, &self->identity);
  if (!ctessera_has_description_locks(self->descriptor)) {
    // Both descriptors stay open forever, because another copy of this library may hold POSIX locks on the file.
    ctessera_process_locks_refused(&self->identity);
    return open_with_process_locks(self, path, flags, out_flags);
  }
  self->memory.database = self->identity;
  self->base.pMethods = &methods;
  return SQLITE_OK;
}

bool ctessera_vfs_create(ctessera_vfs **vfs) {
  sqlite3_vfs *plain = sqlite3_vfs_find("unix-none");
  ctessera_vfs *self = *vfs = plain == NULL ? NULL : calloc(1, sizeof *self);
  if (self == NULL) return false;
  self->vfs = *plain;
  self->vfs.pNext = NULL;
  int more = ctessera_log_size > (int)sizeof(file) ? ctessera_log_size : (int)sizeof(file);
  self->vfs.szOsFile = more + plain->szOsFile;
  snprintf(self->name, sizeof self->name, "tessera-%p", (void *)self);
  self->vfs.zName = self->name;
  self->vfs.pAppData = plain;
  self->vfs.xOpen = open_file;
  self->vfs.xGetLastError = last_error;
  if (sqlite3_vfs_register(&self->vfs, 0) == SQLITE_OK) return true;
  free(self);
  *vfs = NULL;
  return false;
}

void ctessera_vfs_free(ctessera_vfs *vfs) {
  if (vfs == NULL) return;
  sqlite3_vfs_unregister(&vfs->vfs);
  free(vfs);
}

const char *ctessera_vfs_name(const ctessera_vfs *vfs) { return vfs->name; }

#else

bool ctessera_vfs_create(ctessera_vfs **vfs) { return (*vfs = NULL, true); }
void ctessera_vfs_free(ctessera_vfs *vfs) { (void)vfs; }
const char *ctessera_vfs_name(const ctessera_vfs *vfs) {
  (void)vfs;
  return "unix";
}

#endif
