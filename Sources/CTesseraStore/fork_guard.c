// SPDX-License-Identifier: MIT
// Fork guard for SQLite: counts the threads inside SQLite per process ID, in one atomic value.

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "ctessera_store.h"

// The guard of the whole process, because SQLite's mutexes are process-wide too.
//
//   bits 63–32  ID of the process that last updated the value
//   bit  31     forbidden: this process must not enter SQLite again
//   bits 30–0   number of threads inside SQLite
//
// All three share one atomic value, so that fork() at any instruction leaves it consistent.
static _Atomic uint64_t guard;

static const uint64_t poisoned_bit = UINT64_C(1) << 31;
static const uint64_t thread_count_mask = (UINT64_C(1) << 31) - 1;

bool ctessera_sqlite_enter(void) {
  uint64_t process = (uint64_t)(uint32_t)getpid() << 32;
  uint64_t expected = atomic_load(&guard);
  uint64_t desired;
  do {
    if (expected >> 32 == process >> 32)
      desired = expected + 1;
    else
      desired = process | ((expected & (poisoned_bit | thread_count_mask)) ? poisoned_bit : 1);
    if (desired & poisoned_bit) desired = process | poisoned_bit;
  } while (!atomic_compare_exchange_weak(&guard, &expected, desired));
  return !(desired & poisoned_bit);
}

void ctessera_sqlite_leave(void) { atomic_fetch_sub(&guard, 1); }
