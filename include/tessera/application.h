/* SPDX-License-Identifier: MIT */
/**
 * @file application.h
 * Applications: configuration and host callbacks. Include tessera.h.
 */
#ifndef TESSERA_APPLICATION_H
#define TESSERA_APPLICATION_H

#include <stddef.h>
#include <stdint.h>

#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/** An OAuth 2.0 public client with its configuration and its connection to the shared token store. */
typedef struct tessera_application tessera_application;

/**
 * Receives one log message.
 *
 * Called on the thread of the call that logs. It must not call functions of the same application.
 *
 * - `level`    1 error, 2 warning, 3 information, 4 detail.
 * - `message`  The text, without tokens, keys and codes. It is valid only during the callback.
 */
typedef void (*tessera_log_callback)(void *TESSERA_NULLABLE context, int32_t level,
                                     const char *message);

/**
 * Provides the encryption key of the store, for an application that stores the key itself.
 *
 * Write `size` (32) unpredictable bytes to `key` and return 0. Return another value if the key is not available. Then
 * nothing is read or written, and the call fails with TESSERA_STATUS_FIX_STORAGE ("key_unavailable").
 *
 * Called on the thread of the call that needs the key, until it succeeds once. It must not call functions of the same
 * application. The library overwrites `key` after use.
 */
typedef int32_t (*tessera_store_key_callback)(void *TESSERA_NULLABLE context, uint8_t *key,
                                              size_t size);

/** Callbacks of the host application. Zero-initialize the structure and set `size`. */
typedef struct tessera_host {
  /** sizeof(tessera_host). It lets a later library detect the members that the program was compiled with. */
  size_t size;
  /** Receives log messages; NULL for no log. */
  tessera_log_callback TESSERA_NULLABLE log;
  /** Passed to `log` unchanged. */
  void *TESSERA_NULLABLE log_context;
  /** Provides the key of the store; NULL to use the sources in "key_sources". */
  tessera_store_key_callback TESSERA_NULLABLE store_key;
  /** Passed to `store_key` unchanged. */
  void *TESSERA_NULLABLE store_key_context;
} tessera_host;

/**
 * Create an application. Performs no I/O: store and authority are first accessed by later calls.
 *
 * `configuration` is a "Configuration". Only "client_id" is required. `host` may be NULL. The structure is read only
 * during this call. Its callbacks and their contexts must remain valid until the application is freed. `*application`
 * is NULL unless the status is TESSERA_STATUS_OK. Free it with tessera_application_free(). The result is an empty object.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST        "missing_parameter" ("client_id" is missing, or a pointer is NULL), "invalid_json",
 *                              "unknown_member", "invalid_member" (a value of the wrong type).
 * - TESSERA_STATUS_FIX_CONFIGURATION  "invalid_configuration" or "invalid_authority": a value cannot work, such as an
 *                              authority without https. The message contains the name of the member.
 */
tessera_status tessera_application_create(
    const char *TESSERA_NULLABLE configuration, const tessera_host *TESSERA_NULLABLE host,
    tessera_application *TESSERA_NULLABLE *TESSERA_NULLABLE application,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Free an application. Do not call this during a blocking call that uses it. Stored data is kept. NULL does nothing.
 *
 * Non-blocking calls continue. After this function returns, no host callback is called on any thread. Such calls then
 * write no log, and fail with "key_unavailable" if they need the key of the store. If a library thread is running a
 * callback, this function waits for it, for at most five seconds. Do not hold a lock that the callback needs.
 */
void tessera_application_free(tessera_application *TESSERA_NULLABLE application);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_APPLICATION_H */
