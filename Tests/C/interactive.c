/* SPDX-License-Identifier: MIT */
/*
 * One step of a sign-in, blocking or asynchronous: prints "prompt" with the instructions, then the status and the
 * response.
 *
 * usage: interactive block|await|begin|complete|cancel CONFIGURATION REQUEST
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

typedef tessera_status begin(tessera_call_group *calls, tessera_application *application, const char *request,
                             int64_t *call, char **response);

static void show(void *context, const char *prompt) {
  (void)context;
  printf("prompt %s\n", prompt);
  fflush(stdout);
}

/** Prints a status and a response, which is freed. */
static void print_result(tessera_status status, char *response) {
  json_t *answer = check_response("the answer", status, response);
  char *text = json_dumps(answer, JSON_COMPACT);
  printf("%d %s\n", (int)status, text);
  free(text);
  json_decref(answer);
}

/** Takes the next event, watching the descriptor like an event loop; prompts are printed and not freed. */
static char *next(tessera_call_group *calls, int64_t *call, int32_t *kind, tessera_status *status) {
  struct pollfd entry = {tessera_call_group_descriptor(calls), POLLIN, 0};
  char *response = NULL;
  CHECK(poll(&entry, 1, 60000) == 1);
  *status = tessera_call_group_next_event(calls, 0, call, kind, &response);
  CHECK(*call != 0);
  return response;
}

static void call_without_blocking(begin *function, tessera_application *application, const char *request) {
  tessera_call_group *calls = NULL;
  int64_t call = 0;
  int32_t kind = TESSERA_EVENT_PROMPT;
  char *response = NULL;
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  status = function(calls, application, request, &call, &response);
  while (call != 0 && kind == TESSERA_EVENT_PROMPT) {
    tessera_string_free(response);
    response = next(calls, &call, &kind, &status);
    if (kind == TESSERA_EVENT_PROMPT) show(NULL, response);
  }
  print_result(status, response);
  tessera_call_group_free(calls);
}

static int descriptors(void) {
  int count = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (directory != NULL && readdir(directory) != NULL) count++;
  if (directory != NULL) closedir(directory);
  return count;
}

/** Whether the port of a redirect URI has a listener. */
static int listens(const char *redirect_uri) {
  struct sockaddr_in address;
  const char *port = strrchr(redirect_uri, ':');
  int client = socket(AF_INET, SOCK_STREAM, 0);
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons((uint16_t)atoi(port == NULL ? "" : port + 1));
  int connected = connect(client, (struct sockaddr *)&address, sizeof address) == 0;
  close(client);
  return connected;
}

/** Starts a sign-in, and cancels it as soon as its address is available, which is copied. */
static void cancel_one(tessera_call_group *calls, tessera_application *application, const char *request, char *uri) {
  int64_t begun = 0, call = 0;
  int32_t kind = TESSERA_EVENT_RESULT;
  char *response = NULL;
  tessera_status status = tessera_call_group_acquire_token_interactive(calls, application, request, &begun, &response);
  check_status("tessera_call_group_acquire_token_interactive", TESSERA_STATUS_OK, status, response);
  json_t *prompt = check_response("the prompt", TESSERA_STATUS_OK, next(calls, &call, &kind, &status));
  CHECK(call == begun && kind == TESSERA_EVENT_PROMPT && status == TESSERA_STATUS_OK);
  snprintf(uri, 200, "%s", json_string_value(json_object_get(prompt, "redirect_uri")));
  json_decref(prompt);
  CHECK(listens(uri));
  tessera_call_group_cancel(calls, begun);
  json_t *answer = check_response("the answer", TESSERA_STATUS_CANCELLED, next(calls, &call, &kind, &status));
  CHECK(call == begun && kind == TESSERA_EVENT_RESULT && status == TESSERA_STATUS_CANCELLED);
  CHECK(strcmp(error_code(answer), "cancelled") == 0);
  json_decref(answer);
}

/** Cancelled sign-ins leave nothing behind, and the next one may start at once. */
static void cancel_many(tessera_application *application, const char *request) {
  tessera_call_group *calls = NULL;
  char *response = NULL, uri[200];
  tessera_status status = tessera_call_group_create(&calls, &response);
  check_status("tessera_call_group_create", TESSERA_STATUS_OK, status, response);
  cancel_one(calls, application, request, uri);
  int64_t end = milliseconds() + 20000;
  while (listens(uri) && milliseconds() < end) poll(NULL, 0, 5);
  int before = descriptors();
  for (int i = 0; i < 50; i++) cancel_one(calls, application, request, uri);
  while ((listens(uri) || descriptors() > before) && milliseconds() < end) poll(NULL, 0, 5);
  CHECK(!listens(uri) && descriptors() <= before);
  tessera_call_group_free(calls);
}

int main(int count, char **words) {
  if (count != 4) return 2;
  char *response = NULL;
  tessera_application *application = NULL;
  tessera_status status = tessera_application_create(words[2], NULL, &application, &response);
  check_status("tessera_application_create", TESSERA_STATUS_OK, status, response);
  response = NULL;
  if (strcmp(words[1], "block") == 0) {
    status = tessera_application_acquire_token_interactive(application, words[3], show, NULL, NULL, &response);
    print_result(status, response);
  } else if (strcmp(words[1], "await") == 0) {
    call_without_blocking(tessera_call_group_acquire_token_interactive, application, words[3]);
  } else if (strcmp(words[1], "begin") == 0) {
    call_without_blocking(tessera_call_group_begin_sign_in, application, words[3]);
  } else if (strcmp(words[1], "complete") == 0) {
    call_without_blocking(tessera_call_group_complete_sign_in, application, words[3]);
  } else {
    cancel_many(application, words[3]);
  }
  tessera_application_free(application);
  return failures > 0;
}
