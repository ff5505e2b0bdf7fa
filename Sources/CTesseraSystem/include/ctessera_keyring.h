/* SPDX-License-Identifier: MIT */
/* The Linux kernel's keyring of the user, accessed with system calls, and wake-up pipes. */
#ifndef CTESSERA_KEYRING_H
#define CTESSERA_KEYRING_H

#include <stddef.h>

/** Store bytes under a name, readable by all processes of this user. Returns 0 or an errno value. */
int ctessera_keyring_store(const char *name, const void *bytes, size_t count);

/**
 * Read the bytes under a name.
 *
 * Returns 0 or an errno value: ENOKEY if there are none, EMSGSIZE if their number is not `count`, ENOSYS without a
 * kernel keyring.
 */
int ctessera_keyring_read(const char *name, void *bytes, size_t count);

/** Create a non-blocking pipe with close-on-exec: the read end and the write end. Returns 0 or an errno value. */
int ctessera_wake_pipe(int descriptors[2]);

#endif
