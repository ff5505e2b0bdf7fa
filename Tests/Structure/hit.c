/* SPDX-License-Identifier: MIT */
/* Requests tokens in functions that a trace can distinguish.

   hit CONFIGURATION REQUEST OTHER-REQUEST      requests a cached token twice
   hit CONFIGURATION REQUEST                    signs in with a device code, and refreshes the expired token twice

   REQUEST is a silent request; for the sign-in, its scopes are used as well. */
#include <stdio.h>
#include <tessera.h>

static tessera_status finish(tessera_status status, char *response) {
  if (status != TESSERA_STATUS_OK && response != NULL) puts(response);
  tessera_string_free(response);
  return status;
}

static tessera_status acquire(tessera_application *application, const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(application, request, NULL, &response);
  return finish(status, response);
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

/** A request for an expired token. */
__attribute__((noinline)) tessera_status refresh(tessera_application *application,
                                                 const char *request) {
  return acquire(application, request);
}

static void show(void *user_data, const char *prompt) {
  (void)user_data;
  (void)prompt;
}

static tessera_status sign_in(tessera_application *application, const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_by_device_code(
      application, request, show, NULL, NULL, &response);
  return finish(status, response);
}

int main(int argc, char **argv) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (argc < 3 || argc > 4) return 64;
  tessera_status status =
      finish(tessera_application_create(argv[1], NULL, &application, &response), response);
  if (argc == 4) {
    /* Another request opens the store. */
    if (status == TESSERA_STATUS_OK) status = acquire(application, argv[3]);
    if (status == TESSERA_STATUS_OK) status = first_hit(application, argv[2]);
    if (status == TESSERA_STATUS_OK) status = next_hit(application, argv[2]);
  } else {
    if (status == TESSERA_STATUS_OK) status = sign_in(application, argv[2]);
    /* Another refresh opens the store and loads libcurl. */
    if (status == TESSERA_STATUS_OK) status = acquire(application, argv[2]);
    if (status == TESSERA_STATUS_OK) status = refresh(application, argv[2]);
  }
  tessera_application_free(application);
  return (int)status;
}
