/* SPDX-License-Identifier: MIT */
/**
 * @file device_code.h
 * Sign-in on another device (RFC 8628). Include tessera.h.
 */
#ifndef TESSERA_DEVICE_CODE_H
#define TESSERA_DEVICE_CODE_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Shows a device code to the user.
 *
 * Called once, on the thread of the call, before the first poll (RFC 8628 section 3.3). The time until it returns
 * counts towards the timeout. It may call tessera_cancellation_cancel().
 *
 * - `context`  The `context` of the call.
 * - `prompt`   A "DeviceCodePrompt" with the members "user_code", "verification_uri", "verification_uri_complete" (if
 *              the server provides it), "message", "expires_on" and "interval_seconds". It is valid only during the
 *              callback.
 */
typedef void (*tessera_device_code_callback)(void *TESSERA_NULLABLE context, const char *prompt);

/**
 * Sign a user in on another device: show a code, and wait until the user enters it (RFC 8628).
 *
 * `request` is a "DeviceCodeRequest" with "scopes". If an error required the sign-in, pass on its "claims". `prompt`
 * shows the code and is required. `context` is passed to it unchanged. The result is a "TokenResult" with the "source"
 * "network". A poll that fails because of the network is repeated until the code expires.
 *
 * Returns TESSERA_STATUS_OK, or
 *
 * - TESSERA_STATUS_SIGN_IN            "code_expired": the user did not enter the code in time; start again. Or
 *                              "server_declined_scopes": the user granted only some of the scopes, and "result" has the
 *                              token for them.
 * - TESSERA_STATUS_RETRY_LATER        "network_failed", "server_unavailable", "throttled", "invalid_response" or "store_busy".
 * - TESSERA_STATUS_FIX_REQUEST        also "scopes_required", "reserved_scope" or "invalid_authority".
 * - TESSERA_STATUS_FIX_CONFIGURATION  "client_rejected" or "scope_rejected": the server rejected the application or its
 *                              scopes. "flow_unsupported": the server has no device code flow, or the configuration has
 *                              "broker": "require". And others.
 * - TESSERA_STATUS_FIX_STORAGE        The store cannot be used: "store_unavailable", "encryption_unavailable" and others.
 * - TESSERA_STATUS_CANCELLED          "cancelled", "deadline_exceeded", or "access_denied": the user declined.
 */
tessera_status tessera_application_acquire_token_by_device_code(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_device_code_callback TESSERA_NULLABLE prompt, void *TESSERA_NULLABLE context,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_DEVICE_CODE_H */
