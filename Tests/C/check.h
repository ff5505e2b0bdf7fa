/* SPDX-License-Identifier: MIT */
/** @file check.h What the C tests share: a check that goes on after a failure, and the contract of every answer. */
#ifndef CHECK_H
#define CHECK_H

#include <jansson.h>
#include <tessera.h>

/** How many checks failed; a test returns whether any did. */
extern int failures;

/** Check a condition; say where and what when it does not hold. */
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
void check(int holds, const char *what, const char *file, int line);

/**
 * Check the contract of an answer: a JSON object; without "error" when the status is TESSERA_OK; otherwise with
 * the remedy of that status, a code, a message and "retryable". `what` names the call in a complaint.
 * Frees `response`. Returns the document, the caller's to json_decref().
 */
json_t *check_answer(const char *what, tessera_status status, char *response);

/** The same, and the status is the expected one. */
void check_status(const char *what, tessera_status expected, tessera_status actual, char *response);

/** The "code" of an error document, or "". */
const char *error_code(const json_t *document);

/** Milliseconds of a clock that only goes forward. */
int64_t milliseconds(void);

#endif /* CHECK_H */
