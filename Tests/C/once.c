/* SPDX-License-Identifier: MIT */
/* Globals of the library are initialized once in each process: by one of many threads, even with a fork() in
   between. */
#define _GNU_SOURCE
#include "once.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { thread_count = 8, rounds = 2000, patience_seconds = 60 };

static ctessera_once once, inner;
static atomic_int initialized, inner_made;
/** Whether a thread that initializes the global may finish. */
static atomic_int may_end;

static void make_inner(void *context) {
  CHECK(context == &inner);
  atomic_fetch_add(&inner_made, 1);
}

static void make(void *context) {
  CHECK(context == &once);
  ctessera_make_once(&inner, make_inner, &inner);
  while (!atomic_load(&may_end)) sched_yield();
  atomic_fetch_add(&initialized, 1);
}

static void *use(void *unused) {
  (void)unused;
  ctessera_make_once(&once, make, &once);
  CHECK(atomic_load(&initialized) == 1 && atomic_load(&inner_made) == 1 && atomic_load(&once.flag) < 0);
  return NULL;
}

static void restart(int ends_at_once) {
  atomic_store(&once.flag, 0);
  atomic_store(&once.holder, 0);
  atomic_store(&inner.flag, 0);
  atomic_store(&inner.holder, 0);
  atomic_store(&initialized, 0);
  atomic_store(&inner_made, 0);
  atomic_store(&may_end, ends_at_once);
}

static void one_of_many_threads_initializes_it(void) {
  for (int round = 0; round < rounds; round++) {
    pthread_t threads[thread_count];
    restart(1);
    for (int i = 0; i < thread_count; i++) pthread_create(&threads[i], NULL, use, NULL);
    use(NULL);
    for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
    CHECK(atomic_load(&once.holder) == 0);
  }
}

/** Uses it once another thread initializes it. */
static void *use_second(void *unused) {
  while (atomic_load(&once.holder) == 0) sched_yield();
  return use(unused);
}

static void wait_for_a_waiter(void) {
  while (atomic_load(&once.holder) >= 0) sched_yield();
}

static void *exit_with_a_waiting_thread(void *unused) {
  wait_for_a_waiter();
  atomic_store(&may_end, 1);
  return unused;
}

/** The forked thread initializes it. Other threads in the lock of Swift's runtime would wait forever. */
static void others_wait_for_the_forked_thread(void) {
  pthread_t second, third;
  restart(0);
  pthread_create(&second, NULL, use_second, NULL);
  pthread_create(&third, NULL, exit_with_a_waiting_thread, NULL);
  use(NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
}

/** Two threads need a global that a thread of the parent was initializing. */
static void the_child_initializes_it_again(void) {
  pthread_t second;
  atomic_store(&may_end, 1);
  pthread_create(&second, NULL, use, NULL);
  use(NULL);
  pthread_join(second, NULL);
}

static void in_a_child(void (*test)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(patience_seconds);
    test();
    fflush(stdout);
    _exit(failures != 0);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void a_fork_during_initialization(void) {
  pthread_t first, second;
  restart(0);
  pthread_create(&first, NULL, use, NULL);
  pthread_create(&second, NULL, use_second, NULL);
  wait_for_a_waiter();
  in_a_child(the_child_initializes_it_again);
  atomic_store(&may_end, 1);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

int main(void) {
  alarm(4 * patience_seconds);
  one_of_many_threads_initializes_it();
  in_a_child(others_wait_for_the_forked_thread);
  in_a_child(one_of_many_threads_initializes_it);
  for (int round = 0; round < 50; round++) a_fork_during_initialization();
  return failures != 0;
}
