/* SPDX-License-Identifier: MIT */
/* Loads the library like a plugin host, and fails if the loading had an observable effect. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/** Returns the number of lines of a /proc file that contain a word. */
static int lines_with(const char *path, const char *word) {
  char line[4096];
  int count = 0;
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) count += strstr(line, word) != NULL;
  if (file != NULL) fclose(file);
  return count;
}

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "libtessera.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    puts(dlerror());
    return 1;
  }
  const char *(*version)(void);
  *(void **)&version = dlsym(library, "tessera_version");
  if (version == NULL || *version() == '\0') {
    puts("tessera_version() is missing, or returns no text");
    return 1;
  }
  if (lines_with("/proc/self/status", "Threads:\t1\n") != 1) {
    puts("loading the library started a thread");
    return 1;
  }
  if (lines_with("/proc/self/maps", "libcurl") != 0 || lines_with("/proc/self/maps", "libswift") != 0) {
    puts("loading the library loaded libcurl or a Swift runtime");
    return 1;
  }
  return 0;
}
