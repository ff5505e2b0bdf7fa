// SPDX-License-Identifier: MIT
// Threads that block the signals of the host, and access to the environment.

#define _GNU_SOURCE
#include "ctessera_system.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// Blocks all signals except those of a crash, which are delivered to the crashing thread. A signal to the process is
// delivered to a thread that does not block it, and must reach a thread of the host.
static void block_signals(sigset_t *previous) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
    sigdelset(&blocked, crashes[i]);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, previous);
}

// The default size is `ulimit -s` (glibc) or 128 KiB (musl). Calls with callbacks of the host need more.
static void set_stack_size(pthread_attr_t *attributes) {
  static const size_t needed = 512 * 1024;
  size_t size = 0;
  if (pthread_attr_getstacksize(attributes, &size) == 0 && size < needed)
    pthread_attr_setstacksize(attributes, needed);
}

int ctessera_thread_start(void *(*body)(void *context), void *context) {
  pthread_attr_t attributes;
  int problem = pthread_attr_init(&attributes);
  if (problem != 0) return problem;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  set_stack_size(&attributes);
  sigset_t previous;
  block_signals(&previous);
  pthread_t thread;
  problem = pthread_create(&thread, &attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  pthread_attr_destroy(&attributes);
  return problem;
}

static _Thread_local bool is_marked;

void ctessera_thread_mark(void) {
  is_marked = true;
}

bool ctessera_thread_is_marked(void) {
  return is_marked;
}

const char *ctessera_environment(const char *name) {
#if defined(__GLIBC__) || defined(__linux__)
  return secure_getenv(name);
#else
  return issetugid() ? NULL : getenv(name);
#endif
}
