/* SPDX-License-Identifier: MIT */
/**
 * @file tokens.h
 * Tokens without user interaction, and their description. Include tessera.h.
 */
#ifndef TESSERA_TOKENS_H
#define TESSERA_TOKENS_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Acquire an access token without user interaction.
 *
 * Returns a cached token, or redeems a refresh token (RFC 6749 section 6) if the cache has no valid one. Call this
 * function first, and start an interactive flow only if it returns TESSERA_STATUS_SIGN_IN. A valid cached token is returned
 * without network access, without taking a lock and without writing to the store.
 *
 * Parameters
 *
 * - `application`   the application.
 * - `request`       a "SilentRequest" as JSON. "home_account_id" and "scopes" are required. Set "environment" as well:
 *                   two providers may use the same account identifier. Scopes are compared as sets, ignoring case. Some
 *                   accounts imported from older libraries have no identifier. For these, set "home_account_id" to an
 *                   empty string and set "username".
 * - `cancellation`  cancels the call from another thread, or NULL.
 * - `response`      receives a "TokenResult" on success, {"error": Error} otherwise. It is always set, and NULL only if
 *                   memory ran out. Free it with tessera_string_free().
 *
 * A "TokenResult" has "access_token", "expires_on", "scopes", "account" and more. Its "source" is "cache", "network" or
 * "broker". If a refresh fails while the cached token is still valid, the call succeeds and sets "refresh_error". If
 * the store is full or read-only, the call succeeds with "persisted": false, and "warnings" give the reason.
 *
 * Return value
 *
 * TESSERA_STATUS_OK on success. On failure, the status is the remedy, and "code" identifies the error:
 *
 * - TESSERA_STATUS_SIGN_IN            Sign in interactively, and pass on "claims". Codes: "interaction_required",
 *                              "consent_required", "mfa_required", "refresh_token_rejected", "account_not_found",
 *                              "store_missing", "store_empty", "cache_damaged". For "server_declined_scopes", "result"
 *                              has the token for the granted scopes.
 * - TESSERA_STATUS_RETRY_LATER        Retry after "retry_after" seconds. Codes: "network_failed", "server_unavailable",
 *                              "throttled", "invalid_response", "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST        Correct the request. Codes: "scopes_required", "reserved_scope", "ambiguous_account",
 *                              "invalid_authority", and those of every function with a request (see tessera.h).
 * - TESSERA_STATUS_FIX_CONFIGURATION  Correct the configuration or the registration. Codes: "client_rejected",
 *                              "scope_rejected", "certificate_untrusted", "library_missing", "unsafe_environment" and
 *                              others.
 * - TESSERA_STATUS_FIX_STORAGE        Repair the store. No refresh token was redeemed. Codes: "store_unsafe",
 *                              "store_read_only", "store_too_new", "key_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED          "cancelled", or "deadline_exceeded" after "timeout_milliseconds".
 *
 * Thread safety
 *
 * Safe to call from any number of threads with the same application and the same cancellation. Do not free either of
 * them during the call. The call blocks; tessera/calls.h has a non-blocking variant.
 *
 * See also tessera_application_explain(), docs/errors.md.
 */
tessera_status tessera_application_acquire_token_silent(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Explain the decision that tessera_application_acquire_token_silent() would make for a request at present, as a dry run.
 *
 * Works offline, and redeems nothing. The response contains no token. It may be outdated as soon as it is returned.
 *
 * `request` is a "SilentRequest". "timeout_milliseconds" limits the wait for the store. The result is an Explanation
 * (docs/explain.md). It lists every token that the store has for the account, with the reason why the token would or
 * would not be used. An error that the actual call would return is in the member "error".
 *
 * Returns TESSERA_STATUS_OK, TESSERA_STATUS_FIX_REQUEST (as for the actual call), TESSERA_STATUS_RETRY_LATER ("store_busy"), or
 * TESSERA_STATUS_FIX_STORAGE if the store cannot be read.
 */
tessera_status tessera_application_explain(tessera_application *TESSERA_NULLABLE application,
                               const char *TESSERA_NULLABLE request,
                               char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Decode a token without validation, for display and debugging. Never base a decision on the result.
 *
 * Works offline, needs no application and stores nothing. Only the resource can interpret its access tokens (RFC 6749
 * section 1.4).
 *
 * `token` is the token itself. The result is a "TokenDescription": "kind", "audiences", "scopes", "expires_on" and
 * more, without the token. A text that is not a JWT (RFC 7519) has the kind "opaque" and is not an error.
 *
 * Returns TESSERA_STATUS_OK, or TESSERA_STATUS_FIX_REQUEST if `token` is NULL ("missing_parameter"), or is not UTF-8 or longer than 1
 * MiB ("invalid_member").
 */
tessera_status tessera_token_describe(const char *TESSERA_NULLABLE token,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_TOKENS_H */
