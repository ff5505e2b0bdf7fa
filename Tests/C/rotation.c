/* SPDX-License-Identifier: MIT */
/*
 * New keys for stores in which somebody is signed in: nobody is signed out, and who has the old key alone is told so.
 *
 * usage: rotation DIRECTORY   (which tessera-fixtures has filled; the test takes stores 0 and 2)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *directory;

/** An application on one of the stores; `more` are further members, with a comma before them. */
static tessera_application *application(int store, const char *more) {
  char configuration[1000], *response = NULL;
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"app\", \"authority\": \"https://login.microsoftonline.com/common\", \"group\": "
           "\"case-%d\", \"store_directory\": \"%s\", \"storage_policy\": \"allow_plaintext\", \"proxy\": "
           "\"http://127.0.0.1:9\"%s}",
           store, directory, more);
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_OK, status, response);
  return made;
}

/** Whether a member of an answer is a text. */
static int says(const json_t *document, const char *name, const char *expected) {
  const char *value = json_string_value(json_object_get(document, name));
  return value != NULL && strcmp(value, expected) == 0;
}

/** How many people an application sees; -1 for an error with a code. */
static int people(tessera_application *application, const char *code) {
  char *response = NULL;
  tessera_status status = tessera_get_accounts(application, NULL, &response);
  json_t *answer = check_answer("tessera_get_accounts", status, response);
  int count = status == TESSERA_OK ? (int)json_array_size(json_object_get(answer, "accounts")) : -1;
  if (code != NULL) CHECK(says(json_object_get(answer, "error"), "code", code));
  json_decref(answer);
  return count;
}

/** Gives the store a new key: 1 if it has one now. */
static int rotated(tessera_application *application, const char *request) {
  char *response = NULL;
  tessera_status status = tessera_store_rotate_key(application, request, &response);
  json_t *answer = check_answer("tessera_store_rotate_key", status, response);
  int result = status == TESSERA_OK && json_is_true(json_object_get(answer, "rotated"));
  json_decref(answer);
  return result;
}

/** Whether a store says that it is protected like this, by a key from there. */
static int is_protected(tessera_application *application, const char *protection, const char *source) {
  char *response = NULL;
  tessera_status status = tessera_store_info(application, NULL, &response);
  json_t *answer = check_answer("tessera_store_info", status, response);
  int result = status == TESSERA_OK && says(answer, "protection", protection) &&
               (source == NULL || says(answer, "key_source", source));
  json_decref(answer);
  return result;
}

/** A store in clear is sealed, then sealed anew, while another program has it open. */
static void in_key_file(void) {
  static const char source[] = ", \"key_sources\": [\"key_file\"]";
  tessera_application *reader = application(0, source), *writer = application(0, source);
  int before = people(reader, NULL);
  CHECK(before > 0);
  CHECK(is_protected(reader, "plaintext", NULL));
  for (int round = 0; round < 2; round++) {
    CHECK(rotated(writer, NULL) == 1);
    CHECK(people(reader, NULL) == before);
    CHECK(is_protected(reader, "obfuscated", "key_file"));
  }
  tessera_application *later = application(0, source);
  CHECK(people(later, NULL) == before);
  tessera_application_free(later);
  tessera_application_free(writer);
  tessera_application_free(reader);
}

/** The program has the key: whoever is started with the old one is told, and nothing is lost by that. */
static void of_caller(void) {
  static const char old_key[] = ", \"store_key\": \"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\"",
                    new_key[] = ", \"store_key\": \"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\"",
                    request[] = "{\"new_store_key\": \"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\"}";
  tessera_application *writer = application(2, old_key);
  int before = people(writer, NULL);
  CHECK(before > 0);
  CHECK(rotated(writer, "{\"new_store_key\": \"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\"}") == 1);
  CHECK(is_protected(writer, "encrypted", "caller"));
  CHECK(rotated(writer, request) == 1);
  CHECK(people(writer, NULL) == before);
  tessera_application_free(writer);
  tessera_application *late = application(2, old_key), *right = application(2, new_key);
  CHECK(people(late, "cache_undecryptable") == -1);
  CHECK(people(right, NULL) == before);
  tessera_application_free(late);
  tessera_application_free(right);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  directory = words[1];
  in_key_file();
  of_caller();
  return failures != 0;
}
