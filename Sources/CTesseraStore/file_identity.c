// SPDX-License-Identifier: MIT
// File identity: distinguishes a file from a later one at the same path, even if the inode number was reused.

#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>

#include <errno.h>

#include "ctessera_store.h"

static int stat_entry(int directory, const char *path, struct stat *status) {
  return *path == '\0' ? fstat(directory, status)
                       : fstatat(directory, path, status, AT_SYMLINK_NOFOLLOW);
}

static bool read_identity(int directory, const char *path, ctessera_identity *result) {
#ifdef STATX_BTIME
  // Do not request timestamps. Since Linux 6.13, querying mtime or ctime makes the next write store a new timestamp.
  // Syncing that timestamp accounts for a third of a commit's time.
  struct statx attributes;
  int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
  if (statx(directory, path, flags, STATX_INO | STATX_SIZE, &attributes) == 0) {
    *result = (ctessera_identity){(uint64_t)attributes.stx_dev_major << 32 | attributes.stx_dev_minor,
                                  attributes.stx_ino, (int64_t)attributes.stx_size};
    return true;
  }
  // A seccomp filter may reject statx(): fall back to stat().
  if (errno != ENOSYS && errno != EPERM) return false;
#endif
  struct stat status;
  if (stat_entry(directory, path, &status) != 0) return false;
  *result = (ctessera_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino, status.st_size};
  return true;
}

bool ctessera_path_identity(const char *path, ctessera_identity *result) {
  errno = ENOENT;
  return *path != '\0' && read_identity(AT_FDCWD, path, result);
}

bool ctessera_descriptor_identity(int descriptor, ctessera_identity *result) {
  return read_identity(descriptor, "", result);
}

#ifdef STATX_BTIME

static bool read_persistent_id(int directory, const char *path, uint64_t *inode,
                               uint64_t *birth_time) {
  struct statx status;
  int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
  if (statx(directory, path, flags, STATX_INO | STATX_BTIME, &status) != 0) return false;
  *inode = status.stx_ino;
  *birth_time = 0;
  if (status.stx_mask & STATX_BTIME)
    *birth_time = (uint64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
  return true;
}

#else

static bool read_persistent_id(int directory, const char *path, uint64_t *inode,
                               uint64_t *birth_time) {
  struct stat status;
  if (stat_entry(directory, path, &status) != 0) return false;
  *inode = (uint64_t)status.st_ino;
  *birth_time = 0;
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

bool ctessera_path_persistent_id(const char *path, uint64_t *inode, uint64_t *birth_time) {
  return *path != '\0' && read_persistent_id(AT_FDCWD, path, inode, birth_time);
}

bool ctessera_descriptor_persistent_id(int descriptor, uint64_t *inode, uint64_t *birth_time) {
  return read_persistent_id(descriptor, "", inode, birth_time);
}
