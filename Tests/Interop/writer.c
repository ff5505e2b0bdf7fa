/* SPDX-License-Identifier: MIT */
/* Writes documents into a store until it is killed, or until it dies in the moment of a rename.
 *
 * usage: writer forever|once CONFIGURATION REQUEST...   (requests of tessera_application_write_cache, in turns)
 *        forever prints the result of each; once dies when the lock of the cache file is held */
#define _GNU_SOURCE
#include <tessera.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool dies;

/* Takes the place of the function of the C library, also for the library. */
int rename(const char *from, const char *to) {
  if (dies) raise(SIGKILL);
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int main(int argc, char **argv) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (argc < 4) return 2;
  dies = strcmp(argv[1], "once") == 0;
  tessera_status status = tessera_application_create(argv[2], NULL, &application, &response);
  for (int index = 3; status == TESSERA_STATUS_OK; index = index + 1 < argc ? index + 1 : 3) {
    tessera_string_free(response);
    status = tessera_application_write_cache(application, argv[index], &response);
    puts(response);
    fflush(stdout);
  }
  return 1;
}
