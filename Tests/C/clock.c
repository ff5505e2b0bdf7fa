/* SPDX-License-Identifier: MIT */
/* The clock of a host: expiry, deadlines, and the end of the application. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "responses.h"

/** A host with a clock that advances only when it is told to, and a transport. */
struct machine {
  atomic_llong seconds;
  atomic_int readings, requests, cancelled;
  /** The seconds that pass during a token request, before the host responds; a late request gets no response. */
  int delay;
};

static void read_clock(void *user_data, int64_t *seconds, uint64_t *nanoseconds) {
  struct machine *machine = user_data;
  atomic_fetch_add(&machine->readings, 1);
  *seconds = 1800000000 + atomic_load(&machine->seconds);
  *nanoseconds = (uint64_t)(1000 + atomic_load(&machine->seconds)) * 1000000000;
}

static void send_request(void *user_data, const char *request, tessera_exchange *exchange) {
  struct machine *machine = user_data;
  if (strstr(request, "/token\"") == NULL) {
    tessera_exchange_respond(exchange, "{\"status\": 200, \"body\": \"" METADATA "\"}");
    return;
  }
  atomic_fetch_add(&machine->requests, 1);
  CHECK(tessera_exchange_is_cancelled(exchange) == 0);
  atomic_fetch_add(&machine->seconds, machine->delay);
  if (tessera_exchange_is_cancelled(exchange)) atomic_fetch_add(&machine->cancelled, 1);
  else tessera_exchange_respond(exchange, TOKEN);
}

/** Creates an application with a memory store in which a user is signed in with a refresh token. */
static tessera_application *application(struct machine *machine) {
  static const char cache[] =
      "{\"Account\": {\"1\": {\"home_account_id\": \"a." TENANT "\", \"environment\": \"login.microsoftonline.com\","
      " \"realm\": \"" TENANT "\", \"local_account_id\": \"a\", \"username\": \"alice@contoso.com\","
      " \"authority_type\": \"MSSTS\"}}, \"RefreshToken\": {\"1\": {\"credential_type\": \"RefreshToken\","
      " \"secret\": \"refresh-token-one\", \"home_account_id\": \"a." TENANT "\", \"environment\": \"login.microsoftonline.com\","
      " \"client_id\": \"client\"}}}";
  tessera_host host = {.size = sizeof host, .user_data = machine, .transport = send_request, .clock = read_clock};
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

/** Acquires a token. Returns whether the status is the expected one. */
static json_t *acquire(tessera_application *made, const char *request, tessera_status expected) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(made, request, NULL, &response);
  json_t *document = check_response(request, status, response);
  CHECK(status == expected);
  return document;
}

static const char silent[] = "{\"scopes\": [\"User.Read\"]}";

static void tokens_expire_by_the_clock_of_the_host(void) {
  struct machine machine = {.delay = 0};
  tessera_application *made = application(&machine);
  json_t *first = acquire(made, silent, TESSERA_STATUS_OK);
  CHECK(json_integer_value(json_object_get(first, "expires_on")) == 1800003600);
  for (int i = 0; i < 3; i++) json_decref(acquire(made, silent, TESSERA_STATUS_OK));
  CHECK(atomic_load(&machine.requests) == 1);
  atomic_store(&machine.seconds, 3000);
  json_decref(acquire(made, silent, TESSERA_STATUS_OK));
  CHECK(atomic_load(&machine.requests) == 1);
  atomic_store(&machine.seconds, 3400);
  json_t *second = acquire(made, silent, TESSERA_STATUS_OK);
  CHECK(json_integer_value(json_object_get(second, "expires_on")) == 1800007000);
  CHECK(atomic_load(&machine.requests) == 2);
  json_decref(first);
  json_decref(second);
  tessera_application_free(made);
}

static void deadlines_are_those_of_the_host(void) {
  struct machine machine = {.delay = 6};
  tessera_application *made = application(&machine);
  json_t *document = acquire(
      made, "{\"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 5000}", TESSERA_STATUS_CANCELLED);
  CHECK(strcmp(error_code(document), "deadline_exceeded") == 0);
  CHECK(atomic_load(&machine.cancelled) == 1);
  json_decref(document);
  tessera_application_free(made);
}

/** The non-blocking call waits for the transport while the application is freed. */
static atomic_int is_sending, may_end;

static void send_slowly(void *user_data, const char *request, tessera_exchange *exchange) {
  (void)user_data, (void)request;
  atomic_store(&is_sending, 1);
  for (int i = 0; i < 3000 && !tessera_exchange_is_cancelled(exchange); i++) usleep(10000);
  atomic_store(&may_end, 1);
}

static void the_clock_is_not_read_after_the_end(void) {
  struct machine machine = {.delay = 0};
  tessera_host host = {.size = sizeof host, .user_data = &machine, .transport = send_slowly, .clock = read_clock};
  tessera_application *made = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"kind\": \"memory\"}, \"authority\": \"" AUTHORITY "\"}", &host,
      &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  tessera_call_group *group = NULL;
  status = tessera_call_group_create(&group, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  int64_t call = 0;
  status = tessera_call_group_acquire_token_by_device_code(
      group, made, "{\"scopes\": [\"User.Read\"]}", NULL, &call, &response);
  check_status("a call", TESSERA_STATUS_OK, status, response);
  for (int i = 0; i < 3000 && !atomic_load(&is_sending); i++) usleep(10000);
  tessera_application_free(made);
  CHECK(atomic_load(&may_end) == 1);
  const int readings = atomic_load(&machine.readings);
  tessera_event event = {.size = sizeof event};
  status = tessera_call_group_next_event(group, 30000, &event);
  CHECK(status == TESSERA_STATUS_OK && event.call == call);
  tessera_string_free(event.response);
  tessera_call_group_free(group);
  CHECK(atomic_load(&machine.readings) == readings);
}

/** A program that was compiled before the clock was added. */
static void an_older_structure_has_no_clock(void) {
  struct machine machine = {.delay = 0};
  tessera_host host = {.size = offsetof(tessera_host, clock), .user_data = &machine, .clock = read_clock};
  tessera_application *made = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"kind\": \"memory\"}}", &host, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  json_decref(acquire(made, silent, TESSERA_STATUS_SIGN_IN));
  tessera_application_free(made);
  CHECK(atomic_load(&machine.readings) == 0);
}

int main(void) {
  tokens_expire_by_the_clock_of_the_host();
  deadlines_are_those_of_the_host();
  the_clock_is_not_read_after_the_end();
  an_older_structure_has_no_clock();
  return failures != 0;
}
