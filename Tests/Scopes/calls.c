/* SPDX-License-Identifier: MIT */
/*
 * Makes calls with one application, whose configuration is the argument. With a second argument, "log", its log is
 * written to standard error. Each line of input is a function and a request, separated by a tab. Each response is a
 * line with the status and the document. The prompt of a device code is printed before, in a line that begins with
 * "prompt".
 */
#include <stdio.h>
#include <string.h>

#include <tessera.h>

static void show(void *context, const char *prompt) {
  (void)context;
  printf("prompt\t%s\n", prompt);
  fflush(stdout);
}

static void write_log(void *context, int32_t level, const char *message) {
  (void)context;
  fprintf(stderr, "log %d\t%s\n", (int)level, message);
}

static tessera_status call(tessera_application *application, const char *function, const char *request,
                           char **response) {
  if (strcmp(function, "silent") == 0)
    return tessera_application_acquire_token_silent(application, request, NULL, response);
  if (strcmp(function, "explain") == 0)
    return tessera_application_explain(application, request, response);
  if (strcmp(function, "accounts") == 0)
    return tessera_application_get_accounts(application, request, response);
  if (strcmp(function, "account") == 0)
    return tessera_application_get_account(application, request, response);
  if (strcmp(function, "current") == 0)
    return tessera_application_get_current_account(application, request, response);
  if (strcmp(function, "sign_out") == 0)
    return tessera_application_sign_out(application, request, NULL, response);
  if (strcmp(function, "begin") == 0)
    return tessera_application_begin_sign_in(application, request, NULL, response);
  if (strcmp(function, "complete") == 0)
    return tessera_application_complete_sign_in(application, request, NULL, response);
  if (strcmp(function, "migrate") == 0)
    return tessera_application_migrate(application, request, NULL, 0, response);
  if (strcmp(function, "export") == 0)
    return tessera_application_export_sign_ins(application, request, NULL, 0, response);
  return tessera_application_acquire_token_by_device_code(application, request, show, NULL, NULL, response);
}

int main(int count, char **arguments) {
  static char line[1 << 16];
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_host host;
  memset(&host, 0, sizeof host);
  host.size = sizeof host;
  if (count == 3)
    host.log = write_log;
  if (count < 2 || tessera_application_create(arguments[1], &host, &application, &response) != TESSERA_STATUS_OK) {
    fprintf(stderr, "%s\n", response == NULL ? "usage: calls CONFIGURATION" : response);
    return 2;
  }
  tessera_string_free(response);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *request = strchr(line, '\t');
    if (request == NULL)
      break;
    *request++ = '\0';
    tessera_status status = call(application, line, request, &response);
    printf("%d\t%s\n", (int)status, response == NULL ? "" : response);
    fflush(stdout);
    tessera_string_free(response);
  }
  tessera_application_free(application);
  return 0;
}
