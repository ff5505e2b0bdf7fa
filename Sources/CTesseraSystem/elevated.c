// SPDX-License-Identifier: MIT
// Detection of elevated privileges: setuid, setgid or file capabilities.

#define _GNU_SOURCE
#include "ctessera_elevated.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

extern char **environ;

bool ctessera_is_elevated(void) {
#if defined(__linux__)
  return getauxval(AT_SECURE) != 0;
#else
  return issetugid() != 0;
#endif
}

bool ctessera_environment_has(char *const *environment, const char *name) {
  if (environment == NULL) return false;
  const size_t length = strlen(name);
  for (char *const *entry = environment; *entry != NULL; entry++) {
    if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return true;
  }
  return false;
}

bool ctessera_environment_is_unsafe(void) {
  // Not getenv(): in the shared library it always returns NULL (Sources/TesseraC/Link/runtime.c).
  return ctessera_is_elevated() && ctessera_environment_has(environ, "SSLKEYLOGFILE");
}

char *const *ctessera_program_environment(void) {
  static char *const empty[] = {NULL};
  return ctessera_is_elevated() || environ == NULL ? empty : environ;
}
