/* SPDX-License-Identifier: MIT */
/* Metrics: exact numbers of calls, the observer of a host, and the trace context of requests. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "responses.h"

#define TRACEPARENT "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
#define THREADS 4
#define ROUNDS 5000

/** Texts that must be in no metric and in no log message. */
static const char *const canaries[] = {
    "alice", "contoso", TENANT, "refresh-token-one", "canary-client", "microsoftonline",
    "0af7651916cd43dd8448eb211c80319c", NULL};

/** A host with a transport, an observer and a log. */
struct machine {
  atomic_int observed, succeeded, lines;
  /** The header fields of the last token request. */
  char headers[2000];
};

static void check_text(const char *text) {
  for (int i = 0; canaries[i] != NULL; i++) {
    if (strstr(text, canaries[i]) != NULL) printf("%s is in %s\n", canaries[i], text);
    CHECK(strstr(text, canaries[i]) == NULL);
  }
}

static void observe(void *user_data, const char *name, int64_t value, const char *tags) {
  struct machine *machine = user_data;
  check_text(name);
  check_text(tags);
  json_t *document = json_loads(tags, 0, NULL);
  CHECK(json_is_object(document));
  CHECK(value >= 0);
  if (strcmp(name, "calls_succeeded") == 0) {
    CHECK(value == 1);
    CHECK(strcmp(json_string_value(json_object_get(document, "function")), "acquire_token_silent") == 0);
    atomic_fetch_add(&machine->succeeded, 1);
  }
  json_decref(document);
  atomic_fetch_add(&machine->observed, 1);
}

static void write_log(void *user_data, int32_t level, const char *message) {
  struct machine *machine = user_data;
  (void)level;
  /* The origin of a request is no identifier. */
  if (strstr(message, "https://login.microsoftonline.com") == NULL) check_text(message);
  CHECK(strstr(message, "0af7651916cd43dd8448eb211c80319c") == NULL);
  atomic_fetch_add(&machine->lines, 1);
}

static void send_request(void *user_data, const char *text, tessera_exchange *exchange) {
  struct machine *machine = user_data;
  if (strstr(text, "/token\"") == NULL) {
    tessera_exchange_respond(exchange, "{\"status\": 200, \"body\": \"" METADATA "\"}");
    return;
  }
  json_t *request = json_loads(text, 0, NULL);
  char *headers = json_dumps(json_object_get(request, "headers"), 0);
  snprintf(machine->headers, sizeof machine->headers, "%s", headers);
  free(headers);
  json_decref(request);
  tessera_exchange_respond(exchange, TOKEN);
}

/** Creates an application with a memory store in which a user is signed in with a refresh token. */
static tessera_application *application(struct machine *machine, size_t size) {
  static const char cache[] =
      "{\"Account\": {\"1\": {\"home_account_id\": \"a." TENANT "\", \"environment\": \"login.microsoftonline.com\","
      " \"realm\": \"" TENANT "\", \"local_account_id\": \"a\", \"username\": \"alice@contoso.com\","
      " \"authority_type\": \"MSSTS\"}}, \"RefreshToken\": {\"1\": {\"credential_type\": \"RefreshToken\","
      " \"secret\": \"refresh-token-one\", \"home_account_id\": \"a." TENANT "\", \"environment\": \"login.microsoftonline.com\","
      " \"client_id\": \"canary-client\"}}}";
  tessera_host host = {.size = size, .user_data = machine, .transport = send_request, .observe = observe,
                       .log = write_log};
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"canary-client\", \"store\": {\"kind\": \"memory\"}, \"authority\": \"" AUTHORITY "\","
      " \"log_level\": 4}",
      &host, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  json_t *request = json_pack("{s:s, s:s}", "before", "", "after", cache);
  char *text = json_dumps(request, 0);
  status = tessera_application_write_cache(made, text, NULL, &response);
  check_status("tessera_application_write_cache", TESSERA_STATUS_OK, status, response);
  free(text);
  json_decref(request);
  return made;
}

/** Only a request with the identifier of an account has a cached response. */
#define REQUEST "{\"home_account_id\": \"a." TENANT "\", \"scopes\": [\"User.Read\"]"
static const char silent[] = REQUEST "}";

static void acquire(tessera_application *made, const char *request, tessera_status expected) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(made, request, NULL, &response);
  check_status(request, expected, status, response);
}

/** Returns a snapshot; free it with json_decref(). */
static json_t *metrics(tessera_application *made) {
  char *response = NULL;
  tessera_status status = tessera_application_metrics(made, &response);
  CHECK(status == TESSERA_STATUS_OK);
  check_text(response);
  return check_response("tessera_application_metrics", status, response);
}

/** Returns the value of a counter, or the number of values of a histogram, with a tag; -1 if there is none. */
static int64_t number(json_t *snapshot, const char *kind, const char *name, const char *tag, const char *value) {
  size_t index;
  json_t *each;
  json_array_foreach(json_object_get(snapshot, kind), index, each) {
    const char *found = json_string_value(json_object_get(json_object_get(each, "tags"), tag));
    if (strcmp(json_string_value(json_object_get(each, "name")), name) != 0) continue;
    if (found == NULL || strcmp(found, value) != 0) continue;
    return json_integer_value(json_object_get(each, strcmp(kind, "counters") == 0 ? "value" : "count"));
  }
  return -1;
}

static void *acquire_often(void *made) {
  for (int i = 0; i < ROUNDS; i++) acquire(made, silent, TESSERA_STATUS_OK);
  return NULL;
}

static void repeated_hits_are_counted_exactly(void) {
  struct machine machine = {.observed = 0};
  tessera_application *made = application(&machine, sizeof(tessera_host));
  for (int i = 0; i < 3; i++) acquire(made, silent, TESSERA_STATUS_OK);
  CHECK(atomic_load(&machine.succeeded) == 2);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, acquire_often, made);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  json_t *snapshot = metrics(made);
  CHECK(number(snapshot, "counters", "calls_succeeded", "source", "refresh") == 1);
  CHECK(number(snapshot, "counters", "calls_succeeded", "source", "store") == 1);
  CHECK(number(snapshot, "counters", "calls_succeeded", "source", "memory") == 1 + THREADS * ROUNDS);
  CHECK(number(snapshot, "histograms", "call_duration", "outcome", "success") == 2);
  CHECK(number(snapshot, "histograms", "http_duration", "status", "200") == 2);
  CHECK(number(snapshot, "histograms", "lock_wait", "outcome", "acquired") == 1);
  /* Hits are not observed. */
  CHECK(atomic_load(&machine.succeeded) == 2);
  CHECK(atomic_load(&machine.lines) > 0);
  json_decref(snapshot);
  tessera_application_free(made);
}

static void failures_are_counted(void) {
  struct machine machine = {.observed = 0};
  tessera_application *made = application(&machine, sizeof(tessera_host));
  acquire(made, "{\"scopes\": [\"a b\"]}", TESSERA_STATUS_FIX_REQUEST);
  json_t *snapshot = metrics(made);
  CHECK(number(snapshot, "counters", "calls_failed", "error_code", "invalid_member") == 1);
  CHECK(number(snapshot, "histograms", "call_duration", "outcome", "failure") == 1);
  json_decref(snapshot);
  tessera_application_free(made);
}

static void trace_contexts_are_sent(void) {
  struct machine machine = {.observed = 0};
  tessera_application *made = application(&machine, sizeof(tessera_host));
  acquire(made, REQUEST ", \"force_refresh\": true}", TESSERA_STATUS_OK);
  CHECK(strstr(machine.headers, "traceparent") == NULL);
  acquire(made,
          REQUEST ", \"force_refresh\": true, \"traceparent\": \"" TRACEPARENT "\","
          " \"tracestate\": \"a=1\"}",
          TESSERA_STATUS_OK);
  CHECK(strstr(machine.headers, "traceparent: " TRACEPARENT) != NULL);
  CHECK(strstr(machine.headers, "tracestate: a=1") != NULL);
  acquire(made, REQUEST ", \"force_refresh\": true, \"traceparent\": \"00-1\"}",
          TESSERA_STATUS_FIX_REQUEST);
  /* A traced request reads the store, and is not kept as a response. */
  for (int i = 0; i < 2; i++) {
    acquire(made, REQUEST ", \"traceparent\": \"" TRACEPARENT "\"}", TESSERA_STATUS_OK);
  }
  json_t *snapshot = metrics(made);
  CHECK(number(snapshot, "counters", "calls_succeeded", "source", "memory") == 0);
  CHECK(number(snapshot, "counters", "calls_succeeded", "source", "store") == 2);
  json_decref(snapshot);
  tessera_application_free(made);
}

static void older_programs_have_no_observer(void) {
  struct machine machine = {.observed = 0};
  tessera_application *made = application(&machine, offsetof(tessera_host, observe));
  acquire(made, silent, TESSERA_STATUS_OK);
  CHECK(atomic_load(&machine.observed) == 0);
  tessera_application_free(made);
}

static void wrong_pointers_are_refused(void) {
  char *response = NULL;
  tessera_status status = tessera_application_metrics(NULL, &response);
  json_t *document = check_response("tessera_application_metrics", status, response);
  CHECK(status == TESSERA_STATUS_FIX_REQUEST);
  CHECK(strcmp(error_code(document), "missing_parameter") == 0);
  json_decref(document);
  struct machine machine = {.observed = 0};
  tessera_application *made = application(&machine, sizeof(tessera_host));
  CHECK(tessera_application_metrics(made, NULL) == TESSERA_STATUS_FIX_REQUEST);
  tessera_application_free(made);
}

int main(void) {
  repeated_hits_are_counted_exactly();
  failures_are_counted();
  trace_contexts_are_sent();
  older_programs_have_no_observer();
  wrong_pointers_are_refused();
  return failures != 0;
}
