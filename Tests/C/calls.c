/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous calls: started, reported through one descriptor, cancelled, dropped, or left behind by a fork().
 * usage: calls [child | TOLERANCE IN MILLISECONDS]
 */
#define _DEFAULT_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "silence.h"

enum { call_count = 40 };

static const char *const silent = "{\"home_account_id\": \"a.b\", \"scopes\": [\"User.Read\"]}";
static const char *const device_code = "{\"scopes\": [\"User.Read\"]}";

/** The tolerance for timeouts; programs that simulate the processor, such as valgrind, set a larger one. */
static int64_t tolerance = 100;

/** Memory without an object of the library. */
static unsigned char foreign_memory[4096];

static tessera_call_group *group(void) {
  tessera_call_group *calls = NULL;
  char *response = NULL;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  CHECK(calls != NULL);
  return calls;
}

static int is_readable(tessera_call_group *calls, int wait_milliseconds) {
  struct pollfd entry = {tessera_call_group_descriptor(calls), POLLIN, 0};
  return poll(&entry, 1, wait_milliseconds) == 1;
}

/** An event without values, as the program passes it. */
static const tessera_event no_event = {sizeof(tessera_event), -1, -1, -1, NULL, NULL};

/** Takes the next event and checks it. Returns the number of its call. */
static int64_t take(tessera_call_group *calls, int64_t wait_milliseconds, tessera_status expected, const char *code) {
  tessera_event event = no_event;
  tessera_status status = tessera_call_group_next_event(calls, wait_milliseconds, &event);
  json_t *document = check_response("tessera_call_group_next_event", event.status, event.response);
  CHECK(event.status == expected && strcmp(error_code(document), code) == 0);
  if (event.call != 0) {
    CHECK(status == TESSERA_STATUS_OK && event.kind == TESSERA_EVENT_RESULT);
    CHECK(event.user_data == calls);
  } else {
    CHECK(status == expected && event.kind == TESSERA_EVENT_NONE && event.user_data == NULL);
  }
  json_decref(document);
  return event.call;
}

static int64_t begin(tessera_call_group *calls, tessera_application *application, const char *request) {
  int64_t call = -1;
  char *response = NULL;
  tessera_status status =
      request == silent
          ? tessera_call_group_acquire_token_silent(calls, application, request, calls, &call, &response)
          : tessera_call_group_acquire_token_by_device_code(calls, application, request, calls, &call, &response);
  check_status("a call that does not block", TESSERA_STATUS_OK, status, response);
  CHECK(call > 0);
  return call;
}

static void a_result_makes_the_descriptor_readable(void) {
  tessera_application *application = application_at(9);
  tessera_call_group *calls = group();
  CHECK(tessera_call_group_descriptor(calls) >= 0);
  CHECK(take(calls, 0, TESSERA_STATUS_OK, "") == 0 && take(calls, -1, TESSERA_STATUS_OK, "") == 0);
  int64_t first = begin(calls, application, silent), second = begin(calls, application, silent);
  CHECK(is_readable(calls, 60000));
  /* Calls for one account run one after the other. */
  CHECK(take(calls, 60000, TESSERA_STATUS_SIGN_IN, "interaction_required") == first);
  CHECK(take(calls, -1, TESSERA_STATUS_SIGN_IN, "interaction_required") == second);
  CHECK(!is_readable(calls, 0));
  tessera_call_group_free(calls);
  tessera_application_free(application);
}

static void cancelling_ends_one_or_all(int port) {
  tessera_application *application = application_at(port);
  tessera_call_group *calls = group();
  for (int i = 0; i < call_count; i++) begin(calls, application, device_code);
  int64_t one = begin(calls, application, device_code);
  CHECK(!is_readable(calls, 200));
  tessera_call_group_cancel(calls, one);
  CHECK(take(calls, 0, TESSERA_STATUS_CANCELLED, "cancelled") == one);
  /* A call that has ended, and one that never existed. */
  tessera_call_group_cancel(calls, one);
  tessera_call_group_cancel(calls, 1 << 30);
  CHECK(!is_readable(calls, 0));
  tessera_call_group_cancel(calls, 0);
  for (int i = 0; i < call_count; i++) CHECK(take(calls, 0, TESSERA_STATUS_CANCELLED, "cancelled") != 0);
  CHECK(!is_readable(calls, 0) && take(calls, -1, TESSERA_STATUS_OK, "") == 0);
  tessera_call_group_free(calls);
  tessera_application_free(application);
}

static void a_timeout_ends_a_call(int port) {
  tessera_application *application = application_at(port);
  tessera_call_group *calls = group();
  int64_t start = milliseconds();
  begin(calls, application, "{\"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 300}");
  CHECK(take(calls, 50, TESSERA_STATUS_OK, "") == 0);
  take(calls, -1, TESSERA_STATUS_CANCELLED, "deadline_exceeded");
  CHECK(milliseconds() - start <= 300 + tolerance);
  tessera_call_group_free(calls);
  tessera_application_free(application);
}

static void calls_may_outlive_their_owners(int port) {
  tessera_application *application = application_at(port);
  tessera_call_group *calls = group();
  for (int i = 0; i < call_count; i++) begin(calls, application, i % 2 ? device_code : silent);
  tessera_application_free(application);
  tessera_call_group_free(calls);
}

/** A resource of a host; 0 as soon as its application is freed. */
static atomic_int host_is_there;
static atomic_int lines_logged;

static void slow_log(void *user_data, int32_t level, const char *message) {
  (void)level;
  CHECK(*message != 0 && atomic_load((atomic_int *)user_data));
  atomic_fetch_add(&lines_logged, 1);
  usleep(2000);
  CHECK(atomic_load((atomic_int *)user_data));
}

static void no_function_of_the_host_is_called_afterwards(int port) {
  tessera_host host = {.size = sizeof host, .user_data = &host_is_there, .log = slow_log};
  for (int i = 0; i < 5; i++) {
    atomic_store(&host_is_there, 1);
    tessera_application *application = application_of(port, &host, 4);
    tessera_call_group *calls = group();
    for (int j = 0; j < call_count; j++) begin(calls, application, device_code);
    usleep((useconds_t)i * 3000);
    tessera_application_free(application);
    atomic_store(&host_is_there, 0);
    tessera_call_group_free(calls);
    usleep(20000);
  }
  CHECK(atomic_load(&lines_logged) > 0);
}

static void *take_all(void *calls) {
  for (int64_t taken = 0;; taken++) {
    tessera_event event = no_event;
    const tessera_status status = tessera_call_group_next_event(calls, -1, &event);
    tessera_string_free(event.response);
    if (event.call == 0) return (void *)(intptr_t)(status == TESSERA_STATUS_OK ? taken : -1);
  }
}

static void threads_share_a_group(void) {
  tessera_application *application = application_at(9);
  tessera_call_group *calls = group();
  for (int i = 0; i < call_count; i++) begin(calls, application, silent);
  pthread_t threads[4];
  intptr_t total = 0;
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, take_all, calls);
  for (int i = 0; i < 4; i++) {
    void *taken = NULL;
    pthread_join(threads[i], &taken);
    total += (intptr_t)taken;
  }
  CHECK(total == call_count);
  tessera_call_group_free(calls);
  tessera_application_free(application);
}

static void a_child_makes_its_own_calls(int port) {
  tessera_application *application = application_at(port);
  tessera_call_group *calls = group();
  begin(calls, application, device_code);
  pid_t child = fork();
  if (child == 0) {
    failures = 0;
    CHECK(take(calls, -1, TESSERA_STATUS_FIX_REQUEST, "wrong_process") == 0);
    tessera_call_group_cancel(calls, 0);
    tessera_call_group_free(calls);
    tessera_call_group *own = group();
    begin(own, application, silent);
    take(own, 60000, TESSERA_STATUS_SIGN_IN, "interaction_required");
    _exit(failures != 0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  /* Closing the child's end has no effect here. */
  CHECK(!is_readable(calls, 0));
  tessera_call_group_cancel(calls, 0);
  take(calls, 0, TESSERA_STATUS_CANCELLED, "cancelled");
  tessera_call_group_free(calls);
  tessera_application_free(application);
}

/** Makes a call that is rejected; stores its response in `response`. */
#define REFUSED(call)                                                \
  do {                                                               \
    tessera_status refused = (call);                                 \
    check_status(#call, TESSERA_STATUS_FIX_REQUEST, refused, response);     \
  } while (0)

static void wrong_arguments_are_refused(void) {
  tessera_application *application = application_at(9);
  tessera_call_group *calls = group(), *wrong = (tessera_call_group *)(void *)foreign_memory;
  int64_t call = -1;
  char *response = NULL;
  REFUSED(tessera_call_group_create(NULL, &response));
  tessera_call_group *groups[] = {NULL, wrong, calls, calls};
  tessera_application *applications[] = {application, application, NULL, (void *)foreign_memory};
  for (int i = 0; i < 4; i++) {
    REFUSED(tessera_call_group_acquire_token_silent(groups[i], applications[i], silent, NULL, &call, &response));
    REFUSED(tessera_call_group_acquire_token_by_device_code(groups[i], applications[i], device_code, NULL, &call,
                                                            &response));
  }
  REFUSED(tessera_call_group_acquire_token_silent(calls, application, silent, NULL, NULL, &response));
  REFUSED(tessera_call_group_acquire_token_silent(calls, application, NULL, NULL, &call, &response));
  REFUSED(tessera_call_group_acquire_token_by_device_code(calls, application, "{", NULL, &call, &response));
  CHECK(tessera_call_group_acquire_token_silent(calls, application, silent, NULL, &call, NULL) ==
        TESSERA_STATUS_FIX_REQUEST);
  take(NULL, 0, TESSERA_STATUS_FIX_REQUEST, "missing_parameter");
  take(wrong, 0, TESSERA_STATUS_FIX_REQUEST, "missing_parameter");
  CHECK(tessera_call_group_descriptor(NULL) == -1 && tessera_call_group_descriptor(wrong) == -1);
  tessera_call_group_cancel(NULL, 0);
  tessera_call_group_cancel(wrong, 0);
  tessera_call_group_free(NULL);
  tessera_call_group_free(wrong);
  tessera_call_group_free(calls);
  tessera_application_free(application);
}

static void a_group_needs_descriptors(void) {
  struct rlimit usual, none;
  tessera_call_group *calls = NULL;
  char *response = NULL;
  CHECK(getrlimit(RLIMIT_NOFILE, &usual) == 0);
  none = usual;
  none.rlim_cur = 0;
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  tessera_status status = tessera_call_group_create(&calls, &response);
  CHECK(setrlimit(RLIMIT_NOFILE, &usual) == 0);
  CHECK(status == TESSERA_STATUS_RETRY_LATER && calls == NULL);
  json_t *document = check_response("tessera_call_group_create", status, response);
  CHECK(strcmp(error_code(document), "too_many_open_files") == 0);
  json_decref(document);
}

static void every_call_ends(int port) {
  wrong_arguments_are_refused();
  a_group_needs_descriptors();
  a_result_makes_the_descriptor_readable();
  cancelling_ends_one_or_all(port);
  a_timeout_ends_a_call(port);
  calls_may_outlive_their_owners(port);
  no_function_of_the_host_is_called_afterwards(port);
  threads_share_a_group();
}

int main(int argc, char **argv) {
  int port = 0, server = silent_server(&port);
  if (argc > 1 && strcmp(argv[1], "child") == 0) {
    a_child_makes_its_own_calls(port);
  } else {
    if (argc > 1) tolerance = atol(argv[1]);
    every_call_ends(port);
  }
  close(server);
  return failures != 0;
}
