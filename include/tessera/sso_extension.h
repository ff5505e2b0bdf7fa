/* SPDX-License-Identifier: MIT */
/**
 * @file sso_extension.h
 * Microsoft's single sign-on extension on Apple platforms. Include tessera.h.
 *
 * These functions convert its requests and responses to and from JSON, for a host that sends them with Apple's classes.
 * The documents are the same on every platform. docs/brokers.md documents their members.
 */
#ifndef TESSERA_SSO_EXTENSION_H
#define TESSERA_SSO_EXTENSION_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Create a request to the single sign-on extension. Needs no application and no network.
 *
 * `request` is an "SSOExtensionRequest" with "operation" and "broker_key". The result is an "SSOExtensionOperation".
 * "operation" is the requestedOperation of an ASAuthorizationSingleSignOnRequest. "options" (an object of strings) are
 * the query items of its authorizationOptions.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_FIX_REQUEST  "missing_parameter": a member that the extension requires is missing. Or "invalid_json",
 *                        "unknown_member", "invalid_member".
 */
tessera_status tessera_sso_extension_request(const char *TESSERA_NULLABLE request,
                                             char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Parse a response of the single sign-on extension. Needs no application and no network, and stores nothing.
 *
 * `request` is an "SSOExtensionOutcome": "headers" (allHeaderFields of the authenticatedResponse), or "error" (the
 * NSError of the failed request). The result is an "SSOExtensionAnswer". It describes the tokens but does not contain
 * them, because they are not validated yet. tessera_application_store_sso_extension_response() validates and stores them.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN            "interaction_required": repeat the request with "login". "sso_extension_failed": sign in
 *                              on a page, without the extension. Errors with which a server requires an action of the
 *                              user, and errors of the broker.
 * - TESSERA_STATUS_FIX_REQUEST        "missing_parameter", "invalid_json", "unknown_member" or "invalid_member".
 * - TESSERA_STATUS_FIX_CONFIGURATION  "protection_policy_required": see "username", "home_account_id" and docs/brokers.md. And
 *                              others.
 * - TESSERA_STATUS_CANCELLED          "access_denied": the user closed the page.
 */
tessera_status tessera_sso_extension_response(const char *TESSERA_NULLABLE request,
                                              char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Validate the tokens in a response of the single sign-on extension, and store them.
 *
 * `request` is an "SSOExtensionTokens" with "headers" and "scopes". The result is a "TokenResult".
 * tessera_application_acquire_token_silent() returns the token afterwards. Issuer, application, tenant, nonce, account and scopes
 * must match the request. A refresh token is stored only if it was issued to this application. On a shared device, the
 * access token is returned but not stored ("persisted" is false). The authority's endpoints are discovered if they are
 * not cached.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN            "account_mismatch": the tokens belong to another account, and nothing was stored.
 *                              "server_declined_scopes": "result" has the token for the granted scopes.
 *                              "sso_extension_failed". Errors that the server reported.
 * - TESSERA_STATUS_RETRY_LATER        "network_failed", "server_unavailable", "invalid_response" or "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST        also "scopes_required" or "reserved_scope".
 * - TESSERA_STATUS_FIX_CONFIGURATION  "issuer_mismatch" or "invalid_id_token": the tokens are from another authority or for
 *                              another application. And others.
 * - TESSERA_STATUS_FIX_STORAGE        The store cannot be used: "store_unavailable", "key_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED          "cancelled" or "deadline_exceeded".
 */
tessera_status tessera_application_store_sso_extension_response(tessera_application *TESSERA_NULLABLE application,
                                           const char *TESSERA_NULLABLE request,
                                           tessera_cancellation *TESSERA_NULLABLE cancellation,
                                           char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_SSO_EXTENSION_H */
