/* SPDX-License-Identifier: MIT */
/* Preloaded in tests: lets locks of open file descriptions, or shared mappings, of files under TEST_FOLDER fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_under_folder(int descriptor) {
  char link[64], path[4096];
  const char *folder = getenv("TEST_FOLDER");
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (folder == NULL || length < 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int failed_lock(int descriptor, int command) {
  const char *code = getenv("TEST_LOCK_ERROR");
  if (code == NULL || (command != F_OFD_SETLK && command != F_OFD_SETLKW && command != F_OFD_GETLK))
    return 0;
  if (!is_under_folder(descriptor)) return 0;
  errno = atoi(code);
  return 1;
}

#define FCNTL(name)                                                                              \
  int name(int descriptor, int command, ...) {                                                   \
    va_list list;                                                                                \
    va_start(list, command);                                                                     \
    void *argument = va_arg(list, void *);                                                       \
    va_end(list);                                                                                \
    int (*next)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name);                \
    return failed_lock(descriptor, command) ? -1 : next(descriptor, command, argument);          \
  }
FCNTL(fcntl)
FCNTL(fcntl64)

#define MMAP(name, type)                                                                         \
  void *name(void *at, size_t size, int protection, int flags, int descriptor, type offset) {    \
    void *(*next)(void *, size_t, int, int, int, type) =                                         \
        (void *(*)(void *, size_t, int, int, int, type))dlsym(RTLD_NEXT, #name);                 \
    if (getenv("TEST_MAP_ERROR") != NULL && (flags & MAP_SHARED) && descriptor >= 0 &&           \
        is_under_folder(descriptor)) {                                                           \
      errno = atoi(getenv("TEST_MAP_ERROR"));                                                    \
      return MAP_FAILED;                                                                         \
    }                                                                                            \
    return next(at, size, protection, flags, descriptor, offset);                                \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)
