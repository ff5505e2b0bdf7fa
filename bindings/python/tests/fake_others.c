/* SPDX-License-Identifier: MIT */
/* The functions of tessera/sign_in.h, migration.h, cache.h, known_caches.h, sso_extension.h and broker.h, as stubs:
   they are tested with the real library. */
#include "tessera.h"

#include <stddef.h>

tessera_status tessera_sign_in_begin(tessera_application *application, const char *request,
                                     tessera_cancellation *cancellation, char **response) {
  (void)application, (void)request, (void)cancellation;
  *response = NULL;
  return TESSERA_REPORT_BUG;
}

tessera_status tessera_sign_in_complete(tessera_application *application, const char *request,
                                        tessera_cancellation *cancellation, char **response) {
  return tessera_sign_in_begin(application, request, cancellation, response);
}

tessera_status tessera_hand_over_url(const char *url, tessera_cancellation *cancellation,
                                     char **response) {
  return tessera_sign_in_begin(NULL, url, cancellation, response);
}

tessera_status tessera_migrate(tessera_application *application, const char *request,
                               const void *data, size_t size, char **response) {
  (void)data, (void)size;
  return tessera_sign_in_begin(application, request, NULL, response);
}

tessera_status tessera_export_sign_ins(tessera_application *application, const char *request,
                                       const void *data, size_t size, char **response) {
  return tessera_migrate(application, request, data, size, response);
}

tessera_status tessera_cache_read(tessera_application *application, const char *request,
                                  char **response) {
  return tessera_sign_in_begin(application, request, NULL, response);
}

tessera_status tessera_cache_write(tessera_application *application, const char *request,
                                   char **response) {
  return tessera_sign_in_begin(application, request, NULL, response);
}

tessera_status tessera_copy(tessera_application *application, tessera_application *from,
                            const char *request, char **response) {
  (void)from;
  return tessera_sign_in_begin(application, request, NULL, response);
}

tessera_status tessera_known_caches(const char *request, char **response) {
  return tessera_sign_in_begin(NULL, request, NULL, response);
}

tessera_status tessera_sso_extension_request(const char *request, char **response) {
  return tessera_sign_in_begin(NULL, request, NULL, response);
}

tessera_status tessera_sso_extension_response(const char *request, char **response) {
  return tessera_sign_in_begin(NULL, request, NULL, response);
}

tessera_status tessera_sso_extension_store(tessera_application *application, const char *request,
                                           tessera_cancellation *cancellation, char **response) {
  return tessera_sign_in_begin(application, request, cancellation, response);
}

tessera_status tessera_broker_version(tessera_application *application, const char *request,
                                      tessera_cancellation *cancellation, char **response) {
  return tessera_sign_in_begin(application, request, cancellation, response);
}

tessera_status tessera_broker_accounts(tessera_application *application, const char *request,
                                       tessera_cancellation *cancellation, char **response) {
  return tessera_sign_in_begin(application, request, cancellation, response);
}

tessera_status tessera_broker_sso_cookie(tessera_application *application, const char *request,
                                         tessera_cancellation *cancellation, char **response) {
  return tessera_sign_in_begin(application, request, cancellation, response);
}

tessera_status tessera_broker_signed_http_request(tessera_application *application,
                                                  const char *request,
                                                  tessera_cancellation *cancellation,
                                                  char **response) {
  return tessera_sign_in_begin(application, request, cancellation, response);
}
