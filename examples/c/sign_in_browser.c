/* SPDX-License-Identifier: MIT */
/** @file sign_in_browser.c Sign in with a browser: open the provider's page, and wait for the redirect. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

/** Show the URL. Called before a browser is opened, and also if there is none. */
static void show(void *user_data, const char *prompt) {
  const struct example *example = user_data;
  json_t *document = json_loads(prompt, 0, NULL);
  int opens = json_is_true(json_object_get(document, "opens_browser"));
  if (example->json)
    example_print_line(document);
  else
    printf("%s: %s\n", opens ? "A browser opens. If it does not, open this page" : "Open this page",
           example_text(document, "url"));
  fflush(stdout);
  json_decref(document);
}

static tessera_status sign_in(struct example *example, json_t **token) {
  json_t *request = json_pack("{s:O, s:s*}", "scopes", example->scopes, "claims", example->claims);
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_acquire_token_interactive(example->application, text, show, example,
                                                            NULL, &response);
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
