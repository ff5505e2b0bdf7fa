/* SPDX-License-Identifier: MIT */
/**
 * @file tokens.h
 * Tokens without asking the user, and what there is to know about them. Include tessera.h.
 */
#ifndef TESSERA_TOKENS_H
#define TESSERA_TOKENS_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Get a token without asking the user: from the cache, or with a refresh token (RFC 6749 section 6). Call this first.
 *
 * `request` is a "SilentRequest" with "home_account_id", "environment" (so that the account is never taken for another
 * provider's with the same identifier) and "scopes", which are compared as sets and without regard to case; for an account
 * without an identifier, which an older library left, "home_account_id" is empty and "username" says who it is.
 * `cancellation` may be NULL. The result is a "TokenResult": "access_token", "expires_on", "scopes", "account" and more;
 * its "source" is "cache", "network" or "broker". A valid cached token takes no network, no lock and no write.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            only the user can continue: sign in interactively, passing on "claims". Such codes are
 *                              "interaction_required", "consent_required", "mfa_required", "refresh_token_rejected",
 *                              "account_not_found", "store_missing", "store_empty" and "cache_damaged". Or
 *                              "server_declined_scopes": the token for what was granted is in "result",
 * - TESSERA_RETRY_LATER        "network_failed", "server_unavailable", "throttled", "invalid_response" or "store_busy"; see
 *                              "retry_after". A token that is still valid is returned instead, with "refresh_error",
 * - TESSERA_FIX_REQUEST        also "scopes_required", "reserved_scope", "ambiguous_account" or "invalid_authority",
 * - TESSERA_FIX_CONFIGURATION  the server does not accept the application ("client_rejected") or its scopes
 *                              ("scope_rejected"); "certificate_untrusted", "library_missing", "unsafe_environment"
 *                              and others,
 * - TESSERA_FIX_STORAGE        the store cannot be used, such as "store_unsafe", "store_read_only", "store_too_new" or
 *                              "key_unavailable"; no refresh token was spent. A store that is full, or that only cannot be
 *                              written, is no reason: the token comes with "persisted": false, and "warnings" say why,
 * - TESSERA_CANCELLED          "cancelled", or "deadline_exceeded" when "timeout_milliseconds" passed.
 */
tessera_status tessera_acquire_token_silent(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Say what tessera_acquire_token_silent() would do with a request now, and why: a dry run. Asks no server and redeems
 * nothing. The answer holds no token, and is true for the moment only.
 *
 * `request` is a "SilentRequest"; "timeout_milliseconds" bounds the wait for the store. The result is an Explanation
 * (docs/explain.md) with every token that the store has of the account, and why it would be used or not. What would end the
 * call itself is in its member "error".
 *
 * Returns TESSERA_OK, TESSERA_FIX_REQUEST (as the call itself), TESSERA_RETRY_LATER ("store_busy") or TESSERA_FIX_STORAGE
 * if the store cannot be read.
 */
tessera_status tessera_explain(tessera_application *TESSERA_NULLABLE application,
                               const char *TESSERA_NULLABLE request,
                               char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Say what a token says of itself, unverified: for display and for finding mistakes, never for a decision. Needs no
 * application, asks nobody and keeps nothing. An access token is its resource's business (RFC 6749 section 1.4).
 *
 * `token` is the token itself. The result is a "TokenDescription": "kind", "audiences", "scopes", "expires_on" and more,
 * without the token. A text that is no JWT (RFC 7519) is "opaque", and no error.
 *
 * Returns TESSERA_OK, or TESSERA_FIX_REQUEST if `token` is NULL ("missing_parameter"), no UTF-8 or longer than a megabyte
 * ("invalid_member").
 */
tessera_status tessera_describe_token(const char *TESSERA_NULLABLE token,
                                      char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_TOKENS_H */
