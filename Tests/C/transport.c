/* SPDX-License-Identifier: MIT */
/* HTTP requests that the host sends: documents, errors, cancellation and the end of the application. */
#define _DEFAULT_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "responses.h"

/** The transport of a host: how it responds to token requests, and what it received. */
struct server {
  /** The responses to a token request, in order; the first one counts. NULL for none. */
  const char *first, *second;
  /** Wait until the exchange is cancelled. */
  int waits;
  tessera_cancellation *cancellation;
  atomic_int requests, cancelled;
  json_t *request;
};

static void send_request(void *user_data, const char *text, tessera_exchange *exchange) {
  struct server *server = user_data;
  json_t *request = json_loads(text, 0, NULL);
  const char *url = json_string_value(json_object_get(request, "url"));
  CHECK(url != NULL);
  if (url != NULL && strstr(url, "/token") == NULL) {
    json_decref(request);
    tessera_exchange_respond(exchange, "{\"status\": 200, \"body\": \"" METADATA "\"}");
    return;
  }
  json_decref(server->request);
  server->request = request;
  atomic_fetch_add(&server->requests, 1);
  CHECK(server->waits || tessera_exchange_is_cancelled(exchange) == 0);
  tessera_cancellation_cancel(server->cancellation);
  for (int i = 0; server->waits && i < 3000 && !tessera_exchange_is_cancelled(exchange); i++) usleep(10000);
  if (tessera_exchange_is_cancelled(exchange)) atomic_fetch_add(&server->cancelled, 1);
  if (server->first != NULL) tessera_exchange_respond(exchange, server->first);
  if (server->second != NULL) tessera_exchange_respond(exchange, server->second);
}

/** Creates an application with a memory store in which a user is signed in with a refresh token. */
static tessera_application *application(struct server *server) {
  static const char cache[] =
      "{\"Account\": {\"1\": {\"home_account_id\": \"a." TENANT "\", \"environment\": \"login.microsoftonline.com\","
      " \"realm\": \"" TENANT "\", \"local_account_id\": \"a\", \"username\": \"alice@contoso.com\","
      " \"authority_type\": \"MSSTS\"}}, \"RefreshToken\": {\"1\": {\"credential_type\": \"RefreshToken\","
      " \"secret\": \"refresh-token-one\", \"home_account_id\": \"a." TENANT "\", \"environment\": \"login.microsoftonline.com\","
      " \"client_id\": \"client\"}}}";
  tessera_host host = {.size = sizeof host, .user_data = server, .transport = send_request};
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"kind\": \"memory\"}, \"authority\": \"" AUTHORITY "\"}", &host,
      &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  json_t *request = json_pack("{s:s, s:s}", "before", "", "after", cache);
  char *text = json_dumps(request, 0);
  status = tessera_application_write_cache(made, text, NULL, &response);
  check_status("tessera_application_write_cache", TESSERA_STATUS_OK, status, response);
  free(text);
  json_decref(request);
  return made;
}

/** Acquires a token. Returns the response document; free it with json_decref(). */
static json_t *acquire(struct server *server, const char *request, tessera_status expected) {
  tessera_application *made = application(server);
  char *response = NULL;
  tessera_status status =
      tessera_application_acquire_token_silent(made, request, server->cancellation, &response);
  json_t *document = check_response(request, status, response);
  CHECK(status == expected);
  CHECK(atomic_load(&server->requests) >= 1);
  tessera_application_free(made);
  return document;
}

static const char silent[] = "{\"scopes\": [\"User.Read\"]}";

static int has_header(const json_t *request, const char *start) {
  size_t index;
  json_t *line;
  json_array_foreach(json_object_get(request, "headers"), index, line) {
    if (strncmp(json_string_value(line), start, strlen(start)) == 0) return 1;
  }
  return 0;
}

static void a_token_is_received(void) {
  struct server server = {.first = TOKEN, .second = "{\"status\": 500}"};
  json_t *document = acquire(&server, silent, TESSERA_STATUS_OK);
  const char *token = json_string_value(json_object_get(document, "access_token"));
  CHECK(token != NULL && strcmp(token, "fresh") == 0);
  json_decref(document);
  CHECK(atomic_load(&server.requests) == 1);
  CHECK(strcmp(json_string_value(json_object_get(server.request, "method")), "POST") == 0);
  CHECK(strcmp(json_string_value(json_object_get(server.request, "url")), AUTHORITY "/oauth2/v2.0/token") == 0);
  CHECK(has_header(server.request, "Content-Type: application/x-www-form-urlencoded"));
  CHECK(has_header(server.request, "User-Agent: tessera/" TESSERA_VERSION));
  CHECK(strstr(json_string_value(json_object_get(server.request, "body")), "refresh_token=refresh-token-one") != NULL);
  const json_int_t timeout = json_integer_value(json_object_get(server.request, "timeout_milliseconds"));
  CHECK(timeout > 0 && timeout <= 30000);
  json_decref(server.request);
}

/** Checks the error of a call, with this response to its token request. `reason` is a part of the message. */
static void error_is(const char *response, tessera_status expected, const char *code, const char *reason) {
  struct server server = {.first = response};
  json_t *document = acquire(&server, silent, expected);
  const char *message = json_string_value(json_object_get(json_object_get(document, "error"), "message"));
  CHECK(strcmp(error_code(document), code) == 0);
  CHECK(message != NULL && strstr(message, reason) != NULL);
  if (message != NULL && strstr(message, reason) == NULL) fprintf(stderr, "%s\n", message);
  json_decref(document);
  json_decref(server.request);
}

/** An error that quotes the request does not reveal the refresh token. */
static void secrets_are_removed(void) {
  static const char *const responses[] = {"{\"error\": \"sending refresh_token=refresh-token-one failed\"}",
                                          "{\"refresh-token-one\": 1}"};
  for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
    struct server server = {.first = responses[i]};
    json_t *document = acquire(&server, silent, i == 0 ? TESSERA_STATUS_RETRY_LATER : TESSERA_STATUS_FIX_REQUEST);
    char *text = json_dumps(document, 0);
    CHECK(strstr(text, "refresh-token-one") == NULL);
    free(text);
    json_decref(document);
    json_decref(server.request);
  }
}

static void a_cancelled_request_ends(void) {
  struct server server = {.waits = 1, .cancellation = tessera_cancellation_create()};
  json_t *document = acquire(&server, silent, TESSERA_STATUS_CANCELLED);
  CHECK(strcmp(error_code(document), "cancelled") == 0 && atomic_load(&server.cancelled) == 1);
  json_decref(document);
  json_decref(server.request);
  tessera_cancellation_free(server.cancellation);
}

static void a_request_without_time_ends(void) {
  struct server server = {.waits = 1};
  json_t *document = acquire(
      &server, "{\"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 200}", TESSERA_STATUS_CANCELLED);
  CHECK(strcmp(error_code(document), "deadline_exceeded") == 0 && atomic_load(&server.cancelled) == 1);
  json_decref(document);
  json_decref(server.request);
}

/** A client that reports its own abort does not hide the reason. */
static void an_aborted_request_ends(void) {
  struct server server = {
      .waits = 1, .first = "{\"error\": \"aborted\"}", .cancellation = tessera_cancellation_create()};
  json_t *document = acquire(&server, silent, TESSERA_STATUS_CANCELLED);
  CHECK(strcmp(error_code(document), "cancelled") == 0);
  json_decref(document);
  json_decref(server.request);
  tessera_cancellation_free(server.cancellation);
}

/** A response that arrives after the cancellation may hold the only valid refresh token, so it counts. */
static void a_late_response_counts(void) {
  struct server server = {.first = TOKEN, .waits = 1, .cancellation = tessera_cancellation_create()};
  json_decref(acquire(&server, silent, TESSERA_STATUS_OK));
  CHECK(atomic_load(&server.cancelled) == 1);
  json_decref(server.request);
  tessera_cancellation_free(server.cancellation);
}

/** The end of the application cancels the request of a non-blocking call. */
static void the_end_of_the_application_cancels(void) {
  struct server server = {.waits = 1};
  tessera_application *made = application(&server);
  tessera_call_group *calls = NULL;
  char *response = NULL;
  int64_t call = 0;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  status = tessera_call_group_acquire_token_silent(calls, made, silent, NULL, &call, &response);
  check_status("tessera_call_group_acquire_token_silent", TESSERA_STATUS_OK, status, response);
  for (int i = 0; i < 1000 && atomic_load(&server.requests) == 0; i++) usleep(10000);
  CHECK(atomic_load(&server.requests) == 1);
  tessera_application_free(made);
  CHECK(atomic_load(&server.cancelled) == 1);
  tessera_event event = {.size = sizeof event};
  status = tessera_call_group_next_event(calls, 10000, &event);
  CHECK(status == TESSERA_STATUS_OK && event.kind == TESSERA_EVENT_RESULT);
  check_status("the call", TESSERA_STATUS_RETRY_LATER, event.status, event.response);
  tessera_call_group_free(calls);
  json_decref(server.request);
}

static void options_of_libcurl_are_rejected(void) {
  static const char *const options[] = {"\"proxy\": \"http://127.0.0.1:9\"", "\"no_proxy\": \"a\"",
                                        "\"ca_file\": \"/etc/ssl/cert.pem\""};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    struct server server = {.first = TOKEN};
    tessera_host host = {.size = sizeof host, .user_data = &server, .transport = send_request};
    char configuration[200], *response = NULL;
    tessera_application *made = NULL;
    snprintf(configuration, sizeof configuration, "{\"client_id\": \"a\", \"network\": {%s}}", options[i]);
    tessera_status status = tessera_application_create(configuration, &host, &made, &response);
    check_status(options[i], TESSERA_STATUS_FIX_CONFIGURATION, status, response);
    CHECK(made == NULL);
  }
}

int main(void) {
  a_token_is_received();
  error_is(NULL, TESSERA_STATUS_RETRY_LATER, "network_failed", "the host application returned no response");
  error_is("{\"error\": \"no route\", \"sent\": false}", TESSERA_STATUS_RETRY_LATER, "network_failed", "no route");
  error_is("{\"status\": 503}", TESSERA_STATUS_RETRY_LATER, "server_unavailable", "503");
  error_is("{\"status\": 200, \"body\": \"<html>\"}", TESSERA_STATUS_RETRY_LATER, "invalid_response", "");
  error_is("{\"status\": 99}", TESSERA_STATUS_FIX_REQUEST, "invalid_member", "must be between 100 and 599");
  error_is("{\"status\": 200, \"error\": \"x\"}", TESSERA_STATUS_FIX_REQUEST, "invalid_member",
           "Pass either");
  error_is("{\"error\": \"x\", \"body\": \"y\"}", TESSERA_STATUS_FIX_REQUEST, "invalid_member", "Pass either");
  error_is("{\"status\": 200, \"sent\": false}", TESSERA_STATUS_FIX_REQUEST, "invalid_member", "requires \"error\"");
  error_is("{\"error\": \" \"}", TESSERA_STATUS_RETRY_LATER, "network_failed", "gave no reason");
  error_is("{}", TESSERA_STATUS_FIX_REQUEST, "missing_parameter", "status");
  error_is("{\"status\": 200, \"headers\": [\"no colon\"]}", TESSERA_STATUS_FIX_REQUEST, "invalid_member",
           "element 0");
  error_is("{\"status\": 200, \"headers\": [\"A: b\", \"C: d\\r\\nE: f\"]}", TESSERA_STATUS_FIX_REQUEST,
           "invalid_member", "element 1");
  error_is("{\"staus\": 200}", TESSERA_STATUS_FIX_REQUEST, "unknown_member", "Did you mean \"status\"?");
  error_is("[]", TESSERA_STATUS_FIX_REQUEST, "invalid_json", "response");
  secrets_are_removed();
  a_cancelled_request_ends();
  a_request_without_time_ends();
  an_aborted_request_ends();
  a_late_response_counts();
  the_end_of_the_application_cancels();
  options_of_libcurl_are_rejected();
  tessera_exchange_respond(NULL, TOKEN);
  CHECK(tessera_exchange_is_cancelled(NULL) == 1);
  return failures != 0;
}
