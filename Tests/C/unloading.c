/* SPDX-License-Identifier: MIT */
/* A plugin host unloads the library after a request, continues, and exits normally. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <tessera.h>

/** The function of that name in a library. */
#define FUNCTION(library, name) \
  __typeof__(name) *name##_in_it; \
  *(void **)&name##_in_it = dlsym(library, #name); \
  if (name##_in_it == NULL) return #name " is not there"

static void show(void *context, const char *prompt) {
  (void)context;
  puts(prompt);
}

/** Sends a request to a missing server. Returns the unexpected outcome, or NULL. */
static const char *failed_request(void *library) {
  FUNCTION(library, tessera_application_create);
  FUNCTION(library, tessera_application_acquire_token_by_device_code);
  FUNCTION(library, tessera_application_free);
  FUNCTION(library, tessera_string_free);
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create_in_it(
      "{\"client_id\": \"6c0a8e0e-5d0b-4b53-9a54-2f9a7e2f4d10\", \"store\": {\"kind\": \"memory\"},"
      " \"authority\": \"http://127.0.0.1:9/contoso.com\"}",
      NULL, &application, &response);
  tessera_string_free_in_it(response);
  if (status != TESSERA_STATUS_OK) return "no application";
  status = tessera_application_acquire_token_by_device_code_in_it(
      application, "{\"scopes\": [\"User.Read\"]}", show, NULL, NULL, &response);
  int is_refused = response != NULL && strstr(response, "\"network_failed\"") != NULL;
  if (!is_refused) puts(response != NULL ? response : "no answer");
  tessera_string_free_in_it(response);
  tessera_application_free_in_it(application);
  return is_refused ? NULL : "the network was not tried";
}

int main(int argc, char **argv) {
  void *library = dlopen(argc > 1 ? argv[1] : "libtessera.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    puts(dlerror());
    return 1;
  }
  const char *problem = failed_request(library);
  if (problem != NULL) puts(problem);
  dlclose(library);
  return problem != NULL;
}
