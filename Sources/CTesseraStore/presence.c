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
static _Atomic uint64_t presence;

static const uint64_t forbidden = UINT64_C(1) << 31;
static const uint64_t count_mask = (UINT64_C(1) << 31) - 1;

bool ctessera_sqlite_enter(void) {
  uint64_t process = (uint64_t)(uint32_t)getpid() << 32;
  uint64_t known = atomic_load(&presence);
  uint64_t wanted;
  do {
    if (known >> 32 == process >> 32)
      wanted = known + 1;
    else
      wanted = process | ((known & (forbidden | count_mask)) ? forbidden : 1);
    if (wanted & forbidden) wanted = process | forbidden;
  } while (!atomic_compare_exchange_weak(&presence, &known, wanted));
  return !(wanted & forbidden);
}

void ctessera_sqlite_leave(void) { atomic_fetch_sub(&presence, 1); }
