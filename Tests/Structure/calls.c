/* SPDX-License-Identifier: MIT */
/* Makes each kind of call in a function of its own, so that a trace can distinguish them.

   calls hits CONFIGURATION REQUEST OTHER-REQUEST   requests a cached token twice
   calls refresh CONFIGURATION REQUEST              signs in with a device code, and refreshes the expired token twice
   calls browser CONFIGURATION REQUEST              signs in in a browser
   calls import CONFIGURATION REQUEST CACHE         imports a cache of ADAL for Python, and redeems its refresh token

   REQUEST is a silent request; for a sign-in, its scopes are used as well. */
#include <stdio.h>
#include <string.h>
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

/** A sign-in with a device code. */
__attribute__((noinline)) tessera_status device_code(tessera_application *application,
                                                     const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_by_device_code(
      application, request, show, NULL, NULL, &response);
  return finish(status, response);
}

/** A sign-in in the browser of the variable BROWSER. */
__attribute__((noinline)) tessera_status browser(tessera_application *application,
                                                 const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_interactive(
      application, request, NULL, NULL, NULL, &response);
  return finish(status, response);
}

/** The import of a cache, and the first use of its refresh token. */
__attribute__((noinline)) tessera_status import(tessera_application *application,
                                                const char *request, const char *cache) {
  char *response = NULL;
  tessera_status status = tessera_application_migrate(
      application, "{\"format\": \"adal_python\"}", cache, strlen(cache), NULL, &response);
  status = finish(status, response);
  return status == TESSERA_STATUS_OK ? acquire(application, request) : status;
}

static tessera_status run(tessera_application *application, int argc, char **argv) {
  const char *call = argv[1], *request = argv[3];
  tessera_status status = TESSERA_STATUS_FIX_REQUEST;
  if (strcmp(call, "hits") == 0 && argc == 5) {
    /* Another request opens the store. */
    status = acquire(application, argv[4]);
    if (status == TESSERA_STATUS_OK) status = first_hit(application, request);
    if (status == TESSERA_STATUS_OK) status = next_hit(application, request);
  } else if (strcmp(call, "refresh") == 0) {
    status = device_code(application, request);
    /* Another refresh opens the store and loads libcurl. */
    if (status == TESSERA_STATUS_OK) status = acquire(application, request);
    if (status == TESSERA_STATUS_OK) status = refresh(application, request);
  } else if (strcmp(call, "browser") == 0) {
    status = browser(application, request);
  } else if (strcmp(call, "import") == 0 && argc == 5) {
    status = import(application, request, argv[4]);
  }
  return status;
}

int main(int argc, char **argv) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (argc < 4) return 64;
  tessera_status status = tessera_application_create(argv[2], NULL, &application, &response);
  status = finish(status, response);
  if (status == TESSERA_STATUS_OK) status = run(application, argc, argv);
  tessera_application_free(application);
  return (int)status;
}
