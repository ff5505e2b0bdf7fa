// SPDX-License-Identifier: MIT
// Replaces functions that read the environment, or that need large tables. scripts/link-library links this file into
// libtessera.so alone, where the Swift runtime is a static library. The version script hides its symbols from other
// libraries.

#include <stddef.h>
#include <stdint.h>

// getenv() in the library returns NULL. Tessera's own code calls secure_getenv().
char *getenv(const char *name);
char *getenv(const char *name) {
  (void)name;
  return NULL;
}

// Replaces swift::runtime::environment::initialize, which reads the SWIFT_… variables and prints a help text. They keep
// their default values. The linker option --wrap selects this function.
void initialize_environment(void *context)
    __asm__("__wrap__ZN5swift7runtime11environment10initializeEPv");
void initialize_environment(void *context) {
  (void)context;
}

// Replaces the function behind Unicode.Scalar.Properties.name. Returns the length of the name of a scalar: 0, no name.
intptr_t get_scalar_name(uint32_t scalar, uint8_t *buffer, intptr_t capacity)
    __asm__("__wrap__swift_stdlib_getScalarName");
intptr_t get_scalar_name(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}
