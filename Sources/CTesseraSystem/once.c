// SPDX-License-Identifier: MIT
// The lock for the initialization of globals. It identifies its holder by the process ID, like SpinLock, and sleeps on
// a futex.

#if defined(__linux__) && defined(__LP64__)
#define _GNU_SOURCE
#include "once.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int32_t waited_for = INT32_MIN;

static void call_futex(ctessera_once *once, int operation, int32_t value) {
  syscall(SYS_futex, &once->maker, operation, value, NULL, NULL, 0);
}

// The lock of the Swift runtime identifies its holder by a cached thread ID. In a child of fork(), the only thread
// still has the cached ID of the parent. A thread that waits for that lock would wait for a thread of another process.
static void take(ctessera_once *once) {
  const int32_t own = getpid();
  int32_t maker = 0;
  while (!atomic_compare_exchange_strong(&once->maker, &maker, own)) {
    // The lock is free, or its holder was a thread of the parent, which does not exist in this process.
    if ((maker & ~waited_for) != own) continue;
    const int32_t waited = own | waited_for;
    if (maker == waited || atomic_compare_exchange_strong(&once->maker, &maker, waited)) {
      call_futex(once, FUTEX_WAIT_PRIVATE, waited);
    }
    maker = 0;
  }
}

static void give(ctessera_once *once) {
  if ((atomic_exchange(&once->maker, 0) & waited_for) != 0) {
    call_futex(once, FUTEX_WAKE_PRIVATE, INT_MAX);
  }
}

void ctessera_make_once(ctessera_once *once, void (*make)(void *context), void *context) {
  take(once);
  if (atomic_load(&once->flag) == 0) {
    make(context);
    atomic_store(&once->flag, -1);
  }
  give(once);
}
#endif
