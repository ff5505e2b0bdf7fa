/* SPDX-License-Identifier: MIT */
/**
 * @file cancellation.h
 * Stopping calls. Include tessera.h.
 */
#ifndef TESSERA_CANCELLATION_H
#define TESSERA_CANCELLATION_H

#include "declarations.h"

TESSERA_BEGIN_DECLARATIONS

/** A way to stop calls from another thread, or from a callback. It is triggered once and for all. */
typedef struct tessera_cancellation tessera_cancellation;

/** Make a cancellation; NULL when memory ran out. End it with tessera_cancellation_free(). */
tessera_cancellation *TESSERA_NULLABLE tessera_cancellation_create(void);

/**
 * Stop every call that was given this cancellation, now and later: it ends within 100 ms with TESSERA_CANCELLED
 * ("cancelled"). Any thread may do that, but not a signal handler, which may have interrupted this very function: wake a
 * thread instead. Works in the process that calls it, not in its children. NULL does nothing.
 */
void tessera_cancellation_cancel(tessera_cancellation *TESSERA_NULLABLE cancellation);

/** End a cancellation; not while a call that was given it is under way. NULL does nothing. */
void tessera_cancellation_free(tessera_cancellation *TESSERA_NULLABLE cancellation);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_CANCELLATION_H */
