/* SPDX-License-Identifier: MIT */
/**
 * @file sign_in.h
 * Host-driven sign-in: the host shows the page in its browser or web view, or on another screen. Include tessera.h.
 */
#ifndef TESSERA_SIGN_IN_H
#define TESSERA_SIGN_IN_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Begin a sign-in: get the URL of the sign-in page (authorization code flow with PKCE). Opens nothing.
 *
 * `request` is a "SignInRequest" with "scopes". If the host cannot observe the redirect itself, set "delivery":
 * "system"; then the scheme of "redirect_uri" must be registered. The result is a "BegunSignIn". Open "url" in a
 * browser or a web view, and keep "state" until "expires_on". "state" contains everything that is needed to complete
 * the sign-in, encrypted with a key of the store. It may be stored anywhere. When "redirect_uri" is opened, in this
 * process or another one, pass both to tessera_application_complete_sign_in().
 *
 * With "authenticator", Microsoft Authenticator signs the user in, on Apple platforms. Then "url" is its address
 * (msauthv2://broker, or a universal link if "redirect_uri" is https), and "state" also contains the key of its
 * response.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_RETRY_LATER        "network_failed", "server_unavailable", "invalid_response" or "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST        also "scopes_required", "reserved_scope" or "invalid_authority".
 * - TESSERA_STATUS_FIX_CONFIGURATION  "flow_unsupported": the provider has no sign-in page, or the configuration has "broker":
 *                              "require" and the request no "authenticator". Before any network access
 *                              "redirect_scheme_not_registered". With "authenticator" also "invalid_redirect_uri": no
 *                              broker would redirect to it. And others.
 * - TESSERA_STATUS_FIX_STORAGE        The store cannot be used: "store_unavailable", "key_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED          "cancelled" or "deadline_exceeded".
 */
tessera_status tessera_application_begin_sign_in(tessera_application *TESSERA_NULLABLE application,
                                     const char *TESSERA_NULLABLE request,
                                     tessera_cancellation *TESSERA_NULLABLE cancellation,
                                     char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Complete a sign-in with the redirect, once, in any process that shares the store.
 *
 * `request` is a "RedirectResponse" with "state", and with "url" (the complete URL that was opened) or "form" (the body
 * that was posted). The result is a "TokenResult" with the "source" "network". The sign-in remains pending if the
 * redirect does not belong to it, or if the server cannot be reached (TESSERA_STATUS_RETRY_LATER).
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN            "sign_in_used", "sign_in_expired" or "code_expired": begin again. "sign_in_lost": the store
 *                              does not have the key of this sign-in; begin again. "account_mismatch":
 *                              the user signed in with a different account than requested.
 *                              "invalid_authorization_response". Errors with which the provider requires an action of
 *                              the user. "server_declined_scopes": "result" has the token for the granted scopes.
 *                              "workplace_join_required": open "app_link" to register the device. From Authenticator
 *                              also "broker_failed", "broker_hash_mismatch" and others; see docs/brokers.md.
 * - TESSERA_STATUS_RETRY_LATER        "network_failed", "server_unavailable", "throttled", "invalid_response" or "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST        also "state_mismatch": the redirect does not belong to this sign-in; ignore it.
 *                              "invalid_sign_in_state": the sign-in was begun by another application or for another
 *                              redirect URI. From Authenticator also "broker_state_missing", "broker_state_mismatch" and
 *                              "broker_nonce_mismatch".
 * - TESSERA_STATUS_FIX_CONFIGURATION  "client_rejected" or "redirect_uri_rejected": the server rejected the application or its
 *                              redirect URI. "issuer_mismatch": the redirect is from another provider.
 *                              "flow_unsupported": the configuration has "broker": "require", and this sign-in used a
 *                              page. And others.
 * - TESSERA_STATUS_FIX_STORAGE        The store cannot be used, such as "store_unavailable". The code was not redeemed.
 * - TESSERA_STATUS_CANCELLED          "cancelled", "deadline_exceeded", or "access_denied": the user declined.
 */
tessera_status tessera_application_complete_sign_in(tessera_application *TESSERA_NULLABLE application,
                                        const char *TESSERA_NULLABLE request,
                                        tessera_cancellation *TESSERA_NULLABLE cancellation,
                                        char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

/**
 * Deliver a redirect URL that this program was opened with to the pending sign-in of the same user.
 *
 * Call this function in a program that is registered for the scheme of a redirect URI; "tessera handle-url" does the
 * same. It needs no application. `url` is the complete URL. The result is an empty object. The URL is delivered to the
 * call of tessera_application_acquire_token_interactive() with the same "state", in any process of this user. Other calls are not
 * affected. The function times out after ten seconds.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_RETRY_LATER  "too_many_open_files": the process has no free file descriptor.
 * - TESSERA_STATUS_FIX_REQUEST  "state_mismatch": no pending sign-in matches. The code was not redeemed, so that a sign-in
 *                        begun with tessera_application_begin_sign_in() can still be completed with the URL. Or
 *                        "missing_parameter", "invalid_member".
 * - TESSERA_STATUS_CANCELLED    "cancelled", or "deadline_exceeded": the receiving process did not respond.
 */
tessera_status tessera_library_hand_over_url(const char *TESSERA_NULLABLE url,
                                     tessera_cancellation *TESSERA_NULLABLE cancellation,
                                     char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_SIGN_IN_H */
