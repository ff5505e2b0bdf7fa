/* SPDX-License-Identifier: MIT */
/* Access to JSON documents, quoted strings and names, for programs without a JSON library. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/** Values of several kinds, and the member names of RFC 6901 section 5. */
static const char *const document =
    "{\"foo\": [\"bar\", \"baz\"], \"\": \"empty\", \"a/b\": \"slash\", \"m~n\": \"tilde\", \" \": \"space\","
    " \"k\\\"l\": \"quote\", \"~1\": \"order\", \"nul\": \"a\\u0000b\", \"text\": \"gr\\u00fc\\u00dfe\","
    " \"integer\": -7, \"large\": 9223372036854775807, \"larger\": 9223372036854775808, \"fraction\": 1.5,"
    " \"exponent\": 1e3, \"digits\": \"5\", \"yes\": true, \"none\": null, \"twice\": \"first\", \"twice\": \"last\","
    " \"object\": {\"array\": [{\"number\": 42}]}}";

/** Checks the string at a path, or that there is none. */
static void check_string(const char *path, const char *expected) {
  char *found = tessera_document_get_string(document, path);
  int fits = expected == NULL ? found == NULL : found != NULL && strcmp(found, expected) == 0;
  if (!fits) fprintf(stderr, "%s: %s\n", path, found == NULL ? "NULL" : found);
  CHECK(fits);
  tessera_string_free(found);
}

static void strings_are_found_by_pointer(void) {
  check_string("/foo/0", "bar");
  check_string("/foo/1", "baz");
  check_string("/", "empty");
  check_string("/a~1b", "slash");
  check_string("/m~0n", "tilde");
  check_string("/ ", "space");
  check_string("/k\"l", "quote");
  check_string("/~01", "order");
  check_string("/text", "gr\xc3\xbc\xc3\x9f" "e");
  check_string("/twice", "last");
  static const char *const missing[] = {
      "", "foo", "/foo", "/foo/2", "/foo/-", "/foo/-1", "/foo/+1", "/foo/01", "/foo/", "/foo/0/0", "/foo/99999999999999999999",
      "/Foo", "/nul", "/integer", "/yes", "/none", "/object", "/object/array", "/m~n", "/m~", "/m~2n", "/a/b", "\xff", "/\xff",
  };
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) check_string(missing[i], NULL);
}

static void integers_are_found_by_pointer(void) {
  CHECK(tessera_document_get_integer(document, "/integer", 1) == -7);
  CHECK(tessera_document_get_integer(document, "/large", 1) == INT64_MAX);
  CHECK(tessera_document_get_integer(document, "/object/array/0/number", 1) == 42);
  CHECK(tessera_document_get_integer("5", "", 1) == 5);
  static const char *const missing[] = {"", "/larger", "/fraction", "/exponent", "/digits", "/yes", "/none", "/foo", "integer"};
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
    CHECK(tessera_document_get_integer(document, missing[i], -1) == -1);
  }
}

static void invalid_documents_have_no_values(void) {
  static const char *const documents[] = {NULL, "", "{", "{\"a\": \"b\"", "{\"a\": \"b\"} x", "{\"a\": \"\xff\"}"};
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    CHECK(tessera_document_get_string(documents[i], "/a") == NULL);
    CHECK(tessera_document_get_integer(documents[i], "/a", 3) == 3);
  }
  CHECK(tessera_document_get_string(document, NULL) == NULL);
  CHECK(tessera_document_get_integer(document, NULL, 3) == 3);
}

/** A response may be larger than a request. */
static void large_documents_have_values(void) {
  const size_t size = 3 << 20;
  char *large = malloc(size + 32);
  if (large == NULL) return;
  strcpy(large, "{\"a\": \"");
  memset(large + 7, 'x', size);
  strcpy(large + 7 + size, "\", \"b\": 1}");
  char *found = tessera_document_get_string(large, "/a");
  CHECK(found != NULL && strlen(found) == size);
  CHECK(tessera_document_get_integer(large, "/b", 0) == 1);
  tessera_string_free(found);
  free(large);
}

static void quoted_strings_are_json(void) {
  static const char *const texts[] = {"", "alice", "a \"b\" \\ c", "\n\t\r\b\x01\x7f", ("gr\xc3\xbc\xc3\x9f" "e \xf0\x9f\x98\x80"), "</script>"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *quoted = tessera_string_quote(texts[i]);
    json_t *value = quoted == NULL ? NULL : json_loads(quoted, JSON_DECODE_ANY, NULL);
    CHECK(value != NULL && strcmp(json_string_value(value), texts[i]) == 0);
    json_decref(value);
    tessera_string_free(quoted);
  }
  CHECK(tessera_string_quote(NULL) == NULL);
  CHECK(tessera_string_quote("\xff") == NULL);
  CHECK(tessera_string_quote("\xed\xa0\x80") == NULL);
}

static void statuses_have_names(void) {
  static const char *const names[] = {"ok", "sign_in", "retry_later", "fix_request", "fix_configuration", "fix_storage",
                                      "cancelled", "report_bug"};
  for (tessera_status status = TESSERA_STATUS_OK; status <= TESSERA_STATUS_REPORT_BUG; status++) {
    CHECK(strcmp(tessera_status_name(status), names[status]) == 0);
  }
  CHECK(strcmp(tessera_status_name(-1), "unknown") == 0);
  CHECK(strcmp(tessera_status_name(TESSERA_STATUS_REPORT_BUG + 1), "unknown") == 0);
  CHECK(strcmp(tessera_status_name(INT32_MIN), "unknown") == 0);
}

static void the_library_lists_its_features(void) {
  char *response = NULL;
  tessera_status status = tessera_library_features(&response);
  CHECK(status == TESSERA_STATUS_OK);
  json_t *features = check_response("tessera_library_features", status, response);
  size_t index, found = 0;
  json_t *name;
  json_array_foreach(json_object_get(features, "features"), index, name) {
    if (strcmp(json_string_value(name), "msal_file") == 0) found++;
  }
  CHECK(found == 1);
  json_decref(features);
  CHECK(tessera_library_features(NULL) == TESSERA_STATUS_FIX_REQUEST);
}

int main(void) {
  strings_are_found_by_pointer();
  integers_are_found_by_pointer();
  invalid_documents_have_no_values();
  large_documents_have_values();
  quoted_strings_are_json();
  statuses_have_names();
  the_library_lists_its_features();
  return failures != 0;
}
