/* SPDX-License-Identifier: MIT */
/* The report of a store, and a host that provides its key, through the C interface. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/** A host that provides a key: the number of calls, and its response. */
struct key_host {
  int calls, result;
  size_t size;
};

static int32_t give_key(void *user_data, uint8_t *key, size_t size) {
  struct key_host *key_host = user_data;
  key_host->calls++;
  key_host->size = size;
  memset(key, 7, size);
  return key_host->result;
}

/** Creates an application with a store in a directory; `more` are additional members of "store", or "". */
static tessera_application *application(const char *directory, const char *more, struct key_host *key_host) {
  tessera_host host = {.size = sizeof host, .user_data = key_host, .store_key = key_host != NULL ? give_key : NULL};
  tessera_application *made = NULL;
  char configuration[1000], *response = NULL;
  snprintf(configuration, sizeof configuration,
           "{\"client_id\": \"a\", \"authority\": \"http://127.0.0.1:9/t\", \"store\": {\"directory\": \"%s\"%s}}",
           directory, more);
  tessera_status status = tessera_application_create(configuration, &host, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Returns the report of an application's store; free it with json_decref(). Frees the application. */
static json_t *info(tessera_application *application) {
  char *response = NULL;
  tessera_status status = tessera_application_get_store_info(application, NULL, NULL, &response);
  json_t *document = check_response("tessera_application_get_store_info", status, response);
  CHECK(status == TESSERA_STATUS_OK);
  tessera_application_free(application);
  return document;
}

static int has_string(const json_t *document, const char *name, const char *expected) {
  const char *value = json_string_value(json_object_get(document, name));
  if (value != NULL && strcmp(value, expected) == 0) return 1;
  fprintf(stderr, "%s is %s, not %s\n", name, value != NULL ? value : "absent", expected);
  return 0;
}

static void memory(const char *directory) {
  json_t *document = info(application(directory, ", \"policy\": \"memory_only\"", NULL));
  CHECK(has_string(document, "storage_policy", "memory_only"));
  CHECK(has_string(document, "protection", "memory"));
  CHECK(json_object_get(document, "path") == NULL);
  json_decref(document);
}

static void missing(const char *directory) {
  json_t *document = info(application(directory, ", \"key_sources\": [\"key_file\"]", NULL));
  CHECK(has_string(document, "state", "missing"));
  CHECK(has_string(document, "storage_policy", "prefer_encrypted"));
  CHECK(has_string(document, "protection", "obfuscated"));
  CHECK(has_string(document, "key_source", "key_file"));
  CHECK(json_object_get(document, "problem") == NULL);
  json_decref(document);
}

/** An unsatisfiable policy is reported as a problem, with the attempts. */
static void refused(const char *directory) {
  json_t *document = info(application(
      directory, ", \"key_sources\": [\"key_file\"], \"policy\": \"require_encrypted\"", NULL));
  CHECK(has_string(json_object_get(document, "problem"), "code", "encryption_unavailable"));
  const json_t *attempts = json_object_get(document, "attempts");
  CHECK(json_array_size(attempts) == 1);
  CHECK(has_string(json_array_get(attempts, 0), "source", "key_file"));
  CHECK(has_string(json_array_get(attempts, 0), "problem", "policy"));
  json_decref(document);
}

static void host_provides_key(const char *directory) {
  struct key_host key_host = {0, 0, 0};
  json_t *document = info(application(directory, ", \"policy\": \"require_encrypted\"", &key_host));
  CHECK(key_host.calls == 1 && key_host.size == 32);
  CHECK(has_string(document, "key_source", "caller"));
  CHECK(has_string(document, "protection", "encrypted"));
  json_decref(document);

  struct key_host absent = {0, 1, 0};
  document = info(application(directory, "", &absent));
  CHECK(absent.calls == 1);
  CHECK(has_string(json_object_get(document, "problem"), "remedy", "fix_storage"));
  json_decref(document);
}

/** Returns the member "rotated" of tessera_application_rotate_store_key(), or -1 after an error with that code. */
static int rotated(tessera_application *application, const char *request, const char *code) {
  char *response = NULL;
  tessera_status status = tessera_application_rotate_store_key(application, request, NULL, &response);
  json_t *document = check_response("tessera_application_rotate_store_key", status, response);
  const json_t *member = json_object_get(document, "rotated");
  int result = status == TESSERA_STATUS_OK && json_is_boolean(member) ? json_is_true(member) : -1;
  if (code != NULL) CHECK(has_string(json_object_get(document, "error"), "code", code));
  json_decref(document);
  return result;
}

/** Without a stored key there is nothing to encrypt, and no file is created; a host without a key provides none. */
static void rotation(const char *directory) {
  static const char key[] = "{\"new_store_key\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"}";
  tessera_application *made = application(directory, ", \"policy\": \"memory_only\"", NULL);
  CHECK(rotated(made, NULL, NULL) == 0);
  tessera_application_free(made);
  made = application(directory, ", \"key_sources\": [\"key_file\"]", NULL);
  CHECK(rotated(made, "{\"timeout_milliseconds\": 1000}", NULL) == 0);
  CHECK(rotated(made, key, "invalid_member") == -1);
  tessera_application_free(made);
  struct key_host key_host = {0, 0, 0};
  made = application(directory, "", &key_host);
  CHECK(rotated(made, key, NULL) == 0);
  CHECK(key_host.calls == 0);
  tessera_application_free(made);
}

/** A key in both places is an error, and so is a host that is too small. */
static void hosts(void) {
  struct key_host key_host = {0, 0, 0};
  tessera_host host = {.size = sizeof host, .user_data = &key_host, .store_key = give_key};
  tessera_application *made = NULL;
  char *response = NULL;
  static const char twice[] =
      "{\"client_id\": \"a\", \"store\": {\"key\": \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"}}";
  tessera_status status = tessera_application_create(twice, &host, &made, &response);
  check_status("key twice", TESSERA_STATUS_FIX_REQUEST, status, response);
  host.size = 3 * sizeof(void *);
  status = tessera_application_create("{\"client_id\": \"a\"}", &host, &made, &response);
  check_status("small host", TESSERA_STATUS_FIX_REQUEST, status, response);
  CHECK(made == NULL);
  CHECK(key_host.calls == 0);
}

int main(void) {
  char directory[] = "/tmp/tessera-store-XXXXXX", store[sizeof directory + 6];
  if (mkdtemp(directory) == NULL) return 1;
  snprintf(store, sizeof store, "%s/store", directory);
  memory(store);
  missing(store);
  refused(store);
  host_provides_key(store);
  rotation(store);
  hosts();
  // None of these calls may have created a file.
  CHECK(rmdir(directory) == 0);
  return failures > 0;
}
