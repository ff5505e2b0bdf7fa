/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "library.h"

#define TEXT(value) #value
#define SONAME(version) "libtessera.so." TEXT(version)

struct tessera_go_functions tessera_go;

static char *problem(const char *format, const char *text) {
  char *message = NULL;
  return asprintf(&message, format, text) < 0 ? NULL : message;
}

char *tessera_go_load(void) {
  const char *path = secure_getenv("TESSERA_LIBRARY");
  if (path != NULL && *path != '\0' && *path != '/')
    return problem("TESSERA_LIBRARY must be an absolute path, not \"%s\".", path);
  void *library = dlopen(path != NULL && *path != '\0' ? path : SONAME(TESSERA_ABI_VERSION), RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return problem(
        "The Tessera library cannot be loaded: %s. Install it, or set TESSERA_LIBRARY to its absolute path.", dlerror());
#define LOAD(name) \
  tessera_go.name = (__typeof__(name) *)dlsym(library, #name); \
  if (tessera_go.name == NULL) \
    return problem("The Tessera library has no function %s: install the version of this package.", #name);
  TESSERA_GO_FUNCTIONS(LOAD)
  if (tessera_go.tessera_abi_version() != TESSERA_ABI_VERSION)
    return problem("The Tessera library does not have the ABI version %s of this package.", TEXT(TESSERA_ABI_VERSION));
  return NULL;
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

tessera_go_result tessera_go_perform(
    tessera_go_call *function, tessera_application *application, const char *request,
    tessera_cancellation *cancellation) {
  tessera_go_result result = {0};
  result.status = function(application, request, cancellation, &result.response);
  return result;
}

tessera_go_result tessera_go_perform_with_data(
    tessera_go_data_call *function, tessera_application *application, const char *request, const void *data,
    size_t size, tessera_cancellation *cancellation) {
  tessera_go_result result = {0};
  result.status = function(application, request, data, size, cancellation, &result.response);
  return result;
}

tessera_go_result tessera_go_copy(
    tessera_application *application, tessera_application *from, const char *request,
    tessera_cancellation *cancellation) {
  tessera_go_result result = {0};
  result.status = tessera_go.tessera_application_copy_sign_ins(
      application, from, request, cancellation, &result.response);
  return result;
}

tessera_go_result tessera_go_begin(
    tessera_go_start *function, tessera_call_group *group, tessera_application *application, const char *request) {
  tessera_go_result result = {0};
  result.status = function(group, application, request, NULL, &result.call, &result.response);
  return result;
}

tessera_go_result tessera_go_begin_silent(
    tessera_call_group *group, tessera_application *application, const char *request, const char *known, size_t size) {
  tessera_go_result result =
      tessera_go_begin(tessera_go.tessera_call_group_acquire_token_silent, group, application, request);
  if (result.call == 0 && result.status == TESSERA_STATUS_OK && result.response != NULL && known != NULL &&
      strlen(result.response) == size && memcmp(result.response, known, size) == 0) {
    tessera_go.tessera_string_free(result.response);
    result.response = NULL;
  }
  return result;
}

tessera_go_result tessera_go_describe(const char *token) {
  tessera_go_result result = {0};
  result.status = tessera_go.tessera_token_describe(token, &result.response);
  return result;
}

tessera_go_result tessera_go_features(void) {
  tessera_go_result result = {0};
  result.status = tessera_go.tessera_library_features(&result.response);
  return result;
}

tessera_go_result tessera_go_known_caches(const char *request, tessera_cancellation *cancellation) {
  tessera_go_result result = {0};
  result.status = tessera_go.tessera_library_known_caches(request, cancellation, &result.response);
  return result;
}

tessera_go_result tessera_go_hand_over(const char *url, tessera_cancellation *cancellation) {
  tessera_go_result result = {0};
  result.status = tessera_go.tessera_library_hand_over_url(url, cancellation, &result.response);
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
