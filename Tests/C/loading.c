/* SPDX-License-Identifier: MIT */
/*
 * Threads open libcurl one after the other. A child forked meanwhile gets an error and does not block. At exit, no
 * thread may enter libcurl, and the program waits for threads inside.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "ctessera_system.h"
#include "exit_guard.h"

enum { thread_count = 8, rounds = 20, patience_seconds = 60 };

static atomic_int inside;

static void *enter(void *unused) {
  for (int round = 0; round < rounds; round++) {
    CHECK(ctessera_curl_lock_loading());
    CHECK(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    ctessera_curl_unlock_loading();
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
    _exit(ctessera_curl_lock_loading() ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status) == 0;
}

static pthread_barrier_t inside_the_gate;
static atomic_int came_out;

static void *stay_in_the_guard(void *came_out) {
  CHECK(ctessera_exit_guard_enter());
  pthread_barrier_wait(&inside_the_gate);
  usleep(50000);
  atomic_store((atomic_int *)came_out, 1);
  ctessera_exit_guard_leave();
  return came_out;
}

/** Exits while a thread is inside; the status is 0 if the exit waited for that thread and lets no other enter. */
static void end_with_a_thread_inside(void) {
  pthread_t thread;
  CHECK(ctessera_exit_guard_is_empty());
  pthread_barrier_init(&inside_the_gate, NULL, 2);
  pthread_create(&thread, NULL, stay_in_the_guard, &came_out);
  pthread_barrier_wait(&inside_the_gate);
  ctessera_exit_guard_close();
  CHECK(atomic_load(&came_out) && ctessera_exit_guard_is_closed() && !ctessera_exit_guard_enter());
  _exit(failures != 0);
}

static void exit_waits_for_threads_inside(void) {
  CHECK(!ctessera_exit_guard_is_closed());
  /* The child does not have the threads of its parent. */
  CHECK(ctessera_exit_guard_enter());
  pid_t child = fork();
  if (child == 0) end_with_a_thread_inside();
  ctessera_exit_guard_leave();
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(!ctessera_exit_guard_is_closed());
}

int main(void) {
  threads_take_turns();
  CHECK(a_child_may());
  CHECK(ctessera_curl_lock_loading());
  CHECK(!a_child_may());
  ctessera_curl_unlock_loading();
  CHECK(a_child_may());
  exit_waits_for_threads_inside();
  return failures != 0;
}
