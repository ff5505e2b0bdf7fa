/* SPDX-License-Identifier: MIT */
/* The non-blocking calls, as stubs: they are tested with the real library. */
#include "tessera.h"

#include <stddef.h>

tessera_status tessera_call_group_create(tessera_call_group **calls, char **response) {
  *calls = NULL;
  *response = NULL;
  return TESSERA_STATUS_REPORT_BUG;
}

int tessera_call_group_descriptor(tessera_call_group *calls) {
  (void)calls;
  return -1;
}

tessera_status tessera_call_group_acquire_token_silent(tessera_call_group *calls, tessera_application *application,
                                                       const char *request, void *user_data, int64_t *call,
                                                       char **response) {
  (void)calls, (void)application, (void)request, (void)user_data;
  *call = 0;
  *response = NULL;
  return TESSERA_STATUS_REPORT_BUG;
}

tessera_status tessera_call_group_acquire_token_by_device_code(tessera_call_group *calls, tessera_application *application,
                                                               const char *request, void *user_data, int64_t *call,
                                                               char **response) {
  return tessera_call_group_acquire_token_silent(calls, application, request, user_data, call, response);
}

tessera_status tessera_call_group_acquire_token_interactive(tessera_call_group *calls, tessera_application *application,
                                                            const char *request, void *user_data, int64_t *call,
                                                            char **response) {
  return tessera_call_group_acquire_token_silent(calls, application, request, user_data, call, response);
}

tessera_status tessera_call_group_begin_sign_in(tessera_call_group *calls, tessera_application *application,
                                                const char *request, void *user_data, int64_t *call,
                                                char **response) {
  return tessera_call_group_acquire_token_silent(calls, application, request, user_data, call, response);
}

tessera_status tessera_call_group_complete_sign_in(tessera_call_group *calls, tessera_application *application,
                                                   const char *request, void *user_data, int64_t *call,
                                                   char **response) {
  return tessera_call_group_acquire_token_silent(calls, application, request, user_data, call, response);
}

tessera_status tessera_call_group_acquire_token_for_client(tessera_call_group *calls, tessera_application *application,
                                                           const char *request, void *user_data, int64_t *call,
                                                           char **response) {
  return tessera_call_group_acquire_token_silent(calls, application, request, user_data, call, response);
}

tessera_status tessera_call_group_next_event(tessera_call_group *calls, int64_t timeout_milliseconds,
                                             tessera_event *event) {
  (void)calls, (void)timeout_milliseconds;
  event->call = 0;
  event->kind = TESSERA_EVENT_NONE;
  event->response = NULL;
  return TESSERA_STATUS_REPORT_BUG;
}

void tessera_call_group_cancel(tessera_call_group *calls, int64_t call) {
  (void)calls, (void)call;
}

void tessera_call_group_free(tessera_call_group *calls) {
  (void)calls;
}
