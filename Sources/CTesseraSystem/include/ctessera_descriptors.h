/* SPDX-License-Identifier: MIT */
/* Opens files without using the standard descriptors, and with exact modes. */
#ifndef CTESSERA_DESCRIPTORS_H
#define CTESSERA_DESCRIPTORS_H

/**
 * Open /dev/null at each of the descriptors 0, 1 and 2 that is closed. Call it before anything that makes a descriptor.
 *
 * Otherwise a file of the store could become standard output, and another thread of the host would print into it. SQLite
 * does the same for the files that it opens itself. The descriptors are never closed again: by then they may be the host's.
 */
void ctessera_fill_standard_descriptors(void);

/**
 * Return a descriptor above 2: the given one, or a duplicate in its place. Passes negative values through.
 */
int ctessera_above_standard(int descriptor);

/**
 * Open a file like open(2), with O_CLOEXEC. Never returns 0, 1 or 2.
 *
 * With O_CREAT, a file that this call creates has exactly `mode`, whatever the umask of the process.
 */
int ctessera_open(const char *path, int flags, unsigned mode);

/**
 * Make a directory like mkdir(2), with exactly `mode`, whatever the umask of the process. Returns 0 or an errno value.
 */
int ctessera_make_directory(const char *path, unsigned mode);

#endif
