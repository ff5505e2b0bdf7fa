/* SPDX-License-Identifier: MIT */
/**
 * @file cache.h
 * The store as the document that MSAL libraries keep. Include tessera.h.
 */
#ifndef TESSERA_CACHE_H
#define TESSERA_CACHE_H

#include "application.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Read the whole store as the JSON document that MSAL libraries keep ("AccessToken", "Account", "IdToken", "RefreshToken",
 * "AppMetadata"), for every account and application. Asks no server and changes nothing. It holds tokens.
 *
 * `request` is NULL, or has "timeout_milliseconds". The result is {"cache": text}. Entries are spelled as MSAL Python spells
 * them; what Tessera remembers for itself is not among them.
 *
 * Returns TESSERA_OK, or a fault of the store.
 */
tessera_status tessera_cache_read(tessera_application *TESSERA_NULLABLE application,
                                  const char *TESSERA_NULLABLE request,
                                  char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Write what another library changed in that document, in one commit. What others stored meanwhile stays: an entry is stored
 * unless a newer one is there, and removed if it is the same token still; refresh tokens and accounts go in any case.
 *
 * `request` is a "CacheWriteRequest": "before", the document as it was, and "after", as it is to be. Entries that are the same
 * in both may be left out of both. Entries that Tessera has no use for, such as tokens of an application itself, are kept for
 * whoever wrote them. The result is {"stored": number, "removed": number}.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_FIX_REQUEST  "invalid_member": a text is no such document; and others,
 * - TESSERA_FIX_STORAGE or TESSERA_RETRY_LATER  a fault of the store.
 * Then nothing was changed.
 */
tessera_status tessera_cache_write(tessera_application *TESSERA_NULLABLE application,
                                   const char *TESSERA_NULLABLE request,
                                   char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Copy the accounts and tokens of the store of another application, `from`, into the store of `application`: of another group,
 * another directory or another kind of store, and for every application that shares them. Asks no server. Of two tokens for
 * the same place the newer one counts, and nothing is deleted; doing it again changes nothing.
 *
 * `request` is NULL or a "CopyRequest": "home_account_id" (for one account alone), "dry_run" (for a report alone) and
 * "timeout_milliseconds". The result is a "CopyReport": "accounts", each with its "outcome" ("copied" or "already_here").
 *
 * Returns TESSERA_OK, or a fault of one of the stores; some records may have been stored already.
 */
tessera_status tessera_copy(tessera_application *TESSERA_NULLABLE application,
                            tessera_application *TESSERA_NULLABLE from,
                            const char *TESSERA_NULLABLE request,
                            char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_CACHE_H */
