/* SPDX-License-Identifier: MIT */
/** @file sign_out.c Sign out: remove the application's tokens of an account, and print what remains. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

static tessera_status sign_out(const struct example *example, const json_t *account,
                               json_t **result) {
  json_t *id = json_object_get(account, "home_account_id");
  /* The user name identifies an account without an ID, imported from an older library. */
  json_t *request = json_pack("{s:O, s:O*}", "home_account_id", id, "username",
                              json_object_get(account, "username"));
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_sign_out(example->application, text, NULL, &response);
  free(text);
  json_decref(request);
  return example_read(status, response, result);
}

static void print(const struct example *example, const json_t *account, const json_t *report) {
  json_t *kinds = json_array(), *remainder;
  size_t index;
  json_array_foreach(json_object_get(report, "remaining"), index, remainder)
    json_array_append(kinds, json_object_get(remainder, "kind"));
  if (example->json) {
    int removed = json_array_size(json_object_get(report, "accounts")) > 0;
    json_t *line = json_pack("{s:b, s:O}", "removed", removed, "remaining", kinds);
    example_print_line(line);
    json_decref(line);
  } else {
    printf("Signed out %s.\n", example_text(account, "username"));
    json_array_foreach(kinds, index, remainder) printf("Remaining: %s\n", json_string_value(remainder));
  }
  json_decref(kinds);
}

int main(int argc, char **argv) {
  struct example example;
  json_t *account = NULL, *result = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_STATUS_OK) status = example_find_account(&example, &account);
  if (status == TESSERA_STATUS_OK) status = sign_out(&example, account, &result);
  if (status == TESSERA_STATUS_OK) print(&example, account, result);
  json_decref(result);
  json_decref(account);
  example_close(&example);
  return (int)status;
}
