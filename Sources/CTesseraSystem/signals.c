// SPDX-License-Identifier: MIT
// Suppression of a signal that a write may send to the writing thread (SIGPIPE).

#include "ctessera_system.h"

#include <errno.h>
#include <time.h>

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
