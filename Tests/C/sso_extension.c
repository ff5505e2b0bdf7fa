/* SPDX-License-Identifier: MIT */
/* The single sign-on extension, with the vectors of Tests/Vectors/sso_extension.json; usage: sso_extension
   SSO_EXTENSION.JSON */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static json_t *ask(const char *name, const char *area, const json_t *input, tessera_status *status) {
  char *text = json_dumps(input, 0);
  char *response = NULL;
  *status = strcmp(area, "sso_extension.request") == 0
                ? tessera_sso_extension_request(text, &response)
                : tessera_sso_extension_response(text, &response);
  free(text);
  return check_response(name, *status, response);
}

/** Whether an error matches the row, which may be its code only. */
static int error_fits(json_t *document, json_t *expected) {
  if (json_is_string(expected)) return strcmp(error_code(document), json_string_value(expected)) == 0;
  const char *member;
  json_t *value;
  json_object_foreach(expected, member, value) {
    if (!json_equal(value, json_object_get(json_object_get(document, "error"), member))) return 0;
  }
  return 1;
}

static void check_row(json_t *row) {
  const char *name = json_string_value(json_object_get(row, "name"));
  const char *area = json_string_value(json_object_get(row, "area"));
  json_t *expected = json_object_get(row, "expected");
  tessera_status status;
  json_t *seen = ask(name, area, json_object_get(row, "input"), &status);
  json_t *error = json_object_get(expected, "error");
  CHECK((status == TESSERA_STATUS_OK) == (error == NULL));
  if (error == NULL ? !json_equal(seen, expected) : !error_fits(seen, error)) {
    char *text = json_dumps(seen, 0);
    fprintf(stderr, "%s: %s\n", name, text);
    free(text);
    failures++;
  }
  json_decref(seen);
}

static void check_arguments(void) {
  char *response = NULL;
  tessera_status status = tessera_sso_extension_request(NULL, &response);
  check_status("no request", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_sso_extension_response("[]", &response);
  check_status("no object", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_application_store_sso_extension_response(NULL, "{}", NULL, &response);
  check_status("no application", TESSERA_STATUS_FIX_REQUEST, status, response);
  CHECK(tessera_sso_extension_request("{}", NULL) == TESSERA_STATUS_FIX_REQUEST);
  CHECK(tessera_sso_extension_response("{}", NULL) == TESSERA_STATUS_FIX_REQUEST);
  CHECK(tessera_application_store_sso_extension_response(NULL, "{}", NULL, NULL) == TESSERA_STATUS_FIX_REQUEST);
}

int main(int argc, char **argv) {
  json_t *rows = argc == 2 ? json_load_file(argv[1], 0, NULL) : NULL;
  size_t index;
  json_t *row;
  CHECK(json_array_size(rows) > 0);
  json_array_foreach(rows, index, row) check_row(row);
  json_decref(rows);
  check_arguments();
  return failures != 0;
}
