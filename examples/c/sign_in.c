/* SPDX-License-Identifier: MIT */
/** @file sign_in.c Sign in with a device code: show the code, and wait until the user has entered it. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

/** Show the code. Called once, before the first poll. */
static void show(void *user_data, const char *prompt) {
  const struct example *example = user_data;
  json_t *document = json_loads(prompt, 0, NULL);
  if (example->json)
    example_print_line(document);
  else
    printf("Open this page:  %s\nEnter this code: %s\n", example_text(document, "verification_uri"),
           example_text(document, "user_code"));
  fflush(stdout);
  json_decref(document);
}

static tessera_status sign_in(struct example *example, json_t **token) {
  json_t *request = json_pack("{s:O, s:s*}", "scopes", example->scopes, "claims", example->claims);
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_acquire_token_by_device_code(example->application, text, show,
                                                               example, NULL, &response);
  free(text);
  json_decref(request);
  return example_read(status, response, token);
}

int main(int argc, char **argv) {
  struct example example;
  json_t *token = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_STATUS_OK) status = sign_in(&example, &token);
  if (status == TESSERA_STATUS_OK) example_print_token(&example, token);
  json_decref(token);
  example_close(&example);
  return (int)status;
}
