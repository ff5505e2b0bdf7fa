/* SPDX-License-Identifier: MIT */
/**
 * @file store.h
 * The store: what it is like, and its key. Include tessera.h.
 */
#ifndef TESSERA_STORE_H
#define TESSERA_STORE_H

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Say what the store is like: where it lies, what protects it, what was tried for its key and why that failed. Makes and
 * changes nothing, and asks no server.
 *
 * `request` is NULL or a JSON object that may have "timeout_milliseconds". The result is a "StoreInfo": "state",
 * "storage_policy", "protection", "key_source", "path", "bytes", "records" and more. What is wrong with the store is in its
 * member "problem", and no reason for another status.
 *
 * Returns TESSERA_OK or TESSERA_FIX_REQUEST.
 */
tessera_status tessera_store_info(tessera_application *TESSERA_NULLABLE application,
                                  const char *TESSERA_NULLABLE request,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Give the store a new key and seal every record with it: all of them or none. Asks no server. Programs that have the store
 * open go on, unless they keep the key themselves.
 *
 * `request` is NULL or a "RotateKeyRequest": it may have "timeout_milliseconds", and must have "new_store_key" if the host
 * keeps the present key of the store. A host with a "store_key" whose store was sealed otherwise, or not at all, seals it
 * with that by leaving it out. The result is {"rotated": true}, or false if there is no store that could be sealed, or it
 * stays in clear. After an error nothing is changed. docs/protection.md says what happens to the old key.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_FIX_REQUEST  "missing_parameter": the host keeps the present key, and "new_store_key" is missing;
 *                        "invalid_member": it is not wanted, not 32 bytes, or the old key,
 * - TESSERA_RETRY_LATER  "store_busy": others held the store until the deadline,
 * - TESSERA_FIX_STORAGE  "key_unavailable"; "encryption_unavailable" if the new key would protect less; and what else is
 *                        wrong with the store,
 * - TESSERA_CANCELLED    "deadline_exceeded".
 */
tessera_status tessera_store_rotate_key(tessera_application *TESSERA_NULLABLE application,
                                        const char *TESSERA_NULLABLE request,
                                        char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_STORE_H */
