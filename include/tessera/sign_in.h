/* SPDX-License-Identifier: MIT */
/**
 * @file sign_in.h
 * Signing in on a page that the host shows itself: in its own browser or web view, or on another screen. Include tessera.h.
 */
#ifndef TESSERA_SIGN_IN_H
#define TESSERA_SIGN_IN_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Begin a sign-in: get the address of the provider's page (authorization code with PKCE). Opens nothing.
 *
 * `request` is a "SignInRequest" with "scopes"; "delivery": "system" wants the scheme of "redirect_uri" to be registered, where
 * the host does not see itself where its page goes. `cancellation` may be NULL. The result is a "BegunSignIn": open "url" in a
 * browser or a web view, and keep "state" until "expires_on". It is sealed with a key of the store, holds everything that it
 * takes to complete the sign-in, and may lie anywhere. When "redirect_uri" is opened, in this process or another one, hand both
 * to tessera_sign_in_complete().
 *
 * With "authenticator" it is Microsoft Authenticator that signs the person in, on Apple's systems: "url" is its address
 * (msauthv2://broker, or a universal link where "redirect_uri" is https), and "state" also has the key of its answer.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_RETRY_LATER        "network_failed", "server_unavailable", "invalid_response" or "store_busy",
 * - TESSERA_FIX_REQUEST        also "scopes_required", "reserved_scope" or "invalid_authority",
 * - TESSERA_FIX_CONFIGURATION  the provider has no page to sign in at, or the configuration's "broker" is "require" and no
 *                              "authenticator" was named ("flow_unsupported"); before any network
 *                              "redirect_scheme_not_registered"; with "authenticator" also "invalid_redirect_uri": no broker
 *                              would answer to it; and others,
 * - TESSERA_FIX_STORAGE        the store cannot be used, such as "store_unavailable" or "key_unavailable",
 * - TESSERA_CANCELLED          "cancelled" or "deadline_exceeded".
 */
tessera_status tessera_sign_in_begin(tessera_application *TESSERA_NULLABLE application,
                                     const char *TESSERA_NULLABLE request,
                                     tessera_cancellation *TESSERA_NULLABLE cancellation,
                                     char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Complete a sign-in that was begun, in any process that shares the store: with what came to the redirect URI, once.
 *
 * `request` is a "RedirectResponse" with "state", and "url" (the whole address that was opened) or "form" (the body that was
 * posted). `cancellation` may be NULL. The result is a "TokenResult" whose "source" is "network". What is not the answer to
 * this sign-in leaves it waiting, and so does a server that could not be asked (TESSERA_RETRY_LATER).
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            "sign_in_used", "sign_in_expired" and "code_expired": begin again; "account_mismatch": somebody
 *                              else signed in than was asked for; "invalid_authorization_response"; what the provider
 *                              wants of the person; "server_declined_scopes": the token for what was granted is in
 *                              "result"; "workplace_join_required": "app_link" leads to what registers the device; of
 *                              Authenticator "broker_failed", "broker_hash_mismatch" and others of docs/brokers.md,
 * - TESSERA_RETRY_LATER        "network_failed", "server_unavailable", "throttled", "invalid_response" or "store_busy",
 * - TESSERA_FIX_REQUEST        also "state_mismatch": the answer is that of another sign-in, or of none; ignore it; and
 *                              "invalid_sign_in_state": another application, store or redirect URI has begun it; of
 *                              Authenticator "broker_state_missing", "broker_state_mismatch" and "broker_nonce_mismatch",
 * - TESSERA_FIX_CONFIGURATION  the server does not accept the application ("client_rejected") or its redirect URI
 *                              ("redirect_uri_rejected"); "issuer_mismatch": another provider has answered;
 *                              "flow_unsupported": the configuration's "broker" is "require", and this was a page; and others,
 * - TESSERA_FIX_STORAGE        the store cannot be used, such as "store_unavailable"; the code was not spent,
 * - TESSERA_CANCELLED          "cancelled", "deadline_exceeded", or "access_denied": the person declined.
 */
tessera_status tessera_sign_in_complete(tessera_application *TESSERA_NULLABLE application,
                                        const char *TESSERA_NULLABLE request,
                                        tessera_cancellation *TESSERA_NULLABLE cancellation,
                                        char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Hand an address that this program was opened with to the sign-in of the same user that waits for it: what a program does
 * that is registered for the scheme of a redirect URI, and what "tessera handle-url" does. Needs no application.
 *
 * `url` is the whole address. `cancellation` may be NULL. The result is an empty object. The address is offered to the one
 * tessera_acquire_token_interactive() that waits for its "state", in whatever program of this user; others go on waiting. Gives
 * up after ten seconds.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_RETRY_LATER  "too_many_open_files": the process has no descriptor left,
 * - TESSERA_FIX_REQUEST  "state_mismatch": no sign-in waits for it. Nothing was spent: a sign-in that was begun with
 *                        tessera_sign_in_begin() can still be completed with it. Or "missing_parameter", "invalid_member",
 * - TESSERA_CANCELLED    "cancelled", or "deadline_exceeded": whoever waits did not answer.
 */
tessera_status tessera_hand_over_url(const char *TESSERA_NULLABLE url,
                                     tessera_cancellation *TESSERA_NULLABLE cancellation,
                                     char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_SIGN_IN_H */
