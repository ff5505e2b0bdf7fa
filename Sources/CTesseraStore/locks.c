// SPDX-License-Identifier: MIT
// Open file description locks on byte ranges.

#define _GNU_SOURCE
#include "locks.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>

#include <ctessera_descriptors.h>

#ifdef F_OFD_SETLK

static struct flock range(short type, off_t start, off_t length) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return lock;
}

int ctessera_lock(int descriptor, short type, off_t start, off_t length, int failure) {
  struct flock lock = range(type, start, length);
  while (fcntl(descriptor, F_OFD_SETLK, &lock) != 0) {
    if (errno == EAGAIN || errno == EACCES) return SQLITE_BUSY;
    if (errno != EINTR) return failure;
  }
  return SQLITE_OK;
}

int ctessera_open_for_locks(const char *path) {
  int descriptor = ctessera_open(path, O_RDWR | O_NOFOLLOW, 0);
  if (descriptor < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
    descriptor = ctessera_open(path, O_RDONLY | O_NOFOLLOW, 0);
  return descriptor;
}

bool ctessera_has_description_locks(int descriptor) {
  // Unlocks a range that this description has not locked.
  struct flock lock = range(F_UNLCK, 0, 1);
  while (fcntl(descriptor, F_OFD_SETLK, &lock) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

int ctessera_is_locked(int descriptor, off_t start, off_t length) {
  struct flock lock = range(F_WRLCK, start, length);
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

#endif
