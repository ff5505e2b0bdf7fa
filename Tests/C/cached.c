/* SPDX-License-Identifier: MIT */
/* A cached response is returned by every form of a silent call, without a read of the store and without a thread. A
   cancelled call, another process and wrong arguments get none. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define TENANT "72f988bf-86f1-41af-91ab-2d7cd011db47"

static const char request[] =
    "{\"home_account_id\": \"uid." TENANT "\", \"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 5000}";

/** A store in memory with one partition. */
struct table {
  uint8_t bytes[1 << 16];
  size_t size;
  uint64_t version;
  int reads;
};

static int32_t read_partition(void *user_data, const char *partition, int64_t timeout, tessera_contents *target) {
  struct table *table = user_data;
  (void)partition, (void)timeout;
  table->reads++;
  if (table->version > 0) tessera_contents_set(target, table->bytes, table->size, table->version);
  return 0;
}

static int32_t write_partition(
    void *user_data, const char *partition, const uint8_t *bytes, size_t size, uint64_t expected, int64_t timeout) {
  struct table *table = user_data;
  (void)partition, (void)timeout;
  if (expected != table->version) return TESSERA_STORE_CONFLICT;
  if (size > sizeof table->bytes) return TESSERA_STORE_FAILED;
  memcpy(table->bytes, bytes, size);
  table->size = size;
  table->version++;
  return TESSERA_STORE_COMMITTED;
}

static int32_t version_of(void *user_data, const char *partition, uint64_t *version) {
  const struct table *table = user_data;
  (void)partition;
  *version = table->version;
  return 0;
}

static int32_t give_key(void *user_data, uint8_t *key, size_t size) {
  (void)user_data;
  memset(key, 7, size);
  return 0;
}

static tessera_application *application(struct table *table) {
  static const tessera_host_store store = {
      .size = sizeof store, .read = read_partition, .write = write_partition, .version = version_of};
  tessera_host host = {.size = sizeof host, .user_data = table, .store_key = give_key, .store = &store};
  tessera_application *made = NULL;
  char *response = NULL;
  memset(table, 0, sizeof *table);
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"kind\": \"host\"}, \"network\": {\"proxy\": \"http://127.0.0.1:9\"},"
      " \"authority\": \"https://login.microsoftonline.com/" TENANT "\"}", &host, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Stores an account with a token. */
static void store_token(tessera_application *made, const char *token, long cached_at) {
  char cache[2048];
  snprintf(cache, sizeof cache,
           "{\"Account\": {\"1\": {\"home_account_id\": \"uid." TENANT "\", \"environment\": \"login.microsoftonline.com\","
           " \"realm\": \"" TENANT "\", \"local_account_id\": \"uid\", \"username\": \"a@b.c\", \"authority_type\": \"MSSTS\"}},"
           " \"RefreshToken\": {\"1\": {\"credential_type\": \"RefreshToken\", \"secret\": \"refresh\", \"client_id\": \"client\","
           " \"home_account_id\": \"uid." TENANT "\", \"environment\": \"login.microsoftonline.com\"}},"
           " \"AccessToken\": {\"1\": {\"credential_type\": \"AccessToken\", \"secret\": \"%s\", \"client_id\": \"client\","
           " \"home_account_id\": \"uid." TENANT "\", \"environment\": \"login.microsoftonline.com\", \"realm\": \"" TENANT "\","
           " \"target\": \"User.Read\", \"token_type\": \"Bearer\", \"cached_at\": \"%ld\", \"expires_on\": \"4102444800\"}}}",
           token, cached_at);
  json_t *change = json_pack("{s:s, s:s}", "before", "", "after", cache);
  char *text = json_dumps(change, 0), *response = NULL;
  tessera_status status = tessera_application_write_cache(made, text, NULL, &response);
  check_status("tessera_application_write_cache", TESSERA_STATUS_OK, status, response);
  free(text);
  json_decref(change);
}

static tessera_call_group *group(void) {
  tessera_call_group *calls = NULL;
  char *response = NULL;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  return calls;
}

/** Checks that a response has a token, and frees it. */
static void check_token(const char *what, tessera_status status, char *response, const char *expected) {
  json_t *document = check_response(what, status, response);
  const char *token = json_string_value(json_object_get(document, "access_token"));
  CHECK(status == TESSERA_STATUS_OK && token != NULL && strcmp(token, expected) == 0);
  json_decref(document);
}

static void check_blocking(tessera_application *made, tessera_cancellation *cancellation, const char *token) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(made, request, cancellation, &response);
  check_token("tessera_application_acquire_token_silent", status, response, token);
}

/** Starts a call, which has a response at once or later. Returns its ID. */
static int64_t check_started(tessera_application *made, tessera_call_group *calls, const char *token) {
  struct pollfd entry = {tessera_call_group_descriptor(calls), POLLIN, 0};
  tessera_event event = {.size = sizeof event};
  int64_t call = -1;
  char *response = NULL;
  tessera_status status = tessera_call_group_acquire_token_silent(calls, made, request, calls, &call, &response);
  if (call != 0) {
    tessera_string_free(response);
    status = tessera_call_group_next_event(calls, -1, &event);
    CHECK(status == TESSERA_STATUS_OK && event.call == call && event.user_data == calls);
    check_token("the event of a call", event.status, event.response, token);
    return call;
  }
  check_token("tessera_call_group_acquire_token_silent", status, response, token);
  CHECK(poll(&entry, 1, 0) == 0);
  return 0;
}

static void blocking_calls_serve_calls_of_a_group(void) {
  static struct table table;
  tessera_application *made = application(&table);
  tessera_call_group *calls = group();
  tessera_cancellation *cancellation = tessera_cancellation_create();
  store_token(made, "one", 1700000000);
  check_blocking(made, cancellation, "one");
  int reads = table.reads;
  check_blocking(made, NULL, "one");
  check_blocking(made, cancellation, "one");
  CHECK(check_started(made, calls, "one") == 0);
  CHECK(table.reads == reads);
  store_token(made, "two", 1700000001);
  CHECK(check_started(made, calls, "two") > 0);
  check_blocking(made, cancellation, "two");
  tessera_cancellation_free(cancellation);
  tessera_call_group_free(calls);
  tessera_application_free(made);
}

static void calls_of_a_group_serve_blocking_calls(void) {
  static struct table table;
  tessera_application *made = application(&table);
  tessera_call_group *calls = group();
  tessera_cancellation *cancellation = tessera_cancellation_create();
  store_token(made, "one", 1700000000);
  CHECK(check_started(made, calls, "one") > 0);
  int reads = table.reads;
  CHECK(check_started(made, calls, "one") == 0 && check_started(made, calls, "one") == 0);
  check_blocking(made, cancellation, "one");
  check_blocking(made, NULL, "one");
  CHECK(table.reads == reads);
  store_token(made, "two", 1700000001);
  check_blocking(made, cancellation, "two");
  CHECK(check_started(made, calls, "two") == 0);
  tessera_cancellation_free(cancellation);
  tessera_call_group_free(calls);
  tessera_application_free(made);
}

static void plain_tokens_are_cached(void) {
  static struct table table;
  tessera_application *made = application(&table);
  store_token(made, "one", 1700000000);
  for (int i = 0, reads = 0; i < 3; i++) {
    char *response = NULL;
    CHECK(tessera_application_get_access_token(made, "User.Read", "A@b.c", 5000, NULL, &response) == TESSERA_STATUS_OK);
    CHECK(response != NULL && strcmp(response, "one") == 0);
    tessera_string_free(response);
    CHECK(i == 0 || table.reads == reads);
    reads = table.reads;
  }
  tessera_application_free(made);
}

static void others_get_no_cached_response(void) {
  static struct table table;
  tessera_application *made = application(&table);
  tessera_call_group *calls = group();
  tessera_cancellation *cancellation = tessera_cancellation_create();
  int64_t call = -1;
  char *response = NULL;
  store_token(made, "one", 1700000000);
  check_blocking(made, cancellation, "one");

  tessera_cancellation_cancel(cancellation);
  tessera_status status = tessera_application_acquire_token_silent(made, request, cancellation, &response);
  json_t *document = check_response("a cancelled call", status, response);
  CHECK(status == TESSERA_STATUS_CANCELLED && strcmp(error_code(document), "cancelled") == 0);
  json_decref(document);

  status = tessera_application_acquire_token_silent(made, request, (tessera_cancellation *)(void *)made, &response);
  check_status("a call with a wrong cancellation", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_call_group_acquire_token_silent(
      (tessera_call_group *)(void *)made, made, request, NULL, &call, &response);
  check_status("a call with a wrong group", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_call_group_acquire_token_silent(calls, made, request, NULL, NULL, &response);
  check_status("a call without a place for its ID", TESSERA_STATUS_FIX_REQUEST, status, response);
  CHECK(tessera_call_group_acquire_token_silent(calls, made, request, NULL, &call, NULL) == TESSERA_STATUS_FIX_REQUEST);

  pid_t child = fork();
  if (child == 0) {
    failures = 0;
    status = tessera_call_group_acquire_token_silent(calls, made, request, NULL, &call, &response);
    document = check_response("a call in a child", status, response);
    CHECK(status == TESSERA_STATUS_FIX_REQUEST && strcmp(error_code(document), "wrong_process") == 0);
    check_blocking(made, NULL, "one");
    _exit(failures != 0);
  }
  int end = -1;
  CHECK(waitpid(child, &end, 0) == child && end == 0);
  tessera_cancellation_free(cancellation);
  tessera_call_group_free(calls);
  tessera_application_free(made);
}

int main(void) {
  blocking_calls_serve_calls_of_a_group();
  calls_of_a_group_serve_blocking_calls();
  plain_tokens_are_cached();
  others_get_no_cached_response();
  return failures != 0;
}
