/* SPDX-License-Identifier: MIT */
/* Prints the time in nanoseconds that a new process needs to load a shared library; usage: load LIBRARY */
#include "stopwatch.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  uint64_t start = now_nanoseconds();
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  uint64_t end = now_nanoseconds();
  if (library == NULL) {
    fprintf(stderr, "load: %s\n", dlerror());
    return 1;
  }
  printf("%" PRIu64 "\n", end - start);
  return 0;
}
