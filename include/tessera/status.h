/* SPDX-License-Identifier: MIT */
/**
 * @file status.h
 * The status of a call, which is also the remedy of an error. Include tessera.h.
 */
#ifndef TESSERA_STATUS_H
#define TESSERA_STATUS_H

#include <stdint.h>

#include "declarations.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * The status of a call: TESSERA_STATUS_OK, or the action that the caller should take.
 *
 * The numbers never change. Later versions may add numbers; treat an unknown status like TESSERA_STATUS_REPORT_BUG. A program
 * may use the number as its exit status.
 *
 * Every program must handle two cases of TESSERA_STATUS_SIGN_IN. Either the user must sign in, or fewer scopes were granted
 * than requested. In the second case, "code" is "server_declined_scopes" and "result" has the token for the granted
 * scopes. It is sufficient to show "message" for all other errors, and to retry later if "retryable" is true.
 */
typedef int32_t tessera_status;

enum {
  /** The result is in *response. */
  TESSERA_STATUS_OK = 0,
  /** Start an interactive flow, such as tessera_application_acquire_token_by_device_code(), and pass on "claims". */
  TESSERA_STATUS_SIGN_IN = 1,
  /** The network, the server or the store is unavailable. Retry after "retry_after" seconds. */
  TESSERA_STATUS_RETRY_LATER = 2,
  /** Correct the call. The message states the error. */
  TESSERA_STATUS_FIX_REQUEST = 3,
  /** Correct the configuration or the registration of the application. */
  TESSERA_STATUS_FIX_CONFIGURATION = 4,
  /** Repair the token store, or choose another one. */
  TESSERA_STATUS_FIX_STORAGE = 5,
  /** No action is needed: the user or the host cancelled the call, or it timed out. */
  TESSERA_STATUS_CANCELLED = 6,
  /** Internal error. Report it to the authors of Tessera, including the message. */
  TESSERA_STATUS_REPORT_BUG = 7
};

TESSERA_END_DECLARATIONS

#endif /* TESSERA_STATUS_H */
