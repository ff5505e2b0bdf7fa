/* SPDX-License-Identifier: MIT */
/**
 * @file known_caches.h
 * The token caches of Microsoft's tools on this machine. Include tessera.h.
 */
#ifndef TESSERA_KNOWN_CACHES_H
#define TESSERA_KNOWN_CACHES_H

#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Say where the token caches of Microsoft's tools can lie on this machine, and what is there: Azure CLI's, azure-identity's,
 * Azure PowerShell's. Needs no application, takes no lock, changes nothing and asks no server. No prompt is shown: a keyring
 * that is locked is said to be.
 *
 * `request` is NULL or a JSON object that may have "timeout_milliseconds". The result is "KnownCaches": {"caches": […]}, each
 * with "name" (for "msal_cache" of a configuration), "kind", "path", "state", "selected", "accounts" and more.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_FIX_STORAGE  "store_unavailable": the environment does not say where the person's files lie,
 * - TESSERA_CANCELLED    "deadline_exceeded".
 */
tessera_status tessera_known_caches(const char *TESSERA_NULLABLE request,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_KNOWN_CACHES_H */
