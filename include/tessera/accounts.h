/* SPDX-License-Identifier: MIT */
/**
 * @file accounts.h
 * Who is signed in, and signing out. Include tessera.h.
 */
#ifndef TESSERA_ACCOUNTS_H
#define TESSERA_ACCOUNTS_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/*
 * Where a function below says "a fault of the store", that is TESSERA_RETRY_LATER "store_busy" (others held the store until
 * "timeout_milliseconds", or for ten seconds), TESSERA_SIGN_IN "cache_damaged", or TESSERA_FIX_STORAGE: "store_unavailable",
 * "store_unsafe", "store_too_new", "cache_undecryptable", "key_unavailable", "encryption_unavailable", and "store_full" or
 * "store_read_only" where something is written.
 */

/**
 * List the accounts, of all providers, for which the store holds a sign-in of this application. Asks no server. The list is
 * empty where there is no store yet. Its order is stable and means nothing.
 *
 * `request` is NULL or an "AccountsRequest", which narrows the list ("home_account_id", "username", "local_account_id",
 * "environment") or widens it ("signed_in_only": false). The result is {"accounts": [Account, …]}.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, or a fault of the store.
 */
tessera_status tessera_get_accounts(tessera_application *TESSERA_NULLABLE application,
                                    const char *TESSERA_NULLABLE request,
                                    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Find one account. Asks no server and never guesses.
 *
 * `request` is an "AccountRequest" with exactly one of "home_account_id", which is exact, "username", which the person may
 * have in any tenant, and "local_account_id", the identifier in a tenant. The result is {"account": Account}.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN      "account_not_found": nobody fits,
 * - TESSERA_FIX_REQUEST  "ambiguous_account": several fit, and the error lists them in "accounts"; "invalid_member": none or
 *                        several of the three members are there,
 * - a fault of the store.
 */
tessera_status tessera_get_account(tessera_application *TESSERA_NULLABLE application,
                                   const char *TESSERA_NULLABLE request,
                                   char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Say who uses a program that is for one person at a time, and who did at the last such call. Asks no server.
 *
 * `request` is NULL or a "CurrentAccountRequest" with "timeout_milliseconds". The result is {"account": Account,
 * "previous_account": Account}, each null for nobody. Another person than before says that the program must forget what it
 * keeps of that one, of whom little is left: "home_account_id", "environment" and "username". Who it is now is remembered in
 * the store, for every process of the program; a store that cannot take that is no error.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST ("ambiguous_account": several have signed in, and the error lists them), or a
 * fault of the store.
 */
tessera_status tessera_get_current_account(tessera_application *TESSERA_NULLABLE application,
                                           const char *TESSERA_NULLABLE request,
                                           char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Forget an account: its tokens for this application, everywhere on this machine. Asks no server; the person stays signed
 * in to other applications, and tokens that were handed out stay good at their resources.
 *
 * `request` is a "RemoveAccountRequest": "home_account_id", and "environment" if several providers use the same one; or an
 * empty "home_account_id" and "username", for an account that has no identifier yet. The result is {"removed": true}, or
 * false if nothing was there. After an error nothing was removed.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST (also "ambiguous_account"), or a fault of the store.
 */
tessera_status tessera_remove_account(tessera_application *TESSERA_NULLABLE application,
                                      const char *TESSERA_NULLABLE request,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Sign somebody out, and say what went and what stays where: first what lies on this machine, in one commit and whatever
 * the network does, then what the provider is asked for (RFC 7009; OpenID Connect RP-Initiated Logout 1.0).
 *
 * `request` is a "SignOutRequest" with "home_account_id" ("username" where that is empty) and "scope" ("application",
 * "every_application", or "machine", which empties the store); "revoke_tokens" and "end_session" say what the provider is
 * asked for. `cancellation` may be NULL. The result is a "SignOutReport"; what the provider did not do is in it, and no
 * reason for another status. Nobody to sign out is no error.
 *
 * Returns TESSERA_OK; or, with nothing removed,
 * - TESSERA_FIX_REQUEST  also "ambiguous_account",
 * - TESSERA_CANCELLED    "cancelled" or "deadline_exceeded", before anything was removed,
 * - a fault of the store.
 */
tessera_status tessera_sign_out(tessera_application *TESSERA_NULLABLE application,
                                const char *TESSERA_NULLABLE request,
                                tessera_cancellation *TESSERA_NULLABLE cancellation,
                                char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_ACCOUNTS_H */
