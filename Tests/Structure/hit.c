/* SPDX-License-Identifier: MIT */
/* Requests a cached token twice, in functions that a trace can distinguish; usage: hit CONFIGURATION REQUEST
   OTHER-REQUEST */
#include <stdio.h>
#include <tessera.h>

static tessera_status acquire(tessera_application *application, const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(application, request, NULL, &response);
  if (status != TESSERA_STATUS_OK) puts(response);
  tessera_string_free(response);
  return status;
}

/** The first request. */
__attribute__((noinline)) tessera_status first_hit(tessera_application *application,
                                                   const char *request) {
  return acquire(application, request);
}

/** The same request again. */
__attribute__((noinline)) tessera_status next_hit(tessera_application *application,
                                                  const char *request) {
  return acquire(application, request);
}

int main(int argc, char **argv) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (argc != 4) return 64;
  tessera_status status = tessera_application_create(argv[1], NULL, &application, &response);
  if (status != TESSERA_STATUS_OK) puts(response);
  tessera_string_free(response);
  /* Another request opens the store. */
  if (status == TESSERA_STATUS_OK) status = acquire(application, argv[3]);
  if (status == TESSERA_STATUS_OK) status = first_hit(application, argv[2]);
  if (status == TESSERA_STATUS_OK) status = next_hit(application, argv[2]);
  tessera_application_free(application);
  return (int)status;
}
