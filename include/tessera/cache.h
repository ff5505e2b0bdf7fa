/* SPDX-License-Identifier: MIT */
/**
 * @file cache.h
 * The store as an MSAL cache document, and copies between stores. Include tessera.h.
 */
#ifndef TESSERA_CACHE_H
#define TESSERA_CACHE_H

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Read the whole store as an MSAL cache document ("AccessToken", "Account", "IdToken", "RefreshToken", "AppMetadata").
 *
 * The document contains the tokens of all accounts and applications. Works offline and changes nothing.
 *
 * `request` is NULL, or has "timeout_milliseconds". The result is {"cache": text}. Entries have the format of MSAL
 * Python. Tessera's internal records are not included.
 *
 * Returns TESSERA_STATUS_OK, or a store error (see tessera/accounts.h).
 */
tessera_status tessera_application_read_cache(tessera_application *TESSERA_NULLABLE application,
                                  const char *TESSERA_NULLABLE request,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Apply the changes that another library made to an MSAL cache document, in one commit.
 *
 * Concurrent changes by other processes are kept. An entry is stored unless the store has a newer one. A removed access
 * token or ID token is deleted if it is unchanged in the store. Removed refresh tokens and accounts are always deleted.
 *
 * `request` is a "CacheWriteRequest" with "before", the original document, and "after", the changed document. Entries
 * that are equal in both may be omitted from both. Entries that Tessera does not use, such as app-only tokens, are kept
 * for the library that wrote them. The result is {"stored": number, "removed": number}.
 *
 * Returns TESSERA_STATUS_OK, or one of these with nothing changed:
 *
 * - TESSERA_STATUS_FIX_REQUEST  "invalid_member" (a text is not such a document) and others.
 * - a store error.
 */
tessera_status tessera_application_write_cache(tessera_application *TESSERA_NULLABLE application,
                                   const char *TESSERA_NULLABLE request,
                                   char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Copy the accounts and tokens from the store of `from` to the store of `application`, for all applications.
 *
 * The stores may be of different groups, directories or kinds. Works offline. The newer of two tokens with the same key
 * wins, and nothing is deleted. The call is idempotent.
 *
 * `request` is NULL or a "CopyRequest": "home_account_id" (copies one account only), "dry_run" (only reports) and
 * "timeout_milliseconds". The result is a "CopyReport". It contains "accounts", each with its "outcome" ("copied" or
 * "already_here").
 *
 * Returns TESSERA_STATUS_OK, or a store error of one of the stores. After an error, some records may have been copied.
 */
tessera_status tessera_application_copy_sign_ins(tessera_application *TESSERA_NULLABLE application,
                            tessera_application *TESSERA_NULLABLE from,
                            const char *TESSERA_NULLABLE request,
                            char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_CACHE_H */
