/* SPDX-License-Identifier: MIT */
/**
 * @file status.h
 * What a call says to do now. Include tessera.h.
 */
#ifndef TESSERA_STATUS_H
#define TESSERA_STATUS_H

#include <stdint.h>

#include "declarations.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * What the caller should do now: the remedy of the error. The numbers never change; new ones may be added, so treat an
 * unknown status like TESSERA_REPORT_BUG. A program may end with the number as its exit status.
 *
 * Every program has to handle two situations, both of them TESSERA_SIGN_IN: somebody has to sign in; and fewer scopes were
 * granted than asked for ("code" is "server_declined_scopes", "result" is the token for those that were). All else is
 * optional: a program that shows "message" and tries again later where "retryable" is true is complete.
 */
typedef int32_t tessera_status;

enum {
  /** The result is in *response. */
  TESSERA_OK = 0,
  /** Start an interactive flow, such as tessera_acquire_token_by_device_code(), passing on "claims". */
  TESSERA_SIGN_IN = 1,
  /** The network, the server or the store is busy: try again after "retry_after" seconds. */
  TESSERA_RETRY_LATER = 2,
  /** Change the call: the message says what is wrong with it. */
  TESSERA_FIX_REQUEST = 3,
  /** Change the configuration or the registration of the application. */
  TESSERA_FIX_CONFIGURATION = 4,
  /** Repair the token store or choose another one. */
  TESSERA_FIX_STORAGE = 5,
  /** Nothing: the user or the host said stop, or the deadline passed. */
  TESSERA_CANCELLED = 6,
  /** Tell the makers of Tessera; the message says where it happened. */
  TESSERA_REPORT_BUG = 7
};

TESSERA_END_DECLARATIONS

#endif /* TESSERA_STATUS_H */
