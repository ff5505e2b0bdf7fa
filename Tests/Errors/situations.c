/* SPDX-License-Identifier: MIT */
/*
 * Makes the calls of Tests/Errors/run. Each line has a function, a configuration and a request, separated by tabs.
 * Prints the status and the response of each call. The prompt of a device code is printed before, in a line that
 * begins with "prompt".
 */
#include <stdio.h>
#include <string.h>

#include <tessera.h>

static void show(void *context, const char *prompt) {
  (void)context;
  printf("prompt\t%s\n", prompt);
  fflush(stdout);
}

static void no_prompt(void *context, const char *prompt) {
  (void)context;
  (void)prompt;
}

/* Makes a silent call with a cancelled cancellation. */
static tessera_status stopped(tessera_application *application, const char *request, char **response) {
  tessera_cancellation *cancellation = tessera_cancellation_create();
  tessera_cancellation_cancel(cancellation);
  tessera_status status =
      tessera_application_acquire_token_silent(application, request, cancellation, response);
  tessera_cancellation_free(cancellation);
  return status;
}

static tessera_status call(const char *function, const char *configuration, const char *request,
                           char **response) {
  tessera_application *application = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &application, response);
  if (status == TESSERA_STATUS_OK) {
    tessera_string_free(*response);
    if (strcmp(function, "silent") == 0) {
      status = tessera_application_acquire_token_silent(application, request, NULL, response);
    } else if (strcmp(function, "device") == 0) {
      status =
          tessera_application_acquire_token_by_device_code(application, request, show, NULL, NULL, response);
    } else if (strcmp(function, "account") == 0) {
      status = tessera_application_get_account(application, request, response);
    } else if (strcmp(function, "remove") == 0) {
      status = tessera_application_remove_account(application, request, response);
    } else if (strcmp(function, "sign_out") == 0) {
      status = tessera_application_sign_out(application, request, NULL, response);
    } else if (strcmp(function, "rotate") == 0) {
      status = tessera_application_rotate_store_key(application, request, response);
    } else if (strcmp(function, "migrate") == 0) {
      status = tessera_application_migrate(application, request, NULL, 0, response);
    } else if (strcmp(function, "current") == 0) {
      status = tessera_application_get_current_account(application, request, response);
    } else if (strcmp(function, "begin") == 0) {
      status = tessera_application_begin_sign_in(application, request, NULL, response);
    } else if (strcmp(function, "complete") == 0) {
      status = tessera_application_complete_sign_in(application, request, NULL, response);
    } else if (strcmp(function, "interactive") == 0) {
      status = tessera_application_acquire_token_interactive(application, request, NULL, NULL, NULL, response);
    } else if (strcmp(function, "shown") == 0) {
      status = tessera_application_acquire_token_interactive(application, request, no_prompt, NULL, NULL,
                                                 response);
    } else if (strcmp(function, "stopped") == 0) {
      status = stopped(application, request, response);
    } else {
      status = tessera_application_get_accounts(application, request, response);
    }
  }
  tessera_application_free(application);
  return status;
}

int main(void) {
  static char line[1 << 16];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *function = strtok(line, "\t");
    char *configuration = strtok(NULL, "\t");
    char *request = strtok(NULL, "\t");
    if (request == NULL) {
      return 2;
    }
    char *response = NULL;
    tessera_status status = call(function, configuration, request, &response);
    printf("%d\t%s\n", (int)status, response == NULL ? "" : response);
    fflush(stdout);
    tessera_string_free(response);
  }
  return 0;
}
