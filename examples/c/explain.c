/* SPDX-License-Identifier: MIT */
/** @file explain.c Explain the result of get_token, with all tokens that the store has for the account. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

static tessera_status explain(const struct example *example, const json_t *account,
                              json_t **explanation) {
  json_t *id = json_object_get(account, "home_account_id");
  json_t *request = json_pack("{s:O, s:O, s:b}", "home_account_id", id, "scopes", example->scopes,
                              "force_refresh", example->force_refresh);
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_explain(example->application, text, &response);
  free(text);
  json_decref(request);
  return example_read(status, response, explanation);
}

static void print(const json_t *explanation) {
  printf("%s (%s): %s\n", example_text(explanation, "decision"), example_text(explanation, "reason"),
         example_text(explanation, "message"));
  size_t index;
  json_t *token;
  json_array_foreach(json_object_get(explanation, "candidates"), index, token)
    printf("  %s: %s\n", example_text(token, "role"), example_text(token, "credential_type"));
}

static void print_line(const json_t *explanation) {
  json_t *candidates = json_object_get(explanation, "candidates");
  json_t *line = json_pack("{s:s, s:s, s:i}", "decision", example_text(explanation, "decision"),
                           "reason", example_text(explanation, "reason"), "candidates",
                           (int)json_array_size(candidates));
  example_print_line(line);
  json_decref(line);
}

int main(int argc, char **argv) {
  struct example example;
  json_t *account = NULL, *explanation = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_STATUS_OK) status = example_find_account(&example, &account);
  if (status == TESSERA_STATUS_OK) status = explain(&example, account, &explanation);
  if (status == TESSERA_STATUS_OK) (example.json ? print_line : print)(explanation);
  json_decref(explanation);
  json_decref(account);
  example_close(&example);
  return (int)status;
}
