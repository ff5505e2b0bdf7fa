/* SPDX-License-Identifier: MIT */
/* Tokens of applications themselves: the form of the credential, the errors without a server, and cached responses, which differ
   from those of silent calls with the same document. The address of the authority is the first argument. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char request[] = "{\"scopes\": [\"api://resource/.default\"]}";

static tessera_application *application(const char *authority, const char *credential, tessera_status expected) {
  char configuration[1024];
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"daemon\", \"authority\": \"%s\", \"store\": {\"kind\": \"memory\"}%s%s}", authority,
           credential == NULL ? "" : ", \"credential\": ", credential == NULL ? "" : credential);
  tessera_application *made = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &made, &response);
  check_status("tessera_application_create", expected, status, response);
  return made;
}

static void check_code(tessera_status status, char *response, const char *code) {
  json_t *document = check_response("tessera_application_acquire_token_for_client", status, response);
  CHECK(status != TESSERA_STATUS_SIGN_IN && strcmp(error_code(document), code) == 0);
  json_decref(document);
}

static void invalid_credentials(const char *authority) {
  static const char *const credentials[] = {
      "{}", "{\"secret\": \"a\", \"assertion\": \"b\"}", "{\"key_file\": \"a\"}",
      "{\"certificate_pem\": \"a\", \"certificate_file\": \"b\"}", "{\"pfx_file\": \"a\", \"key_pem\": \"b\"}"};
  for (size_t i = 0; i < sizeof credentials / sizeof *credentials; i++) {
    tessera_application_free(application(authority, credentials[i], TESSERA_STATUS_FIX_REQUEST));
  }
  tessera_application_free(application(authority, "{\"secret\": \" \"}", TESSERA_STATUS_FIX_CONFIGURATION));
  tessera_application_free(application(authority, "{\"mtls\": true}", TESSERA_STATUS_FIX_CONFIGURATION));
}

static void without_a_server(const char *authority) {
  tessera_application *made = application(authority, NULL, TESSERA_STATUS_OK);
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_for_client(made, request, NULL, &response);
  check_code(status, response, "client_rejected");
  tessera_application_free(made);
  made = application(authority, "{\"secret_file\": \"/no/file\"}", TESSERA_STATUS_OK);
  response = NULL;
  status = tessera_application_acquire_token_for_client(made, request, NULL, &response);
  check_code(status, response, "invalid_configuration");
  response = NULL;
  status = tessera_application_acquire_token_for_client(made, "{\"scopes\": [\"a\"], \"fmi_path\": \"b\"}", NULL, &response);
  check_code(status, response, "feature_unavailable");
  tessera_application_free(made);
}

/** Returns the token of a response, which the caller frees. */
static char *token(tessera_status status, char *response, const char *source) {
  json_t *document = check_response("tessera_application_acquire_token_for_client", status, response);
  const char *text = json_string_value(json_object_get(document, "access_token"));
  const char *from = json_string_value(json_object_get(document, "source"));
  CHECK(status == TESSERA_STATUS_OK && text != NULL && from != NULL && strcmp(from, source) == 0);
  char *copy = strdup(text == NULL ? "" : text);
  json_decref(document);
  return copy;
}

static void cached(const char *authority) {
  tessera_application *made = application(authority, "{\"secret\": \"a secret of a test\"}", TESSERA_STATUS_OK);
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_for_client(made, request, NULL, &response);
  char *first = token(status, response, "network");
  for (int i = 0; i < 3; i++) {
    response = NULL;
    status = tessera_application_acquire_token_for_client(made, request, NULL, &response);
    char *next = token(status, response, "cache");
    CHECK(strcmp(next, first) == 0);
    free(next);
  }
  /* The same document is a request for the token of the only user, and there is none. */
  response = NULL;
  status = tessera_application_acquire_token_silent(made, request, NULL, &response);
  json_t *document = check_response("tessera_application_acquire_token_silent", status, response);
  CHECK(status == TESSERA_STATUS_SIGN_IN && strcmp(error_code(document), "account_not_found") == 0);
  json_decref(document);
  tessera_call_group *calls = NULL;
  response = NULL;
  status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  int64_t call = -1;
  response = NULL;
  status = tessera_call_group_acquire_token_for_client(calls, made, request, NULL, &call, &response);
  char *last = token(status, response, "cache");
  CHECK(call == 0 && strcmp(last, first) == 0);
  free(last);
  free(first);
  response = NULL;
  status = tessera_call_group_acquire_token_for_client(
      calls, made, "{\"scopes\": [\"api://other/.default\"]}", calls, &call, &response);
  check_status("tessera_call_group_acquire_token_for_client", TESSERA_STATUS_OK, status, response);
  CHECK(call > 0);
  tessera_event event = {.size = sizeof event};
  CHECK(tessera_call_group_next_event(calls, 60000, &event) == TESSERA_STATUS_OK);
  CHECK(event.call == call && event.user_data == calls);
  free(token(event.status, event.response, "network"));
  tessera_call_group_free(calls);
  tessera_application_free(made);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  invalid_credentials(words[1]);
  without_a_server(words[1]);
  cached(words[1]);
  return failures != 0;
}
