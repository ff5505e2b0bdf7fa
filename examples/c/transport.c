/* SPDX-License-Identifier: MIT */
/** @file transport.c Send Tessera's HTTP requests with your own client. usage: transport CONFIGURATION */
#define _POSIX_C_SOURCE 200809L
#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

/** Collect the header fields of the last response: libcurl also passes those of a proxy and of interim responses. */
static size_t add_header(char *data, size_t size, size_t count, void *fields) {
  if (size * count > 5 && strncmp(data, "HTTP/", 5) == 0) json_array_clear(fields);
  else if (memchr(data, ':', size * count) != NULL) json_array_append_new(fields, json_stringn(data, size * count));
  return size * count;
}

static int progress(void *exchange, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  return tessera_exchange_is_cancelled(exchange);
}

/** Respond with the result of a transfer. The request was not sent if there was no connection. */
static void respond(tessera_exchange *exchange, CURL *curl, CURLcode code, json_t *fields, const char *body) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  int unsent = code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT;
  json_t *response = code == CURLE_OK
                         ? json_pack("{s:i, s:O, s:s}", "status", (int)status, "headers", fields, "body", body)
                         : json_pack("{s:s, s:b}", "error", curl_easy_strerror(code), "sent", !unsent);
  if (response == NULL) response = json_pack("{s:s}", "error", "the response is not UTF-8");
  char *text = json_dumps(response, 0);
  tessera_exchange_respond(exchange, text);
  free(text);
  json_decref(response);
}

/** Send one request on a new connection. A real program reuses its client and its connections. */
static void send_request(void *requests, const char *text, tessera_exchange *exchange) {
  json_t *request = json_loads(text, 0, NULL), *fields = json_array(), *line;
  const char *body = json_string_value(json_object_get(request, "body"));
  const char *url = json_string_value(json_object_get(request, "url"));
  struct curl_slist *lines = NULL;
  char *received = NULL;
  size_t size = 0, i;
  FILE *stream = open_memstream(&received, &size);
  CURL *curl = curl_easy_init();
  ++*(int *)requests;
  json_array_foreach(json_object_get(request, "headers"), i, line)
    lines = curl_slist_append(lines, json_string_value(line));
  curl_easy_setopt(curl, CURLOPT_URL, url);
  /* A server on this machine is never reached through a proxy. */
  if (strncmp(url, "http:", 5) == 0) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, lines);
  if (body != NULL) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS,
                   (long)json_integer_value(json_object_get(request, "timeout_milliseconds")));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, stream);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, add_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, fields);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, exchange);
  CURLcode code = curl_easy_perform(curl);
  fclose(stream);
  respond(exchange, curl, code, fields, received);
  curl_easy_cleanup(curl);
  curl_slist_free_all(lines);
  json_decref(request), json_decref(fields), free(received);
}

int main(int argc, char **argv) {
  int requests = 0;
  char *response;
  tessera_application *application;
  tessera_host host = {.size = sizeof host, .user_data = &requests, .transport = send_request};
  if (argc != 2 || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return TESSERA_STATUS_FIX_REQUEST;
  tessera_status status = tessera_application_create(argv[1], &host, &application, &response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    status = tessera_application_acquire_token_silent(
        application, "{\"scopes\": [\"User.Read\"], \"force_refresh\": true}", NULL, &response);
  }
  char *text = tessera_document_get_string(response, status == TESSERA_STATUS_OK ? "/source" : "/error/message");
  printf("%s: %s, requests: %d\n", tessera_status_name(status), text ? text : "-", requests);
  tessera_string_free(text), tessera_string_free(response);
  tessera_application_free(application);
  return (int)status;
}
