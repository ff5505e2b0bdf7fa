/* SPDX-License-Identifier: MIT */
/**
 * @file interactive.h
 * Signing in on the provider's page, in a browser (RFC 8252). Include tessera.h.
 */
#ifndef TESSERA_INTERACTIVE_H
#define TESSERA_INTERACTIVE_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Shows the address of the provider's page to a person. `prompt` is a "SignInPrompt", valid during the call only, with the
 * members "url", "opens_browser", "reason" and "redirect_uri", and "problem" from the second time on. Called on the thread of
 * the call: before a browser is opened, when none could be, and when what was pasted is not the answer. The time that it
 * takes counts. It may call tessera_cancellation_cancel().
 */
typedef void (*tessera_sign_in_callback)(void *TESSERA_NULLABLE context, const char *prompt);

/**
 * Sign a person in in a browser: authorization code with PKCE (RFC 7636). Always shows the person something: call
 * tessera_acquire_token_silent() first, and this when it returns TESSERA_SIGN_IN, with "claims" of its error; or say
 * "silent_first", which is both.
 *
 * `request` is an "InteractiveRequest" with "scopes". The user's browser is opened where there is one (docs/interactive.md has
 * the table), and the answer is awaited at the redirect URI on this machine, or, for one with a scheme of the program's own, at
 * a socket of the user's to which "tessera handle-url" or tessera_hand_over_url() brings it. `prompt` is told the address in
 * any case, and shows it where there is no browser; with NULL such a call ends at once. `context` is handed to it as it is.
 * `cancellation` may be NULL. The result is a "TokenResult" whose "source" is "network", or "broker" where that one has shown
 * its window; after a browser "browser_reason" says why it was opened, or was not. Nothing listens any more when the call has
 * ended. With "webview_type": "embedded" the page is shown by the program tessera-webview (docs/webview.md), which is gone half
 * a second after the call at the latest.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            "account_mismatch": somebody else signed in than was asked for;
 *                              "invalid_authorization_response"; what the provider wants of the person; or
 *                              "server_declined_scopes": the token for what was granted is in "result",
 * - TESSERA_RETRY_LATER        "network_failed", "webview_failed", "server_unavailable", "throttled", "invalid_response",
 *                              "too_many_open_files" or "store_busy", also when the store would not take the token and no
 *                              page was opened,
 * - TESSERA_FIX_REQUEST        also "scopes_required", "reserved_scope", "invalid_authority", or "interaction_in_progress":
 *                              another call of this application waits for a browser, or for the window of a broker,
 * - TESSERA_FIX_CONFIGURATION  "browser_unavailable", "redirect_port_taken", "invalid_redirect_uri"; with a web view
 *                              "webview_unavailable", "navigation_refused" or "certificate_untrusted"; before any network
 *                              "redirect_scheme_not_registered": no program opens the scheme of "redirect_uri"; the server
 *                              does not accept the application ("client_rejected") or its scopes ("scope_rejected"); and
 *                              others,
 * - TESSERA_FIX_STORAGE        the store cannot be used, such as "store_unavailable" or "encryption_unavailable",
 * - TESSERA_CANCELLED          "cancelled", "deadline_exceeded", or "access_denied": the person declined.
 */
tessera_status tessera_acquire_token_interactive(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_sign_in_callback TESSERA_NULLABLE prompt, void *TESSERA_NULLABLE context,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_INTERACTIVE_H */
