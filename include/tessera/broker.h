/* SPDX-License-Identifier: MIT */
/**
 * @file broker.h
 * The identity broker of this machine (Linux: com.microsoft.identity.broker1 on the session bus). Include tessera.h.
 */
#ifndef TESSERA_BROKER_H
#define TESSERA_BROKER_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/*
 * These functions ask the broker in so many words, whatever the configuration's "broker" says; that member is about tokens.
 * Each takes "authority", "timeout_milliseconds" and "correlation_id" besides what its comment names, and has the broker
 * started if it is not running. Without "timeout_milliseconds" the broker has ten seconds for its version and its accounts,
 * thirty for a signature, and forty for cookies: ten to find the account, thirty for the rest. docs/brokers.md has what the
 * broker says when, and the documents.
 *
 * Where a function below says "a fault of the broker", that is TESSERA_FIX_CONFIGURATION "broker_unavailable" (there is no
 * session bus, no broker or no library for D-Bus, or its version cannot do it), TESSERA_RETRY_LATER "broker_unresponsive" (it
 * did not answer, ended, or answered with something else), or "store_busy" (this program has too many files open), or
 * TESSERA_CANCELLED "cancelled" or "deadline_exceeded"; or what the broker itself says: TESSERA_RETRY_LATER "network_failed" or
 * "server_unavailable", TESSERA_SIGN_IN "interaction_required", "account_not_found", "account_mismatch" or "device_required",
 * TESSERA_FIX_REQUEST "request_rejected", TESSERA_FIX_CONFIGURATION "client_rejected" or "invalid_authority", TESSERA_CANCELLED
 * "access_denied". The error's "causes" have the reason in a word, such as "no_session_bus", or the broker's own number.
 */

/**
 * Ask the broker for its version, which tells as well whether there is one.
 *
 * `request` is NULL or a "BrokerRequest". `cancellation` may be NULL. The result is {"version": "2.5.2"}.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, or a fault of the broker.
 */
tessera_status tessera_broker_version(tessera_application *TESSERA_NULLABLE application,
                                      const char *TESSERA_NULLABLE request,
                                      tessera_cancellation *TESSERA_NULLABLE cancellation,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * List the accounts that the broker has for the application, whether or not they have signed in to it.
 *
 * `request` is NULL or a "BrokerRequest". `cancellation` may be NULL. The result is {"accounts": [BrokerAccount, …]}. With
 * "broker": "prefer" or "require" in the configuration, tessera_acquire_token_silent() gets tokens for each
 * "home_account_id" of it.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, or a fault of the broker.
 */
tessera_status tessera_broker_accounts(tessera_application *TESSERA_NULLABLE application,
                                       const char *TESSERA_NULLABLE request,
                                       tessera_cancellation *TESSERA_NULLABLE cancellation,
                                       char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Get the cookies that sign a browser in as an account of the broker (x-ms-RefreshTokenCredential).
 *
 * `request` is a "BrokerCookieRequest": "home_account_id", "sso_url" (the address of the sign-in page, with the "sso_nonce"
 * that the page gave), and "scopes" if they are not Graph's. `cancellation` may be NULL. The result is {"cookies": [{"name",
 * "content"}, …]}. A content is as good as the person's password: send it to that page alone, and write it nowhere.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN      "account_not_found": the broker does not have the account,
 * - TESSERA_FIX_REQUEST  also "invalid_member": "sso_url" is no page of the authority's cloud,
 * - a fault of the broker.
 */
tessera_status tessera_broker_sso_cookie(tessera_application *TESSERA_NULLABLE application,
                                         const char *TESSERA_NULLABLE request,
                                         tessera_cancellation *TESSERA_NULLABLE cancellation,
                                         char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Have the broker sign a request to a resource with a key of its own (proof of possession).
 *
 * `request` is a "BrokerSigningRequest": "home_account_id", "http_method", "url" (its host and path are signed), and perhaps
 * "nonce", "client_claims" (JSON text) and "key_id". `cancellation` may be NULL. The result is {"signed_http_request": "…"}.
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST, or a fault of the broker; "broker_unresponsive" or "broker_unavailable" also from
 * brokers that cannot do it (Himmelblau).
 */
tessera_status tessera_broker_signed_http_request(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_BROKER_H */
