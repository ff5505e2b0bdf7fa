/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <string.h>

#include "_cgo_export.h"
#include "library.h"
#include "loader.h"

tessera_functions tessera_go;

const char *tessera_go_load(void) {
  static char message[TESSERA_MESSAGE_SIZE];
  return tessera_load(&tessera_go, NULL, message) ? NULL : message;
}

static void write_log(void *user_data, int32_t level, const char *message) {
  tesseraGoLog((uintptr_t)user_data, level, (char *)message);
}

static int32_t provide_key(void *user_data, uint8_t *key, size_t size) {
  return tesseraGoStoreKey((uintptr_t)user_data, key, size);
}

static void send_request(void *user_data, const char *request, tessera_exchange *exchange) {
  tesseraGoTransport((uintptr_t)user_data, (char *)request, exchange);
}

tessera_go_result tessera_go_create(
    const char *configuration, uintptr_t callbacks, int log, int store_key, int transport,
    tessera_application **application) {
  tessera_go_result result = {0};
  tessera_host host = {.size = sizeof host, .user_data = (void *)callbacks};
  if (log) host.log = write_log;
  if (store_key) host.store_key = provide_key;
  if (transport) host.transport = send_request;
  result.status = tessera_go.tessera_application_create(configuration, &host, application, &result.response);
  return result;
}

tessera_go_result tessera_go_perform(int32_t function, const char *request, tessera_arguments arguments) {
  tessera_go_result result = {0};
  arguments.request = request;
  result.status = tessera_perform(&tessera_go, function, &arguments, &result.response);
  return result;
}

tessera_go_result tessera_go_start(
    int32_t function, tessera_call_group *group, tessera_application *application, const char *request,
    const char *known, size_t size) {
  tessera_go_result result = {0};
  tessera_arguments arguments = {.application = application, .request = request};
  result.status = tessera_start(&tessera_go, function, &arguments, group, &result.call, &result.response);
  if (result.call == 0 && result.status == TESSERA_STATUS_OK && result.response != NULL && known != NULL &&
      strlen(result.response) == size && memcmp(result.response, known, size) == 0) {
    tessera_go.tessera_string_free(result.response);
    result.response = NULL;
  }
  return result;
}

void tessera_go_string_free(char *text) { tessera_go.tessera_string_free(text); }
void tessera_go_free(tessera_application *application) { tessera_go.tessera_application_free(application); }
tessera_cancellation *tessera_go_cancellation(void) { return tessera_go.tessera_cancellation_create(); }
void tessera_go_cancel(tessera_cancellation *cancellation) {
  tessera_go.tessera_cancellation_cancel(cancellation);
}
void tessera_go_free_cancellation(tessera_cancellation *cancellation) {
  tessera_go.tessera_cancellation_free(cancellation);
}

tessera_go_result tessera_go_open(tessera_call_group **group) {
  tessera_go_result result = {0};
  result.status = tessera_go.tessera_call_group_create(group, &result.response);
  return result;
}

int tessera_go_descriptor(tessera_call_group *group) { return tessera_go.tessera_call_group_descriptor(group); }

tessera_event tessera_go_next_event(tessera_call_group *group) {
  tessera_event event = {.size = sizeof event};
  if (tessera_go.tessera_call_group_next_event(group, 0, &event) != TESSERA_STATUS_OK) event.kind = TESSERA_EVENT_NONE;
  return event;
}

void tessera_go_cancel_call(tessera_call_group *group, int64_t call) { tessera_go.tessera_call_group_cancel(group, call); }

void tessera_go_respond(tessera_exchange *exchange, const char *response) {
  tessera_go.tessera_exchange_respond(exchange, response);
}

int tessera_go_is_cancelled(const tessera_exchange *exchange) {
  return tessera_go.tessera_exchange_is_cancelled(exchange);
}
