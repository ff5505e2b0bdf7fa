/* SPDX-License-Identifier: MIT */
/*
 * A C program that uses the store, the network, the keyring, the broker and a browser once.
 *
 * usage: program STORE-CONFIGURATION NETWORK-CONFIGURATION REMOTE-CONFIGURATION REQUEST [crash]
 *        (crash: writes to address 0 at the end)
 * Prints AT_SECURE, the caught signals and one line for each call: its name and the error code, or "ok".
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <tessera.h>

/* Prints a line of /proc/self/status that begins with `name`. */
static void print_status_line(const char *name) {
  char line[256];
  FILE *status = fopen("/proc/self/status", "re");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0) fputs(line, stdout);
  }
  if (status != NULL) fclose(status);
}

/* Prints the code of an error document, or "ok". */
static void print_result(const char *call, tessera_status status, char *response) {
  const char *member = response != NULL ? strstr(response, "\"code\":") : NULL;
  if (status == TESSERA_STATUS_OK) {
    printf("%s: ok\n", call);
  } else {
    const char *code = member != NULL ? strchr(member + 7, '"') : NULL;
    if (code == NULL)
      printf("%s: status %d\n", call, (int)status);
    else
      printf("%s: %.*s\n", call, (int)strcspn(code + 1, "\""), code + 1);
  }
  fflush(stdout);
  tessera_string_free(response);
}

/* Creates an application; NULL and a line of output if that fails. */
static tessera_application *create(const char *configuration) {
  tessera_application *application = NULL;
  char *response = NULL;
  tessera_status status = tessera_application_create(configuration, NULL, &application, &response);
  if (status == TESSERA_STATUS_OK)
    tessera_string_free(response);
  else
    print_result("create", status, response);
  return application;
}

static void use_store(const char *configuration) {
  tessera_application *application = create(configuration);
  char *response = NULL;
  tessera_status status = tessera_application_get_accounts(application, NULL, &response);
  print_result("store", status, response);
  status = tessera_library_known_caches("{}", &response);
  print_result("caches", status, response);
  status = tessera_application_get_broker_version(application, NULL, NULL, &response);
  print_result("broker", status, response);
  status = tessera_application_get_store_info(application, NULL, &response);
  print_result("key", status, response);
  tessera_application_free(application);
}

static void use_network(const char *configuration, const char *request) {
  tessera_application *application = create(configuration);
  char *response = NULL;
  tessera_status status = tessera_application_begin_sign_in(application, request, NULL, &response);
  print_result("network", status, response);
  status = tessera_application_acquire_token_interactive(application, request, NULL, NULL, NULL, &response);
  print_result("browser", status, response);
  tessera_application_free(application);
}

/* An authority on another machine: its requests are the ones that a proxy of the environment would get. */
static void use_remote(const char *configuration, const char *request) {
  tessera_application *application = create(configuration);
  char *response = NULL;
  tessera_status status = tessera_application_begin_sign_in(application, request, NULL, &response);
  print_result("remote", status, response);
  tessera_application_free(application);
}

int main(int count, char **words) {
  if (count < 5) return 64;
  printf("AT_SECURE: %lu\n", getauxval(AT_SECURE));
  use_store(words[1]);
  use_network(words[2], words[4]);
  use_remote(words[3], words[4]);
  print_status_line("SigCgt:");
  fflush(stdout);
  if (count > 5) *(volatile int *)0 = 1;
  return 0;
}
