/* SPDX-License-Identifier: MIT */
/*
 * A server that forks its workers: in each, all threads make their first call of each kind at the same time,
 * including the forked thread. Other tests check the responses; this one checks that there is one.
 *
 * usage: prefork fresh|used CHILDREN CONFIGURATION    (used: the parent has made calls, and has an application for its children)
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { thread_count = 6, patience_seconds = 60 };

static const char *configuration;
/** The parent's application, which its children use; otherwise each thread creates its own. */
static tessera_application *inherited;
/** The number of threads that have arrived at all barriers so far. */
static atomic_int arrived;

/** Continues when all threads have arrived. They spin, to continue in the same microsecond. */
static void wait_for_all_threads(int *barriers) {
  int all = ++*barriers * thread_count;
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < all) sched_yield();
}

static void give_up(void *cancellation, const char *prompt) {
  (void)prompt;
  tessera_cancellation_cancel(cancellation);
}

static tessera_status call(int kind, tessera_application *application, char **response) {
  const char *const nobody = "{\"home_account_id\": \"a.b\", \"scopes\": [\"read\"]}";
  const char *const scopes = "{\"scopes\": [\"read\"]}";
  tessera_cancellation *cancellation = tessera_cancellation_create();
  tessera_status status = TESSERA_STATUS_OK;
  switch (kind) {
    case 0: status = tessera_application_acquire_token_silent(application, nobody, cancellation, response); break;
    case 1: status = tessera_application_get_accounts(application, NULL, response); break;
    case 2: status = tessera_application_get_store_info(application, NULL, response); break;
    case 3: status = tessera_application_begin_sign_in(application, scopes, cancellation, response); break;
    case 4:
      status = tessera_application_complete_sign_in(
          application, "{\"state\": \"none\", \"url\": \"http://localhost/?code=c&state=none\"}", cancellation,
          response);
      break;
    case 5:
      status = tessera_application_acquire_token_by_device_code(application, scopes, give_up, cancellation, cancellation, response);
      break;
    case 6: status = tessera_application_explain(application, nobody, response); break;
    case 7: status = tessera_token_describe("a.b.c", response); break;
    case 8: status = tessera_application_sign_out(application, "{\"home_account_id\": \"a.b\"}", cancellation, response); break;
    case 9: status = tessera_application_acquire_token_silent(application, "{\"scope\": []}", NULL, response); break;
  }
  tessera_cancellation_free(cancellation);
  return status;
}

enum { kind_count = 10 };

/** Makes asynchronous calls, and reads the events of one. */
static void wait_for_calls(tessera_application *application) {
  tessera_call_group *calls = NULL;
  char *response = NULL;
  int64_t begun = 0, ended = 0;
  int32_t kind = 0;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  status = tessera_call_group_acquire_token_silent(
      calls, application, "{\"home_account_id\": \"a.b\", \"scopes\": [\"read\"]}", &begun, &response);
  check_status("tessera_call_group_acquire_token_silent", TESSERA_STATUS_OK, status, response);
  status = tessera_call_group_next_event(calls, -1, &ended, &kind, &response);
  check_status("tessera_call_group_next_event", TESSERA_STATUS_SIGN_IN, status, response);
  CHECK(begun == ended);
  tessera_call_group_free(calls);
}

static void *work(void *unused) {
  (void)unused;
  int barriers = 0;
  char *response = NULL;
  tessera_application *application = inherited;
  wait_for_all_threads(&barriers);
  if (application == NULL) {
    tessera_status status = tessera_application_create(configuration, NULL, &application, &response);
    check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  }
  for (int kind = 0; kind < kind_count; kind++) {
    wait_for_all_threads(&barriers);
    tessera_status status = call(kind, application, &response);
    CHECK(response != NULL && status >= TESSERA_STATUS_OK && status < TESSERA_STATUS_REPORT_BUG);
    tessera_string_free(response);
  }
  wait_for_all_threads(&barriers);
  wait_for_calls(application);
  if (application != inherited) tessera_application_free(application);
  return NULL;
}

static void serve(void) {
  pthread_t threads[thread_count];
  failures = 0;
  alarm(patience_seconds);
  for (int i = 1; i < thread_count; i++) pthread_create(&threads[i], NULL, work, NULL);
  work(NULL);
  for (int i = 1; i < thread_count; i++) pthread_join(threads[i], NULL);
  fflush(stdout);
  _exit(failures != 0);
}

int main(int count, char **words) {
  if (count != 4) return 2;
  configuration = words[3];
  if (strcmp(words[1], "used") == 0) {
    char *response = NULL;
    tessera_status status = tessera_application_create(configuration, NULL, &inherited, &response);
    check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
    status = tessera_application_get_accounts(inherited, NULL, &response);
    check_status("tessera_application_get_accounts", TESSERA_STATUS_OK, status, response);
  }
  for (int left = atoi(words[2]); left > 0; left--) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) serve();
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) printf("a worker waits for ever\n");
    CHECK(status == 0);
  }
  tessera_application_free(inherited);
  return failures != 0;
}
