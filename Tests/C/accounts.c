/* SPDX-License-Identifier: MIT */
/*
 * Account selection: exactly the right account or an error, with test cases of Tests/Vectors/accounts.json shared
 * with Swift and Python.
 *
 * usage: accounts CASES DIRECTORY   (the directory filled by tessera-fixtures)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *text(const json_t *object, const char *name) {
  const char *value = json_string_value(json_object_get(object, name));
  return value != NULL ? value : "";
}

/** Whether a response has all expected members: arrays of equal length, and null for a missing member. */
static int fits(const json_t *expected, const json_t *found) {
  if (json_is_null(expected)) return found == NULL || json_is_null(found);
  if (json_is_object(expected)) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)expected, name, value) {
      if (!fits(value, json_object_get(found, name))) return 0;
    }
    return json_is_object(found);
  }
  if (json_is_array(expected)) {
    size_t count = json_array_size(expected);
    if (!json_is_array(found) || count != json_array_size(found)) return 0;
    for (size_t i = 0; i < count; i++) {
      if (!fits(json_array_get(expected, i), json_array_get(found, i))) return 0;
    }
    return 1;
  }
  return json_equal((json_t *)expected, (json_t *)found);
}

static tessera_application *application(const json_t *given, size_t index, const char *directory) {
  char group[32];
  snprintf(group, sizeof group, "case-%zu", index);
  /* The proxy has no listener: every request fails. */
  json_t *configuration = json_pack(
      "{s:s, s:s, s:{s:s, s:s, s:s}, s:{s:s}}", "client_id", text(given, "client_id"), "authority",
      text(given, "authority"), "store", "group", group, "directory", directory, "policy", "allow_plaintext",
      "network", "proxy", "http://127.0.0.1:9");
  json_t *type = json_object_get(given, "authority_type");
  if (type != NULL) json_object_set(configuration, "authority_type", type);
  char *document = json_dumps(configuration, 0), *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(document, NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  free(document);
  json_decref(configuration);
  return made;
}

static void ask(tessera_application *application, const char *name, const json_t *question) {
  const char *call = text(question, "call");
  char *request = json_dumps(json_object_get(question, "request"), 0), *response = NULL;
  tessera_status status;
  if (strcmp(call, "get_accounts") == 0) {
    status = tessera_application_get_accounts(application, request, NULL, &response);
  } else if (strcmp(call, "get_account") == 0) {
    status = tessera_application_get_account(application, request, NULL, &response);
  } else {
    status = tessera_application_acquire_token_silent(application, request, NULL, &response);
  }
  json_t *answer = check_response(call, status, response);
  if (!fits(json_object_get(question, "answer"), answer)) {
    char *found = json_dumps(answer, 0);
    fprintf(stderr, "%s: %s %s got %s\n", name, call, request, found);
    free(found);
    CHECK(!"the answer fits");
  }
  json_decref(answer);
  free(request);
}

/** The cached account list is never the response to another request, whatever its bytes. */
static void keep_lists_apart(tessera_application *application) {
  static const char *const requests[] = {"accounts", "", "\x01"};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    char *response = NULL;
    tessera_status status = tessera_application_get_accounts(application, NULL, NULL, &response);
    check_status("tessera_application_get_accounts", TESSERA_STATUS_OK, status, response);
    status = tessera_application_acquire_token_silent(application, requests[i], NULL, &response);
    check_status(requests[i], TESSERA_STATUS_FIX_REQUEST, status, response);
  }
}

int main(int count, char **words) {
  if (count != 3) return 2;
  json_t *cases = json_load_file(words[1], 0, NULL);
  CHECK(json_array_size(cases) >= 40);
  for (size_t i = 0; i < json_array_size(cases); i++) {
    const json_t *one = json_array_get(cases, i), *questions = json_object_get(one, "expected");
    tessera_application *made = application(json_object_get(one, "input"), i, words[2]);
    for (size_t j = 0; j < json_array_size(questions); j++) {
      ask(made, text(one, "name"), json_array_get(questions, j));
    }
    keep_lists_apart(made);
    tessera_application_free(made);
  }
  json_decref(cases);
  return failures != 0;
}
