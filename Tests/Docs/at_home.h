/* SPDX-License-Identifier: MIT */
/** @file at_home.h The declarations for the C blocks of the pages: an application at the local provider, with Alice. */
#ifndef AT_HOME_H
#define AT_HOME_H

#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

/** The number of Alice's token responses in the block. */
static int seen;

/** Exits with a failure unless a condition holds. */
static inline void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "after the block: %s\n", what);
    exit(1);
  }
}

/** Returns a member of a document; it is freed with the document. */
static inline const char *member(json_t *document, const char *name) {
  const char *text = json_string_value(json_object_get(document, name));
  return text ? text : "";
}

/** Counts a response, which must contain a token of Alice. */
static inline void check_token(const char *response) {
  json_t *token = json_loads(response ? response : "", 0, NULL);
  const char *name = member(json_object_get(token, "account"), "username");
  check(strcmp(name, "alice@contoso.com") == 0, response ? response : "there is no answer");
  json_decref(token);
  seen++;
}

/** Returns the redirect URL after Alice has signed in, in a browser ("page") or in "authenticator"; free it with
 * free(). */
static inline char *opened(const char *response, const char *what) {
  static char command[8192], line[65536];
  json_t *begun = json_loads(response ? response : "", 0, NULL);
  snprintf(command, sizeof command, "alice %s '%s'", what, member(begun, "url"));
  FILE *pipe = popen(command, "r");
  check(pipe && fgets(line, sizeof line, pipe), "the address was not opened");
  pclose(pipe);
  line[strcspn(line, "\n")] = 0;
  json_t *completion = json_pack("{s:s, s:s, s:s}", "state", member(begun, "state"), "url", line,
                                 "source_application", "com.microsoft.azureauthenticator");
  char *text = json_dumps(completion, 0);
  json_decref(completion);
  json_decref(begun);
  return text;
}

/** Waits until a descriptor is readable. */
static inline void wait_for(int descriptor) {
  struct pollfd watched = {descriptor, POLLIN, 0};
  check(poll(&watched, 1, 30000) == 1, "nothing came");
}

/** Creates an application at the local provider, with the settings that Microsoft Authenticator requires. */
static inline tessera_application *at_home(void) {
  tessera_application *application;
  char *response;
  json_t *configuration =
      json_pack("{s:s, s:s, s:s, s:s}", "client_id", "your-client-id", "authority", getenv("DOCS_AUTHORITY"),
                "authority_type", "entra", "bundle_id", "com.contoso.app");
  if (getenv("DOCS_REDIRECT_URI"))
    json_object_set_new(configuration, "redirect_uri", json_string(getenv("DOCS_REDIRECT_URI")));
  char *text = json_dumps(configuration, 0);
  check(tessera_application_create(text, NULL, &application, &response) == TESSERA_STATUS_OK, response);
  tessera_string_free(response);
  free(text);
  json_decref(configuration);
  return application;
}
#endif
