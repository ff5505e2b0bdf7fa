/* SPDX-License-Identifier: MIT */
/**
 * @file store.h
 * The state of the store, and the rotation of its key. Include tessera.h.
 */
#ifndef TESSERA_STORE_H
#define TESSERA_STORE_H

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Get the location, the protection and the state of the store. Works offline, and creates and changes nothing.
 *
 * `request` is NULL or a JSON object with "timeout_milliseconds". The result is a "StoreInfo": "state",
 * "storage_policy", "protection", "key_source", "path", "bytes", "records" and more. It also lists the key sources that
 * were tried, with the reasons for failures. A problem with the store is reported in "problem" and does not change the
 * status.
 *
 * Returns TESSERA_STATUS_OK or TESSERA_STATUS_FIX_REQUEST.
 */
tessera_status tessera_application_get_store_info(tessera_application *TESSERA_NULLABLE application,
                                  const char *TESSERA_NULLABLE request,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Rotate the key of the store: create a new key and re-encrypt all records, or none after an error. Works offline.
 *
 * Applications that have the store open continue to work, unless they provide the key themselves.
 *
 * `request` is NULL or a "RotateKeyRequest" with "timeout_milliseconds" and "new_store_key". "new_store_key" is
 * required if the host provides the present key of the store. If the host has a "store_key" but the store is
 * unencrypted or encrypted with another key, omit it: the store is then encrypted with "store_key". The result is
 * {"rotated": true}, or false if there is no store to encrypt or it remains unencrypted. After an error, nothing is
 * changed. For the old key, see docs/protection.md.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST  "missing_parameter": the host provides the present key, and "new_store_key" is missing.
 *                        "invalid_member": "new_store_key" is not expected, is not 32 bytes long, or is the old key.
 * - TESSERA_STATUS_RETRY_LATER  "store_busy": other processes held the store until the deadline.
 * - TESSERA_STATUS_FIX_STORAGE  "key_unavailable". "encryption_unavailable": the new key would protect less. And other
 *                        problems of the store.
 * - TESSERA_STATUS_CANCELLED    "deadline_exceeded".
 */
tessera_status tessera_application_rotate_store_key(tessera_application *TESSERA_NULLABLE application,
                                        const char *TESSERA_NULLABLE request,
                                        char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_STORE_H */
