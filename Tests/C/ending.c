/* SPDX-License-Identifier: MIT */
/*
 * The exit of a program while a thread of the library is in libcurl, which slow_curl.c replaces.
 * usage: ending freed | kept
 */
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "silence.h"

static const char *const device_code = "{\"scopes\": [\"User.Read\"]}";

enum { patience_milliseconds = 60000 };

/** Returns a counter of the replacement library; NULL while it is not loaded. */
static atomic_int *number(const char *name) {
  static void *library;
  if (library == NULL) library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD);
  return library == NULL ? NULL : (atomic_int *)dlsym(library, name);
}

static int is_inside(void) {
  atomic_int *inside = number("slow_curl_inside");
  return inside != NULL && atomic_load(inside) != 0;
}

/** Starts a call, and waits until its thread is in libcurl. */
static void begin(tessera_call_group *calls, tessera_application *application) {
  int64_t call = 0;
  char *response = NULL;
  tessera_status status =
      tessera_call_group_acquire_token_by_device_code(calls, application, device_code, &call, &response);
  check_status("a call that does not block", TESSERA_STATUS_OK, status, response);
  for (int i = 0; i < patience_milliseconds && !is_inside(); i++) usleep(1000);
  CHECK(is_inside());
}

int main(int argc, char **argv) {
  tessera_application *application = application_at(9);
  tessera_call_group *calls = NULL;
  char *response = NULL;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  begin(calls, application);
  if (argc > 1 && strcmp(argv[1], "freed") == 0) {
    tessera_application_free(application);
    tessera_call_group_free(calls);
    CHECK(!is_inside());
  }
  return failures != 0;
}
