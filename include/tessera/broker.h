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
 * These functions always send the request to the broker. The configuration's "broker" applies to token requests only.
 * Each request accepts "authority", "timeout_milliseconds" and "correlation_id" in addition to the members below. D-Bus
 * starts the broker if it is not running. The default timeouts are ten seconds for the version and for accounts, and 30
 * seconds for a signature. For cookies, it is 40 seconds: 10 to find the account, and 30 for the rest. docs/brokers.md
 * documents the broker's responses.
 *
 * "Broker errors" in the lists below stands for:
 *
 * - TESSERA_STATUS_FIX_CONFIGURATION  "broker_unavailable": there is no session bus, no broker or no D-Bus library, or the
 *                              broker is too old for the request.
 * - TESSERA_STATUS_RETRY_LATER        "broker_unresponsive": the broker did not respond, exited, or sent an invalid response.
 *                              Or "store_busy": this process has too many open files.
 * - TESSERA_STATUS_CANCELLED          "cancelled" or "deadline_exceeded".
 * - errors that the broker reports: TESSERA_STATUS_RETRY_LATER "network_failed" or "server_unavailable", TESSERA_STATUS_SIGN_IN
 *   "interaction_required", "account_not_found", "account_mismatch" or "device_required", TESSERA_STATUS_FIX_REQUEST
 *   "request_rejected", TESSERA_STATUS_FIX_CONFIGURATION "client_rejected" or "invalid_authority", TESSERA_STATUS_CANCELLED
 *   "access_denied".
 *
 * The error's "causes" contain the reason, such as "no_session_bus", or the broker's error number.
 */

/**
 * Get the version of the broker. The call also shows whether a broker is available.
 *
 * `request` is NULL or a "BrokerRequest". The result is {"version": "2.5.2"}.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a broker error.
 */
tessera_status tessera_application_get_broker_version(tessera_application *TESSERA_NULLABLE application,
                                      const char *TESSERA_NULLABLE request,
                                      tessera_cancellation *TESSERA_NULLABLE cancellation,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * List the broker's accounts that are available to the application, including those not signed in to it.
 *
 * `request` is NULL or a "BrokerRequest". The result is {"accounts": [BrokerAccount, …]}. With "broker": "prefer" or
 * "require" in the configuration, tessera_application_acquire_token_silent() accepts the "home_account_id" of each account.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a broker error.
 */
tessera_status tessera_application_get_broker_accounts(tessera_application *TESSERA_NULLABLE application,
                                       const char *TESSERA_NULLABLE request,
                                       tessera_cancellation *TESSERA_NULLABLE cancellation,
                                       char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Get cookies that sign a browser in with an account of the broker (x-ms-RefreshTokenCredential).
 *
 * `request` is a "BrokerCookieRequest": "home_account_id", "sso_url", and "scopes" if they differ from those of
 * Microsoft Graph. "sso_url" is the URL of the sign-in page, with the "sso_nonce" from that page. The result is
 * {"cookies": [{"name", "content"}, …]}. Treat "content" like the user's password: send it to that page only, and do
 * not write it to a file or log.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN      "account_not_found": the broker does not have the account.
 * - TESSERA_STATUS_FIX_REQUEST  also "invalid_member": "sso_url" is not a page of the authority's cloud.
 * - a broker error.
 */
tessera_status tessera_application_get_broker_sso_cookie(tessera_application *TESSERA_NULLABLE application,
                                         const char *TESSERA_NULLABLE request,
                                         tessera_cancellation *TESSERA_NULLABLE cancellation,
                                         char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Sign an HTTP request to a resource with the broker's key (proof of possession).
 *
 * `request` is a "BrokerSigningRequest": "home_account_id", "http_method", "url" (its host and path are signed), and
 * optionally "nonce", "client_claims" (JSON text) and "key_id". The result is {"signed_http_request": "…"}.
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST, or a broker error. Brokers without support for signing, such as Himmelblau,
 * cause "broker_unresponsive" or "broker_unavailable".
 */
tessera_status tessera_application_get_broker_signed_http_request(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_BROKER_H */
