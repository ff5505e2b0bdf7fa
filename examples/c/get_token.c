/* SPDX-License-Identifier: MIT */
/** @file get_token.c Acquire a token without user interaction: from the cache, or with a refresh token. */
#include "example.h"

#include <stdlib.h>

/** Acquire a token. Takes ownership of the request. */
static tessera_status acquire(const struct example *example, json_t *request, json_t **token) {
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_acquire_token_silent(example->application, text, NULL, &response);
  free(text);
  json_decref(request);
  return example_read(status, response, token);
}

static tessera_status get_token(const struct example *example, const json_t *account,
                                json_t **token) {
  /* The user name identifies an account without an ID, imported from an older library. */
  json_t *request =
      json_pack("{s:O, s:O*, s:O, s:b, s:s*}", "home_account_id",
                json_object_get(account, "home_account_id"), "username",
                json_object_get(account, "username"), "scopes", example->scopes, "force_refresh",
                example->force_refresh, "claims", example->claims);
  return acquire(example, request, token);
}

/** Acquire a token as with ADAL: by a resource and the user ID, which is the user name. */
static tessera_status get_token_for_resource(const struct example *example, json_t **token) {
  json_t *request = json_pack("{s:s, s:s*, s:s, s:b, s:s*}", "home_account_id", "", "username",
                              example->username, "resource", example->resource, "force_refresh",
                              example->force_refresh, "claims", example->claims);
  return acquire(example, request, token);
}

int main(int argc, char **argv) {
  struct example example;
  json_t *account = NULL, *token = NULL;
  tessera_status status = example_open(&example, argc, argv);
  if (status == TESSERA_STATUS_OK && example.resource != NULL) {
    status = get_token_for_resource(&example, &token);
  } else if (status == TESSERA_STATUS_OK) {
    status = example_find_account(&example, &account);
    if (status == TESSERA_STATUS_OK) status = get_token(&example, account, &token);
  }
  if (status == TESSERA_STATUS_OK) example_print_token(&example, token);
  json_decref(token);
  json_decref(account);
  example_close(&example);
  return (int)status;
}
