/* SPDX-License-Identifier: MIT */
/* The kernel's keyring of this user, by system calls: no library is needed. */
#ifndef CTESSERA_KEYRING_H
#define CTESSERA_KEYRING_H

#include <stddef.h>

/** Keep bytes under a name, readable by all programs of this user. Returns 0 or an errno value. */
int ctessera_keyring_keep(const char *name, const void *bytes, size_t count);

/**
 * The bytes under a name. Returns 0 or an errno value: ENOKEY for none, EMSGSIZE for another number of bytes than
 * `count`, ENOSYS where there is no such keyring.
 */
int ctessera_keyring_read(const char *name, void *bytes, size_t count);

/** A pair of descriptors, for reading and for writing, that never block and are not inherited. Returns 0 or errno. */
int ctessera_wake_pipe(int descriptors[2]);

#endif
