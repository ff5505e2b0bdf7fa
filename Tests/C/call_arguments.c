/* SPDX-License-Identifier: MIT */
/* NULL and invalid values for every parameter of the asynchronous functions. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *const configuration =
    "{\"client_id\": \"6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10\", \"store\": {\"kind\": \"memory\"},"
    " \"authority\": \"http://127.0.0.1:9/contoso.com\", \"network\": {\"timeout_milliseconds\": 1000}}";
static const char *const good = "{\"home_account_id\": \"a.b\", \"scopes\": [\"User.Read\"]}";

/** Memory without an object of the library. */
static unsigned char foreign_memory[4096];

typedef tessera_status begin(tessera_call_group *calls, tessera_application *application, const char *request,
                             void *user_data, int64_t *call, char **response);

static begin *const functions[] = {tessera_call_group_acquire_token_silent,
                                   tessera_call_group_acquire_token_by_device_code,
                                   tessera_call_group_acquire_token_interactive,
                                   tessera_call_group_acquire_token_for_client,
                                   tessera_call_group_begin_sign_in,
                                   tessera_call_group_complete_sign_in};

static void check_refused(const char *what, tessera_status status, char *response, const char *code) {
  json_t *document = check_response(what, status, response);
  CHECK(status == TESSERA_STATUS_FIX_REQUEST);
  CHECK(strcmp(error_code(document), code) == 0);
  json_decref(document);
}

static void wrong_begins(begin *function, tessera_call_group *calls, tessera_application *application) {
  int64_t call = 5;
  char *response = NULL;
  tessera_status status = function(NULL, application, good, NULL, &call, &response);
  check_refused("no group", status, response, "missing_parameter");
  status = function((tessera_call_group *)(void *)foreign_memory, application, good, NULL, &call, &response);
  check_refused("foreign memory as a group", status, response, "missing_parameter");
  status = function(calls, NULL, good, NULL, &call, &response);
  check_refused("no application", status, response, "missing_parameter");
  status = function(calls, (tessera_application *)(void *)foreign_memory, good, NULL, &call, &response);
  check_refused("foreign memory as an application", status, response, "missing_parameter");
  status = function(calls, application, NULL, NULL, &call, &response);
  check_refused("no request", status, response, "missing_parameter");
  status = function(calls, application, good, NULL, NULL, &response);
  check_refused("no number", status, response, "missing_parameter");
  status = function(calls, application, "{", NULL, &call, &response);
  check_refused("no JSON", status, response, "invalid_json");
  status = function(calls, application, "{\"scop\": 1}", NULL, &call, &response);
  check_refused("an unknown member", status, response, "unknown_member");
  CHECK(function(calls, application, good, NULL, &call, NULL) == TESSERA_STATUS_FIX_REQUEST);
}

static void wrong_groups(void) {
  char *response = NULL;
  tessera_status status = tessera_call_group_create(NULL, &response);
  check_refused("nowhere to put the group", status, response, "missing_parameter");
  tessera_call_group *made = NULL;
  CHECK(tessera_call_group_create(&made, NULL) == TESSERA_STATUS_FIX_REQUEST);
  CHECK(made == NULL);
  tessera_call_group *foreign = (tessera_call_group *)(void *)foreign_memory;
  CHECK(tessera_call_group_descriptor(NULL) == -1);
  CHECK(tessera_call_group_descriptor(foreign) == -1);
  tessera_call_group_cancel(NULL, 0);
  tessera_call_group_cancel(foreign, 1);
  tessera_call_group_free(NULL);
  tessera_call_group_free(foreign);
}

static void wrong_nexts(tessera_call_group *calls) {
  tessera_event event = {sizeof event, 5, 5, 5, NULL, NULL};
  tessera_status status = tessera_call_group_next_event(NULL, 0, &event);
  check_refused("next of no group", status, event.response, "missing_parameter");
  CHECK(event.call == 0 && event.kind == TESSERA_EVENT_NONE && event.status == status);
  CHECK(tessera_call_group_next_event(calls, 0, NULL) == TESSERA_STATUS_FIX_REQUEST);
  tessera_event small = {sizeof small - 1, 5, 5, 5, &small, NULL};
  CHECK(tessera_call_group_next_event(calls, 0, &small) == TESSERA_STATUS_FIX_REQUEST);
  CHECK(small.call == 5 && small.user_data == &small && small.response == NULL);
  status = tessera_call_group_next_event(calls, -1, &event);
  check_status("next of an idle group", TESSERA_STATUS_OK, status, event.response);
  CHECK(event.call == 0 && event.kind == TESSERA_EVENT_NONE && event.size == sizeof event);
  /* A later version of the header has more members. */
  struct { tessera_event event; void *later; } large = {{sizeof large, 5, 5, 5, NULL, NULL}, calls};
  status = tessera_call_group_next_event(calls, 0, &large.event);
  check_status("next with a larger event", TESSERA_STATUS_OK, status, large.event.response);
  CHECK(large.event.size == sizeof large && large.later == calls);
  tessera_call_group_cancel(calls, 1 << 20);
}

int main(void) {
  tessera_application *application = NULL;
  tessera_call_group *calls = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) wrong_begins(functions[i], calls, application);
  wrong_nexts(calls);
  wrong_groups();
  tessera_call_group_free(calls);
  tessera_application_free(application);
  for (size_t i = 0; i < sizeof foreign_memory; i++)
    if (foreign_memory[i] != 0) CHECK(!"foreign memory was written to");
  return failures != 0;
}
