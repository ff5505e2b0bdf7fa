// SPDX-License-Identifier: MIT
// Which file it is, told from one that was made later in its place and got its number.

#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>

#include <errno.h>

#include "ctessera_store.h"

static int look_at_all(int directory, const char *path, struct stat *status) {
  return *path == '\0' ? fstat(directory, status)
                       : fstatat(directory, path, status, AT_SYMLINK_NOFOLLOW);
}

static bool identity(int directory, const char *path, ctessera_identity *result) {
#ifdef STATX_BTIME
  // The times are not asked for: on Linux 6.13 and later a file whose times somebody has seen gets new ones with its next
  // write, and they go to the disk with it, which costs a commit a third of its time.
  struct statx quick;
  int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
  if (statx(directory, path, flags, STATX_INO | STATX_SIZE, &quick) == 0) {
    *result = (ctessera_identity){(uint64_t)quick.stx_dev_major << 32 | quick.stx_dev_minor,
                                  quick.stx_ino, (int64_t)quick.stx_size};
    return true;
  }
  // A sandbox may not know the call.
  if (errno != ENOSYS && errno != EPERM) return false;
#endif
  struct stat status;
  if (look_at_all(directory, path, &status) != 0) return false;
  *result = (ctessera_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino, status.st_size};
  return true;
}

bool ctessera_path_identity(const char *path, ctessera_identity *result) {
  errno = ENOENT;
  return *path != '\0' && identity(AT_FDCWD, path, result);
}

bool ctessera_descriptor_identity(int descriptor, ctessera_identity *result) {
  return identity(descriptor, "", result);
}

#ifdef STATX_BTIME

static bool stamp(int directory, const char *path, uint64_t *number, uint64_t *birth) {
  struct statx status;
  int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
  if (statx(directory, path, flags, STATX_INO | STATX_BTIME, &status) != 0) return false;
  *number = status.stx_ino;
  *birth = 0;
  if (status.stx_mask & STATX_BTIME)
    *birth = (uint64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
  return true;
}

#else

static bool stamp(int directory, const char *path, uint64_t *number, uint64_t *birth) {
  struct stat status;
  if (look_at_all(directory, path, &status) != 0) return false;
  *number = (uint64_t)status.st_ino;
  *birth = 0;
  return true;
}

#endif

bool ctessera_is_mount_point(const char *path) {
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx status;
  int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
  return statx(AT_FDCWD, path, flags, 0, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
  (void)path;
  return false;
#endif
}

bool ctessera_path_stamp(const char *path, uint64_t *number, uint64_t *birth) {
  return *path != '\0' && stamp(AT_FDCWD, path, number, birth);
}

bool ctessera_descriptor_stamp(int descriptor, uint64_t *number, uint64_t *birth) {
  return stamp(descriptor, "", number, birth);
}
