/* SPDX-License-Identifier: MIT */
/*
 * Redirect URIs: valid ones, and the errors for invalid ones before any request.
 *
 * usage: redirects FILE   (Tests/Vectors/redirects.json)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *client_id = "4b0db8c2-9f26-4417-8bde-3f0e3656f8e0";

/** Whether a member of a document has this string. */
static int has_string(const json_t *document, const char *name, const char *expected) {
  const char *value = json_string_value(json_object_get(document, name));
  return value != NULL && expected != NULL && strcmp(value, expected) == 0;
}

/** Creates an application with the members of a row, and checks the outcome. */
static void check_row(const json_t *row) {
  json_t *configuration = json_deep_copy(json_object_get(row, "input"));
  json_object_set_new(configuration, "client_id", json_string(client_id));
  json_t *schemes = json_object_get(configuration, "registered_schemes");
  if (schemes != NULL) {
    json_object_set_new(configuration, "advanced", json_pack("{s:O}", "registered_schemes", schemes));
    json_object_del(configuration, "registered_schemes");
  }
  char *text = json_dumps(configuration, 0), *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(text, NULL, &made, &response);
  json_t *answer = check_response("tessera_application_create", status, response);
  const json_t *expected = json_object_get(row, "expected");
  if (has_string(row, "area", "redirect_good")) {
    CHECK(status == TESSERA_STATUS_OK && made != NULL);
  } else {
    const json_t *error = json_object_get(answer, "error");
    CHECK(status == TESSERA_STATUS_FIX_CONFIGURATION && made == NULL);
    CHECK(has_string(error, "code", json_string_value(json_object_get(expected, "code"))));
    CHECK(has_string(error, "message", json_string_value(json_object_get(expected, "message"))));
  }
  if (failures > 0) fprintf(stderr, "in \"%s\"\n", json_string_value(json_object_get(row, "name")));
  tessera_application_free(made);
  json_decref(answer);
  free(text);
  json_decref(configuration);
}

int main(int count, char **words) {
  json_t *rows = count > 1 ? json_load_file(words[1], 0, NULL) : NULL;
  CHECK(json_array_size(rows) >= 40);
  for (size_t index = 0; failures == 0 && index < json_array_size(rows); index++)
    check_row(json_array_get(rows, index));
  json_decref(rows);
  return failures > 0;
}
