/* SPDX-License-Identifier: MIT */
/** @file example.c Options, the application, and error output. */
#include "example.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Options with a value that is copied to the configuration, or to an object in it. */
static const struct {
  const char *option, *object, *member;
} configuration_options[] = {
    {"--client-id", NULL, "client_id"},
    {"--authority", NULL, "authority"},
    {"--authority-type", NULL, "authority_type"},
    {"--redirect-uri", NULL, "redirect_uri"},
    {"--group", "store", "group"},
    {"--store-directory", "store", "directory"},
    {"--ca-file", "network", "ca_file"},
};

/** Advice for the user by status; see "Statuses" in docs/errors.md. */
static const char *const advice[] = {
    [TESSERA_STATUS_OK] = "nothing",
    [TESSERA_STATUS_SIGN_IN] = "sign in with sign_in",
    [TESSERA_STATUS_RETRY_LATER] = "try again later",
    [TESSERA_STATUS_FIX_REQUEST] = "correct the options of this command",
    [TESSERA_STATUS_FIX_CONFIGURATION] = "check --client-id, --authority and the app registration",
    [TESSERA_STATUS_FIX_STORAGE] = "repair the token store, or choose another one with --store-directory",
    [TESSERA_STATUS_CANCELLED] = "nothing",
    [TESSERA_STATUS_REPORT_BUG] = "report this error, including the message",
};

static void explain(const char *problem, const char *remedy) {
  fprintf(stderr, "Error: %s\nWhat to do: %s.\n", problem, remedy);
}

/** Copies the value of an option to the configuration. Returns 1 on success, 0 on failure, -1 for other options. */
static int configure(json_t *configuration, const char *option, const char *value) {
  for (size_t i = 0; i < sizeof configuration_options / sizeof *configuration_options; i++) {
    if (strcmp(option, configuration_options[i].option) != 0) continue;
    const char *name = configuration_options[i].object;
    if (name != NULL && json_object_get(configuration, name) == NULL)
      json_object_set_new(configuration, name, json_object());
    json_t *object = name == NULL ? configuration : json_object_get(configuration, name);
    return json_object_set_new(object, configuration_options[i].member, json_string(value)) == 0;
  }
  return -1;
}

/** Apply an option with a value. Returns 0 for an unknown option, or a value that is not UTF-8. */
static int apply_option(struct example *example, const char *option, const char *value) {
  int configured = configure(example->configuration, option, value);
  if (configured >= 0) return configured;
  if (strcmp(option, "--scope") == 0)
    return json_array_append_new(example->scopes, json_string(value)) == 0;
  const char **text = strcmp(option, "--home-account-id") == 0 ? &example->home_account_id
                      : strcmp(option, "--username") == 0      ? &example->username
                      : strcmp(option, "--resource") == 0      ? &example->resource
                      : strcmp(option, "--file") == 0          ? &example->file
                      : strcmp(option, "--claims") == 0        ? &example->claims
                                                               : NULL;
  if (text != NULL) *text = value;
  return text != NULL;
}

/** Parse the command line. Returns the name of an invalid option, or NULL. */
static const char *parse_options(struct example *example, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0)
      example->json = 1;
    else if (strcmp(argv[i], "--force-refresh") == 0)
      example->force_refresh = 1;
    else if (i + 1 == argc || !apply_option(example, argv[i], argv[i + 1]))
      return argv[i];
    else
      i++;
  }
  return NULL;
}

tessera_status example_open(struct example *example, int argc, char **argv) {
  memset(example, 0, sizeof *example);
  example->configuration = json_object();
  example->scopes = json_array();
  const char *unusable = parse_options(example, argc, argv);
  if (unusable != NULL) {
    fprintf(stderr,
            "%s: invalid option or value: %s\n"
            "usage: %s --client-id ID [--authority URL]\n"
            "       [--authority-type entra|b2c|ciam|adfs|openid] [--group NAME]\n"
            "       [--store-directory PATH] [--ca-file PATH] [--redirect-uri URI] [--scope SCOPE]...\n"
            "       [--resource RESOURCE] [--home-account-id ID] [--username NAME] [--claims JSON]\n"
            "       [--file PATH] [--force-refresh] [--json]\n",
            argv[0], unusable, argv[0]);
    return TESSERA_STATUS_FIX_REQUEST;
  }
  char *configuration = json_dumps(example->configuration, 0), *response = NULL;
  tessera_status status =
      tessera_application_create(configuration, NULL, &example->application, &response);
  free(configuration);
  json_t *nothing;
  status = example_read(status, response, &nothing);
  json_decref(nothing);
  return status;
}

void example_close(struct example *example) {
  tessera_application_free(example->application);
  json_decref(example->configuration);
  json_decref(example->scopes);
}

tessera_status example_read(tessera_status status, char *response, json_t **result) {
  json_t *document = response == NULL ? NULL : json_loads(response, 0, NULL);
  tessera_string_free(response);
  const json_t *error = json_object_get(document, "error");
  /* A token for fewer scopes than requested has TESSERA_STATUS_SIGN_IN, but no error. */
  if (status == TESSERA_STATUS_SIGN_IN && document != NULL && error == NULL) status = TESSERA_STATUS_OK;
  *result = status == TESSERA_STATUS_OK ? document : NULL;
  if (status == TESSERA_STATUS_OK) return status;

  const char *message = json_string_value(json_object_get(error, "message"));
  const json_t *wait = json_object_get(error, "retry_after");
  int known = status > 0 && (size_t)status < sizeof advice / sizeof *advice;
  explain(message == NULL ? "out of memory" : message, advice[known ? status : TESSERA_STATUS_REPORT_BUG]);
  if (json_is_integer(wait))
    fprintf(stderr, "Wait: %" JSON_INTEGER_FORMAT " seconds.\n", json_integer_value(wait));
  json_decref(document);
  return status;
}

const char *example_text(const json_t *object, const char *member) {
  const char *text = json_string_value(json_object_get(object, member));
  return text == NULL ? "-" : text;
}

static tessera_status find_named(const struct example *example, json_t **account) {
  json_t *request = json_pack("{s:s*, s:s*}", "home_account_id", example->home_account_id,
                              "username", example->username),
         *result;
  char *text = json_dumps(request, 0), *response = NULL;
  tessera_status status = tessera_application_get_account(example->application, text, NULL, &response);
  free(text);
  json_decref(request);
  status = example_read(status, response, &result);
  *account = json_incref(json_object_get(result, "account"));
  json_decref(result);
  return status;
}

tessera_status example_find_account(const struct example *example, json_t **account) {
  *account = NULL;
  if (example->home_account_id != NULL || example->username != NULL)
    return find_named(example, account);
  char *response = NULL;
  json_t *result;
  tessera_status status = tessera_application_get_accounts(example->application, NULL, NULL, &response);
  status = example_read(status, response, &result);
  if (status != TESSERA_STATUS_OK) return status;
  json_t *accounts = json_object_get(result, "accounts");
  size_t count = json_array_size(accounts);
  if (count == 1)
    *account = json_incref(json_array_get(accounts, 0));
  else
    status = count == 0 ? TESSERA_STATUS_SIGN_IN : TESSERA_STATUS_FIX_REQUEST;
  if (count == 0) explain("no account is signed in", advice[TESSERA_STATUS_SIGN_IN]);
  if (count > 1) explain("several accounts are signed in", "choose one with --username");
  json_decref(result);
  return status;
}

/** Returns a 64-bit FNV-1a hash, which identifies a token without printing it. */
static uint64_t fingerprint(const char *text) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (; *text != '\0'; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
  return hash;
}

void example_print_token(const struct example *example, const json_t *token) {
  const char *source = example_text(token, "source");
  const char *username = example_text(json_object_get(token, "account"), "username");
  json_int_t expires_on = json_integer_value(json_object_get(token, "expires_on"));
  size_t index;
  json_t *scope;
  json_array_foreach(json_object_get(token, "declined_scopes"), index, scope)
    fprintf(stderr, "Warning: the server declined the scope %s.\n", json_string_value(scope));
  if (json_is_false(json_object_get(token, "persisted")))
    fprintf(stderr, "Warning: the store could not be written. The sign-in ends with this process.\n");
  if (!example->json) {
    printf("Token for %s from the %s, valid for %" JSON_INTEGER_FORMAT " seconds.\n", username, source,
           expires_on - (json_int_t)time(NULL));
    return;
  }
  char print[17];
  snprintf(print, sizeof print, "%016" PRIx64, fingerprint(example_text(token, "access_token")));
  json_t *line = json_pack("{s:s, s:I, s:s, s:s}", "source", source, "expires_on", expires_on,
                           "username", username, "fingerprint", print);
  example_print_line(line);
  json_decref(line);
}

void example_print_line(const json_t *document) {
  json_dumpf(document, stdout, JSON_COMPACT);
  putchar('\n');
  fflush(stdout);
}
