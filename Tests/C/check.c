/* SPDX-License-Identifier: MIT */
/* Checks the contract of every response. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int failures = 0;

static const char *const remedies[] = {
    [TESSERA_STATUS_OK] = "",
    [TESSERA_STATUS_SIGN_IN] = "sign_in",
    [TESSERA_STATUS_RETRY_LATER] = "retry_later",
    [TESSERA_STATUS_FIX_REQUEST] = "fix_request",
    [TESSERA_STATUS_FIX_CONFIGURATION] = "fix_configuration",
    [TESSERA_STATUS_FIX_STORAGE] = "fix_storage",
    [TESSERA_STATUS_CANCELLED] = "cancelled",
    [TESSERA_STATUS_REPORT_BUG] = "report_bug",
};

void check(int holds, const char *what, const char *file, int line) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  if (holds) return;
  pthread_mutex_lock(&mutex);
  failures++;
  printf("%s:%d: %s\n", file, line, what);
  pthread_mutex_unlock(&mutex);
}

static void complain(const char *what, const char *problem, const char *detail) {
  char text[512];
  snprintf(text, sizeof text, "%.200s: %s (%.200s)", what, problem, detail);
  check(0, text, "answer", 0);
}

const char *error_code(const json_t *document) {
  const char *code = json_string_value(json_object_get(json_object_get(document, "error"), "code"));
  return code == NULL ? "" : code;
}

static void check_error(const char *what, tessera_status status, const json_t *error) {
  const char *remedy = json_string_value(json_object_get(error, "remedy"));
  const char *code = json_string_value(json_object_get(error, "code"));
  const char *message = json_string_value(json_object_get(error, "message"));
  if (!json_is_object(error)) complain(what, "no error in the answer", "");
  if (remedy == NULL || strcmp(remedy, remedies[status]) != 0)
    complain(what, "the remedy is not the one of the status", remedy == NULL ? "none" : remedy);
  if (code == NULL || *code == '\0') complain(what, "no code", "");
  if (message == NULL || *message == '\0') complain(what, "no message", "");
  if (!json_is_boolean(json_object_get(error, "retryable"))) complain(what, "no retryable", "");
}

static void check_declined(const char *what, tessera_status status, const json_t *document) {
  if (status != TESSERA_STATUS_SIGN_IN) complain(what, "another status with declined scopes", "");
  if (json_array_size(json_object_get(document, "declined_scopes")) == 0) complain(what, "no declined scope", "");
  if (json_object_get(document, "access_token") == NULL) complain(what, "no token with declined scopes", "");
  if (json_object_get(document, "error") != NULL) complain(what, "an error beside a token", "");
}

/** Appends a response to the file TESSERA_RESPONSES, which Tests/C/documents.py checks. */
static void record(tessera_status status, const char *response) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static int recorded = 0;
  const char *path = getenv("TESSERA_RESPONSES");
  if (path == NULL || response == NULL) return;
  pthread_mutex_lock(&mutex);
  /* Programs with millions of calls repeat the same responses. */
  FILE *file = recorded++ < 2000 ? fopen(path, "a") : NULL;
  if (file != NULL) {
    fprintf(file, "%d %s\n", (int)status, response);
    fclose(file);
  }
  pthread_mutex_unlock(&mutex);
}

json_t *check_response(const char *what, tessera_status status, char *response) {
  record(status, response);
  json_error_t problem;
  json_t *document = response == NULL ? NULL : json_loads(response, 0, &problem);
  if (response == NULL)
    complain(what, "no answer", "");
  else if (!json_is_object(document))
    complain(what, "the answer is no JSON object", document == NULL ? problem.text : "");
  else if (status < TESSERA_STATUS_OK || status > TESSERA_STATUS_REPORT_BUG)
    complain(what, "unknown status", "");
  else if (json_object_get(document, "declined_scopes") != NULL)
    check_declined(what, status, document);
  else if (status != TESSERA_STATUS_OK)
    check_error(what, status, json_object_get(document, "error"));
  else if (json_object_get(document, "error") != NULL)
    complain(what, "an error in the answer of a call that succeeded", "");
  tessera_string_free(response);
  return document;
}

void check_status(const char *what, tessera_status expected, tessera_status actual, char *response) {
  json_t *document = check_response(what, actual, response);
  char detail[160];
  snprintf(detail, sizeof detail, "%d, not %d, %.100s", (int)actual, (int)expected, error_code(document));
  if (expected != actual) complain(what, "another status", detail);
  json_decref(document);
}

int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
