// SPDX-License-Identifier: MIT
// The operations of a C program on an account: sign in, list, get tokens, fail, remove. Prints all responses without
// tokens.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

static void log_line(void *context, int32_t level, const char *message) {
  (void)context;
  fprintf(stderr, "log %d %s\n", (int)level, message);
}

static void prompt(void *context, const char *document) {
  (void)context;
  printf("%s\n", document);
  fflush(stdout);
}

/** Prints an error. A result may contain a token, so it is not printed. */
static int finish(const char *name, tessera_status status, char **response) {
  fprintf(stderr, "%s: %d %s\n", name, (int)status, status == TESSERA_STATUS_OK ? "" : *response);
  tessera_string_free(*response);
  *response = NULL;
  return status;
}

static void use(tessera_application *application, const char *account) {
  static const char *const more[] = {"", ",\"force_refresh\":true", ",\"claims\":\"{\\\"id_token\\\":{}}\"",
                                     ",\"scopes\":[\"Mail.Read\"]", ",\"timeout_milliseconds\":1"};
  char request[1000], *response = NULL;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    snprintf(request, sizeof request, "{\"home_account_id\":\"%s\",\"scopes\":[\"User.Read\"]%s}", account, more[i]);
    finish("silent", tessera_application_acquire_token_silent(application, request, NULL, &response), &response);
  }
  finish("wrong", tessera_application_acquire_token_silent(application, "{\"scopes\":[1]}", NULL, &response), &response);
}

/** usage: canary CONFIGURATION HOME_ACCOUNT_ID [keep] */
int main(int argc, char **argv) {
  tessera_host host = {.size = sizeof host, .log = log_line};
  tessera_application *application = NULL;
  char *response = NULL, request[1000];
  if (argc < 3) return 2;
  if (finish("create", tessera_application_create(argv[1], &host, &application, &response), &response)) return 1;
  finish("device code", tessera_application_acquire_token_by_device_code(
                            application, "{\"scopes\":[\"User.Read\"]}", prompt, NULL, NULL, &response), &response);
  finish("accounts", tessera_application_get_accounts(application, NULL, &response), &response);
  use(application, argv[2]);
  snprintf(request, sizeof request, "{\"home_account_id\":\"%s\"}", argv[2]);
  if (argc < 4) finish("remove", tessera_application_remove_account(application, request, &response), &response);
  tessera_application_free(application);
  return 0;
}
