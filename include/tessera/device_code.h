/* SPDX-License-Identifier: MIT */
/**
 * @file device_code.h
 * Signing in on another device (RFC 8628). Include tessera.h.
 */
#ifndef TESSERA_DEVICE_CODE_H
#define TESSERA_DEVICE_CODE_H

#include "application.h"
#include "cancellation.h"
#include "declarations.h"
#include "status.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Shows a device code to a person. `prompt` is a "DeviceCodePrompt", valid during the call only, with the members
 * "user_code", "verification_uri", "verification_uri_complete" (if the server has it), "message", "expires_on"
 * and "interval_seconds". Called once, on the thread of the call, before the first poll (RFC 8628 section 3.3); the time that
 * it takes counts. It may call tessera_cancellation_cancel().
 */
typedef void (*tessera_device_code_callback)(void *TESSERA_NULLABLE context, const char *prompt);

/**
 * Sign a person in on another device: show a code, wait until the person has entered it (RFC 8628).
 *
 * `request` is a "DeviceCodeRequest" with "scopes", and "claims" of the error that made the sign-in necessary; `prompt` shows
 * the code and is required; `context` is handed to it as it is. `cancellation` may be NULL. The result is a "TokenResult"
 * whose "source" is "network". Polls that fail for lack of a network are repeated until the code expires.
 *
 * Returns TESSERA_OK, or
 * - TESSERA_SIGN_IN            "code_expired": nobody entered the code in time, start again; or
 *                              "server_declined_scopes": the person granted less than was asked for, and the token for
 *                              that is in "result",
 * - TESSERA_RETRY_LATER        "network_failed", "server_unavailable", "throttled", "invalid_response" or "store_busy",
 * - TESSERA_FIX_REQUEST        also "scopes_required", "reserved_scope" or "invalid_authority",
 * - TESSERA_FIX_CONFIGURATION  the server does not accept the application ("client_rejected") or its scopes
 *                              ("scope_rejected"), or has no device code flow ("flow_unsupported"), which a configuration with
 *                              "broker": "require" has not either; and others,
 * - TESSERA_FIX_STORAGE        the store cannot be used, such as "store_unavailable" or "encryption_unavailable",
 * - TESSERA_CANCELLED          "cancelled", "deadline_exceeded", or "access_denied": the person declined.
 */
tessera_status tessera_acquire_token_by_device_code(
    tessera_application *TESSERA_NULLABLE application, const char *TESSERA_NULLABLE request,
    tessera_device_code_callback TESSERA_NULLABLE prompt, void *TESSERA_NULLABLE context,
    tessera_cancellation *TESSERA_NULLABLE cancellation,
    char *TESSERA_NULLABLE *TESSERA_NULLABLE response);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_DEVICE_CODE_H */
