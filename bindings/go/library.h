/* SPDX-License-Identifier: MIT */
/** @file library.h The functions of the Tessera library, which is loaded at run time. */
#ifndef TESSERA_GO_LIBRARY_H
#define TESSERA_GO_LIBRARY_H

#include "tessera.h"

#define TESSERA_GO_FUNCTIONS(FUNCTION) \
  FUNCTION(tessera_abi_version) \
  FUNCTION(tessera_library_features) \
  FUNCTION(tessera_library_known_caches) \
  FUNCTION(tessera_library_hand_over_url) \
  FUNCTION(tessera_token_describe) \
  FUNCTION(tessera_string_free) \
  FUNCTION(tessera_cancellation_create) \
  FUNCTION(tessera_cancellation_cancel) \
  FUNCTION(tessera_cancellation_free) \
  FUNCTION(tessera_exchange_respond) \
  FUNCTION(tessera_exchange_is_cancelled) \
  FUNCTION(tessera_application_create) \
  FUNCTION(tessera_application_free) \
  FUNCTION(tessera_application_get_accounts) \
  FUNCTION(tessera_application_get_account) \
  FUNCTION(tessera_application_get_current_account) \
  FUNCTION(tessera_application_remove_account) \
  FUNCTION(tessera_application_sign_out) \
  FUNCTION(tessera_application_explain) \
  FUNCTION(tessera_application_get_store_info) \
  FUNCTION(tessera_application_rotate_store_key) \
  FUNCTION(tessera_application_read_cache) \
  FUNCTION(tessera_application_write_cache) \
  FUNCTION(tessera_application_copy_sign_ins) \
  FUNCTION(tessera_application_migrate) \
  FUNCTION(tessera_application_export_sign_ins) \
  FUNCTION(tessera_application_get_broker_version) \
  FUNCTION(tessera_application_get_broker_accounts) \
  FUNCTION(tessera_application_get_broker_sso_cookie) \
  FUNCTION(tessera_application_get_broker_signed_http_request) \
  FUNCTION(tessera_call_group_create) \
  FUNCTION(tessera_call_group_descriptor) \
  FUNCTION(tessera_call_group_acquire_token_silent) \
  FUNCTION(tessera_call_group_acquire_token_by_device_code) \
  FUNCTION(tessera_call_group_acquire_token_interactive) \
  FUNCTION(tessera_call_group_begin_sign_in) \
  FUNCTION(tessera_call_group_complete_sign_in) \
  FUNCTION(tessera_call_group_next_event) \
  FUNCTION(tessera_call_group_cancel)

#define TESSERA_GO_MEMBER(name) __typeof__(name) *name;
/** The functions, once tessera_go_load() has succeeded. */
extern struct tessera_go_functions {
  TESSERA_GO_FUNCTIONS(TESSERA_GO_MEMBER)
} tessera_go;

/** Loads the library. Returns NULL, or the text of an error; free it with free(). */
char *tessera_go_load(void);

/** A function with a request and a cancellation. */
typedef __typeof__(tessera_application_sign_out) tessera_go_call;
/** A function with a request and the contents of a cache. */
typedef __typeof__(tessera_application_export_sign_ins) tessera_go_data_call;
/** A function that starts a call of a group. */
typedef __typeof__(tessera_call_group_acquire_token_silent) tessera_go_start;

/** The status and the response of a call, and the ID of a call that was started. */
typedef struct tessera_go_result {
  tessera_status status;
  int64_t call;
  char *response;
} tessera_go_result;

/** Creates an application. `callbacks` is a handle of Go, 0 for none; the others are whether there is a callback. */
tessera_go_result tessera_go_create(
    const char *configuration, uintptr_t callbacks, int log, int store_key, int transport,
    tessera_application **application);

/** Makes a blocking call. */
tessera_go_result tessera_go_perform(
    tessera_go_call *function, tessera_application *application, const char *request,
    tessera_cancellation *cancellation);
tessera_go_result tessera_go_perform_with_data(
    tessera_go_data_call *function, tessera_application *application, const char *request, const void *data,
    size_t size, tessera_cancellation *cancellation);
tessera_go_result tessera_go_copy(
    tessera_application *application, tessera_application *from, const char *request,
    tessera_cancellation *cancellation);
/** Starts a call. */
tessera_go_result tessera_go_begin(
    tessera_go_start *function, tessera_call_group *group, tessera_application *application, const char *request);
/**
 * Starts a silent call. If its response is at hand and equals `known`, which the caller has decoded, the response is
 * NULL. `known` is NULL for none.
 */
tessera_go_result tessera_go_begin_silent(
    tessera_call_group *group, tessera_application *application, const char *request, const char *known, size_t size);
tessera_go_result tessera_go_describe(const char *token);
tessera_go_result tessera_go_features(void);
tessera_go_result tessera_go_known_caches(const char *request, tessera_cancellation *cancellation);
tessera_go_result tessera_go_hand_over(const char *url, tessera_cancellation *cancellation);
/* Calls of the functions with the same names. */
void tessera_go_string_free(char *text);
void tessera_go_free(tessera_application *application);
tessera_cancellation *tessera_go_cancellation(void);
void tessera_go_cancel(tessera_cancellation *cancellation);
void tessera_go_free_cancellation(tessera_cancellation *cancellation);
tessera_go_result tessera_go_open(tessera_call_group **group);
int tessera_go_descriptor(tessera_call_group *group);
/** Removes the oldest event without waiting; its kind is TESSERA_EVENT_NONE if there is none. */
tessera_event tessera_go_next_event(tessera_call_group *group);
void tessera_go_cancel_call(tessera_call_group *group, int64_t call);
void tessera_go_respond(tessera_exchange *exchange, const char *response);
int tessera_go_is_cancelled(const tessera_exchange *exchange);

#endif /* TESSERA_GO_LIBRARY_H */
