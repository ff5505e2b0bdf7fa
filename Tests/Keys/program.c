/* SPDX-License-Identifier: MIT */
/*
 * A C program like a user's: signs in, gets a token, or prints the state of the store.
 *
 * usage: program CONFIGURATION sign_in|silent|info REQUEST [KEY-BYTE]   (KEY-BYTE: the application provides the key) Prints the code to enter if there is one, log lines on standard error, and finally the status and the response.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

static void write_log(void *context, int32_t level, const char *message) {
  (void)context;
  fprintf(stderr, "%d %s\n", (int)level, message);
}

static void show(void *context, const char *prompt) {
  (void)context;
  puts(prompt);
  fflush(stdout);
}

static int32_t give_key(void *context, uint8_t *key, size_t size) {
  memset(key, *(int *)context, size);
  return 0;
}

static int finish(tessera_status status, char *response) {
  printf("{\"status\": %d, \"answer\": %s}\n", (int)status, response != NULL ? response : "null");
  tessera_string_free(response);
  return 0;
}

int main(int count, char **words) {
  if (count < 4) return 64;
  int byte = count > 4 ? atoi(words[4]) : 0;
  tessera_host host = {
      .size = sizeof host, .user_data = &byte, .log = write_log, .store_key = count > 4 ? give_key : NULL};
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(words[1], &host, &application, &response);
  if (status != TESSERA_STATUS_OK) return finish(status, response);
  tessera_string_free(response);
  if (strcmp(words[2], "sign_in") == 0)
    status = tessera_application_acquire_token_by_device_code(application, words[3], show, NULL, NULL, &response);
  else if (strcmp(words[2], "silent") == 0)
    status = tessera_application_acquire_token_silent(application, words[3], NULL, &response);
  else
    status = tessera_application_get_store_info(application, NULL, NULL, &response);
  tessera_application_free(application);
  return finish(status, response);
}
