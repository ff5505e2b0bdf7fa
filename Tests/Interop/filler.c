/* SPDX-License-Identifier: MIT */
/* Signs in from C: prints the prompt, then the result, a line each.
 * 
 * usage: filler CONFIGURATION REQUEST */
#include <tessera.h>

#include <stdio.h>

static void show(void *context, const char *prompt) {
  (void)context;
  puts(prompt);
  fflush(stdout);
}

int main(int argc, char **argv) {
  tessera_application *application = NULL;
  char *response = NULL;
  if (argc != 3) return 2;
  tessera_status status = tessera_application_create(argv[1], NULL, &application, &response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(response);
    status = tessera_application_acquire_token_by_device_code(application, argv[2], show, NULL, NULL, &response);
  }
  puts(response == NULL ? "{}" : response);
  tessera_string_free(response);
  tessera_application_free(application);
  return (int)status;
}
