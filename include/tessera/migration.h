/* SPDX-License-Identifier: MIT */
/**
 * @file migration.h
 * Sign-ins that older libraries left. Include tessera.h.
 */
#ifndef TESSERA_MIGRATION_H
#define TESSERA_MIGRATION_H

#include <stddef.h>

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Take over the sign-ins in the cache of an older library: of ADAL for Apple, .NET, Python and Node, of the Azure CLI before
 * 2.30, and of older versions of MSAL. Asks no server: the refresh tokens are stored, for every application that they are
 * of, and redeemed by the first silent call for their account. The cache itself stays as it is; doing it again changes
 * nothing.
 *
 * The cache is the `size` bytes at `data`, or, where `data` is NULL, the file that the request names. `request` is NULL or a
 * "MigrationRequest": "path", or "place" for a cache that has one of its own ("azure_cli": accessTokens.json in
 * AZURE_CONFIG_DIR or ~/.azure), "format" (if it is not to be recognised), "dry_run" (for a report alone) and
 * "timeout_milliseconds". The result is a "MigrationReport": "accounts", each with its "outcome" ("migrated",
 * "already_migrated", "already_signed_in" or "not_migrated" with "reason" and "advice"), and the entries that are "damaged",
 * which stop nothing else.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_FIX_REQUEST  "legacy_cache_invalid": it is no such cache, or the file cannot be read; and others,
 * - TESSERA_FIX_STORAGE or TESSERA_RETRY_LATER  a fault of the store; some accounts may have been stored already.
 */
tessera_status tessera_migrate(tessera_application *TESSERA_NULLABLE application,
                               const char *TESSERA_NULLABLE request,
                               const void *TESSERA_NULLABLE data, size_t size,
                               char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * The other direction: say what this application signed in, in the form in which programs find it that still use ADAL 2.7 or
 * later, by "userId", which is "username". Asks no server and changes nothing.
 *
 * `request` is an "ExportRequest" with "format": "apple_keychain" for items of a keychain, or "adal_macos" for the cache of
 * ADAL for macOS, which the host keeps; then `data` and `size` are that cache as it is now (NULL for none), and whatever else
 * is in it stays. The result is "ExportedSignIns" with "items", or with "data" in Base64. It holds refresh tokens: put it only
 * where the older library looks, and where nobody else can read it.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN      "account_not_found": nobody is signed in,
 * - TESSERA_FIX_REQUEST  "legacy_cache_invalid": the cache cannot be read, and must not be written over; and others,
 * - a fault of the store.
 */
tessera_status tessera_export_sign_ins(tessera_application *TESSERA_NULLABLE application,
                                       const char *TESSERA_NULLABLE request,
                                       const void *TESSERA_NULLABLE data, size_t size,
                                       char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_MIGRATION_H */
