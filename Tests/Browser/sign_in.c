/* SPDX-License-Identifier: MIT */
/* Signs in with a browser and prints the user name, or the reason of the failure; argv: configuration, request. */

#include <stdio.h>
#include <tessera.h>

static void show(void *context, const char *prompt) {
  (void)context;
  fprintf(stderr, "%s\n", prompt);
}

int main(int count, char **arguments) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (count != 3) return 64;
  tessera_status status = tessera_application_create(arguments[1], NULL, &application, &response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    status = tessera_application_acquire_token_interactive(application, arguments[2], show, NULL, NULL, &response);
  }
  puts(response);
  tessera_string_free(response);
  tessera_application_free(application);
  return status;
}
