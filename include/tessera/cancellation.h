/* SPDX-License-Identifier: MIT */
/**
 * @file cancellation.h
 * Cancellation of calls. Include tessera.h.
 */
#ifndef TESSERA_CANCELLATION_H
#define TESSERA_CANCELLATION_H

#include "declarations.h"

TESSERA_BEGIN_DECLARATIONS

/** Cancels calls from another thread or from a callback. It cannot be reset. */
typedef struct tessera_cancellation tessera_cancellation;

/** Create a cancellation; returns NULL if memory ran out. Free it with tessera_cancellation_free(). */
tessera_cancellation *TESSERA_NULLABLE tessera_cancellation_create(void);

/**
 * Cancel all present and future calls that use this cancellation.
 *
 * Each returns within 100 ms with TESSERA_STATUS_CANCELLED ("cancelled"). Safe to call from any thread, but not from a signal
 * handler, which may have interrupted this very function. In a signal handler, wake a thread that calls it. Has no
 * effect in child processes. NULL does nothing.
 */
void tessera_cancellation_cancel(tessera_cancellation *TESSERA_NULLABLE cancellation);

/** Free a cancellation. Do not call this during a call that uses it. NULL does nothing. */
void tessera_cancellation_free(tessera_cancellation *TESSERA_NULLABLE cancellation);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_CANCELLATION_H */
