// SPDX-License-Identifier: MIT
// Which process has how many threads in SQLite, in one word, because a fork() may come between any two instructions.

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "ctessera_store.h"

// The one variable of the process: SQLite's own locks are of the process as well. Bits 32 to 63 are the process, bit 31
// says that SQLite must not be entered any more, the others count threads.
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
