/* SPDX-License-Identifier: MIT */
/* The locations of other tools' token caches, in an empty home. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "check.h"

static void check_refused(const char *request, tessera_status expected, const char *code) {
  char *response = NULL;
  tessera_status status = tessera_library_known_caches(request, &response);
  json_t *document = check_response(request, status, response);
  CHECK(status == expected);
  CHECK(strcmp(error_code(document), code) == 0);
  json_decref(document);
}

int main(void) {
  setenv("HOME", "/nonexistent", 1);
  setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1);
  char *response = NULL;
  tessera_status status = tessera_library_known_caches(NULL, &response);
  json_t *document = check_response("the caches", status, response);
  CHECK(status == TESSERA_STATUS_OK);
  const json_t *caches = json_object_get(document, "caches");
  CHECK(json_array_size(caches) > 5);
  size_t index;
  json_t *cache;
  json_array_foreach(caches, index, cache) {
    CHECK(strcmp(json_string_value(json_object_get(cache, "state")), "missing") == 0);
    CHECK(json_string_length(json_object_get(cache, "path")) > 0);
  }
  json_decref(document);

  check_refused("{\"timeout_milliseconds\": 0}", TESSERA_STATUS_CANCELLED, "deadline_exceeded");
  check_refused("{\"name\": \"azure_cli\"}", TESSERA_STATUS_FIX_REQUEST, "unknown_member");
  unsetenv("HOME");
  check_refused("{}", TESSERA_STATUS_FIX_STORAGE, "store_unavailable");
  CHECK(tessera_library_known_caches(NULL, NULL) == TESSERA_STATUS_FIX_REQUEST);
  return failures != 0;
}
