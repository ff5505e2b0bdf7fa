/* SPDX-License-Identifier: MIT */
/*
 * Tokens for fewer scopes than requested, from every function that signs in or acquires a token. Prints each prompt for
 * the user, and reads the redirects of begun sign-ins from standard input.
 *
 * usage: declined CONFIGURATION   (the provider grants only the scope "read")
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *const scopes = "{\"scopes\": [\"read\", \"write\"]}";
static const char *const interactive = "{\"scopes\": [\"read\", \"write\"], \"browser\": \"show\"}";

static void show(void *context, const char *prompt) {
  (void)context;
  printf("%s\n", prompt);
  fflush(stdout);
}

/** Checks that a response is a token for "read" that names "write". Returns the account ID; free it. */
static char *check_declined(const char *what, tessera_status status, char *response) {
  char *error = tessera_document_get_string(response, "/error/message");
  CHECK(error == NULL);
  json_t *document = check_response(what, status, response);
  const json_t *declined = json_object_get(document, "declined_scopes");
  CHECK(status == TESSERA_STATUS_SIGN_IN);
  const char *scope = json_string_value(json_array_get(declined, 0));
  CHECK(json_array_size(declined) == 1 && scope != NULL && strcmp(scope, "write") == 0);
  CHECK(json_is_string(json_object_get(document, "access_token")));
  const char *home = json_string_value(json_object_get(json_object_get(document, "account"), "home_account_id"));
  CHECK(home != NULL);
  char *copy = strdup(home == NULL ? "" : home);
  json_decref(document);
  return copy;
}

/** Reads the redirect of a begun sign-in. Returns the request that completes it. */
static char *completion(tessera_status status, char *begun) {
  static char line[1 << 16];
  show(NULL, begun);
  json_t *document = check_response("tessera_application_begin_sign_in", status, begun);
  if (fgets(line, sizeof line, stdin) == NULL) CHECK(0);
  line[strcspn(line, "\n")] = '\0';
  json_t *request = json_pack("{s:O, s:s}", "state", json_object_get(document, "state"), "url", line);
  char *text = json_dumps(request, 0);
  json_decref(request);
  json_decref(document);
  return text;
}

static char *begun_sign_in(tessera_application *application) {
  char *response = NULL;
  tessera_status status = tessera_application_begin_sign_in(application, scopes, NULL, &response);
  return completion(status, response);
}

static void blocking_calls(tessera_application *application, const char *silent) {
  char *response = NULL, *request = begun_sign_in(application);
  /* The sign-in recorded the declined scopes, so that no request is sent. */
  for (int i = 0; i < 2; i++) {
    tessera_status status = tessera_application_acquire_token_silent(application, silent, NULL, &response);
    free(check_declined("tessera_application_acquire_token_silent", status, response));
    status = tessera_application_get_access_token(application, "read write", NULL, -1, NULL, &response);
    free(check_declined("tessera_application_get_access_token", status, response));
  }
  tessera_status status = tessera_application_acquire_token_interactive(application, interactive, show, NULL, NULL, &response);
  free(check_declined("tessera_application_acquire_token_interactive", status, response));
  status = tessera_application_complete_sign_in(application, request, NULL, &response);
  free(check_declined("tessera_application_complete_sign_in", status, response));
  free(request);
  status = tessera_application_get_access_token(application, "read", NULL, -1, NULL, &response);
  CHECK(status == TESSERA_STATUS_OK && response != NULL && *response != '{');
  tessera_string_free(response);
}

typedef tessera_status begin(tessera_call_group *calls, tessera_application *application, const char *request,
                             void *user_data, int64_t *call, char **response);

/** Makes a non-blocking call, and checks its final event. */
static void await(begin *function, tessera_call_group *calls, tessera_application *application, const char *request) {
  int64_t call = 0;
  char *response = NULL;
  tessera_status status = function(calls, application, request, NULL, &call, &response);
  check_status("a call that does not block", TESSERA_STATUS_OK, status, response);
  CHECK(call > 0);
  for (int32_t kind = TESSERA_EVENT_PROMPT; kind == TESSERA_EVENT_PROMPT;) {
    tessera_event event = {sizeof event, 0, TESSERA_EVENT_NONE, TESSERA_STATUS_OK, NULL, NULL};
    CHECK(tessera_call_group_next_event(calls, -1, &event) == TESSERA_STATUS_OK);
    kind = event.kind;
    if (kind == TESSERA_EVENT_PROMPT) {
      show(NULL, event.response);
      tessera_string_free(event.response);
    } else {
      free(check_declined("the event of a call", event.status, event.response));
    }
  }
}

static void calls_that_do_not_block(tessera_application *application, const char *silent) {
  tessera_call_group *calls = NULL;
  char *response = NULL, *request = begun_sign_in(application);
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  await(tessera_call_group_acquire_token_silent, calls, application, silent);
  await(tessera_call_group_acquire_token_silent, calls, application, silent);
  await(tessera_call_group_acquire_token_by_device_code, calls, application, scopes);
  await(tessera_call_group_acquire_token_interactive, calls, application, interactive);
  await(tessera_call_group_complete_sign_in, calls, application, request);
  free(request);
  tessera_call_group_free(calls);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  char *response = NULL;
  tessera_application *application = NULL;
  tessera_status status = tessera_application_create(words[1], NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  status = tessera_application_acquire_token_by_device_code(application, scopes, show, NULL, NULL, &response);
  char *home = check_declined("tessera_application_acquire_token_by_device_code", status, response);
  json_t *request = json_pack("{s:s, s:[s, s]}", "home_account_id", home, "scopes", "read", "write");
  char *silent = json_dumps(request, 0);
  blocking_calls(application, silent);
  calls_that_do_not_block(application, silent);
  json_decref(request);
  free(silent);
  free(home);
  tessera_application_free(application);
  return failures > 0;
}
