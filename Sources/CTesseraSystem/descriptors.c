// SPDX-License-Identifier: MIT
// Functions that open files without using the standard descriptors, and with exact modes.

#define _GNU_SOURCE
#include "ctessera_descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { first_free = 3, permissions = 0777, attempts = 16 };

void ctessera_fill_standard_descriptors(void) {
  int saved = errno;
  for (int standard = 0; standard < first_free; standard++) {
    if (fcntl(standard, F_GETFD) >= 0) continue;
    int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) break;
    // Another thread has opened it in the meantime.
    if (descriptor >= first_free) close(descriptor);
  }
  errno = saved;
}

int ctessera_above_standard(int descriptor) {
  if (descriptor < 0 || descriptor >= first_free) return descriptor;
  // /dev/null could not be opened.
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, first_free);
  int saved = errno;
  close(descriptor);
  errno = saved;
  return moved;
}

/// Adds the permissions that the umask has removed from a new file.
static bool set_mode(int descriptor, unsigned mode) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return false;
  return !(mode & permissions & ~status.st_mode) || fchmod(descriptor, mode) == 0;
}

static int create(const char *path, int flags, unsigned mode) {
  int descriptor = ctessera_above_standard(open(path, flags | O_CREAT | O_EXCL, mode));
  if (descriptor < 0 || set_mode(descriptor, mode)) return descriptor;
  int saved = errno;
  unlink(path);
  close(descriptor);
  errno = saved;
  return -1;
}

int ctessera_open(const char *path, int flags, unsigned mode) {
  ctessera_fill_standard_descriptors();
  flags |= O_CLOEXEC;
  int flags_without_creation = flags & ~(O_CREAT | O_EXCL);
  if (!(flags & O_CREAT)) return ctessera_above_standard(open(path, flags));
  if (flags & O_EXCL) return create(path, flags_without_creation, mode);
  // Other processes may create or remove the file between the two calls.
  for (int attempt = 0; attempt < attempts; attempt++) {
    int descriptor = ctessera_above_standard(open(path, flags_without_creation));
    if (descriptor >= 0 || errno != ENOENT) return descriptor;
    descriptor = create(path, flags_without_creation, mode);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

#ifdef O_TMPFILE

int ctessera_open_unnamed(const char *directory, unsigned mode) {
  ctessera_fill_standard_descriptors();
  int flags = O_TMPFILE | O_RDWR | O_CLOEXEC;
  int descriptor = ctessera_above_standard(open(directory, flags, mode));
  if (descriptor < 0 || set_mode(descriptor, mode)) return descriptor;
  int saved = errno;
  close(descriptor);
  errno = saved;
  return -1;
}

int ctessera_name_file(int descriptor, const char *path) {
  // AT_EMPTY_PATH would need a privilege before Linux 6.10.
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

#else

int ctessera_open_unnamed(const char *directory, unsigned mode) {
  (void)directory, (void)mode;
  errno = EOPNOTSUPP;
  return -1;
}

int ctessera_name_file(int descriptor, const char *path) {
  (void)descriptor, (void)path;
  return EOPNOTSUPP;
}

#endif

int ctessera_make_directory(const char *path, unsigned mode) {
  if (mkdir(path, mode) != 0) return errno;
  struct stat status;
  if (lstat(path, &status) != 0) return errno;
  if (!(mode & permissions & ~status.st_mode)) return 0;
  if (fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW) == 0) return 0;
  // Older kernels and C libraries cannot do it without following links.
  if (errno == EOPNOTSUPP && chmod(path, mode) == 0) return 0;
  int saved = errno;
  rmdir(path);
  return saved;
}
