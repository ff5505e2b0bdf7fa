/* SPDX-License-Identifier: MIT */
/* Threads open libcurl one after the other; a child that was forked meanwhile is told, and waits for nobody. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "ctessera_system.h"

enum { thread_count = 8, rounds = 20, patience_seconds = 60 };

static atomic_int inside;

static void *enter(void *unused) {
  for (int round = 0; round < rounds; round++) {
    CHECK(ctessera_curl_enter());
    CHECK(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    ctessera_curl_leave();
  }
  return unused;
}

static void threads_take_turns(void) {
  pthread_t threads[thread_count];
  for (int i = 0; i < thread_count; i++) pthread_create(&threads[i], NULL, enter, NULL);
  for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
}

/** Whether a child that is forked now may open it. */
static int a_child_may(void) {
  pid_t child = fork();
  if (child == 0) {
    alarm(patience_seconds);
    _exit(ctessera_curl_enter() ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status) == 0;
}

int main(void) {
  threads_take_turns();
  CHECK(a_child_may());
  CHECK(ctessera_curl_enter());
  CHECK(!a_child_may());
  ctessera_curl_leave();
  CHECK(a_child_may());
  return failures != 0;
}
