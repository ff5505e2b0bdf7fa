/* SPDX-License-Identifier: MIT */
/* Generated from include/tessera.h by scripts/check-documents --write. */
/** @file functions.h The functions of the Tessera library, loaded at run time. */
#ifndef TESSERA_FUNCTIONS_H
#define TESSERA_FUNCTIONS_H

#include "tessera.h"

#define TESSERA_FUNCTIONS(FUNCTION) \
  FUNCTION(tessera_abi_version) \
  FUNCTION(tessera_library_features) \
  FUNCTION(tessera_string_free) \
  FUNCTION(tessera_cancellation_create) \
  FUNCTION(tessera_cancellation_cancel) \
  FUNCTION(tessera_cancellation_free) \
  FUNCTION(tessera_exchange_respond) \
  FUNCTION(tessera_exchange_is_cancelled) \
  FUNCTION(tessera_application_create) \
  FUNCTION(tessera_application_free) \
  FUNCTION(tessera_application_metrics) \
  FUNCTION(tessera_application_get_accounts) \
  FUNCTION(tessera_application_get_account) \
  FUNCTION(tessera_application_get_current_account) \
  FUNCTION(tessera_application_remove_account) \
  FUNCTION(tessera_application_sign_out) \
  FUNCTION(tessera_application_explain) \
  FUNCTION(tessera_token_describe) \
  FUNCTION(tessera_library_hand_over_url) \
  FUNCTION(tessera_call_group_create) \
  FUNCTION(tessera_call_group_descriptor) \
  FUNCTION(tessera_call_group_acquire_token_silent) \
  FUNCTION(tessera_call_group_acquire_token_by_device_code) \
  FUNCTION(tessera_call_group_acquire_token_interactive) \
  FUNCTION(tessera_call_group_begin_sign_in) \
  FUNCTION(tessera_call_group_complete_sign_in) \
  FUNCTION(tessera_call_group_next_event) \
  FUNCTION(tessera_call_group_cancel) \
  FUNCTION(tessera_call_group_free) \
  FUNCTION(tessera_application_get_store_info) \
  FUNCTION(tessera_application_rotate_store_key) \
  FUNCTION(tessera_application_read_cache) \
  FUNCTION(tessera_application_write_cache) \
  FUNCTION(tessera_application_copy_sign_ins) \
  FUNCTION(tessera_application_migrate) \
  FUNCTION(tessera_application_export_sign_ins) \
  FUNCTION(tessera_library_known_caches) \
  FUNCTION(tessera_application_get_broker_version) \
  FUNCTION(tessera_application_get_broker_accounts) \
  FUNCTION(tessera_application_get_broker_sso_cookie) \
  FUNCTION(tessera_application_get_broker_signed_http_request) \
  FUNCTION(tessera_call_group_acquire_token_for_client)

/** The numbers of the functions of tessera_start() and tessera_perform(). */
#define TESSERA_NUMBERS(NUMBER) \
  NUMBER(START_ACQUIRE_TOKEN_SILENT) \
  NUMBER(START_ACQUIRE_TOKEN_BY_DEVICE_CODE) \
  NUMBER(START_ACQUIRE_TOKEN_INTERACTIVE) \
  NUMBER(START_BEGIN_SIGN_IN) \
  NUMBER(START_COMPLETE_SIGN_IN) \
  NUMBER(START_ACQUIRE_TOKEN_FOR_CLIENT) \
  NUMBER(CALL_FEATURES) \
  NUMBER(CALL_METRICS) \
  NUMBER(CALL_GET_ACCOUNTS) \
  NUMBER(CALL_GET_ACCOUNT) \
  NUMBER(CALL_GET_CURRENT_ACCOUNT) \
  NUMBER(CALL_REMOVE_ACCOUNT) \
  NUMBER(CALL_SIGN_OUT) \
  NUMBER(CALL_EXPLAIN) \
  NUMBER(CALL_DESCRIBE) \
  NUMBER(CALL_HAND_OVER_URL) \
  NUMBER(CALL_GET_STORE_INFO) \
  NUMBER(CALL_ROTATE_STORE_KEY) \
  NUMBER(CALL_READ_CACHE) \
  NUMBER(CALL_WRITE_CACHE) \
  NUMBER(CALL_COPY_SIGN_INS) \
  NUMBER(CALL_MIGRATE) \
  NUMBER(CALL_EXPORT_SIGN_INS) \
  NUMBER(CALL_KNOWN_CACHES) \
  NUMBER(CALL_GET_BROKER_VERSION) \
  NUMBER(CALL_GET_BROKER_ACCOUNTS) \
  NUMBER(CALL_GET_BROKER_SSO_COOKIE) \
  NUMBER(CALL_GET_BROKER_SIGNED_HTTP_REQUEST)

#define TESSERA_ENUMERATOR(name) name,
enum { TESSERA_NUMBERS(TESSERA_ENUMERATOR) };

#define TESSERA_MEMBER(name) __typeof__(name) *name;
typedef struct tessera_functions {
  TESSERA_FUNCTIONS(TESSERA_MEMBER)
} tessera_functions;

/** The arguments of a call. A function ignores those that it does not have. */
typedef struct tessera_arguments {
  tessera_application *application;
  tessera_application *from;
  const char *request;
  const void *data;
  size_t size;
  tessera_cancellation *cancellation;
} tessera_arguments;

/** Starts a call of a group with the number of its function. */
static inline tessera_status tessera_start(
    const tessera_functions *library, int32_t function, const tessera_arguments *a,
    tessera_call_group *calls, int64_t *call, char **response) {
  switch (function) {
    case START_ACQUIRE_TOKEN_SILENT:
      return library->tessera_call_group_acquire_token_silent(
          calls, a->application, a->request, NULL, call, response);
    case START_ACQUIRE_TOKEN_BY_DEVICE_CODE:
      return library->tessera_call_group_acquire_token_by_device_code(
          calls, a->application, a->request, NULL, call, response);
    case START_ACQUIRE_TOKEN_INTERACTIVE:
      return library->tessera_call_group_acquire_token_interactive(
          calls, a->application, a->request, NULL, call, response);
    case START_BEGIN_SIGN_IN:
      return library->tessera_call_group_begin_sign_in(
          calls, a->application, a->request, NULL, call, response);
    case START_COMPLETE_SIGN_IN:
      return library->tessera_call_group_complete_sign_in(
          calls, a->application, a->request, NULL, call, response);
    case START_ACQUIRE_TOKEN_FOR_CLIENT:
      return library->tessera_call_group_acquire_token_for_client(
          calls, a->application, a->request, NULL, call, response);
    default:
      return TESSERA_STATUS_REPORT_BUG;
  }
}

/** Makes a blocking call with the number of its function. */
static inline tessera_status tessera_perform(
    const tessera_functions *library, int32_t function, const tessera_arguments *a,
    char **response) {
  switch (function) {
    case CALL_FEATURES:
      return library->tessera_library_features(
          response);
    case CALL_METRICS:
      return library->tessera_application_metrics(
          a->application, response);
    case CALL_GET_ACCOUNTS:
      return library->tessera_application_get_accounts(
          a->application, a->request, a->cancellation, response);
    case CALL_GET_ACCOUNT:
      return library->tessera_application_get_account(
          a->application, a->request, a->cancellation, response);
    case CALL_GET_CURRENT_ACCOUNT:
      return library->tessera_application_get_current_account(
          a->application, a->request, a->cancellation, response);
    case CALL_REMOVE_ACCOUNT:
      return library->tessera_application_remove_account(
          a->application, a->request, a->cancellation, response);
    case CALL_SIGN_OUT:
      return library->tessera_application_sign_out(
          a->application, a->request, a->cancellation, response);
    case CALL_EXPLAIN:
      return library->tessera_application_explain(
          a->application, a->request, a->cancellation, response);
    case CALL_DESCRIBE:
      return library->tessera_token_describe(
          a->request, response);
    case CALL_HAND_OVER_URL:
      return library->tessera_library_hand_over_url(
          a->request, a->cancellation, response);
    case CALL_GET_STORE_INFO:
      return library->tessera_application_get_store_info(
          a->application, a->request, a->cancellation, response);
    case CALL_ROTATE_STORE_KEY:
      return library->tessera_application_rotate_store_key(
          a->application, a->request, a->cancellation, response);
    case CALL_READ_CACHE:
      return library->tessera_application_read_cache(
          a->application, a->request, a->cancellation, response);
    case CALL_WRITE_CACHE:
      return library->tessera_application_write_cache(
          a->application, a->request, a->cancellation, response);
    case CALL_COPY_SIGN_INS:
      return library->tessera_application_copy_sign_ins(
          a->application, a->from, a->request, a->cancellation, response);
    case CALL_MIGRATE:
      return library->tessera_application_migrate(
          a->application, a->request, a->data, a->size, a->cancellation, response);
    case CALL_EXPORT_SIGN_INS:
      return library->tessera_application_export_sign_ins(
          a->application, a->request, a->data, a->size, a->cancellation, response);
    case CALL_KNOWN_CACHES:
      return library->tessera_library_known_caches(
          a->request, a->cancellation, response);
    case CALL_GET_BROKER_VERSION:
      return library->tessera_application_get_broker_version(
          a->application, a->request, a->cancellation, response);
    case CALL_GET_BROKER_ACCOUNTS:
      return library->tessera_application_get_broker_accounts(
          a->application, a->request, a->cancellation, response);
    case CALL_GET_BROKER_SSO_COOKIE:
      return library->tessera_application_get_broker_sso_cookie(
          a->application, a->request, a->cancellation, response);
    case CALL_GET_BROKER_SIGNED_HTTP_REQUEST:
      return library->tessera_application_get_broker_signed_http_request(
          a->application, a->request, a->cancellation, response);
    default:
      return TESSERA_STATUS_REPORT_BUG;
  }
}

#endif /* TESSERA_FUNCTIONS_H */
