/* SPDX-License-Identifier: MIT */
/*
 * One step of a host-driven sign-in, so that two processes can share it: prints the status and the response.
 *
 * usage: sign_in begin|complete CONFIGURATION REQUEST
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

int main(int count, char **words) {
  if (count != 4) return 2;
  char *response = NULL;
  tessera_application *application = NULL;
  tessera_status status = tessera_application_create(words[2], NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  response = NULL;
  status = strcmp(words[1], "begin") == 0
               ? tessera_application_begin_sign_in(application, words[3], NULL, &response)
               : tessera_application_complete_sign_in(application, words[3], NULL, &response);
  json_t *answer = check_response(words[1], status, response);
  char *text = json_dumps(answer, JSON_COMPACT);
  printf("%d %s\n", (int)status, text);
  free(text);
  json_decref(answer);
  tessera_application_free(application);
  return failures > 0;
}
