/* SPDX-License-Identifier: MIT */
/** @file migrate.c Import the sign-ins that an older library, such as ADAL, stored in a file. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

static void print(const struct example *example, const json_t *report) {
  size_t index;
  json_t *account;
  if (example->json) {
    example_print_line(report);
    return;
  }
  json_array_foreach(json_object_get(report, "accounts"), index, account) {
    printf("%s\t%s\t%s\n", example_text(account, "username"), example_text(account, "outcome"),
           example_text(account, "advice"));
  }
}

int main(int argc, char **argv) {
  struct example example;
  json_t *report = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_STATUS_OK) {
    json_t *request = json_pack("{s:s*}", "path", example.file);
    char *text = json_dumps(request, 0), *response = NULL;
    status = tessera_application_migrate(example.application, text, NULL, 0, &response);
    free(text);
    json_decref(request);
    status = example_read(status, response, &report);
  }
  if (status == TESSERA_STATUS_OK) print(&example, report);
  json_decref(report);
  example_close(&example);
  return (int)status;
}
