/* SPDX-License-Identifier: MIT */
/* Measures how long a cached token takes, once a program runs: nanoseconds per call, on the standard output. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <tessera.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* usage: hits CONFIGURATION REQUEST COUNT */
int main(int argc, char **argv) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (argc != 4) return TESSERA_FIX_REQUEST;
  tessera_status status = tessera_application_create(argv[1], NULL, &application, &response);
  tessera_string_free(response);
  long count = atol(argv[3]);
  double started = seconds();
  for (long i = 0; i < count && status == TESSERA_OK; i++) {
    response = NULL;
    status = tessera_acquire_token_silent(application, argv[2], NULL, &response);
    tessera_string_free(response);
  }
  printf("%.0f\n", (seconds() - started) * 1e9 / (double)count);
  tessera_application_free(application);
  return (int)status;
}
