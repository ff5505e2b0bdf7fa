/* SPDX-License-Identifier: MIT */
/**
 * @file application.h
 * An application: its configuration, and what the host provides. Include tessera.h.
 */
#ifndef TESSERA_APPLICATION_H
#define TESSERA_APPLICATION_H

#include <stddef.h>
#include <stdint.h>

#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/** An application: its configuration, and the way to the token store that it shares with others. */
typedef struct tessera_application tessera_application;

/**
 * Receives one line of the log. `level` is 1 error, 2 warning, 3 information, 4 detail. `message` is valid during
 * the call only and holds no token, key or code. Called on the thread of the call that logs; it must not call back
 * into the same application.
 */
typedef void (*tessera_log_callback)(void *TESSERA_NULLABLE context, int32_t level,
                                     const char *message);

/**
 * Gives the key of the store, if the program keeps it itself: writes `size` (32) bytes that nobody can guess to `key` and
 * returns 0, or returns anything else when it has no key now; then nothing is read or written, and the call ends with
 * TESSERA_FIX_STORAGE ("key_unavailable"). Called on the thread of the call that needs the key, and not again once it has
 * given one; it must not call back into the same application. The library overwrites `key` when it has been used.
 */
typedef int32_t (*tessera_store_key_callback)(void *TESSERA_NULLABLE context, uint8_t *key,
                                              size_t size);

/** What the host provides in addition to Tessera's own means. */
typedef struct tessera_host {
  /** sizeof(tessera_host), so that a later library knows what an older program filled in. */
  size_t size;
  /** Receives the log; NULL for no log. */
  tessera_log_callback TESSERA_NULLABLE log;
  /** Handed to `log` as it is. */
  void *TESSERA_NULLABLE log_context;
  /** Gives the key of the store; NULL to leave it to "key_sources". */
  tessera_store_key_callback TESSERA_NULLABLE store_key;
  /** Handed to `store_key` as it is. */
  void *TESSERA_NULLABLE store_key_context;
} tessera_host;

/**
 * Make an application. Does no I/O: no file is opened and no server is asked, so whether the store and the authority are
 * good shows at the first call.
 *
 * `configuration` is a "Configuration". Only "client_id" is required. `host` may be NULL; it is read during the call only,
 * but its functions and their contexts must stay good until the application is freed. `*application` is NULL unless the
 * status is TESSERA_OK; end it with tessera_application_free(). The result is an empty object.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_FIX_REQUEST        "missing_parameter" ("client_id" is missing, or a pointer is NULL), "invalid_json",
 *                              "unknown_member", "invalid_member" (a value of the wrong type),
 * - TESSERA_FIX_CONFIGURATION  "invalid_configuration" or "invalid_authority": a value that cannot work, such as an
 *                              authority that is not https. The message names the member.
 */
tessera_status tessera_application_create(
    const char *TESSERA_NULLABLE configuration, const tessera_host *TESSERA_NULLABLE host,
    tessera_application *TESSERA_NULLABLE *TESSERA_NULLABLE application,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * End an application; not while a call on it is under way that blocks. What it stored stays. NULL does nothing.
 *
 * Calls that do not block go on. Afterwards no function of the host is called any more, on any thread: nothing is logged,
 * and a call that still needs the key of the store ends with "key_unavailable". If one of the library's own threads is in
 * such a function, that is waited for, five seconds at most; hold no lock that it needs.
 */
void tessera_application_free(tessera_application *TESSERA_NULLABLE application);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_APPLICATION_H */
