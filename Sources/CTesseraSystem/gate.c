// SPDX-License-Identifier: MIT
// Who is inside libcurl when the program ends: OpenSSL, on which it stands, frees its memory in an exit handler. A thread
// that is still at work then crashes the program. The host cannot wait for those of the library's own.

#include "gate.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "ctessera_system.h"

enum { patience_milliseconds = 5000 };

// The process in the upper half; below it how many are inside, and in the last bit whether the gate is shut. What a
// parent left here at a fork() says nothing about the child.
static _Atomic(uint64_t) gate;
static const uint64_t shut = 1, one = 2, lower_half = UINT32_MAX;

static uint64_t as_of_this_process(uint64_t seen) {
  const uint64_t own = (uint64_t)getpid() << 32;
  return (seen & ~lower_half) == own ? seen : own;
}

bool ctessera_gate_enter(void) {
  uint64_t seen = atomic_load(&gate), next;
  do {
    next = as_of_this_process(seen);
    if ((next & shut) != 0) return false;
  } while (!atomic_compare_exchange_weak(&gate, &seen, next + one));
  return true;
}

void ctessera_gate_leave(void) {
  atomic_fetch_sub(&gate, one);
}

bool ctessera_gate_is_empty(void) {
  return (as_of_this_process(atomic_load(&gate)) & lower_half & ~shut) == 0;
}

bool ctessera_gate_is_shut(void) {
  return (as_of_this_process(atomic_load(&gate)) & shut) != 0;
}

void ctessera_gate_shut(void) {
  uint64_t seen = atomic_load(&gate), next;
  do {
    next = as_of_this_process(seen);
    if ((next & shut) != 0) return;
  } while (!atomic_compare_exchange_weak(&gate, &seen, next | shut));
  for (int i = 0; i < patience_milliseconds && !ctessera_gate_is_empty(); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}
