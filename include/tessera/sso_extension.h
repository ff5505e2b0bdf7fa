/* SPDX-License-Identifier: MIT */
/**
 * @file sso_extension.h
 * Microsoft's single sign-on extension on Apple systems: its requests and answers as documents, for a host that sends them with
 * Apple's classes. They are the same on every system. docs/brokers.md has their members. Include tessera.h.
 */
#ifndef TESSERA_SSO_EXTENSION_H
#define TESSERA_SSO_EXTENSION_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Make a request to the single sign-on extension. Needs no application, and no network.
 *
 * `request` is an "SSOExtensionRequest" with "operation" and "broker_key". The result is an "SSOExtensionOperation": "operation"
 * is the requestedOperation of an ASAuthorizationSingleSignOnRequest, "options" (an object of strings) are the query items of its
 * authorizationOptions.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_FIX_REQUEST  "missing_parameter": the extension must have a member that is missing; or "invalid_json",
 *                        "unknown_member", "invalid_member".
 */
tessera_status tessera_sso_extension_request(const char *TESSERA_NULLABLE request,
                                             char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Read what came back from the single sign-on extension. Needs no application, and no network; nothing is stored.
 *
 * `request` is an "SSOExtensionOutcome": "headers" (allHeaderFields of the authenticatedResponse), or "error" (the NSError that
 * the call failed with). The result is an "SSOExtensionAnswer". It says what tokens are for, and has none of them: nobody has
 * checked them yet. tessera_sso_extension_store() does.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN   "interaction_required": ask again with "login"; "sso_extension_failed": sign in on a page, without the
 *                     extension; what a server wants of the person, or what the broker failed with,
 * - TESSERA_FIX_REQUEST        "missing_parameter", "invalid_json", "unknown_member" or "invalid_member",
 * - TESSERA_FIX_CONFIGURATION  "protection_policy_required": see "username", "home_account_id" and docs/brokers.md; and others,
 * - TESSERA_CANCELLED          "access_denied": the person closed the page.
 */
tessera_status tessera_sso_extension_response(const char *TESSERA_NULLABLE request,
                                              char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Check the tokens of an answer of the single sign-on extension, and store them like any others.
 *
 * `request` is an "SSOExtensionTokens" with "headers" and "scopes". `cancellation` may be NULL. The result is a "TokenResult";
 * tessera_acquire_token_silent() finds the token afterwards. Issuer, application, tenant, nonce, account and scopes must be those
 * that were asked for. A refresh token is stored only if it is this application's; on a shared device, the access token is handed
 * out and not stored ("persisted" is false). The authority's endpoints are looked up, if nobody has before.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            "account_mismatch": somebody else's tokens, and nothing was stored; "server_declined_scopes": the
 *                              token for what was granted is in "result"; "sso_extension_failed"; what the server said,
 * - TESSERA_RETRY_LATER        "network_failed", "server_unavailable", "invalid_response" or "store_busy",
 * - TESSERA_FIX_REQUEST        also "scopes_required" or "reserved_scope",
 * - TESSERA_FIX_CONFIGURATION  "issuer_mismatch" or "invalid_id_token": tokens of another authority or application; and others,
 * - TESSERA_FIX_STORAGE        the store cannot be used, such as "store_unavailable" or "key_unavailable",
 * - TESSERA_CANCELLED          "cancelled" or "deadline_exceeded".
 */
tessera_status tessera_sso_extension_store(tessera_application *TESSERA_NULLABLE application,
                                           const char *TESSERA_NULLABLE request,
                                           tessera_cancellation *TESSERA_NULLABLE cancellation,
                                           char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_SSO_EXTENSION_H */
