// SPDX-License-Identifier: MIT
// The path of the file that contains this code: a shared library or the executable.

#define _GNU_SOURCE
#include "ctessera_loopback.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <link.h>
#endif

bool ctessera_own_file(char *path, size_t size) {
#if defined(__GLIBC__)
  Dl_info info;
  struct link_map *map = NULL;
  if (dladdr1((void *)ctessera_own_file, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) return false;
  // The executable has no name there. Do not use its first argument, which the parent process chooses freely.
  if (map->l_name != NULL && map->l_name[0] != 0) return (size_t)snprintf(path, size, "%s", map->l_name) < size;
#endif
#if defined(__linux__)
  ssize_t count = readlink("/proc/self/exe", path, size - 1);
  if (count <= 0 || (size_t)count >= size - 1) return false;
  path[count] = 0;
  return true;
#else
  (void)path, (void)size;
  return false;
#endif
}
