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
 * List the known locations of token caches of Microsoft tools on this machine, with their state.
 *
 * The tools are the Azure CLI, azure-identity and Azure PowerShell. The function needs no application, takes no lock,
 * changes nothing and works offline. It shows no prompt; a locked keyring is reported as such.
 *
 * `request` is NULL or a JSON object with "timeout_milliseconds". The result is "KnownCaches": {"caches": […]}. Each
 * entry has "name" (for "msal_cache" in a configuration), "kind", "path", "state", "selected", "accounts" and more.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_STORAGE  "store_unavailable": the environment does not define the user's home directory.
 * - TESSERA_STATUS_CANCELLED    "deadline_exceeded".
 */
tessera_status tessera_library_known_caches(const char *TESSERA_NULLABLE request,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_KNOWN_CACHES_H */
