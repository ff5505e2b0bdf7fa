// SPDX-License-Identifier: MIT
// Preloaded: files below a directory appear to be on a remote file system, and lock calls for them never return.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

static int is_elsewhere(const char *path) {
  const char *directory = getenv("ELSEWHERE");
  return directory != NULL && strncmp(path, directory, strlen(directory)) == 0;
}

static int is_open_elsewhere(int descriptor) {
  char name[64], path[4096] = "";
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  return readlink(name, path, sizeof path - 1) > 0 && is_elsewhere(path);
}

int statfs(const char *path, struct statfs *status) {
  int (*real)(const char *, struct statfs *) =
      (int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs");
  int result = real(path, status);
  if (result == 0 && is_elsewhere(path)) status->f_type = 0x6969;
  return result;
}

int fcntl(int descriptor, int command, ...) {
  int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl");
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int locks = command == F_SETLK || command == F_GETLK || command == F_OFD_SETLK ||
              command == F_OFD_GETLK;
  if (locks && getenv("BLOCKING") != NULL && is_open_elsewhere(descriptor)) pause();
  return real(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) __attribute__((alias("fcntl")));
