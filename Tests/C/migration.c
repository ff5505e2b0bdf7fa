/* SPDX-License-Identifier: MIT */
/*
 * Caches of older libraries: imported as bytes and as files, reported, never changed; other data is rejected.
 *
 * usage: migration DIRECTORY   (the caches of Tests/Vectors/legacy-archives)
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *directory;

static tessera_application *application(void) {
  char *response = NULL;
  tessera_application *made = NULL;
  tessera_status status = tessera_application_create(
      "{\"client_id\": \"27AD83C9-FC05-4A6C-AF01-36EDA42ED18F\", "
      "\"store\": {\"policy\": \"memory_only\"}, \"network\": {\"proxy\": \"http://127.0.0.1:9\"}}",
      NULL, &made, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  return made;
}

/** Returns the response to a migration of bytes. */
static json_t *migrated(tessera_application *application, const char *request, const void *data,
                        size_t size, tessera_status expected) {
  char *response = NULL;
  tessera_status status = tessera_application_migrate(application, request, data, size, NULL, &response);
  CHECK(status == expected);
  return check_response("tessera_application_migrate", status, response);
}

/** Returns the number of accounts of a report with an outcome. */
static int count(const json_t *report, const char *outcome) {
  size_t index;
  json_t *account;
  int found = 0;
  json_array_foreach(json_object_get(report, "accounts"), index, account) {
    const char *value = json_string_value(json_object_get(account, "outcome"));
    found += value != NULL && strcmp(value, outcome) == 0;
  }
  return found;
}

/** Checks a cache: its format, the number of imported accounts, and the number of additional records. */
static void file(const char *name, const char *format, int accounts, int records) {
  char path[1000], request[1200];
  static char bytes[200000];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *stream = fopen(path, "rb");
  CHECK(stream != NULL);
  if (stream == NULL) return;
  size_t size = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  tessera_application *made = application();
  json_t *report = migrated(made, "{\"dry_run\": true}", bytes, size, TESSERA_STATUS_OK);
  CHECK(json_is_true(json_object_get(report, "dry_run")));
  const char *found = json_string_value(json_object_get(report, "format"));
  if (found == NULL || strcmp(found, format) != 0) printf("%s is %s\n", name, found);
  CHECK(found != NULL && strcmp(found, format) == 0);
  json_decref(report);
  snprintf(request, sizeof request, "{\"path\": \"%s\", \"format\": \"%s\"}", path, format);
  report = migrated(made, request, NULL, 0, TESSERA_STATUS_OK);
  if (count(report, "migrated") != accounts || json_integer_value(json_object_get(report, "record_count")) != records)
    json_dumpf(report, stdout, 0), printf(" %s\n", name);
  CHECK(count(report, "migrated") == accounts);
  CHECK(json_integer_value(json_object_get(report, "record_count")) == records);
  json_decref(report);
  report = migrated(made, NULL, bytes, size, TESSERA_STATUS_OK);
  CHECK(count(report, "migrated") == 0 && count(report, "already_migrated") == accounts);
  json_decref(report);
  tessera_application_free(made);
}

static void refusals(void) {
  tessera_application *made = application();
  static const char *const requests[] = {
      "{\"path\": 5}", "{\"path\": \"/nowhere\"}", "{\"path\": \"/\"}", "{\"format\": \"zip\"}",
      "{\"format\": 1}", "{\"dry_run\": \"yes\"}", "{\"timeout_milliseconds\": \"1\"}", "{\"paht\": \"a\"}",
      "[]", "{", "{\"path\": \"/dev/zero\"}", "{\"place\": \"home\"}", "{\"place\": 1}",
      "{\"place\": \"azure_cli\", \"path\": \"/a\"}", "{\"place\": \"azure_cli\"}",
  };
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
    json_decref(migrated(made, requests[i], NULL, 0, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, NULL, NULL, 0, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, NULL, NULL, 7, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, NULL, "x", (size_t)-1, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, NULL, "x", (size_t)1 << 40, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, NULL, "", 0, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, NULL, "no cache", 8, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(made, "{\"path\": \"/a\"}", "x", 1, TESSERA_STATUS_FIX_REQUEST));
  json_decref(migrated(NULL, NULL, "x", 1, TESSERA_STATUS_FIX_REQUEST));
  CHECK(tessera_application_migrate(made, NULL, "x", 1, NULL, NULL) == TESSERA_STATUS_FIX_REQUEST);
  tessera_application_free(made);
}

static void exports(void) {
  tessera_application *made = application();
  char *response = NULL;
  tessera_status status = tessera_application_export_sign_ins(made, "{\"format\": \"adal_macos\"}", NULL, 0, NULL, &response);
  json_t *answer = check_response("tessera_application_export_sign_ins", status, response);
  CHECK(status == TESSERA_STATUS_SIGN_IN && strcmp(error_code(answer), "account_not_found") == 0);
  json_decref(answer);
  static const char *const requests[] = {"{}", "{\"format\": \"csv\"}", "{\"format\": 1}", "5"};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    status = tessera_application_export_sign_ins(made, requests[i], NULL, 0, NULL, &response);
    check_status(requests[i], TESSERA_STATUS_FIX_REQUEST, status, response);
  }
  status = tessera_application_export_sign_ins(made, NULL, NULL, 0, NULL, &response);
  check_status("no request", TESSERA_STATUS_FIX_REQUEST, status, response);
  status = tessera_application_export_sign_ins(NULL, "{\"format\": \"adal_macos\"}", NULL, 0, NULL, &response);
  check_status("no application", TESSERA_STATUS_FIX_REQUEST, status, response);
  tessera_application_free(made);
}

/** Returns the number of refresh tokens that a sign-out by name removes for an account without an ID. */
static int signed_out(tessera_application *application, const char *request) {
  char *response = NULL;
  tessera_status status = tessera_application_sign_out(application, request, NULL, &response);
  json_t *answer = check_response("tessera_application_sign_out", status, response);
  CHECK(status == TESSERA_STATUS_OK);
  int count = (int)json_integer_value(
      json_object_get(json_object_get(answer, "removed"), "refresh_tokens"));
  json_decref(answer);
  return count;
}

/** Accounts without an ID: removed by name, counted, and not restored. */
static void accounts_without_id(void) {
  tessera_application *made = application();
  static const char cache[] =
      "[{\"refreshToken\":\"a\",\"userId\":\"alice@contoso.com\",\"isMRRT\":true,"
      "\"_clientId\":\"27AD83C9-FC05-4A6C-AF01-36EDA42ED18F\","
      "\"_authority\":\"https://login.microsoftonline.com/common\"}]";
  json_decref(migrated(made, "{\"format\":\"adal_python\"}", cache, sizeof cache - 1, TESSERA_STATUS_OK));
  static const char request[] = "{\"home_account_id\":\"\",\"username\":\"ALICE@contoso.com\"}";
  CHECK(signed_out(made, request) == 1);
  CHECK(signed_out(made, request) == 0);
  json_t *report = migrated(made, "{\"format\":\"adal_python\"}", cache, sizeof cache - 1, TESSERA_STATUS_OK);
  CHECK(count(report, "not_migrated") == 1);
  json_decref(report);
  tessera_application_free(made);
}

/** The cache of the Azure CLI is found at the location of its environment, with its format whatever its contents. */
static void place(void) {
  char path[1000];
  tessera_application *made = application();
  snprintf(path, sizeof path, "%s/generated-azure-cli.json", directory);
  setenv("AZURE_ACCESS_TOKEN_FILE", path, 1);
  json_t *report = migrated(made, "{\"place\": \"azure_cli\"}", NULL, 0, TESSERA_STATUS_OK);
  CHECK(count(report, "migrated") == 1);
  CHECK(strcmp(json_string_value(json_object_get(report, "format")), "azure_cli") == 0);
  json_decref(report);
  json_decref(migrated(made, "{\"place\": \"azure_cli\"}", "x", 1, TESSERA_STATUS_FIX_REQUEST));
  unsetenv("AZURE_ACCESS_TOKEN_FILE");
  tessera_application_free(made);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  directory = argv[1];
  setenv("AZURE_CONFIG_DIR", "/nowhere", 1);
  refusals();
  place();
  exports();
  accounts_without_id();
  file("adal-objc-genuine-1.x-no-resource.bplist", "adal_apple_item", 1, 0);
  file("adal-objc-genuine-1.x-with-resource.bplist", "adal_apple_item", 1, 0);
  file("generated-2.6-ios-mrrt.bplist", "adal_apple_item", 1, 0);
  file("generated-2.6-ios-access-token.bplist", "adal_apple_item", 0, 0);
  file("generated-2.2-ios-tombstone.bplist", "adal_apple_item", 0, 0);
  file("generated-2.6-mac-blob.bplist", "adal_macos", 2, 0);
  file("generated-msid-mac-blob.bplist", "adal_macos", 2, 0);
  file("generated-wipe.bplist", "adal_apple_item", 0, 0);
  file("generated-adal-dotnet-v3.bin", "adal_dotnet", 1, 0);
  file("generated-adal-python.json", "adal_python", 1, 0);
  file("generated-azure-cli.json", "azure_cli", 1, 0);
  file("generated-adal-node.json", "adal_node", 1, 0);
  file("cachecompat_dotnet_dictionary.bin", "msal_dotnet", 1, 4);
  file("cachecompat_python.bin", "msal_macos", 1, 3);
  file("token_cache_adfs.json", "msal_macos", 1, 5);
  return failures != 0;
}
