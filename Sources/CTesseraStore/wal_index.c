// SPDX-License-Identifier: MIT
// The WAL index: the "-shm" file next to the database, in SQLite's layout, with open file description locks.

#define _GNU_SOURCE
#include "wal_index.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctessera_descriptors.h>

#include "locks.h"
#include "process_locks.h"

#ifdef F_OFD_SETLK

// The offset of SQLite's locks in the file (wal.c: WAL_LOCK_CKPT_OFFSET is 120). A lock on the byte after them marks
// the file as in use.
enum { first_lock = 120, in_use = first_lock + SQLITE_SHM_NLOCK };

static void release(ctessera_wal_index *memory) {
  for (int i = 0; i < memory->count; i += memory->step)
    munmap(memory->regions[i], (size_t)memory->size * (size_t)memory->step);
  free(memory->regions);
  // Another connection of this process may lock the same file with POSIX locks.
  if (memory->path != NULL) ctessera_close_or_delay(&memory->database, memory->descriptor);
  free(memory->path);
  // Once the memory is read-only, it must stay so until SQLite unmaps it (wal.c, walBeginShmUnreliable).
  *memory = (ctessera_wal_index){.database = memory->database,
                                     .index_errno = memory->index_errno,
                                     .is_read_only = memory->is_read_only};
}

/// Invalidates the index. Keeps its disk space, because a full disk may have no more.
static bool invalidate(int descriptor) {
  // The size of both copies of the index header and of the checkpoint information (SQLite's walformat, 2.1).
  static const char zeros[136];
  struct stat status;
  if (fstat(descriptor, &status) != 0) return false;
  return status.st_size < (off_t)sizeof zeros
             ? ftruncate(descriptor, 3) == 0
             : pwrite(descriptor, zeros, sizeof zeros, 0) == (ssize_t)sizeof zeros;
}

/// Records errno, and makes SQLite use an index in private memory.
static int use_private_index(ctessera_wal_index *memory) {
  memory->index_errno = errno;
  memory->is_read_only = 1;
  return SQLITE_READONLY_CANTINIT;
}

/// The first process to open the file invalidates its content. All processes keep a shared lock that marks it as in
/// use.
static int mark_in_use(ctessera_wal_index *memory) {
  int descriptor = memory->descriptor;
  // A process that cannot write must trust the content, but only while a process that can write has the file open.
  if (memory->is_read_only && !ctessera_is_locked(descriptor, in_use, 1))
    return SQLITE_READONLY_CANTINIT;
  if (!memory->is_read_only) {
    int result = ctessera_lock(descriptor, F_WRLCK, in_use, 1, SQLITE_IOERR_LOCK);
    // If the file cannot be written, for lack of disk space or permission, the log is read without it.
    if (result == SQLITE_OK && !invalidate(descriptor)) return use_private_index(memory);
    if (result != SQLITE_OK && result != SQLITE_BUSY) return result;
  }
  return ctessera_lock(descriptor, F_RDLCK, in_use, 1, SQLITE_IOERR_LOCK);
}

static bool is_refused(int code) {
  return code == EACCES || code == EPERM || code == EROFS || code == ENOSPC || code == EDQUOT;
}

/// Opens the file, read-only if it cannot be written.
static int open_path(ctessera_wal_index *memory, const char *path, mode_t mode) {
  int flags = O_NOFOLLOW;
  if (!memory->is_read_only) {
    memory->index_errno = 0;
    memory->descriptor = ctessera_open(path, O_RDWR | O_CREAT | flags, mode);
    if (memory->descriptor >= 0) return SQLITE_OK;
    memory->index_errno = errno;
    if (!is_refused(errno)) return SQLITE_CANTOPEN;
    memory->is_read_only = 1;
  }
  memory->descriptor = ctessera_open(path, O_RDONLY | flags, 0);
  if (memory->descriptor >= 0) return SQLITE_OK;
  return errno == ENOENT ? SQLITE_READONLY_CANTINIT : SQLITE_CANTOPEN;
}

static int open_file(ctessera_wal_index *memory, const char *database) {
  struct stat status;
  if (stat(database, &status) != 0) return SQLITE_IOERR_FSTAT;
  size_t length = strlen(database) + sizeof "-shm";
  char *path = malloc(length);
  if (path == NULL) return SQLITE_NOMEM;
  snprintf(path, length, "%s-shm", database);
  int result = open_path(memory, path, status.st_mode & 0777);
  if (result != SQLITE_OK) {
    free(path);
    return result;
  }
  memory->path = path;
  result = mark_in_use(memory);
  if (result != SQLITE_OK) release(memory);
  return result;
}

/// Extends the file by writing to every page: access to a hole would raise SIGBUS on a full disk.
static int extend_file(int descriptor, off_t from, off_t to) {
  enum { page = 4096 };
  for (off_t end = (from / page + 1) * page; end <= to; end += page)
    if (pwrite(descriptor, "", 1, end - 1) != 1) return SQLITE_IOERR_SHMSIZE;
  return SQLITE_OK;
}

/// Allocates disk space for the file without writing to it. A caller without permission to extend the index must not
/// write, because another process may be writing the same bytes.
///
/// Returns SQLITE_NOTFOUND if the file system does not support this. It is then unknown whether there is space.
static int allocate(int descriptor, off_t size) {
#ifdef __linux__
  if (fallocate(descriptor, 0, 0, size) == 0) return SQLITE_OK;
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) return SQLITE_IOERR_SHMSIZE;
#else
  (void)descriptor, (void)size;
#endif
  return SQLITE_NOTFOUND;
}

static int map_regions(ctessera_wal_index *memory, int wanted) {
  void **regions = realloc(memory->regions, (size_t)wanted * sizeof *regions);
  if (regions == NULL) return SQLITE_IOERR_NOMEM;
  memory->regions = regions;
  size_t size = (size_t)memory->size;
  while (memory->count < wanted) {
    int protection = memory->is_read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    char *address = mmap(NULL, size * (size_t)memory->step, protection, MAP_SHARED,
                         memory->descriptor, (off_t)size * memory->count);
    if (address == MAP_FAILED) return SQLITE_IOERR_SHMMAP;
    for (int i = 0; i < memory->step; i++) regions[memory->count + i] = address + size * (size_t)i;
    memory->count += memory->step;
  }
  return SQLITE_OK;
}

/// Extends the file for a number of regions, or makes SQLite work without the index.
static int extend_to_regions(ctessera_wal_index *memory, int wanted, int extend) {
  struct stat status;
  if (fstat(memory->descriptor, &status) != 0) return SQLITE_IOERR_SHMSIZE;
  off_t needed = (off_t)memory->size * wanted;
  if (status.st_size >= needed) return SQLITE_OK;
  if (memory->is_read_only || (!extend && memory->count > 0)) return SQLITE_NOTFOUND;
  // SQLite works without the index only if it is refused before SQLite tries to create one.
  int result = extend ? extend_file(memory->descriptor, status.st_size, needed)
                      : allocate(memory->descriptor, needed);
  if (result == SQLITE_IOERR_SHMSIZE && memory->count == 0) {
    result = use_private_index(memory);
    release(memory);
  }
  return result;
}

int ctessera_wal_index_map(ctessera_wal_index *memory, const char *database, int region,
                               int size, int extend, void volatile **address) {
  *address = NULL;
  int result = memory->path == NULL ? open_file(memory, database) : SQLITE_OK;
  if (result != SQLITE_OK) return result;
  // A system with large pages maps several regions at once.
  long page = sysconf(_SC_PAGESIZE);
  memory->size = size;
  memory->step = page > size ? (int)(page / size) : 1;
  int wanted = (region + memory->step) / memory->step * memory->step;
  int mapped = memory->is_read_only ? SQLITE_READONLY : SQLITE_OK;
  if (memory->count < wanted) {
    result = extend_to_regions(memory, wanted, extend);
    // There is no such region yet.
    if (result == SQLITE_NOTFOUND) return mapped;
    if (result == SQLITE_OK) result = map_regions(memory, wanted);
    // The file system does not support shared mappings (mmap(2)).
    if (result == SQLITE_IOERR_SHMMAP && errno == ENODEV && memory->count == 0) {
      result = use_private_index(memory);
      release(memory);
    }
    if (result != SQLITE_OK) return result;
  }
  *address = memory->regions[region];
  return mapped;
}

int ctessera_wal_index_map_plain(ctessera_wal_index *memory, struct sqlite3_file *plain,
                                     int region, int size, int extend, void volatile **address) {
  const sqlite3_io_methods *methods = plain->pMethods;
  int result = methods->xShmMap(plain, region, size, extend, address);
  // SQLite works without the index only if the first call fails.
  if (result == SQLITE_OK && *address == NULL && region == 0 &&
      methods->xShmMap(plain, 0, size, 1, address) == SQLITE_IOERR_SHMMAP)
    result = SQLITE_IOERR_SHMMAP;
  if (result != SQLITE_IOERR_SHMMAP) return result;
  memory->index_errno = ENODEV;
  return SQLITE_READONLY_CANTINIT;
}

int ctessera_wal_index_lock(ctessera_wal_index *memory, int offset, int count, int flags) {
  // Without the file, a reader needs no lock, and a writer was rejected before.
  if (memory->path == NULL)
    return flags & SQLITE_SHM_SHARED ? SQLITE_OK : SQLITE_IOERR_SHMLOCK;
  short type = F_UNLCK;
  if (flags & SQLITE_SHM_LOCK) type = flags & SQLITE_SHM_SHARED ? F_RDLCK : F_WRLCK;
  return ctessera_lock(memory->descriptor, type, first_lock + offset, count, SQLITE_IOERR_SHMLOCK);
}

int ctessera_wal_index_unmap(ctessera_wal_index *memory, int remove) {
  if (memory->path != NULL) {
    if (remove) unlink(memory->path);
    release(memory);
  }
  memory->is_read_only = 0;
  return SQLITE_OK;
}

int ctessera_wal_index_frames(const ctessera_wal_index *memory, unsigned *frames) {
  if (memory->count == 0) return SQLITE_NOTFOUND;
  // mxFrame, in the first copy of the head.
  memcpy(frames, (const char *)memory->regions[0] + 16, sizeof *frames);
  return SQLITE_OK;
}

#endif
