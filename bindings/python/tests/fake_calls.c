/* SPDX-License-Identifier: MIT */
/* The functions of tessera/calls.h, as stubs: they are tested with the real library. */
#include "tessera.h"

#include <stddef.h>

tessera_status tessera_calls_create(tessera_calls **calls, char **response) {
  *calls = NULL;
  *response = NULL;
  return TESSERA_REPORT_BUG;
}

int tessera_calls_descriptor(tessera_calls *calls) {
  (void)calls;
  return -1;
}

tessera_status tessera_calls_acquire_token_silent(tessera_calls *calls,
                                                  tessera_application *application,
                                                  const char *request, int64_t *call,
                                                  char **response) {
  (void)calls, (void)application, (void)request;
  *call = 0;
  *response = NULL;
  return TESSERA_REPORT_BUG;
}

tessera_status tessera_calls_acquire_token_by_device_code(tessera_calls *calls,
                                                          tessera_application *application,
                                                          const char *request, int64_t *call,
                                                          char **response) {
  return tessera_calls_acquire_token_silent(calls, application, request, call, response);
}

tessera_status tessera_calls_acquire_token_interactive(tessera_calls *calls,
                                                       tessera_application *application,
                                                       const char *request, int64_t *call,
                                                       char **response) {
  return tessera_calls_acquire_token_silent(calls, application, request, call, response);
}

tessera_status tessera_calls_sign_in_begin(tessera_calls *calls,
                                           tessera_application *application,
                                           const char *request, int64_t *call,
                                           char **response) {
  return tessera_calls_acquire_token_silent(calls, application, request, call, response);
}

tessera_status tessera_calls_sign_in_complete(tessera_calls *calls,
                                              tessera_application *application,
                                              const char *request, int64_t *call,
                                              char **response) {
  return tessera_calls_acquire_token_silent(calls, application, request, call, response);
}

tessera_status tessera_calls_next(tessera_calls *calls, int64_t timeout_milliseconds,
                                  int64_t *call, int32_t *kind, char **response) {
  (void)calls, (void)timeout_milliseconds;
  *call = 0;
  *kind = TESSERA_ANSWER;
  *response = NULL;
  return TESSERA_REPORT_BUG;
}

void tessera_calls_cancel(tessera_calls *calls, int64_t call) {
  (void)calls, (void)call;
}

void tessera_calls_free(tessera_calls *calls) {
  (void)calls;
}
