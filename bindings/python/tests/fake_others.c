/* SPDX-License-Identifier: MIT */
/* The functions of tessera/sign_in.h, migration.h, cache.h, known_caches.h, sso_extension.h and broker.h, as stubs:
   they are tested with the real library. */
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

tessera_status tessera_library_hand_over_url(const char *url, tessera_cancellation *cancellation,
                                     char **response) {
  return tessera_application_begin_sign_in(NULL, url, cancellation, response);
}

tessera_status tessera_application_migrate(tessera_application *application, const char *request,
                               const void *data, size_t size, char **response) {
  (void)data, (void)size;
  return tessera_application_begin_sign_in(application, request, NULL, response);
}

tessera_status tessera_application_export_sign_ins(tessera_application *application, const char *request,
                                       const void *data, size_t size, char **response) {
  return tessera_application_migrate(application, request, data, size, response);
}

tessera_status tessera_application_read_cache(tessera_application *application, const char *request,
                                  char **response) {
  return tessera_application_begin_sign_in(application, request, NULL, response);
}

tessera_status tessera_application_write_cache(tessera_application *application, const char *request,
                                   char **response) {
  return tessera_application_begin_sign_in(application, request, NULL, response);
}

tessera_status tessera_application_copy_sign_ins(tessera_application *application, tessera_application *from,
                            const char *request, char **response) {
  (void)from;
  return tessera_application_begin_sign_in(application, request, NULL, response);
}

tessera_status tessera_library_known_caches(const char *request, char **response) {
  return tessera_application_begin_sign_in(NULL, request, NULL, response);
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
