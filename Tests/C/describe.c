/* SPDX-License-Identifier: MIT */
/* Descriptions of tokens, with the vectors of Tests/Vectors/describe.json; usage: describe DESCRIBE.JSON */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/** Checks that a description has the members of the row and, except for the hint, no others; and never the token. */
static void check_row(const json_t *row) {
  const char *name = json_string_value(json_object_get(row, "name"));
  const char *token = json_string_value(json_object_get(json_object_get(row, "input"), "token"));
  char *response = NULL;
  tessera_status status = tessera_token_describe(token, &response);
  CHECK(strlen(token) < 30 || response == NULL || strstr(response, token) == NULL);
  json_t *seen = check_response(name, status, response);
  CHECK(status == TESSERA_STATUS_OK);
  CHECK(json_string_length(json_object_get(seen, "hint")) > 0);
  json_object_del(seen, "hint");
  if (!json_equal(seen, json_object_get(row, "expected"))) {
    char *text = json_dumps(seen, 0);
    fprintf(stderr, "%s: %s\n", name, text);
    free(text);
    failures++;
  }
  json_decref(seen);
}

static void check_refused(const char *what, const char *token, const char *code) {
  char *response = NULL;
  tessera_status status = tessera_token_describe(token, &response);
  json_t *document = check_response(what, status, response);
  CHECK(status == TESSERA_STATUS_FIX_REQUEST);
  CHECK(strcmp(error_code(document), code) == 0);
  json_decref(document);
}

int main(int argc, char **argv) {
  json_t *rows = argc == 2 ? json_load_file(argv[1], 0, NULL) : NULL;
  size_t index;
  json_t *row;
  CHECK(json_array_size(rows) > 0);
  json_array_foreach(rows, index, row) check_row(row);
  json_decref(rows);

  static char large[(1 << 20) + 2];
  memset(large, 'a', sizeof large - 1);
  check_refused("a token of more than a megabyte", large, "invalid_member");
  large[1 << 20] = '\0';
  char *response = NULL;
  tessera_status status = tessera_token_describe(large, &response);
  check_status("a token of a megabyte", TESSERA_STATUS_OK, status, response);
  check_refused("no token", NULL, "missing_parameter");
  check_refused("a token that is no UTF-8", "\xff\xfe", "invalid_member");
  CHECK(tessera_token_describe("opaque", NULL) == TESSERA_STATUS_FIX_REQUEST);
  return failures != 0;
}
