// SPDX-License-Identifier: MIT
// The index of a write-ahead log: "-shm" beside the database, in SQLite's layout, with locks of its own kind.

#define _GNU_SOURCE
#include "shared_memory.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "locks.h"

#ifdef F_OFD_SETLK

// Where SQLite has its locks in the file (wal.c: WAL_LOCK_CKPT_OFFSET is 120); the byte after them says that the file
// is in use.
enum { first_lock = 120, in_use = first_lock + SQLITE_SHM_NLOCK };

static void release(ctessera_shared_memory *memory) {
  for (int i = 0; i < memory->count; i += memory->step)
    munmap(memory->regions[i], (size_t)memory->size * (size_t)memory->step);
  free(memory->regions);
  if (memory->path != NULL) close(memory->descriptor);
  free(memory->path);
  memset(memory, 0, sizeof *memory);
}

/// Whoever is first finds nothing of use in the file; everybody keeps a lock that says that it is in use.
static int claim(int descriptor) {
  int result = ctessera_lock(descriptor, F_WRLCK, in_use, 1, SQLITE_IOERR_LOCK);
  if (result == SQLITE_OK && ftruncate(descriptor, 3) != 0) return SQLITE_IOERR_SHMOPEN;
  if (result != SQLITE_OK && result != SQLITE_BUSY) return result;
  return ctessera_lock(descriptor, F_RDLCK, in_use, 1, SQLITE_IOERR_LOCK);
}

static int open_file(ctessera_shared_memory *memory, const char *database) {
  struct stat status;
  if (stat(database, &status) != 0) return SQLITE_IOERR_FSTAT;
  size_t length = strlen(database) + sizeof "-shm";
  char *path = malloc(length);
  if (path == NULL) return SQLITE_NOMEM;
  snprintf(path, length, "%s-shm", database);
  int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, status.st_mode & 0777);
  if (descriptor < 0) {
    free(path);
    return SQLITE_CANTOPEN;
  }
  memory->path = path;
  memory->descriptor = descriptor;
  int result = claim(descriptor);
  if (result != SQLITE_OK) release(memory);
  return result;
}

/// Makes the file long enough by writing into every page: a hole would be a SIGBUS on a full disk.
static int extend_file(int descriptor, off_t from, off_t to) {
  enum { page = 4096 };
  for (off_t end = (from / page + 1) * page; end <= to; end += page)
    if (pwrite(descriptor, "", 1, end - 1) != 1) return SQLITE_IOERR_SHMSIZE;
  return SQLITE_OK;
}

static int map_regions(ctessera_shared_memory *memory, int wanted) {
  void **regions = realloc(memory->regions, (size_t)wanted * sizeof *regions);
  if (regions == NULL) return SQLITE_IOERR_NOMEM;
  memory->regions = regions;
  size_t size = (size_t)memory->size;
  while (memory->count < wanted) {
    char *address = mmap(NULL, size * (size_t)memory->step, PROT_READ | PROT_WRITE, MAP_SHARED,
                         memory->descriptor, (off_t)size * memory->count);
    if (address == MAP_FAILED) return SQLITE_IOERR_SHMMAP;
    for (int i = 0; i < memory->step; i++) regions[memory->count + i] = address + size * (size_t)i;
    memory->count += memory->step;
  }
  return SQLITE_OK;
}

int ctessera_shared_memory_map(ctessera_shared_memory *memory, const char *database, int region,
                               int size, int extend, void volatile **address) {
  *address = NULL;
  int result = memory->path == NULL ? open_file(memory, database) : SQLITE_OK;
  if (result != SQLITE_OK) return result;
  // A system with large pages maps several regions at once.
  long page = sysconf(_SC_PAGESIZE);
  memory->size = size;
  memory->step = page > size ? (int)(page / size) : 1;
  int wanted = (region + memory->step) / memory->step * memory->step;
  if (memory->count < wanted) {
    struct stat status;
    if (fstat(memory->descriptor, &status) != 0) return SQLITE_IOERR_SHMSIZE;
    off_t needed = (off_t)size * wanted;
    if (status.st_size < needed) {
      if (!extend) return SQLITE_OK;
      result = extend_file(memory->descriptor, status.st_size, needed);
    }
    if (result == SQLITE_OK) result = map_regions(memory, wanted);
    if (result != SQLITE_OK) return result;
  }
  *address = memory->regions[region];
  return SQLITE_OK;
}

int ctessera_shared_memory_lock(ctessera_shared_memory *memory, int offset, int count, int flags) {
  if (memory->path == NULL) return SQLITE_IOERR_SHMLOCK;
  short type = F_UNLCK;
  if (flags & SQLITE_SHM_LOCK) type = flags & SQLITE_SHM_SHARED ? F_RDLCK : F_WRLCK;
  return ctessera_lock(memory->descriptor, type, first_lock + offset, count, SQLITE_IOERR_SHMLOCK);
}

int ctessera_shared_memory_unmap(ctessera_shared_memory *memory, int remove) {
  if (memory->path == NULL) return SQLITE_OK;
  if (remove) unlink(memory->path);
  release(memory);
  return SQLITE_OK;
}

#endif
