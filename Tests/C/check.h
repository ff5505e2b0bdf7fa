/* SPDX-License-Identifier: MIT */
/** @file check.h The common part of the C tests: a check that continues after a failure, and the contract of
 * responses. */
#ifndef CHECK_H
#define CHECK_H

#include <jansson.h>
#include <tessera.h>

/** The number of failed checks; a test returns whether there were any. */
extern int failures;

/** Checks a condition. Prints its location and description if it does not hold. */
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
void check(int holds, const char *what, const char *file, int line);

/**
 * Checks the contract of a response: a JSON object; without "error" if the status is TESSERA_STATUS_OK; otherwise with the
 * remedy of that status, a code, a message and "retryable". A token with "declined_scopes" has TESSERA_STATUS_SIGN_IN
 * and no "error". `what` names the call in a failure message. Frees
 * `response`. Returns the document; free it with json_decref().
 */
json_t *check_response(const char *what, tessera_status status, char *response);

/** Does the same, and checks that the status is the expected one. */
void check_status(const char *what, tessera_status expected, tessera_status actual, char *response);

/** Returns the "code" of an error document, or "". */
const char *error_code(const json_t *document);

/** Returns the milliseconds of a monotonic clock. */
int64_t milliseconds(void);

#endif /* CHECK_H */
