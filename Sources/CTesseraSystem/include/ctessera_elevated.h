/* SPDX-License-Identifier: MIT */
/* Programs with elevated rights (elevated.c): setuid, setgid or file capabilities. Their environment is not trusted. */
#ifndef CTESSERA_ELEVATED_H
#define CTESSERA_ELEVATED_H

#include <stdbool.h>

/** Returns true if the process has more rights than the user who started it (AT_SECURE, see getauxval(3)). */
bool ctessera_is_elevated(void);

/**
 * Returns true if libcurl must not be loaded: the process has elevated rights, and SSLKEYLOGFILE is set.
 *
 * libcurl reads that variable with getenv() and appends to the file that it names. No option of libcurl turns that off. The
 * variable cannot be removed here: unsetenv() in a library races with getenv() in other threads of the host.
 */
bool ctessera_environment_is_unsafe(void);

/** Returns true if an environment, which ends with NULL, holds a variable, also with an empty value. */
bool ctessera_environment_has(char *const *environment, const char *name);

/** The environment for programs that the library starts, ending with NULL. Empty if the process has elevated rights. */
char *const *ctessera_program_environment(void);

#endif
