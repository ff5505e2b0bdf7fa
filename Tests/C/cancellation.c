/* SPDX-License-Identifier: MIT */
/*
 * Every function that can wait: it does not start if it was already cancelled, and ends within 100 ms of a
 * cancellation or of its deadline.
 *
 * usage: cancellation OLDER-CACHE   (a cache to migrate; a new store and a bus without responses make the calls wait)
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define ACCOUNT "\"home_account_id\": \"uid.utid\", \"environment\": \"login.microsoftonline.com\""

static const int64_t tolerance = 100;

/** A new directory for the store, and the path of its database. */
static char directory[] = "/tmp/tessera-cancellation-XXXXXX", database[1000];
/** An older cache. */
static char older[100000];
static size_t older_size;

static void ignore(void *context, const char *prompt) {
  (void)context, (void)prompt;
}

static tessera_application *application(const char *store) {
  char configuration[1000], *response = NULL;
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"client\", \"network\": {\"proxy\": \"http://127.0.0.1:9\"}, \"store\": {\"kind\": \"%s\","
           " \"directory\": \"%s\", \"key_sources\": [\"key_file\"]}}", store, directory);
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** One call: a function with a complete request, to which a timeout may be added. */
struct call {
  tessera_application *application, *memory;
  tessera_cancellation *cancellation;
  /** The end of the request: "}" or a timeout. */
  const char *end;
  int64_t timeout_milliseconds;
  char *response;
};

static const char *request(const struct call *call, const char *members) {
  static char text[2000];
  snprintf(text, sizeof text, "{%s%s%s", members, *members != '\0' && *call->end == '"' ? ", " : "", call->end);
  return text;
}

#define PLAIN(name, members) \
  static tessera_status name(struct call *call) { \
    return tessera_application_##name(call->application, request(call, members), call->cancellation, &call->response); \
  }
PLAIN(get_accounts, "")
PLAIN(get_account, "\"username\": \"alice@contoso.com\"")
PLAIN(get_current_account, "")
PLAIN(remove_account, ACCOUNT)
PLAIN(sign_out, ACCOUNT)
PLAIN(read_cache, "")
PLAIN(write_cache, "\"before\": \"\", \"after\": \"{\\\"AppMetadata\\\": {\\\"k\\\": {\\\"client_id\\\": \\\"c\\\", "
                   "\\\"environment\\\": \\\"login.microsoftonline.com\\\", \\\"family_id\\\": \\\"1\\\"}}}\"")
PLAIN(get_store_info, "")
PLAIN(rotate_store_key, "")
PLAIN(explain, ACCOUNT ", \"scopes\": [\"User.Read\"]")
PLAIN(acquire_token_silent, ACCOUNT ", \"scopes\": [\"User.Read\"]")
PLAIN(begin_sign_in, "\"scopes\": [\"User.Read\"]")
PLAIN(get_broker_version, "")
PLAIN(get_broker_accounts, "")
PLAIN(get_broker_sso_cookie, "\"home_account_id\": \"uid.utid\", \"sso_url\": \"https://login.microsoftonline.com/?sso_nonce=n\"")
PLAIN(get_broker_signed_http_request,
      "\"home_account_id\": \"uid.utid\", \"http_method\": \"GET\", \"url\": \"https://graph.microsoft.com/\"")

static tessera_status migrate(struct call *call) {
  return tessera_application_migrate(call->application, request(call, ""), older, older_size, call->cancellation,
                                     &call->response);
}

static tessera_status export_sign_ins(struct call *call) {
  return tessera_application_export_sign_ins(call->application, request(call, "\"format\": \"apple_keychain\""), NULL, 0,
                                             call->cancellation, &call->response);
}

static tessera_status copy_sign_ins(struct call *call) {
  return tessera_application_copy_sign_ins(call->memory, call->application, request(call, ""), call->cancellation,
                                           &call->response);
}

static tessera_status get_access_token(struct call *call) {
  return tessera_application_get_access_token(call->application, "User.Read", NULL, call->timeout_milliseconds,
                                              call->cancellation, &call->response);
}

static tessera_status acquire_token_by_device_code(struct call *call) {
  return tessera_application_acquire_token_by_device_code(call->application, request(call, "\"scopes\": [\"User.Read\"]"),
                                                          ignore, NULL, call->cancellation, &call->response);
}

static tessera_status acquire_token_interactive(struct call *call) {
  return tessera_application_acquire_token_interactive(call->application, request(call, "\"scopes\": [\"User.Read\"]"),
                                                       NULL, NULL, call->cancellation, &call->response);
}

static tessera_status known_caches(struct call *call) {
  return tessera_library_known_caches(request(call, ""), call->cancellation, &call->response);
}

static tessera_status hand_over_url(struct call *call) {
  return tessera_library_hand_over_url("myapp://auth?code=1&state=2", call->cancellation, &call->response);
}

static const struct function {
  const char *name;
  tessera_status (*call)(struct call *call);
  /** Whether it waits for a store that is locked, or for a bus without responses. */
  int waits;
} functions[] = {
    {"get_accounts", get_accounts, 1},
    {"get_account", get_account, 1},
    {"get_current_account", get_current_account, 1},
    {"remove_account", remove_account, 1},
    {"sign_out", sign_out, 1},
    {"read_cache", read_cache, 1},
    {"write_cache", write_cache, 1},
    {"get_store_info", get_store_info, 1},
    {"rotate_store_key", rotate_store_key, 1},
    {"explain", explain, 1},
    {"acquire_token_silent", acquire_token_silent, 1},
    {"migrate", migrate, 1},
    {"export_sign_ins", export_sign_ins, 1},
    {"copy_sign_ins", copy_sign_ins, 1},
    {"get_access_token", get_access_token, 1},
    {"known_caches", known_caches, 1},
    {"begin_sign_in", begin_sign_in, 0},
    {"acquire_token_by_device_code", acquire_token_by_device_code, 0},
    {"acquire_token_interactive", acquire_token_interactive, 0},
    {"get_broker_version", get_broker_version, 0},
    {"get_broker_accounts", get_broker_accounts, 0},
    {"get_broker_sso_cookie", get_broker_sso_cookie, 0},
    {"get_broker_signed_http_request", get_broker_signed_http_request, 0},
    {"hand_over_url", hand_over_url, 0},
};
enum { function_count = sizeof functions / sizeof *functions };

/** Checks that a call ended not later than 100 ms after a moment, and not before it. */
static void check_time(const char *name, const char *reason, int64_t ended_at, int64_t due_at) {
  if (ended_at - due_at >= -2 && ended_at - due_at <= tolerance) return;
  printf("%s: ended %ld ms after %s\n", name, (long)(ended_at - due_at), reason);
  failures++;
}

static void check_cancelled(const char *name, tessera_status status, char *response) {
  json_t *document = check_response(name, status, response);
  if (status != TESSERA_STATUS_CANCELLED || strcmp(error_code(document), "cancelled") != 0) {
    char *text = json_dumps(document, 0);
    printf("%s: not cancelled: %s\n", name, text);
    free(text);
    failures++;
  }
  json_decref(document);
}

static void a_cancelled_call_does_not_start(void) {
  tessera_cancellation *cancellation = tessera_cancellation_create();
  tessera_cancellation_cancel(cancellation);
  tessera_application *stored = application("sqlite"), *memory = application("memory");
  for (size_t i = 0; i < function_count; i++) {
    struct call call = {stored, memory, cancellation, "}", -1, NULL};
    int64_t started_at = milliseconds();
    tessera_status status = functions[i].call(&call);
    check_time(functions[i].name, "the start", milliseconds(), started_at);
    check_cancelled(functions[i].name, status, call.response);
  }
  tessera_application_free(stored);
  tessera_application_free(memory);
  tessera_cancellation_free(cancellation);
}

static void *cancel_later(void *argument) {
  struct timespec time = {0, 300000000};
  static int64_t cancelled_at;
  nanosleep(&time, NULL);
  cancelled_at = milliseconds();
  tessera_cancellation_cancel(argument);
  return &cancelled_at;
}

static void a_waiting_call_is_cancelled(const struct function *function) {
  tessera_application *stored = application("sqlite"), *memory = application("memory");
  tessera_cancellation *cancellation = tessera_cancellation_create();
  struct call call = {stored, memory, cancellation, "}", -1, NULL};
  pthread_t thread;
  void *cancelled_at = NULL;
  pthread_create(&thread, NULL, cancel_later, cancellation);
  tessera_status status = function->call(&call);
  int64_t ended_at = milliseconds();
  pthread_join(thread, &cancelled_at);
  check_time(function->name, "the cancellation", ended_at, *(int64_t *)cancelled_at);
  check_cancelled(function->name, status, call.response);
  tessera_application_free(stored);
  tessera_application_free(memory);
  tessera_cancellation_free(cancellation);
}

static void a_waiting_call_ends_at_its_deadline(const struct function *function) {
  tessera_application *stored = application("sqlite"), *memory = application("memory");
  struct call call = {stored, memory, NULL, "\"timeout_milliseconds\": 300}", 300, NULL};
  int64_t due_at = milliseconds() + 300;
  tessera_status status = function->call(&call);
  check_time(function->name, "the deadline", milliseconds(), due_at);
  json_decref(check_response(function->name, status, call.response));
  tessera_application_free(stored);
  tessera_application_free(memory);
}

/** Creates a store with an account, and finds its database. */
static void fill(void) {
  tessera_application *stored = application("sqlite");
  char *response = NULL;
  tessera_status status = tessera_application_write_cache(
      stored,
      "{\"before\": \"\", \"after\": \"{\\\"RefreshToken\\\": {\\\"k\\\": {\\\"credential_type\\\": \\\"RefreshToken\\\", "
      "\\\"secret\\\": \\\"one\\\", \\\"home_account_id\\\": \\\"uid.utid\\\", \\\"client_id\\\": \\\"client\\\", "
      "\\\"environment\\\": \\\"login.microsoftonline.com\\\"}}}\"}", NULL, &response);
  check_status("tessera_application_write_cache", TESSERA_STATUS_OK, status, response);
  status = tessera_application_get_store_info(stored, NULL, NULL, &response);
  char *path = tessera_document_get_string(response, "/path");
  CHECK(status == TESSERA_STATUS_OK && path != NULL);
  snprintf(database, sizeof database, "%s", path != NULL ? path : "");
  tessera_string_free(path);
  tessera_string_free(response);
  tessera_application_free(stored);
}

/** Locks the database in another process, until the returned descriptor is closed. */
static int lock_database(pid_t *process) {
  int held[2], ready[2];
  char byte = 0;
  if (pipe(held) != 0 || pipe(ready) != 0) return -1;
  *process = fork();
  if (*process == 0) {
    sqlite3 *connection = NULL;
    close(held[1]);
    int result = sqlite3_open(database, &connection);
    if (result == SQLITE_OK) {
      result = sqlite3_exec(connection, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; SELECT count(*) FROM sqlite_schema",
                            NULL, NULL, NULL);
    }
    if (result == SQLITE_OK && write(ready[1], &byte, 1) == 1) (void)!read(held[0], &byte, 1);
    _exit(result);
  }
  close(held[0]);
  close(ready[1]);
  CHECK(read(ready[0], &byte, 1) == 1);
  close(ready[0]);
  return held[1];
}

/** A session bus that accepts connections, and never responds. */
static int silent_bus(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s/bus", directory);
  int bus = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK(bind(bus, (struct sockaddr *)&address, sizeof address) == 0 && listen(bus, 128) == 0);
  char variable[200];
  snprintf(variable, sizeof variable, "unix:path=%s", address.sun_path);
  setenv("DBUS_SESSION_BUS_ADDRESS", variable, 1);
  return bus;
}

int main(int argc, char **argv) {
  FILE *stream = argc == 2 ? fopen(argv[1], "rb") : NULL;
  CHECK(stream != NULL && mkdtemp(directory) != NULL);
  if (failures != 0) return 1;
  older_size = fread(older, 1, sizeof older, stream);
  fclose(stream);
  setenv("HOME", directory, 1);
  fill();
  a_cancelled_call_does_not_start();
  pid_t process = 0;
  int bus = silent_bus(), held = lock_database(&process);
  for (size_t i = 0; i < function_count && failures == 0; i++) {
    if (!functions[i].waits) continue;
    a_waiting_call_is_cancelled(&functions[i]);
    a_waiting_call_ends_at_its_deadline(&functions[i]);
  }
  close(held);
  waitpid(process, NULL, 0);
  close(bus);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", directory);
  return system(command) != 0 || failures != 0;
}
