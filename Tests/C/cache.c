/* SPDX-License-Identifier: MIT */
/*
 * The store as the document of other libraries: written, read, copied, and unchanged by an invalid document.
 *
 * usage: cache
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static tessera_application *application(void) {
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"client\", \"store\": {\"policy\": \"memory_only\"}}", NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Writes the differences between two documents. Returns the response. */
static json_t *written(tessera_application *made, const char *before, const char *after,
                       tessera_status expected) {
  json_t *request = json_pack("{s:s, s:s}", "before", before, "after", after);
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_write_cache(made, text, NULL, &response);
  CHECK(status == expected);
  free(text);
  json_decref(request);
  return check_response("tessera_application_write_cache", status, response);
}

/** Returns the parsed document of a store. */
static json_t *document(tessera_application *made) {
  char *response = NULL;
  tessera_status status = tessera_application_read_cache(made, NULL, NULL, &response);
  CHECK(status == TESSERA_STATUS_OK);
  json_t *answer = check_response("tessera_application_read_cache", status, response);
  const char *text = json_string_value(json_object_get(answer, "cache"));
  CHECK(text != NULL);
  json_t *parsed = json_loads(text != NULL ? text : "{}", 0, NULL);
  json_decref(answer);
  return parsed;
}

/** Checks that a call was rejected. The response is passed by address, because arguments have no evaluation order. */
static void refused(const char *what, tessera_status status, char **response) {
  check_status(what, TESSERA_STATUS_FIX_REQUEST, status, *response);
}

static int64_t number(const json_t *object, const char *name) {
  return json_integer_value(json_object_get(object, name));
}

static const char *const token =
    "{\"RefreshToken\": {\"any-key\": {\"credential_type\": \"RefreshToken\", \"secret\": \"one\", "
    "\"home_account_id\": \"uid.utid\", \"environment\": \"login.microsoftonline.com\", \"client_id\": \"client\", "
    "\"last_modification_time\": \"1700000000\", \"target\": \"b a\", \"new\": null}}, "
    "\"Strange\": {\"thing\": 1}}";

int main(void) {
  tessera_application *made = application(), *other = application();
  json_t *empty = document(made);
  CHECK(json_object_size(empty) == 0);
  json_decref(empty);

  json_t *answer = written(made, "", token, TESSERA_STATUS_OK);
  CHECK(number(answer, "stored") == 2 && number(answer, "removed") == 0);
  json_decref(answer);
  json_t *found = document(made);
  const json_t *entry = json_object_get(json_object_get(found, "RefreshToken"),
                                        "uid.utid-login.microsoftonline.com-refreshtoken-client--b a");
  CHECK(json_is_null(json_object_get(entry, "new")));
  CHECK(number(json_object_get(found, "Strange"), "thing") == 1);
  json_decref(found);

  const char *const bad[] = {"x", "[]", "{\"a\":}", "7", "{} {}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    json_decref(written(made, token, bad[i], TESSERA_STATUS_FIX_REQUEST));
    json_decref(written(made, bad[i], "", TESSERA_STATUS_FIX_REQUEST));
  }
  char *response = NULL;
  refused("no request", tessera_application_write_cache(made, NULL, NULL, &response), &response);
  refused("no documents", tessera_application_write_cache(made, "{}", NULL, &response), &response);
  refused("no application", tessera_application_read_cache(NULL, NULL, NULL, &response), &response);

  const int copied[] = {2, 0};
  for (int i = 0; i < 2; i++) {
    tessera_status status = tessera_application_copy_sign_ins(other, made, NULL, NULL, &response);
    CHECK(status == TESSERA_STATUS_OK);
    answer = check_response("tessera_application_copy_sign_ins", status, response);
    CHECK(number(answer, "record_count") == copied[i]);
    json_decref(answer);
  }
  refused("nothing to copy", tessera_application_copy_sign_ins(made, NULL, NULL, NULL, &response), &response);
  refused("no such member", tessera_application_copy_sign_ins(made, other, "{\"all\": true}", NULL, &response), &response);

  answer = written(made, token, "{}", TESSERA_STATUS_OK);
  CHECK(number(answer, "stored") == 0 && number(answer, "removed") == 2);
  json_decref(answer);
  json_t *left = document(made), *kept = document(other);
  CHECK(json_object_size(left) == 0 && json_object_size(kept) == 2);
  json_decref(left);
  json_decref(kept);
  tessera_application_free(made);
  tessera_application_free(other);
  return failures != 0;
}
