// SPDX-License-Identifier: MIT
// Threads: their start without the signals of the host, signals that a write may send to the writing thread (SIGPIPE), and
// the remaining stack space. Access to the environment.

#define _GNU_SOURCE
#include "ctessera_stack.h"
#include "ctessera_system.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

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

static bool is_pending(int number) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, number) == 1;
}

static sigset_t only(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

void ctessera_signal_block(ctessera_blocked_signal *saved, int number) {
  // A signal that was already pending belongs to the host, and remains pending.
  saved->number = number;
  saved->was_pending = is_pending(number);
  sigset_t set = only(number);
  pthread_sigmask(SIG_BLOCK, &set, &saved->previous);
}

void ctessera_signal_restore(const ctessera_blocked_signal *saved) {
  sigset_t set = only(saved->number);
  while (!saved->was_pending && is_pending(saved->number)) {
#if defined(__APPLE__)
    int taken = 0;
    sigwait(&set, &taken);
#else
    struct timespec none = {0, 0};
    if (sigtimedwait(&set, NULL, &none) < 0 && errno != EINTR) break;
#endif
  }
  pthread_sigmask(SIG_SETMASK, &saved->previous, NULL);
}

// The bounds of a stack. `low` is the lowest address that it can grow to. Both are 0 if they are unknown.
struct bounds {
  uintptr_t low, high;
};

#ifdef __APPLE__

static struct bounds find_bounds(void) {
  pthread_t self = pthread_self();
  uintptr_t high = (uintptr_t)pthread_get_stackaddr_np(self);
  return (struct bounds){high - pthread_get_stacksize_np(self), high};
}

#else

// The kernel grows the stack of the main thread up to RLIMIT_STACK. pthread_getattr_np() would read /proc/self/maps.
// The name of the executable is at the very top of the stack, and gives the same bounds without opening a file.
static struct bounds find_main_bounds(void) {
  const char *name = (const char *)getauxval(AT_EXECFN);
  struct rlimit limit;
  if (name == NULL || getrlimit(RLIMIT_STACK, &limit) != 0) return (struct bounds){0};
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t high = ((uintptr_t)name + strlen(name) + page) / page * page;
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= high) return (struct bounds){0};
  return (struct bounds){high - (uintptr_t)limit.rlim_cur, high};
}

static struct bounds find_bounds(void) {
  if (syscall(SYS_gettid) == getpid()) return find_main_bounds();
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return (struct bounds){0};
  const bool is_known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  return is_known ? (struct bounds){(uintptr_t)low, (uintptr_t)low + size} : (struct bounds){0};
}

#endif

ptrdiff_t ctessera_stack_left(void) {
  static _Thread_local struct bounds bounds;
  static _Thread_local bool is_cached;
  if (!is_cached) {
    bounds = find_bounds();
    is_cached = true;
  }
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return here > bounds.low && here < bounds.high ? (ptrdiff_t)(here - bounds.low) : -1;
}
