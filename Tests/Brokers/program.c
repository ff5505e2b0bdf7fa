/* SPDX-License-Identifier: MIT */
/* Calls the broker from C.
   
   usage: program CONFIGURATION CALL REQUEST [MILLISECONDS]   (cancels after MILLISECONDS)
   
   Prints the status and the response in one line of JSON. */
#define _POSIX_C_SOURCE 200809L
#include "tessera.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct stop {
  tessera_cancellation *cancellation;
  long milliseconds;
};

static void *stop_later(void *context) {
  const struct stop *stop = context;
  struct timespec wait = {stop->milliseconds / 1000, stop->milliseconds % 1000 * 1000000};
  nanosleep(&wait, NULL);
  tessera_cancellation_cancel(stop->cancellation);
  return NULL;
}

static tessera_status work(tessera_application *application, const char *call, const char *request,
                           tessera_cancellation *stop, char **response) {
  if (strcmp(call, "version") == 0)
    return tessera_application_get_broker_version(application, request, stop, response);
  if (strcmp(call, "accounts") == 0)
    return tessera_application_get_broker_accounts(application, request, stop, response);
  if (strcmp(call, "cookie") == 0)
    return tessera_application_get_broker_sso_cookie(application, request, stop, response);
  if (strcmp(call, "sign") == 0)
    return tessera_application_get_broker_signed_http_request(application, request, stop, response);
  if (strcmp(call, "interactive") == 0)
    return tessera_application_acquire_token_interactive(application, request, NULL, NULL, stop, response);
  if (strcmp(call, "sign_out") == 0)
    return tessera_application_sign_out(application, request, stop, response);
  return tessera_application_acquire_token_silent(application, request, stop, response);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(arguments[1], NULL, &application, &response);
  struct stop stop = {tessera_cancellation_create(), count > 4 ? atol(arguments[4]) : 0};
  pthread_t thread;
  if (count > 4 && pthread_create(&thread, NULL, stop_later, &stop) != 0) return 71;
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    status = work(application, arguments[2], arguments[3], stop.cancellation, &response);
  }
  printf("{\"status\": %d, \"answer\": %s}\n", (int)status, response != NULL ? response : "null");
  tessera_string_free(response);
  if (count > 4) pthread_join(thread, NULL);
  tessera_cancellation_free(stop.cancellation);
  tessera_application_free(application);
  return 0;
}
