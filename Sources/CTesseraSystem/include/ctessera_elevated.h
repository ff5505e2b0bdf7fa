/* SPDX-License-Identifier: MIT */
/* Detection of elevated privileges (setuid, setgid, file capabilities), with which the environment is not trusted. */
#ifndef CTESSERA_ELEVATED_H
#define CTESSERA_ELEVATED_H

#include <stdbool.h>

/** Return true if the process has more privileges than the user that started it (AT_SECURE, see getauxval(3)). */
bool ctessera_is_elevated(void);

/**
 * Return true if libcurl must not be loaded: the process has elevated privileges, and SSLKEYLOGFILE is set.
 *
 * libcurl reads that variable with getenv() and appends TLS secrets to the named file. libcurl has no option to disable
 * this. Removing the variable is unsafe: unsetenv() in a library races with getenv() in other threads of the host.
 */
bool ctessera_environment_is_unsafe(void);

/** Return true if a NULL-terminated environment contains a variable, even with an empty value. */
bool ctessera_environment_has(char *const *environment, const char *name);

/** Return the NULL-terminated environment for child processes. It is empty if this process has elevated privileges. */
char *const *ctessera_program_environment(void);

#endif
