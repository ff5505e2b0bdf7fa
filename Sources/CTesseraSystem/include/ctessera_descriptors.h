/* SPDX-License-Identifier: MIT */
/* Functions that open files without using the standard descriptors, and with exact modes. */
#ifndef CTESSERA_DESCRIPTORS_H
#define CTESSERA_DESCRIPTORS_H

/**
 * Open /dev/null at each of the descriptors 0, 1 and 2 that is closed. Call it before creating a descriptor.
 *
 * Otherwise a file of the store could become standard output, and another thread of the host would write to it. SQLite
 * does the same for its files. The descriptors are never closed again, because the host may be using them by then.
 */
void ctessera_fill_standard_descriptors(void);

/**
 * Return a descriptor above 2: the given one, or a duplicate that replaces it. Negative values are returned unchanged.
 */
int ctessera_above_standard(int descriptor);

/**
 * Open a file like open(2), with O_CLOEXEC. Never returns 0, 1 or 2.
 *
 * With O_CREAT, a file that this call creates has exactly `mode`, independent of the umask of the process.
 */
int ctessera_open(const char *path, int flags, unsigned mode);

/**
 * Create an unnamed file in a directory, open for reading and writing, with exactly `mode` and O_CLOEXEC.
 *
 * Returns a descriptor above 2, or -1 with errno set. Some systems and file systems do not support O_TMPFILE.
 */
int ctessera_open_unnamed(const char *directory, unsigned mode);

/**
 * Link an unnamed file to a path, which must not exist. Returns 0 or an errno value.
 */
int ctessera_name_file(int descriptor, const char *path);

/**
 * Create a directory like mkdir(2), with exactly `mode`, independent of the umask of the process.
 *
 * Returns 0 or an errno value.
 */
int ctessera_make_directory(const char *path, unsigned mode);

#endif
