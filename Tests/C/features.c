/* SPDX-License-Identifier: MIT */
/* The functions of a feature: feature_unavailable if the build does not have it, and no other time. */
#include <string.h>

#include "check.h"

/** Returns whether the build has a feature. */
static int has_feature(const char *feature) {
  char *response = NULL;
  tessera_status status = tessera_library_features(&response);
  json_t *document = check_response("tessera_library_features", status, response);
  size_t index;
  int found = 0;
  json_t *name;
  json_array_foreach(json_object_get(document, "features"), index, name) {
    if (strcmp(json_string_value(name), feature) == 0) found = 1;
  }
  json_decref(document);
  return found;
}

typedef tessera_status function(tessera_application *, const char *, tessera_cancellation *, char **);

/** Checks that a call succeeded, or failed because the build does not have its feature. */
static void check_feature(const char *name, int available, tessera_status status, char *response) {
  if (available) {
    check_status(name, TESSERA_STATUS_OK, status, response);
    return;
  }
  json_t *document = check_response(name, status, response);
  CHECK(status == TESSERA_STATUS_FIX_CONFIGURATION);
  CHECK(strcmp(error_code(document), "feature_unavailable") == 0);
  json_decref(document);
}

/** A function of the broker, with a valid request. */
static const struct {
  const char *name;
  function *call;
  const char *request;
} broker_functions[] = {
    {"tessera_application_get_broker_version", tessera_application_get_broker_version, NULL},
    {"tessera_application_get_broker_accounts", tessera_application_get_broker_accounts, NULL},
    {"tessera_application_get_broker_sso_cookie", tessera_application_get_broker_sso_cookie,
     "{\"home_account_id\": \"a.b\", \"sso_url\": \"https://login.microsoftonline.com/\"}"},
    {"tessera_application_get_broker_signed_http_request", tessera_application_get_broker_signed_http_request,
     "{\"home_account_id\": \"a.b\", \"http_method\": \"GET\", \"url\": \"https://graph.microsoft.com/v1.0/me\"}"},
};

/** Calls the functions on a machine without a session bus. */
static void broker(void) {
  const char *expected = has_feature("broker") ? "broker_unavailable" : "feature_unavailable";
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"a\", \"broker\": \"prefer\", \"store\": {\"kind\": \"memory\"}}", NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  for (size_t index = 0; index < sizeof broker_functions / sizeof *broker_functions; index++) {
    const char *name = broker_functions[index].name;
    status = broker_functions[index].call(application, broker_functions[index].request, NULL, &response);
    json_t *document = check_response(name, status, response);
    CHECK(status == TESSERA_STATUS_FIX_CONFIGURATION);
    CHECK(strcmp(error_code(document), expected) == 0);
    json_decref(document);
  }
  tessera_application_free(application);
}

/** Creates an application with the cache file of other libraries, and asks for their known caches. */
static void msal_file(void) {
  int available = has_feature("msal_file");
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"a\", \"store\": {\"kind\": \"msal_file\", \"msal_cache\": \"/tmp/tessera-no-cache\"}}", NULL,
      &application, &response);
  check_feature("tessera_application_create", available, status, response);
  tessera_application_free(application);
  response = NULL;
  status = tessera_library_known_caches(NULL, NULL, &response);
  check_feature("tessera_library_known_caches", available, status, response);
  status = tessera_application_create(
      "{\"client_id\": \"a\", \"store\": {\"kind\": \"memory\"}}", NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  response = NULL;
  status = tessera_application_read_cache(application, NULL, NULL, &response);
  check_feature("tessera_application_read_cache", available, status, response);
  tessera_application_free(application);
}

/** Imports and exports sign-ins of older libraries. */
static void legacy(void) {
  int available = has_feature("legacy");
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"a\", \"store\": {\"kind\": \"memory\"}}", NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  response = NULL;
  status = tessera_application_migrate(application, "{\"format\": \"adal_python\"}", "[]", 2, NULL, &response);
  check_feature("tessera_application_migrate", available, status, response);
  response = NULL;
  status = tessera_application_export_sign_ins(application, "{\"format\": \"apple_keychain\"}", NULL, 0, NULL, &response);
  json_t *document = check_response("tessera_application_export_sign_ins", status, response);
  CHECK(strcmp(error_code(document), available ? "account_not_found" : "feature_unavailable") == 0);
  json_decref(document);
  tessera_application_free(application);
}

/** Calls the functions of the single sign-on extension, and begins a sign-in with Microsoft Authenticator. */
static void apple(void) {
  int available = has_feature("apple");
  char *response = NULL;
  tessera_status status = tessera_sso_extension_request(
      "{\"operation\": \"get_device_info\", \"without_broker_key\": true}", &response);
  check_feature("tessera_sso_extension_request", available, status, response);
  tessera_application *application = NULL;
  response = NULL;
  status = tessera_application_create(
      "{\"client_id\": \"a\", \"store\": {\"kind\": \"memory\"}}", NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  response = NULL;
  status = tessera_application_begin_sign_in(
      application, "{\"scopes\": [\"read\"], \"authenticator\": {}}", NULL, &response);
  json_t *document = check_response("tessera_application_begin_sign_in", status, response);
  CHECK(status == TESSERA_STATUS_FIX_CONFIGURATION);
  /* The redirect URI for this machine is not one of a broker. */
  CHECK(strcmp(error_code(document), available ? "invalid_redirect_uri" : "feature_unavailable") == 0);
  json_decref(document);
  tessera_application_free(application);
}

/** Creates a confidential client, and asks for its token. */
static void services(void) {
  int available = has_feature("services");
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"a\", \"store\": {\"kind\": \"memory\"}, \"credential\": {\"secret\": \"b\"}}", NULL,
      &application, &response);
  check_feature("tessera_application_create", available, status, response);
  response = NULL;
  status = tessera_application_acquire_token_for_client(application, "{\"scopes\": [\"c\"]}", NULL, &response);
  json_t *document = check_response("tessera_application_acquire_token_for_client", status, response);
  CHECK(status != TESSERA_STATUS_OK);
  /* The authority is for users of several tenants. */
  CHECK(strcmp(error_code(document), available ? "invalid_member" : "feature_unavailable") == 0);
  json_decref(document);
  tessera_application_free(application);
}

int main(void) {
  apple();
  broker();
  legacy();
  msal_file();
  services();
  return failures != 0;
}
