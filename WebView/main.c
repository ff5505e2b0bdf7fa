// SPDX-License-Identifier: MIT
// tessera-webview: shows the page of one sign-in in a window, for an application that uses Tessera.

#include "window.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **arguments) {
  (void)arguments;
  if (count > 1 || isatty(STDIN_FILENO)) {
    fputs("tessera-webview is started by applications for a sign-in and has no options.\n", stderr);
    return 64;
  }
  // Files that it creates are private to the user. If the library has exited, a write fails with EPIPE instead of
  // raising SIGPIPE.
  umask(077);
  signal(SIGPIPE, SIG_IGN);
  request request;
  if (!request_read(STDIN_FILENO, &request)) {
    request_send("unavailable", "its version differs from that of the library, or the request is invalid");
    return 65;
  }
  return window_run(&request);
}
