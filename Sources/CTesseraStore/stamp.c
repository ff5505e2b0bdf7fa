// SPDX-License-Identifier: MIT
// Which file it is, told from one that was made later in its place and got its number.

#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>

#include "ctessera_store.h"

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
  int result = *path == '\0' ? fstat(directory, &status)
                             : fstatat(directory, path, &status, AT_SYMLINK_NOFOLLOW);
  if (result != 0) return false;
  *number = (uint64_t)status.st_ino;
  *birth = 0;
  return true;
}

#endif

bool ctessera_path_stamp(const char *path, uint64_t *number, uint64_t *birth) {
  return *path != '\0' && stamp(AT_FDCWD, path, number, birth);
}

bool ctessera_descriptor_stamp(int descriptor, uint64_t *number, uint64_t *birth) {
  return stamp(descriptor, "", number, birth);
}
