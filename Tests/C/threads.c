/* SPDX-License-Identifier: MIT */
/* Many threads with one application, and calls that are cancelled by another thread or time out. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "silence.h"

enum { thread_count = 8, rounds = 25 };

/** The tolerance for timeouts; programs that simulate the processor, such as valgrind, set a larger one. */
static int64_t tolerance = 100;

static void sleep_milliseconds(long duration) {
  struct timespec time = {duration / 1000, duration % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void *use(void *shared) {
  for (int round = 0; round < rounds; round++) {
    char *response = NULL;
    tessera_status status = tessera_application_get_accounts(shared, NULL, &response);
    check_status("tessera_application_get_accounts", TESSERA_STATUS_OK, status, response);
    status = tessera_application_acquire_token_silent(
        shared, "{\"home_account_id\": \"a.b\", \"scopes\": [\"User.Read\"]}", NULL, &response);
    check_status("tessera_application_acquire_token_silent", TESSERA_STATUS_SIGN_IN, status, response);
    tessera_application_free(application_at(9));
  }
  return NULL;
}

static void many_threads_use_one_application(void) {
  tessera_application *application = application_at(9);
  pthread_t threads[thread_count];
  for (int i = 0; i < thread_count; i++) pthread_create(&threads[i], NULL, use, application);
  for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
  tessera_application_free(application);
}

struct waiting {
  tessera_application *application;
  tessera_cancellation *cancellation;
  const char *request;
  tessera_status status;
  char *response;
  int64_t ended_at;
};

static void show(void *context, const char *prompt) {
  (void)context;
  (void)prompt;
}

static void *wait_for_server(void *argument) {
  struct waiting *waiting = argument;
  waiting->status = tessera_application_acquire_token_by_device_code(waiting->application, waiting->request, show, NULL,
                                                         waiting->cancellation, &waiting->response);
  waiting->ended_at = milliseconds();
  return NULL;
}

static void check_end(struct waiting *waiting, int64_t due_at, const char *code) {
  int64_t late = waiting->ended_at - due_at;
  json_t *document = check_response("a call that waits", waiting->status, waiting->response);
  CHECK(waiting->status == TESSERA_STATUS_CANCELLED);
  CHECK(strcmp(error_code(document), code) == 0);
  if (late < -2 || late > tolerance) {
    printf("a call ended %ld ms after %s\n", (long)late, code);
    failures++;
  }
  json_decref(document);
}

static void cancelling_ends_all_waiting_calls(tessera_application *application) {
  struct waiting waiting[thread_count];
  pthread_t threads[thread_count];
  tessera_cancellation *cancellation = tessera_cancellation_create();
  for (int i = 0; i < thread_count; i++) {
    struct waiting one = {application, cancellation, "{\"scopes\": [\"User.Read\"]}", TESSERA_STATUS_OK, NULL, 0};
    waiting[i] = one;
    pthread_create(&threads[i], NULL, wait_for_server, &waiting[i]);
  }
  /* Long enough that they wait, but shorter than the server timeout of the library (30 seconds). */
  sleep_milliseconds(500 + tolerance / 2);
  int64_t cancelled_at = milliseconds();
  tessera_cancellation_cancel(cancellation);
  for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < thread_count; i++) check_end(&waiting[i], cancelled_at, "cancelled");

  /* A cancellation affects later calls too. */
  struct waiting later = {application, cancellation, "{\"scopes\": [\"User.Read\"]}", TESSERA_STATUS_OK, NULL, 0};
  int64_t started_at = milliseconds();
  wait_for_server(&later);
  check_end(&later, started_at, "cancelled");
  tessera_cancellation_free(cancellation);
}

static void a_call_ends_at_its_timeout(tessera_application *application) {
  struct waiting waiting = {
      application, NULL, "{\"scopes\": [\"User.Read\"], \"timeout_milliseconds\": 300}", TESSERA_STATUS_OK, NULL, 0};
  int64_t due_at = milliseconds() + 300;
  wait_for_server(&waiting);
  check_end(&waiting, due_at, "deadline_exceeded");
}

int main(int argc, char **argv) {
  int port;
  int server = silent_server(&port);
  if (argc > 1) tolerance = atol(argv[1]);
  many_threads_use_one_application();
  tessera_application *application = application_at(port);
  cancelling_ends_all_waiting_calls(application);
  a_call_ends_at_its_timeout(application);
  tessera_application_free(application);
  close(server);
  return failures != 0;
}
