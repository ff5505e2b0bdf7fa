// SPDX-License-Identifier: MIT
// Remaining stack space of the calling thread.

#define _GNU_SOURCE
#include "ctessera_stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

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
