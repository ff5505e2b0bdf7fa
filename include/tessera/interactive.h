/* SPDX-License-Identifier: MIT */
/**
 * @file interactive.h
 * Sign-in in a browser (RFC 8252). Include tessera.h.
 */
#ifndef TESSERA_INTERACTIVE_H
#define TESSERA_INTERACTIVE_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Shows the address of the sign-in page to the user.
 *
 * Called on the thread of the call, before a browser is opened and if none could be opened. Also called if the text that
 * the user pasted is not a valid redirect. The time until it returns counts towards the timeout. It may call
 * tessera_cancellation_cancel().
 *
 * - `context`  The `context` of the call.
 * - `prompt`   A "SignInPrompt" with the members "url", "opens_browser", "reason" and "redirect_uri", and from the
 *              second call on "problem". It is valid only during the callback.
 */
typedef void (*tessera_sign_in_callback)(void *TESSERA_NULLABLE context, const char *prompt);

/**
 * Sign a user in with a browser: authorization code flow with PKCE (RFC 7636). Always involves the user.
 *
 * Call tessera_application_acquire_token_silent() first. If it returns TESSERA_STATUS_SIGN_IN, call this function with the "claims" of the
 * error. "silent_first" combines both calls.
 *
 * `request` is an "InteractiveRequest" with "scopes". `prompt` receives the address of the sign-in page in any case,
 * and shows it if no browser can be opened. If `prompt` is NULL, such a call fails at once. `context` is passed to it
 * unchanged.
 *
 * The call opens the user's browser if there is one (docs/interactive.md has the table). It waits for the redirect at
 * the redirect URI on this machine. For a redirect URI with a custom scheme, it waits at a socket of the user, to which
 * "tessera handle-url" or tessera_library_hand_over_url() delivers the URL. The listener is closed when the call returns. With
 * "webview_type": "embedded", the program tessera-webview shows the page (docs/webview.md). It exits at most half a
 * second after the call.
 *
 * The result is a "TokenResult". Its "source" is "network", or "broker" if a broker showed its window. After a browser
 * sign-in, "browser_reason" has the reason why a browser was or was not opened.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN            "account_mismatch": the user signed in with a different account than requested.
 *                              "invalid_authorization_response". Errors with which the provider requires an action of
 *                              the user. Or "server_declined_scopes": "result" has the token for the granted scopes.
 * - TESSERA_STATUS_RETRY_LATER        "network_failed", "webview_failed", "server_unavailable", "throttled",
 *                              "invalid_response", "too_many_open_files" or "store_busy". If the store cannot be
 *                              written at present, no page is opened.
 * - TESSERA_STATUS_FIX_REQUEST        also "scopes_required", "reserved_scope", "invalid_authority", or
 *                              "interaction_in_progress": another call of this application waits for a browser or for a
 *                              broker's window.
 * - TESSERA_STATUS_FIX_CONFIGURATION  "browser_unavailable", "redirect_port_taken", "invalid_redirect_uri". With a web view
 *                              also "webview_unavailable", "navigation_refused" or "certificate_untrusted". Before any
 *                              network access "redirect_scheme_not_registered": no program is registered for the scheme
 *                              of "redirect_uri". "client_rejected" or "scope_rejected": the server rejected the
 *                              application or its scopes. And others.
 * - TESSERA_STATUS_FIX_STORAGE        The store cannot be used: "store_unavailable", "encryption_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED          "cancelled", "deadline_exceeded", or "access_denied": the user declined.
 */
tessera_status tessera_application_acquire_token_interactive(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_sign_in_callback TESSERA_NULLABLE prompt, void *TESSERA_NULLABLE context,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_INTERACTIVE_H */
