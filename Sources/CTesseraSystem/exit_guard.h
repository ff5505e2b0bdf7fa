/* SPDX-License-Identifier: MIT */
/* Exit guard for libcurl: closed when the process exits, after the last thread has left libcurl. */
#ifndef CTESSERA_EXIT_GUARD_H
#define CTESSERA_EXIT_GUARD_H

#include <stdbool.h>

/**
 * Mark the calling thread as inside libcurl. Returns false if the process is exiting: OpenSSL may be freeing its
 * memory.
 */
bool ctessera_exit_guard_enter(void);

/** Mark the calling thread as outside libcurl. Call it only after ctessera_exit_guard_enter() returned true. */
void ctessera_exit_guard_leave(void);

/** Return whether no thread of this process is inside libcurl. */
bool ctessera_exit_guard_is_empty(void);

/** Close the guard permanently, and wait at most five seconds until no thread is inside. Used as an exit handler. */
void ctessera_exit_guard_close(void);

#endif
