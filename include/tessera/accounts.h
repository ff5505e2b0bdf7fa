/* SPDX-License-Identifier: MIT */
/**
 * @file accounts.h
 * Signed-in accounts, and sign-out. Include tessera.h.
 */
#ifndef TESSERA_ACCOUNTS_H
#define TESSERA_ACCOUNTS_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/*
 * "Store errors" in the lists below stands for:
 *
 * - TESSERA_STATUS_RETRY_LATER  "store_busy": other processes held the store until "timeout_milliseconds", or for ten seconds.
 * - TESSERA_STATUS_SIGN_IN      "cache_damaged".
 * - TESSERA_STATUS_FIX_STORAGE  "store_unavailable", "store_unsafe", "store_too_new", "cache_undecryptable",
 *                        "key_unavailable", "encryption_unavailable"; for functions that write also "store_full" and
 *                        "store_read_only".
 */

/**
 * List the accounts of all providers that are signed in to this application. Works offline.
 *
 * The list is empty if there is no store yet. Its order is stable and has no meaning.
 *
 * `request` is NULL or an "AccountsRequest". It filters the list by "home_account_id", "username", "local_account_id"
 * or "environment", or extends it with "signed_in_only": false. The result is {"accounts": [Account, …]}.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a store error.
 */
tessera_status tessera_application_get_accounts(tessera_application *TESSERA_NULLABLE application,
                                    const char *TESSERA_NULLABLE request,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Get one account. Works offline, and never guesses.
 *
 * `request` is an "AccountRequest" with exactly one of these members: "home_account_id", the exact identifier;
 * "username", the user name in any tenant; or "local_account_id", the identifier in one tenant. The result is
 * {"account": Account}.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN      "account_not_found": no account matches.
 * - TESSERA_STATUS_FIX_REQUEST  "ambiguous_account": several accounts match, and the error lists them in "accounts". Or
 *                        "invalid_member": the request has none or several of the three members.
 * - a store error.
 */
tessera_status tessera_application_get_account(tessera_application *TESSERA_NULLABLE application,
                                   const char *TESSERA_NULLABLE request,
                                   char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Get the account of a single-account application, and the account that the previous such call returned. Works offline.
 *
 * `request` is NULL or a "CurrentAccountRequest" with "timeout_milliseconds". The result is {"account": Account,
 * "previous_account": Account}. Each is null if no account is or was signed in. If they differ, the application must
 * delete its data for the previous account. If that account was removed, it has only "home_account_id", "environment"
 * and "username".
 *
 * The call records the current account in the store, for all processes of the application. If this write fails, the
 * call still succeeds.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST ("ambiguous_account": several accounts are signed in, and the error lists
 * them), or a store error.
 */
tessera_status tessera_application_get_current_account(tessera_application *TESSERA_NULLABLE application,
                                           const char *TESSERA_NULLABLE request,
                                           char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Remove an account: delete its tokens for this application from this machine. Works offline.
 *
 * The user remains signed in to other applications. Access tokens that were already returned remain valid.
 *
 * `request` is a "RemoveAccountRequest" with "home_account_id". Set "environment" as well if several providers use the
 * same identifier. For an account without an identifier, set "home_account_id" to an empty string and set "username".
 * The result is {"removed": true}, or false if the account was not in the store. After an error, nothing was removed.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST (also "ambiguous_account"), or a store error.
 */
tessera_status tessera_application_remove_account(tessera_application *TESSERA_NULLABLE application,
                                      const char *TESSERA_NULLABLE request,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Sign a user out, and report which data was removed and which remains.
 *
 * First the data on this machine is removed in one commit, even if the network is unavailable. Two more steps run on
 * request. The refresh tokens are revoked at the provider (RFC 7009), and the URL that ends the browser session is built
 * (OpenID Connect RP-Initiated Logout 1.0).
 *
 * `request` is a "SignOutRequest" with "home_account_id" ("username" if that is empty) and "scope": "application",
 * "every_application", or "machine", which empties the store. "revoke_tokens" and "end_session" select these steps.
 * The result is a "SignOutReport". It contains the provider's errors, which do not change the status. If no account
 * matches, the call succeeds.
 *
 * Returns TESSERA_STATUS_OK, or one of these with nothing removed:
 *
 * - TESSERA_STATUS_FIX_REQUEST  also "ambiguous_account".
 * - TESSERA_STATUS_CANCELLED    "cancelled" or "deadline_exceeded".
 * - a store error.
 */
tessera_status tessera_application_sign_out(tessera_application *TESSERA_NULLABLE application,
                                const char *TESSERA_NULLABLE request,
                                tessera_cancellation *TESSERA_NULLABLE cancellation,
                                char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_ACCOUNTS_H */
