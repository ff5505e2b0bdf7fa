/* SPDX-License-Identifier: MIT */
/*
 * Makes one call during which one allocation or system call fails. Prints the number of calls, the status and the
 * response.
 *
 * usage: calls silent|accounts|store_info CONFIGURATION REQUEST    (with faults.so in LD_PRELOAD)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera.h>

int main(int count, char **words) {
  if (count != 4) return 2;
  void (*arm)(void) = NULL;
  long (*counted)(void) = NULL;
  *(void **)&arm = dlsym(RTLD_DEFAULT, "fault_arm");
  *(void **)&counted = dlsym(RTLD_DEFAULT, "fault_count");
  tessera_application *application = NULL;
  char *response = NULL;
  if (tessera_application_create(words[2], NULL, &application, &response) != TESSERA_STATUS_OK) return 3;
  tessera_string_free(response);
  response = NULL;
  if (arm != NULL) arm();
  tessera_status status;
  if (strcmp(words[1], "silent") == 0) {
    status = tessera_application_acquire_token_silent(application, words[3], NULL, &response);
  } else if (strcmp(words[1], "accounts") == 0) {
    status = tessera_application_get_accounts(application, NULL, &response);
  } else {
    status = tessera_application_get_store_info(application, NULL, &response);
  }
  const long calls = counted != NULL ? counted() : 0;
  printf("%ld %d %s\n", calls, (int)status, response != NULL ? response : "");
  tessera_string_free(response);
  tessera_application_free(application);
  return 0;
}
