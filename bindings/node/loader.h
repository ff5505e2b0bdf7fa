/* SPDX-License-Identifier: MIT */
/** @file loader.h Loads the Tessera library at run time. */
#ifndef TESSERA_LOADER_H
#define TESSERA_LOADER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "functions.h"

enum { TESSERA_MESSAGE_SIZE = 1024 };
#define TESSERA_TEXT(value) #value
#define TESSERA_SONAME(version) "libtessera.so." TESSERA_TEXT(version)

/**
 * Loads the functions of the library: of TESSERA_LIBRARY, of the file of the package if it exists, or
 * else of the installed library. Returns false, with the text of the error, if it cannot be used.
 */
static inline bool tessera_load(
    tessera_functions *functions, const char *packaged, char message[TESSERA_MESSAGE_SIZE]) {
  const char *path = secure_getenv("TESSERA_LIBRARY");
  if (path != NULL && *path != '\0' && *path != '/') {
    snprintf(
        message, TESSERA_MESSAGE_SIZE, "TESSERA_LIBRARY must be an absolute path, not \"%s\".", path);
    return false;
  }
  if (path == NULL || *path == '\0') {
    bool is_packaged = packaged != NULL && access(packaged, F_OK) == 0;
    path = is_packaged ? packaged : TESSERA_SONAME(TESSERA_ABI_VERSION);
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    snprintf(
        message, TESSERA_MESSAGE_SIZE,
        "The Tessera library cannot be loaded: %s. "
        "Install it with \"make install\", or set TESSERA_LIBRARY to its absolute path.",
        dlerror());
    return false;
  }
#define TESSERA_LOAD(name) \
  functions->name = (__typeof__(name) *)dlsym(library, #name); \
  if (functions->name == NULL) { \
    snprintf( \
        message, TESSERA_MESSAGE_SIZE, \
        "The Tessera library has no function %s: install the version of this package.", #name); \
    return false; \
  }
  TESSERA_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
  if (functions->tessera_abi_version() != TESSERA_ABI_VERSION) {
    snprintf(
        message, TESSERA_MESSAGE_SIZE,
        "The Tessera library does not have the ABI version %d of this package.", TESSERA_ABI_VERSION);
    return false;
  }
  return true;
}

#endif /* TESSERA_LOADER_H */
