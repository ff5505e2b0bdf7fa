/* SPDX-License-Identifier: MIT */
/* NULL and invalid values for every parameter of every function: a specific error, and never a crash. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *const configuration =
    "{\"client_id\": \"6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10\", \"store\": {\"kind\": \"memory\"},"
    " \"authority\": \"http://127.0.0.1:9/contoso.com\", \"network\": {\"timeout_milliseconds\": 1000}}";

/** Memory without an object of the library. */
static unsigned char foreign_memory[4096];

static void ignore_prompt(void *context, const char *prompt) {
  (void)context;
  (void)prompt;
}

/* The common signature of functions that take a request. */

typedef tessera_status call(tessera_application *application, const char *request, char **response);

static tessera_status create(tessera_application *application, const char *request, char **response) {
  tessera_application *made = (tessera_application *)(void *)foreign_memory;
  tessera_status status = tessera_application_create(request, NULL, &made, response);
  (void)application;
  CHECK((made != NULL) == (status == TESSERA_STATUS_OK));
  tessera_application_free(made);
  return status;
}

static tessera_status for_client(tessera_application *application, const char *request, char **response) {
  return tessera_application_acquire_token_for_client(application, request, NULL, response);
}

static tessera_status silent(tessera_application *application, const char *request, char **response) {
  return tessera_application_acquire_token_silent(application, request, NULL, response);
}

static tessera_status device_code(tessera_application *application, const char *request, char **response) {
  return tessera_application_acquire_token_by_device_code(application, request, ignore_prompt, NULL, NULL, response);
}

static tessera_status sign_out(tessera_application *application, const char *request, char **response) {
  return tessera_application_sign_out(application, request, NULL, response);
}

static tessera_status interactive(tessera_application *application, const char *request, char **response) {
  return tessera_application_acquire_token_interactive(application, request, NULL, NULL, NULL, response);
}

static tessera_status get_accounts(tessera_application *application, const char *request, char **response) {
  return tessera_application_get_accounts(application, request, NULL, response);
}

static tessera_status store_info(tessera_application *application, const char *request, char **response) {
  return tessera_application_get_store_info(application, request, NULL, response);
}

static tessera_status rotate_key(tessera_application *application, const char *request, char **response) {
  return tessera_application_rotate_store_key(application, request, NULL, response);
}

static tessera_status get_account(tessera_application *application, const char *request, char **response) {
  return tessera_application_get_account(application, request, NULL, response);
}

static tessera_status current_account(tessera_application *application, const char *request, char **response) {
  return tessera_application_get_current_account(application, request, NULL, response);
}

static tessera_status remove_account(tessera_application *application, const char *request, char **response) {
  return tessera_application_remove_account(application, request, NULL, response);
}

static tessera_status explain(tessera_application *application, const char *request, char **response) {
  return tessera_application_explain(application, request, NULL, response);
}

static const struct function {
  const char *name;
  call *call;
  int takes_application, request_may_be_empty;
  /** A valid request except for one member with a value of the wrong type. */
  const char *wrong_types[32];
} functions[] = {
    {"tessera_application_create", create, 0, 0,
     {"{\"client_id\": 5}", "{\"client_id\": null}", "{\"client_id\": \"a\", \"store\": {\"group\": []}}",
      "{\"client_id\": \"a\", \"client_id\": \"a\"}",
      "{\"client_id\": \"a\", \"authority\": {}}", "{\"client_id\": \"a\", \"store\": true}",
      "{\"client_id\": \"a\", \"network\": {\"timeout_milliseconds\": \"soon\"}}",
      "{\"client_id\": \"a\", \"tokens\": {\"instance_discovery\": \"yes\"}}",
      "{\"client_id\": \"a\", \"store\": {\"policy\": \"encrypted\"}}",
      "{\"client_id\": \"a\", \"tokens\": {\"extended_lifetime\": 1}}",
      "{\"client_id\": \"a\", \"tokens\": {\"request_refresh_token\": \"no\"}}",
      "{\"client_id\": \"a\", \"tokens\": {\"offline_access_prompt\": \"login\"}}",
      "{\"client_id\": \"a\", \"redirect_uri\": 5}", "{\"client_id\": \"a\", \"redirect_uri\": \"\"}",
      "{\"client_id\": \"a\", \"multiple_clouds\": 1}",
      "{\"client_id\": \"a\", \"multiple_clouds\": true, \"authority\": \"https://id.example\"}",
      "{\"client_id\": \"a\", \"client_capabilities\": \"CP1\"}",
      "{\"client_id\": \"a\", \"client_capabilities\": [\"\"]}",
      "{\"client_id\": \"a\", \"store\": {\"key_sources\": \"key_file\"}}",
      "{\"client_id\": \"a\", \"store\": {\"key_sources\": [\"key_file\", \"tpm\"]}}",
      "{\"client_id\": \"a\", \"store\": {\"key_sources\": [\"key_file\", \"key_file\"]}}",
      "{\"client_id\": \"a\", \"store\": {\"key_sources\": [\"caller\"]}}",
      "{\"client_id\": \"a\", \"store\": {\"key\": \"AAAA\"}}", "{\"client_id\": \"a\", \"store\": {\"key\": \"?\"}}"}},
    {"tessera_application_get_accounts", get_accounts, 1, 1, {NULL}},
    {"tessera_application_get_store_info", store_info, 1, 1, {"{\"timeout_milliseconds\": \"1\"}"}},
    {"tessera_application_rotate_store_key", rotate_key, 1, 1,
     {"{\"timeout_milliseconds\": \"1\"}", "{\"new_store_key\": \"?\"}", "{\"new_store_key\": \"AAAA\"}",
      "{\"timeout_milliseconds\": 1, \"timeout_milliseconds\": 2}"}},
    {"tessera_application_get_account", get_account, 1, 0,
     {"{\"username\": 5}", "{\"home_account_id\": []}", "{\"username\": {}}"}},
    {"tessera_application_get_current_account", current_account, 1, 1,
     {"{\"timeout_milliseconds\": \"1\"}", "{\"timeout_milliseconds\": 1, \"timeout_milliseconds\": 2}"}},
    {"tessera_application_remove_account", remove_account, 1, 0,
     {"{\"home_account_id\": 5}", "{\"home_account_id\": {}}"}},
    {"tessera_application_acquire_token_silent", silent, 1, 0,
     {"{\"home_account_id\": 5, \"scopes\": [\"a\"]}", "{\"home_account_id\": \"a\", \"scopes\": \"a\"}",
      "{\"home_account_id\": \"a\", \"scopes\": [5]}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"force_refresh\": \"yes\"}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"timeout_milliseconds\": \"1\"}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"timeout_milliseconds\": 1e300}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"explain\": 1}",
      "{\"home_account_id\": \"a\", \"resource\": 5}",
      "{\"home_account_id\": \"a\", \"resource\": \"\"}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"resource\": \"a\"}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"extra_token_parameters\": [\"a\"]}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"extra_query_parameters\": {\"scope\": \"b\"}}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"claims\": 7}"}},
    {"tessera_application_explain", explain, 1, 0,
     {"{\"home_account_id\": 5, \"scopes\": [\"a\"]}", "{\"home_account_id\": \"a\", \"scopes\": \"a\"}",
      "{\"home_account_id\": \"a\", \"scopes\": [\"a\"], \"explain\": true}"}},
    {"tessera_application_sign_out", sign_out, 1, 0,
     {"{\"home_account_id\": 5}", "{\"home_account_id\": \"a\", \"scope\": \"galaxy\"}",
      "{\"home_account_id\": \"a\", \"scope\": 5}", "{\"home_account_id\": \"a\", \"revoke_tokens\": \"yes\"}",
      "{\"home_account_id\": \"a\", \"end_session\": 1}", "{\"scope\": \"every_application\"}",
      "{\"home_account_id\": \"a\", \"post_logout_redirect_uri\": []}",
      "{\"home_account_id\": \"a\", \"timeout_milliseconds\": \"1\"}"}},
    {"tessera_application_acquire_token_for_client", for_client, 1, 0,
     {"{\"scopes\": \"a\"}", "{\"scopes\": [\"a\"], \"tenant\": 5}", "{\"scopes\": [\"a\"], \"resource\": \"a\"}",
      "{\"scopes\": [\"a\"], \"force_refresh\": \"yes\"}", "{\"scopes\": [\"a\"], \"home_account_id\": \"a\"}",
      "{\"scopes\": [\"a\"], \"token_sha256_to_refresh\": 5}"}},
    {"tessera_application_acquire_token_by_device_code", device_code, 1, 0,
     {"{\"scopes\": [\"a\"], \"extra_token_parameters\": {\"client_id\": \"b\"}}",
      "{\"scopes\": \"a\"}", "{\"scopes\": [null]}", "{\"scopes\": [\"a\"], \"timeout_milliseconds\": {}}",
      "{\"scopes\": [\"a\"], \"timeout_milliseconds\": -9e99}"}},
    {"tessera_application_acquire_token_interactive", interactive, 1, 0,
     {"{\"scopes\": \"a\"}", "{\"scopes\": [\"a\"], \"browser\": \"lynx\"}",
      "{\"scopes\": [\"a\"], \"prompt\": \"never\"}", "{\"scopes\": [\"a\"], \"response_mode\": \"fragment\"}",
      "{\"scopes\": [\"a\"], \"success_page\": 5}", "{\"scopes\": [\"a\"], \"answer_descriptor\": -1}",
      "{\"scopes\": [\"a\"], \"extra_query_parameters\": {\"a\": 1}}",
      "{\"scopes\": [\"a\"], \"timeout_milliseconds\": \"1\"}"}},
};

/** The request is rejected as an error of the caller, which a configuration may also report. */
static void refused(const struct function *function, tessera_application *application,
                    const char *what, const char *request) {
  char name[200], *response = (char *)foreign_memory;
  snprintf(name, sizeof name, "%s with %s", function->name, what);
  tessera_status status = function->call(application, request, &response);
  if (function->call == create && status == TESSERA_STATUS_FIX_CONFIGURATION)
    check_status(name, TESSERA_STATUS_FIX_CONFIGURATION, status, response);
  else
    check_status(name, TESSERA_STATUS_FIX_REQUEST, status, response);
}

static void garbage_requests(const struct function *function, tessera_application *application) {
  static const char *const garbage[] = {
      "", "garbage", "[]", "5", "null", "true", "\"text\"", "{", "{\"", "{}{}", "{\"a\"}", "{,}",
      "\xff\xfe", "{\"\xff\": 1}", "{\"username\": \"\xc3\x28\"}", "{\"client_id\": \"\\ud800\"}",
      "\xef\xbb\xbf{", "{\"a\": 1e99999}", "{\"scopes\": [\"a\", ]}",
  };
  for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
    refused(function, application, garbage[i], garbage[i]);
  if (!function->request_may_be_empty) {
    refused(function, application, "NULL", NULL);
    refused(function, application, "{}", "{}");
  }
  for (size_t i = 0; function->wrong_types[i] != NULL; i++)
    refused(function, application, function->wrong_types[i], function->wrong_types[i]);
}

/** An unknown member is rejected, and the message names it. */
static void unknown_member(const struct function *function, tessera_application *application) {
  char *response = NULL;
  tessera_status status = function->call(application, "{\"no_such_member\": 1}", &response);
  json_t *document = check_response(function->name, status, response);
  const char *message = json_string_value(json_object_get(json_object_get(document, "error"), "message"));
  CHECK(status == TESSERA_STATUS_FIX_REQUEST);
  CHECK(message != NULL && strstr(message, "no_such_member") != NULL);
  json_decref(document);
}

/** Returns a text of `count` times `unit` between two other texts. */
static char *repeated(const char *before, const char *unit, size_t count, const char *after) {
  size_t length = strlen(unit), start = strlen(before);
  char *text = malloc(start + length * count + strlen(after) + 1);
  if (text == NULL) abort();
  memcpy(text, before, start);
  for (size_t i = 0; i < count; i++) memcpy(text + start + i * length, unit, length);
  strcpy(text + start + length * count, after);
  return text;
}

/** Requests that are too large or too deep are rejected, quickly and without a stack overflow. */
static void large_requests(const struct function *function, tessera_application *application) {
  char *large = repeated("{\"client_id\": \"", "a", (size_t)50 << 20, "\"}");
  char *deep = repeated("{\"scopes\": ", "[", 100000, "");
  char *nested = repeated("", "{\"a\":", 100000, "");
  int64_t start = milliseconds();
  refused(function, application, "50 MB", large);
  refused(function, application, "100000 open brackets", deep);
  refused(function, application, "100000 open objects", nested);
  CHECK(milliseconds() - start < 20000);
  free(large);
  free(deep);
  free(nested);
}

/** NULL and foreign memory instead of an application, and NULL for the response. */
static void wrong_pointers(const struct function *function, tessera_application *application) {
  const char *request = function->request_may_be_empty ? NULL : "{\"scopes\": [\"a\"], \"username\": \"a\"}";
  CHECK(function->call(application, request, NULL) == TESSERA_STATUS_FIX_REQUEST);
  if (!function->takes_application) return;
  refused(function, NULL, "no application", request);
  refused(function, (tessera_application *)(void *)foreign_memory, "foreign memory as application", request);
}

static void wrong_outputs(tessera_application *application) {
  char *response = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, NULL, &response);
  check_status("tessera_application_create without application", TESSERA_STATUS_FIX_REQUEST, status, response);
  tessera_application *made = NULL;
  CHECK(tessera_application_create(configuration, NULL, &made, NULL) == TESSERA_STATUS_FIX_REQUEST);
  CHECK(made == NULL);
  status = tessera_application_acquire_token_by_device_code(application, "{\"scopes\": [\"a\"]}", NULL, NULL, NULL, &response);
  check_status("device code without prompt", TESSERA_STATUS_FIX_REQUEST, status, response);
}

static void wrong_cancellation(tessera_application *application) {
  tessera_cancellation *foreign = (tessera_cancellation *)(void *)foreign_memory;
  const char *request = "{\"home_account_id\": \"a.b\", \"scopes\": [\"a\"]}";
  char *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(application, request, foreign, &response);
  check_status("silent with foreign cancellation", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_application_acquire_token_by_device_code(application, "{\"scopes\": [\"a\"]}", ignore_prompt, NULL,
                                                foreign, &response);
  check_status("device code with foreign cancellation", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_application_sign_out(application, "{\"home_account_id\": \"a.b\"}", foreign, &response);
  check_status("sign-out with foreign cancellation", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_application_acquire_token_interactive(application, "{\"scopes\": [\"a\"]}", NULL, NULL, foreign, &response);
  check_status("interactive with foreign cancellation", TESSERA_STATUS_FIX_REQUEST, status, response);
  tessera_cancellation_cancel(foreign);
  tessera_cancellation_free(foreign);
}

/** Optional settings: users of several clouds, and additional parameters. */
static void additions(void) {
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"a\", \"store\": {\"kind\": \"memory\"}, \"redirect_uri\": \"http://localhost\", \"multiple_clouds\": true,"
      " \"advanced\": {\"extra_query_parameters\": {\"q\": \"\"}}}",
      NULL, &application, &response);
  check_status("a configuration with additions", TESSERA_STATUS_OK, status, response);
  status = tessera_application_acquire_token_silent(
      application,
      "{\"home_account_id\": \"a.b\", \"environment\": \"login.microsoftonline.us\", \"scopes\": [\"b\"],"
      " \"extra_token_parameters\": {\"one\": \"1\"}, \"extra_query_parameters\": {\"q\": \"2\"}}",
      NULL, &response);
  check_status("a silent request with additions", TESSERA_STATUS_SIGN_IN, status, response);
  tessera_application_free(application);
}

/** A host of an older or a newer program, and an invalid one. */
static void hosts(void) {
  static const size_t sizes[] = {0, 1, sizeof(size_t), sizeof(tessera_host), sizeof(tessera_host) + 64};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    union {
      tessera_host host;
      unsigned char room[sizeof(tessera_host) + 64];
    } newer;
    memset(&newer, 0, sizeof newer);
    newer.host.size = sizes[i];
    tessera_application *application = NULL;
    char *response = NULL;
    tessera_status status = tessera_application_create(configuration, &newer.host, &application, &response);
    json_decref(check_response("tessera_application_create with a host", status, response));
    CHECK((application != NULL) == (status == TESSERA_STATUS_OK));
    CHECK(status == TESSERA_STATUS_OK || status == TESSERA_STATUS_FIX_REQUEST);
    if (sizes[i] >= sizeof(tessera_host)) CHECK(status == TESSERA_STATUS_OK);
    tessera_application_free(application);
  }
}

static void freeing(void) {
  tessera_application_free(NULL);
  tessera_application_free((tessera_application *)(void *)foreign_memory);
  tessera_cancellation_free(NULL);
  tessera_cancellation_cancel(NULL);
  tessera_string_free(NULL);
}

int main(void) {
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  status = tessera_application_get_accounts(application, NULL, NULL, &response);
  check_status("tessera_application_get_accounts", TESSERA_STATUS_OK, status, response);
  status = tessera_application_get_accounts(application, "{}", NULL, &response);
  check_status("tessera_application_get_accounts with {}", TESSERA_STATUS_OK, status, response);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    garbage_requests(&functions[i], application);
    unknown_member(&functions[i], application);
    large_requests(&functions[i], application);
    wrong_pointers(&functions[i], application);
  }
  wrong_outputs(application);
  wrong_cancellation(application);
  additions();
  hosts();
  freeing();
  tessera_application_free(application);
  for (size_t i = 0; i < sizeof foreign_memory; i++)
    if (foreign_memory[i] != 0) CHECK(!"foreign memory was written to");
  return failures != 0;
}
