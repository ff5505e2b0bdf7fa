/* SPDX-License-Identifier: MIT */
/* Functions without configured responses, as stubs: they are tested with the real library. */
#include "tessera.h"

#include <stddef.h>

tessera_status tessera_application_begin_sign_in(tessera_application *application, const char *request,
                                     tessera_cancellation *cancellation, char **response) {
  (void)application, (void)request, (void)cancellation;
  *response = NULL;
  return TESSERA_STATUS_REPORT_BUG;
}

tessera_status tessera_application_complete_sign_in(tessera_application *application, const char *request,
                                        tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_acquire_token_for_client(tessera_application *application, const char *request,
                                                            tessera_cancellation *cancellation, char **response) {
  return tessera_application_acquire_token_silent(application, request, cancellation, response);
}

tessera_status tessera_library_hand_over_url(const char *url, tessera_cancellation *cancellation,
                                     char **response) {
  return tessera_application_begin_sign_in(NULL, url, cancellation, response);
}

tessera_status tessera_application_migrate(tessera_application *application, const char *request, const void *data,
                                           size_t size, tessera_cancellation *cancellation, char **response) {
  (void)data, (void)size;
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_export_sign_ins(tessera_application *application, const char *request,
                                                   const void *data, size_t size,
                                                   tessera_cancellation *cancellation, char **response) {
  return tessera_application_migrate(application, request, data, size, cancellation, response);
}

tessera_status tessera_application_read_cache(tessera_application *application, const char *request,
                                              tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_write_cache(tessera_application *application, const char *request,
                                               tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_copy_sign_ins(tessera_application *application, tessera_application *from,
                                                 const char *request, tessera_cancellation *cancellation,
                                                 char **response) {
  (void)from;
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_library_known_caches(const char *request, tessera_cancellation *cancellation,
                                            char **response) {
  return tessera_application_begin_sign_in(NULL, request, cancellation, response);
}

tessera_status tessera_sso_extension_request(const char *request, char **response) {
  return tessera_application_begin_sign_in(NULL, request, NULL, response);
}

tessera_status tessera_sso_extension_response(const char *request, char **response) {
  return tessera_application_begin_sign_in(NULL, request, NULL, response);
}

tessera_status tessera_application_store_sso_extension_response(tessera_application *application, const char *request,
                                           tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_get_broker_version(tessera_application *application, const char *request,
                                      tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_get_broker_accounts(tessera_application *application, const char *request,
                                       tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_get_broker_sso_cookie(tessera_application *application, const char *request,
                                         tessera_cancellation *cancellation, char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

tessera_status tessera_application_get_broker_signed_http_request(tessera_application *application,
                                                  const char *request,
                                                  tessera_cancellation *cancellation,
                                                  char **response) {
  return tessera_application_begin_sign_in(application, request, cancellation, response);
}

const char *tessera_status_name(tessera_status status) {
  (void)status;
  return "";
}

tessera_status tessera_library_features(char **response) {
  *response = NULL;
  return TESSERA_STATUS_REPORT_BUG;
}

char *tessera_document_get_string(const char *document, const char *path) {
  (void)document, (void)path;
  return NULL;
}

int64_t tessera_document_get_integer(const char *document, const char *path, int64_t fallback) {
  (void)document, (void)path;
  return fallback;
}

char *tessera_string_quote(const char *text) {
  (void)text;
  return NULL;
}

tessera_status tessera_application_get_access_token(tessera_application *application, const char *scope,
                                                    const char *username, int64_t timeout_milliseconds,
                                                    tessera_cancellation *cancellation, char **response) {
  (void)application, (void)scope, (void)username, (void)timeout_milliseconds, (void)cancellation;
  *response = NULL;
  return TESSERA_STATUS_REPORT_BUG;
}

void tessera_contents_set(
    tessera_contents *contents, const uint8_t *bytes, size_t size, uint64_t version) {
  (void)contents, (void)bytes, (void)size, (void)version;
}

void tessera_exchange_respond(tessera_exchange *exchange, const char *response) {
  (void)exchange, (void)response;
}

int32_t tessera_exchange_is_cancelled(const tessera_exchange *exchange) {
  (void)exchange;
  return 1;
}

void tessera_browser_session_respond(tessera_browser_session *session, const char *response) {
  (void)session, (void)response;
}

int32_t tessera_browser_session_is_cancelled(const tessera_browser_session *session) {
  (void)session;
  return 1;
}
