/* SPDX-License-Identifier: MIT */
/**
 * @file migration.h
 * Import of sign-ins from older libraries, and export to them. Include tessera.h.
 */
#ifndef TESSERA_MIGRATION_H
#define TESSERA_MIGRATION_H

#include <stddef.h>

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Import the sign-ins from the cache of an older library.
 *
 * Supported are ADAL for Apple platforms, .NET, Python and Node, the Azure CLI before 2.30, and older versions of MSAL.
 * The refresh tokens are stored for all applications that they belong to. Works offline: the first silent call for an
 * account redeems its token. The older cache is not changed, and the import is idempotent.
 *
 * The cache is the `size` bytes at `data`. If `data` is NULL, it is the file that the request names. `request` is NULL
 * or a "MigrationRequest":
 *
 * - "path"                  the file.
 * - "place"                 instead of "path", a known location: "azure_cli" is accessTokens.json in AZURE_CONFIG_DIR
 *                           or ~/.azure.
 * - "format"                the format; by default, it is detected.
 * - "dry_run"               only reports.
 * - "timeout_milliseconds"  the timeout.
 *
 * The result is a "MigrationReport". It contains "accounts", each with its "outcome": "migrated", "already_migrated",
 * "already_signed_in", or "not_migrated" with "reason" and "advice". Damaged entries are listed in "damaged", and the
 * others are still imported.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST  "legacy_cache_invalid" (the data is not such a cache, or the file cannot be read) and others.
 * - a store error (see tessera/accounts.h). Some accounts may have been imported.
 */
tessera_status tessera_application_migrate(tessera_application *TESSERA_NULLABLE application,
                               const char *TESSERA_NULLABLE request,
                               const void *TESSERA_NULLABLE data, size_t size,
                               char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Export this application's sign-ins in the format of ADAL 2.7 or later, for programs that still use it.
 *
 * These programs find an account by its "userId", which is the "username". Works offline and changes nothing.
 *
 * `request` is an "ExportRequest" with a "format". "apple_keychain" returns keychain items. "adal_macos" returns a
 * cache file of ADAL for macOS, which the host stores. For "adal_macos", pass the present cache in `data` and `size`,
 * or NULL if there is none. Its other entries are kept. The result is "ExportedSignIns" with "items", or with "data" in
 * Base64. It contains refresh tokens: store it only where the older library reads it and no other user can.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN      "account_not_found": no account is signed in.
 * - TESSERA_STATUS_FIX_REQUEST  "legacy_cache_invalid" (the present cache cannot be read, and must not be overwritten) and
 *                        others.
 * - a store error (see tessera/accounts.h).
 */
tessera_status tessera_application_export_sign_ins(tessera_application *TESSERA_NULLABLE application,
                                       const char *TESSERA_NULLABLE request,
                                       const void *TESSERA_NULLABLE data, size_t size,
                                       char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_MIGRATION_H */
