/* SPDX-License-Identifier: MIT */
/*
 * Sign-ins in the browser of the host: errors, cancellation and the end of the application. With a configuration, signs
 * in: prints the address of the page, and reads the addresses of redirects from standard input.
 *
 * usage: browser [CONFIGURATION]
 */
#define _DEFAULT_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define TENANT "72f988bf-86f1-41af-91ab-2d7cd011db47"
#define AUTHORITY "https://login.microsoftonline.com/" TENANT
#define METADATA                                                                                 \
  "{\\\"issuer\\\":\\\"" AUTHORITY "/v2.0\\\","                                                  \
  "\\\"authorization_endpoint\\\":\\\"" AUTHORITY "/oauth2/v2.0/authorize\\\","                  \
  "\\\"token_endpoint\\\":\\\"" AUTHORITY "/oauth2/v2.0/token\\\","                              \
  "\\\"jwks_uri\\\":\\\"https://login.microsoftonline.com/common/discovery/v2.0/keys\\\"}"

/** The browser of a host: how it responds, and which callbacks were called. */
struct desk {
  /** The responses of the callbacks; NULL for none. */
  const char *start, *open, *first, *second;
  /** Wait in `next` until the session is cancelled. */
  int waits;
  tessera_cancellation *cancellation;
  atomic_int opened, waiting, closed;
  /** The initials of the callbacks, in order. */
  char calls[20];
  char page[4000], outcome[200];
  tessera_browser_session *session;
};

static void record(struct desk *desk, char call, tessera_browser_session *session) {
  const size_t count = strlen(desk->calls);
  if (count + 1 < sizeof desk->calls) desk->calls[count] = call;
  CHECK(session != NULL && (desk->session == NULL || desk->session == session));
  desk->session = session;
}

static void start(void *user_data, const char *text, tessera_browser_session *session) {
  struct desk *desk = user_data;
  record(desk, 's', session);
  json_t *request = json_loads(text, 0, NULL);
  const json_int_t timeout = json_integer_value(json_object_get(request, "timeout_milliseconds"));
  CHECK(timeout > 0 && timeout <= 3600000);
  CHECK(strcmp(json_string_value(json_object_get(request, "redirect_uri")), "http://localhost") == 0);
  CHECK(json_is_true(json_object_get(request, "prefers_ephemeral_web_browser_session")));
  json_decref(request);
  if (desk->start != NULL) tessera_browser_session_respond(session, desk->start);
}

static void show(void *user_data, const char *page, tessera_browser_session *session) {
  struct desk *desk = user_data;
  record(desk, 'o', session);
  snprintf(desk->page, sizeof desk->page, "%s", page);
  atomic_fetch_add(&desk->opened, 1);
  if (desk->open != NULL) tessera_browser_session_respond(session, desk->open);
}

static void wait_for_redirect(void *user_data, tessera_browser_session *session) {
  struct desk *desk = user_data;
  record(desk, 'n', session);
  CHECK(tessera_browser_session_is_cancelled(session) == 0);
  tessera_cancellation_cancel(desk->cancellation);
  atomic_fetch_add(&desk->waiting, 1);
  for (int i = 0; desk->waits && i < 3000 && !tessera_browser_session_is_cancelled(session); i++) usleep(10000);
  if (desk->first != NULL) tessera_browser_session_respond(session, desk->first);
  if (desk->second != NULL) tessera_browser_session_respond(session, desk->second);
}

static void show_result(void *user_data, const char *text, tessera_browser_session *session) {
  struct desk *desk = user_data;
  record(desk, 'r', session);
  json_t *reply = json_loads(text, 0, NULL);
  const char *outcome = json_string_value(json_object_get(reply, "outcome"));
  const size_t count = strlen(desk->outcome);
  snprintf(desk->outcome + count, sizeof desk->outcome - count, "%s ", outcome);
  CHECK((json_object_get(reply, "message") != NULL) == (strcmp(outcome, "failure") == 0));
  json_decref(reply);
}

static void close_page(void *user_data, tessera_browser_session *session) {
  struct desk *desk = user_data;
  record(desk, 'c', session);
  atomic_fetch_add(&desk->closed, 1);
}

/** Responds to every request with the metadata of the authority. */
static void send_request(void *user_data, const char *request, tessera_exchange *exchange) {
  (void)user_data;
  (void)request;
  tessera_exchange_respond(exchange, "{\"status\": 200, \"body\": \"" METADATA "\"}");
}

static const tessera_browser functions = {sizeof(tessera_browser), start, show, wait_for_redirect, show_result, close_page};

static tessera_application *application(struct desk *desk) {
  tessera_host host = {
      .size = sizeof host, .user_data = desk, .transport = send_request, .browser = &functions};
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"kind\": \"memory\"}, \"authority\": \"" AUTHORITY "\"}", &host,
      &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Checks the error of a sign-in. `reason` is a part of the message; `calls` has the initials of the callbacks. */
static void error_is(struct desk *desk, const char *request, const char *code, const char *reason, const char *calls) {
  tessera_application *made = application(desk);
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_interactive(
      made, request, NULL, NULL, desk->cancellation, &response);
  json_t *document = check_response(request, status, response);
  const char *message = json_string_value(json_object_get(json_object_get(document, "error"), "message"));
  CHECK(strcmp(error_code(document), code) == 0);
  CHECK(message != NULL && strstr(message, reason) != NULL);
  CHECK(strcmp(desk->calls, calls) == 0);
  if (failures > 0) fprintf(stderr, "%s: %s (%s)\n", code, message, desk->calls);
  json_decref(document);
  tessera_application_free(made);
  tessera_cancellation_free(desk->cancellation);
}

static const char scopes[] = "{\"scopes\": [\"User.Read\"]}";

static void errors_of_the_browser(void) {
  error_is(&(struct desk){.start = "{\"error\": \"no window\"}"}, scopes, "browser_unavailable", "no window", "sc");
  error_is(&(struct desk){.first = "{\"error\": \"cannot load http://localhost:1/a?code=secret-code&state=s now\"}"}, scopes,
           "browser_unavailable", "cannot load http://localhost:1/a… now", "sonc");
  error_is(&(struct desk){.open = "{\"error\": \" \"}"}, scopes, "browser_unavailable", "gave no reason", "soc");
  error_is(&(struct desk){.first = NULL}, scopes, "browser_unavailable", "returned no redirect", "sonc");
  error_is(&(struct desk){.first = "{\"error\": \"closed\", \"cancelled\": true}", .second = "{\"url\": \"x\"}"}, scopes,
           "cancelled", "The user closed the browser", "sonc");
  error_is(&(struct desk){.first = "{}"}, scopes, "invalid_member", "Pass either", "sonc");
  error_is(&(struct desk){.first = "{\"url\": \"a\", \"form\": \"b\"}"}, scopes, "invalid_member", "Pass either", "sonc");
  error_is(&(struct desk){.first = "{\"ulr\": \"a\"}"}, scopes, "unknown_member", "Did you mean \"url\"?", "sonc");
  error_is(&(struct desk){.first = "[]"}, scopes, "invalid_json", "response", "sonc");
}

static void limits_end_a_sign_in(void) {
  error_is(&(struct desk){.waits = 1, .cancellation = tessera_cancellation_create()}, scopes, "cancelled", "", "sonc");
  error_is(&(struct desk){.waits = 1}, "{\"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 300}",
           "deadline_exceeded", "", "sonc");
  error_is(&(struct desk){.waits = 1, .first = "{\"error\": \"aborted\"}", .cancellation = tessera_cancellation_create()},
           scopes, "cancelled", "", "sonc");
}

/** A redirect without the state of the sign-in is foreign, until the deadline. */
static void foreign_redirects_do_not_end_a_sign_in(void) {
  struct desk desk = {.first = "{\"url\": \"http://localhost?code=c&state=other\"}"};
  tessera_application *made = application(&desk);
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_interactive(
      made, "{\"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 300}", NULL, NULL, NULL, &response);
  json_t *document = check_response("foreign redirects", status, response);
  CHECK(strcmp(error_code(document), "deadline_exceeded") == 0);
  CHECK(strncmp(desk.calls, "sonrnr", 6) == 0 && strncmp(desk.outcome, "foreign foreign ", 16) == 0);
  CHECK(atomic_load(&desk.closed) == 1);
  json_decref(document);
  tessera_application_free(made);
}

/** The end of the application cancels the sign-in of a non-blocking call; no callback is called after it. */
static void the_end_of_the_application_cancels(void) {
  struct desk desk = {.waits = 1};
  tessera_application *made = application(&desk);
  tessera_call_group *calls = NULL;
  char *response = NULL;
  int64_t call = 0;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  status = tessera_call_group_acquire_token_interactive(calls, made, scopes, NULL, &call, &response);
  check_status("tessera_call_group_acquire_token_interactive", TESSERA_STATUS_OK, status, response);
  for (int i = 0; i < 1000 && atomic_load(&desk.waiting) == 0; i++) usleep(10000);
  CHECK(atomic_load(&desk.waiting) == 1);
  tessera_application_free(made);
  const int closed = atomic_load(&desk.closed);
  tessera_event event = {.size = sizeof event};
  do {
    status = tessera_call_group_next_event(calls, 10000, &event);
    if (event.kind == TESSERA_EVENT_PROMPT) tessera_string_free(event.response);
  } while (status == TESSERA_STATUS_OK && event.kind == TESSERA_EVENT_PROMPT);
  CHECK(status == TESSERA_STATUS_OK && event.kind == TESSERA_EVENT_RESULT);
  check_status("the call", TESSERA_STATUS_FIX_CONFIGURATION, event.status, event.response);
  CHECK(atomic_load(&desk.closed) == closed);
  tessera_call_group_free(calls);
}

static void incomplete_browsers_are_rejected(void) {
  tessera_browser small = functions, silent = functions;
  small.size = sizeof(size_t);
  silent.next = NULL;
  const tessera_browser *browsers[] = {&small, &silent};
  for (size_t i = 0; i < 2; i++) {
    tessera_host host = {.size = sizeof host, .browser = browsers[i]};
    char *response = NULL;
    tessera_application *made = NULL;
    tessera_status status = tessera_application_create("{\"client_id\": \"a\"}", &host, &made, &response);
    check_status("an incomplete browser", TESSERA_STATUS_FIX_REQUEST, status, response);
    CHECK(made == NULL);
  }
}

static void read_redirect(void *user_data, tessera_browser_session *session) {
  char url[8000];
  record(user_data, 'n', session);
  if (fgets(url, sizeof url, stdin) == NULL) return;
  url[strcspn(url, "\n")] = 0;
  json_t *response = json_pack("{s:s}", "url", url);
  char *text = json_dumps(response, 0);
  tessera_browser_session_respond(session, text);
  free(text);
  json_decref(response);
}

static void print_page(void *user_data, const char *page, tessera_browser_session *session) {
  show(user_data, page, session);
  printf("%s\n", page);
  fflush(stdout);
}

/** Signs in with two redirects: that of another sign-in, and the right one. */
static void sign_in(const char *configuration) {
  struct desk desk = {.start = "{\"redirect_uri\": \"http://localhost:4321\"}"};
  const tessera_browser browser = {sizeof browser, start, print_page, read_redirect, show_result, close_page};
  tessera_host host = {.size = sizeof host, .user_data = &desk, .browser = &browser};
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(configuration, &host, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  status = tessera_application_acquire_token_interactive(
      made, "{\"scopes\": [\"read\"]}", NULL, NULL, NULL, &response);
  json_t *document = check_response("the sign-in", status, response);
  CHECK(status == TESSERA_STATUS_OK && json_object_get(document, "access_token") != NULL);
  const char *reason = json_string_value(json_object_get(document, "browser_reason"));
  CHECK(reason != NULL && strcmp(reason, "host") == 0);
  CHECK(strcmp(desk.calls, "sonrnrc") == 0 && strcmp(desk.outcome, "foreign success ") == 0);
  CHECK(strstr(desk.page, "localhost%3A4321") != NULL);
  json_decref(document);
  tessera_application_free(made);
}

int main(int count, char **words) {
  if (count > 1) {
    sign_in(words[1]);
    return failures != 0;
  }
  errors_of_the_browser();
  limits_end_a_sign_in();
  foreign_redirects_do_not_end_a_sign_in();
  the_end_of_the_application_cancels();
  incomplete_browsers_are_rejected();
  tessera_browser_session_respond(NULL, "{}");
  CHECK(tessera_browser_session_is_cancelled(NULL) == 1);
  return failures != 0;
}
