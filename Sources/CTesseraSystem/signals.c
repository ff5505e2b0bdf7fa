// SPDX-License-Identifier: MIT
// SIGPIPE, kept away from the host while its thread writes to sockets.

#include "ctessera_system.h"

#include <errno.h>
#include <time.h>

static bool is_pending(void) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

void ctessera_pipe_signal_block(ctessera_pipe_signal *saved) {
  // One that was pending before is the host's own, and stays.
  saved->was_pending = is_pending();
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &saved->previous);
}

void ctessera_pipe_signal_restore(const ctessera_pipe_signal *saved) {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  while (!saved->was_pending && is_pending()) {
#if defined(__APPLE__)
    int taken = 0;
    sigwait(&pipe, &taken);
#else
    struct timespec none = {0, 0};
    if (sigtimedwait(&pipe, NULL, &none) < 0 && errno != EINTR) break;
#endif
  }
  pthread_sigmask(SIG_SETMASK, &saved->previous, NULL);
}
