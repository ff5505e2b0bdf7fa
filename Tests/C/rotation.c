/* SPDX-License-Identifier: MIT */
/*
 * Key rotation of stores with signed-in accounts: no account is lost, and a program with only the old key gets an
 * error.
 *
 * usage: rotation DIRECTORY   (filled by tessera-fixtures; the test uses stores 0 and 2)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *directory;

/** Creates an application with one of the stores; `more` are additional members of "store", with a comma first. */
static tessera_application *application(int store, const char *more) {
  char configuration[1000], *response = NULL;
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"app\", \"authority\": \"https://login.microsoftonline.com/common\", \"network\": "
           "{\"proxy\": \"http://127.0.0.1:9\"}, \"store\": {\"group\": \"case-%d\", \"directory\": \"%s\", "
           "\"policy\": \"allow_plaintext\"%s}}",
           store, directory, more);
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Whether a member of a response has this string. */
static int has_string(const json_t *document, const char *name, const char *expected) {
  const char *value = json_string_value(json_object_get(document, name));
  return value != NULL && strcmp(value, expected) == 0;
}

/** Returns the number of accounts that an application lists; -1 for an error with a code. */
static int account_count(tessera_application *application, const char *code) {
  char *response = NULL;
  tessera_status status = tessera_application_get_accounts(application, NULL, NULL, &response);
  json_t *answer = check_response("tessera_application_get_accounts", status, response);
  int count = status == TESSERA_STATUS_OK ? (int)json_array_size(json_object_get(answer, "accounts")) : -1;
  if (code != NULL) CHECK(has_string(json_object_get(answer, "error"), "code", code));
  json_decref(answer);
  return count;
}

/** Rotates the key of the store. Returns 1 if it has a new one. */
static int rotated(tessera_application *application, const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_rotate_store_key(application, request, NULL, &response);
  json_t *answer = check_response("tessera_application_rotate_store_key", status, response);
  int result = status == TESSERA_STATUS_OK && json_is_true(json_object_get(answer, "rotated"));
  json_decref(answer);
  return result;
}

/** Whether a store reports this protection, with a key from this source. */
static int is_protected(tessera_application *application, const char *protection, const char *source) {
  char *response = NULL;
  tessera_status status = tessera_application_get_store_info(application, NULL, NULL, &response);
  json_t *answer = check_response("tessera_application_get_store_info", status, response);
  int result = status == TESSERA_STATUS_OK && has_string(answer, "protection", protection) &&
               (source == NULL || has_string(answer, "key_source", source));
  json_decref(answer);
  return result;
}

/** An unencrypted store is encrypted, then encrypted again, while another program has it open. */
static void key_in_a_file(void) {
  static const char source[] = ", \"key_sources\": [\"key_file\"]";
  tessera_application *reader = application(0, source), *writer = application(0, source);
  int before = account_count(reader, NULL);
  CHECK(before > 0);
  CHECK(is_protected(reader, "plaintext", NULL));
  for (int round = 0; round < 2; round++) {
    CHECK(rotated(writer, NULL) == 1);
    CHECK(account_count(reader, NULL) == before);
    CHECK(is_protected(reader, "obfuscated", "key_file"));
  }
  tessera_application *later = application(0, source);
  CHECK(account_count(later, NULL) == before);
  tessera_application_free(later);
  tessera_application_free(writer);
  tessera_application_free(reader);
}

/** The program provides the key: one with the old key gets an error, and no data is lost. */
static void key_of_the_caller(void) {
  static const char old_key[] = ", \"key\": \"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\"",
                    new_key[] = ", \"key\": \"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\"",
                    request[] = "{\"new_store_key\": \"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\"}";
  tessera_application *writer = application(2, old_key);
  int before = account_count(writer, NULL);
  CHECK(before > 0);
  CHECK(rotated(writer, "{\"new_store_key\": \"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\"}") == 1);
  CHECK(is_protected(writer, "encrypted", "caller"));
  CHECK(rotated(writer, request) == 1);
  CHECK(account_count(writer, NULL) == before);
  tessera_application_free(writer);
  tessera_application *late = application(2, old_key), *right = application(2, new_key);
  CHECK(account_count(late, "cache_undecryptable") == -1);
  CHECK(account_count(right, NULL) == before);
  tessera_application_free(late);
  tessera_application_free(right);
}

int main(int count, char **words) {
  if (count != 2) return 2;
  directory = words[1];
  key_in_a_file();
  key_of_the_caller();
  return failures != 0;
}
