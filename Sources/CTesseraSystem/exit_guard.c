// SPDX-License-Identifier: MIT
// Exit guard for libcurl. OpenSSL frees its memory in an exit handler, and would crash threads that are inside libcurl.
// The handler therefore waits for these threads. The host cannot wait for the threads of this library.

#include "exit_guard.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "ctessera_system.h"

enum { timeout_milliseconds = 5000 };

// The guard of the whole process, in one atomic value.
//
//   bits 63–32  ID of the process that last updated the value
//   bits 31–1   number of threads inside libcurl
//   bit  0      closed: the process is exiting
//
// A child of fork() ignores the value that it inherited, because the process ID differs.
static _Atomic(uint64_t) guard;
static const uint64_t closed_bit = 1, one = 2, lower_half = UINT32_MAX;

static uint64_t of_this_process(uint64_t seen) {
  const uint64_t own = (uint64_t)getpid() << 32;
  return (seen & ~lower_half) == own ? seen : own;
}

bool ctessera_exit_guard_enter(void) {
  uint64_t seen = atomic_load(&guard), next;
  do {
    next = of_this_process(seen);
    if ((next & closed_bit) != 0) return false;
  } while (!atomic_compare_exchange_weak(&guard, &seen, next + one));
  return true;
}

void ctessera_exit_guard_leave(void) {
  atomic_fetch_sub(&guard, one);
}

bool ctessera_exit_guard_is_empty(void) {
  return (of_this_process(atomic_load(&guard)) & lower_half & ~closed_bit) == 0;
}

bool ctessera_exit_guard_is_closed(void) {
  return (of_this_process(atomic_load(&guard)) & closed_bit) != 0;
}

void ctessera_exit_guard_close(void) {
  uint64_t seen = atomic_load(&guard), next;
  do {
    next = of_this_process(seen);
    if ((next & closed_bit) != 0) return;
  } while (!atomic_compare_exchange_weak(&guard, &seen, next | closed_bit));
  for (int i = 0; i < timeout_milliseconds && !ctessera_exit_guard_is_empty(); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}
