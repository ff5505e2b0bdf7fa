/* SPDX-License-Identifier: MIT */
/* Remaining stack space of the calling thread. */
#ifndef CTESSERA_STACK_H
#define CTESSERA_STACK_H

#include <stddef.h>

/**
 * Return the number of bytes left on the stack of the calling thread.
 *
 * Returns -1 if the limits are unknown: the system does not report them, or the stack is unlimited. Also returns -1 if
 * the caller runs on another stack than that of its thread, such as that of a coroutine or a signal handler.
 *
 * The limits are read once per thread and cached. Opens no file.
 */
ptrdiff_t ctessera_stack_left(void);

#endif
