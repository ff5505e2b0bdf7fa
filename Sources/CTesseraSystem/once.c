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

static const int32_t waiters_bit = INT32_MIN;

static void call_futex(ctessera_once *once, int operation, int32_t value) {
  syscall(SYS_futex, &once->holder, operation, value, NULL, NULL, 0);
}

// The lock of the Swift runtime identifies its holder by a cached thread ID. In a child of fork(), the only thread
// still has the cached ID of the parent. A thread that waits for that lock would wait for a thread of another process.
static void lock(ctessera_once *once) {
  const int32_t own = getpid();
  int32_t holder = 0;
  while (!atomic_compare_exchange_strong(&once->holder, &holder, own)) {
    // The lock is free, or its holder was a thread of the parent, which does not exist in this process.
    if ((holder & ~waiters_bit) != own) continue;
    const int32_t waited = own | waiters_bit;
    if (holder == waited || atomic_compare_exchange_strong(&once->holder, &holder, waited)) {
      call_futex(once, FUTEX_WAIT_PRIVATE, waited);
    }
    holder = 0;
  }
}

static void unlock(ctessera_once *once) {
  if ((atomic_exchange(&once->holder, 0) & waiters_bit) != 0) {
    call_futex(once, FUTEX_WAKE_PRIVATE, INT_MAX);
  }
}

void ctessera_make_once(ctessera_once *once, void (*make)(void *context), void *context) {
  lock(once);
  if (atomic_load(&once->flag) == 0) {
    make(context);
    atomic_store(&once->flag, -1);
  }
  unlock(once);
}
#endif
