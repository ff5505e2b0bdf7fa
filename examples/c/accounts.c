/* SPDX-License-Identifier: MIT */
/** @file accounts.c List the signed-in accounts of all applications that share the token store. */
#include "example.h"

#include <stdio.h>

static void print(const struct example *example, const json_t *result) {
  size_t index;
  json_t *account;
  if (example->json)
    example_print_line(result);
  else
    json_array_foreach(json_object_get(result, "accounts"), index, account)
        printf("%s\t%s\t%s\n", example_text(account, "username"),
               example_text(account, "environment"), example_text(account, "home_account_id"));
}

int main(int argc, char **argv) {
  struct example example;
  json_t *result = NULL;
  char *response = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_STATUS_OK) {
    status = tessera_application_get_accounts(example.application, NULL, &response);
    status = example_read(status, response, &result);
  }
  if (status == TESSERA_STATUS_OK) print(&example, result);
  json_decref(result);
  example_close(&example);
  return (int)status;
}
