/* SPDX-License-Identifier: MIT */
/** @file sign_out.c Forget an account: its tokens, for every program of this machine. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

static tessera_status sign_out(const struct example *example, const json_t *account,
                               json_t **result) {
  json_t *id = json_object_get(account, "home_account_id");
  json_t *request = json_pack("{s:O}", "home_account_id", id);
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_remove_account(example->application, text, &response);
  free(text);
  json_decref(request);
  return example_read(status, response, result);
}

static void print(const struct example *example, const json_t *account, const json_t *result) {
  if (example->json)
    example_print_line(result);
  else
    printf("Signed out %s.\n", example_text(account, "username"));
}

int main(int argc, char **argv) {
  struct example example;
  json_t *account = NULL, *result = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_OK) status = example_find_account(&example, &account);
  if (status == TESSERA_OK) status = sign_out(&example, account, &result);
  if (status == TESSERA_OK) print(&example, account, result);
  json_decref(result);
  json_decref(account);
  example_close(&example);
  return (int)status;
}
