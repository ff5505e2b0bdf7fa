/* SPDX-License-Identifier: MIT */
/* Access tokens as plain text: for the only account, or for the account with a user name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define TENANT "72f988bf-86f1-41af-91ab-2d7cd011db47"

static tessera_application *application(void) {
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"kind\": \"memory\"}, \"network\": {\"proxy\": \"http://127.0.0.1:9\"},"
      " \"authority\": \"https://login.microsoftonline.com/" TENANT "\"}", NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Stores an account with a token "token of NAME" for User.Read and Mail.Read. */
static void sign_in(tessera_application *made, const char *name, const char *username) {
  char cache[2048];
  snprintf(cache, sizeof cache,
           "{\"Account\": {\"1\": {\"home_account_id\": \"%s." TENANT "\", \"environment\": \"login.microsoftonline.com\","
           " \"realm\": \"" TENANT "\", \"local_account_id\": \"%s\", \"username\": \"%s\", \"authority_type\": \"MSSTS\"}},"
           " \"RefreshToken\": {\"1\": {\"credential_type\": \"RefreshToken\", \"secret\": \"one\","
           " \"home_account_id\": \"%s." TENANT "\", \"environment\": \"login.microsoftonline.com\", \"client_id\": \"client\"}},"
           " \"AccessToken\": {\"1\": {\"credential_type\": \"AccessToken\", \"secret\": \"token of %s\", \"client_id\": \"client\","
           " \"home_account_id\": \"%s." TENANT "\", \"environment\": \"login.microsoftonline.com\", \"realm\": \"" TENANT "\","
           " \"target\": \"User.Read Mail.Read\", \"token_type\": \"Bearer\", \"cached_at\": \"1700000000\","
           " \"expires_on\": \"4102444800\"}}}",
           name, name, username, name, name, name);
  json_t *request = json_pack("{s:s, s:s}", "before", "", "after", cache);
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_write_cache(made, text, NULL, &response);
  check_status("tessera_application_write_cache", TESSERA_STATUS_OK, status, response);
  free(text);
  json_decref(request);
}

static void check_token(tessera_application *made, const char *scope, const char *username, const char *expected) {
  char *response = NULL;
  tessera_status status = tessera_application_get_access_token(made, scope, username, -1, NULL, &response);
  CHECK(status == TESSERA_STATUS_OK);
  CHECK(response != NULL && strcmp(response, expected) == 0);
  if (response != NULL && strcmp(response, expected) != 0) fprintf(stderr, "%s\n", response);
  tessera_string_free(response);
}

static void check_refused(tessera_application *made, const char *scope, const char *username, tessera_status expected,
                          const char *code) {
  char *response = NULL;
  tessera_status status = tessera_application_get_access_token(made, scope, username, -1, NULL, &response);
  CHECK(status == expected);
  json_t *document = check_response(code, status, response);
  CHECK(strcmp(error_code(document), code) == 0);
  size_t listed = json_array_size(json_object_get(json_object_get(document, "error"), "accounts"));
  CHECK((listed == 2) == (strcmp(code, "ambiguous_account") == 0));
  json_decref(document);
}

/** A cancelled call, and a call without time, return no token, although it is cached. */
static void limits_apply_to_a_cached_token(tessera_application *made) {
  char *response = NULL;
  tessera_cancellation *cancellation = tessera_cancellation_create();
  tessera_cancellation_cancel(cancellation);
  tessera_status status =
      tessera_application_get_access_token(made, "User.Read", NULL, -1, cancellation, &response);
  check_status("a cancelled call", TESSERA_STATUS_CANCELLED, status, response);
  tessera_cancellation_free(cancellation);
  status = tessera_application_get_access_token(made, "User.Read", NULL, 0, NULL, &response);
  check_status("a call without time", TESSERA_STATUS_CANCELLED, status, response);
}

int main(void) {
  tessera_application *made = application();
  check_refused(made, "User.Read", NULL, TESSERA_STATUS_SIGN_IN, "account_not_found");

  sign_in(made, "a", "alice@contoso.com");
  check_token(made, "User.Read", NULL, "token of a");
  check_token(made, "user.read  Mail.Read", "ALICE@contoso.com", "token of a");
  check_refused(made, "User.Read", "bob@contoso.com", TESSERA_STATUS_SIGN_IN, "account_not_found");
  limits_apply_to_a_cached_token(made);

  sign_in(made, "b", "bob@contoso.com");
  check_token(made, "User.Read", "alice@contoso.com", "token of a");
  check_token(made, "User.Read", "bob@contoso.com", "token of b");
  check_refused(made, "User.Read", NULL, TESSERA_STATUS_FIX_REQUEST, "ambiguous_account");

  check_refused(made, "", "bob@contoso.com", TESSERA_STATUS_FIX_REQUEST, "scopes_required");
  check_refused(made, NULL, NULL, TESSERA_STATUS_FIX_REQUEST, "missing_parameter");
  check_refused(NULL, "User.Read", NULL, TESSERA_STATUS_FIX_REQUEST, "missing_parameter");
  check_refused(made, "User.Read", "\xff", TESSERA_STATUS_FIX_REQUEST, "invalid_member");
  check_refused(made, "User.Read", "", TESSERA_STATUS_FIX_REQUEST, "invalid_member");
  CHECK(tessera_application_get_access_token(made, "User.Read", NULL, -1, NULL, NULL) == TESSERA_STATUS_FIX_REQUEST);
  tessera_application_free(made);
  return failures != 0;
}
