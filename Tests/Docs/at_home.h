/* SPDX-License-Identifier: MIT */
/** @file at_home.h What the C blocks of the pages presuppose: an application at the local provider, with Alice. */
#ifndef AT_HOME_H
#define AT_HOME_H

#include <jansson.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

/** How many answers of Alice's the block has seen. */
static int seen;

/** End with a failure unless something holds. */
static inline void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "after the block: %s\n", what);
    exit(1);
  }
}

/** A member of a document; freed with it. */
static inline const char *member(json_t *document, const char *name) {
  const char *text = json_string_value(json_object_get(document, name));
  return text ? text : "";
}

/** Count an answer, which has to be a token of Alice's. */
static inline void check_token(const char *response) {
  json_t *token = json_loads(response ? response : "", 0, NULL);
  const char *name = member(json_object_get(token, "account"), "username");
  check(strcmp(name, "alice@contoso.com") == 0, response ? response : "there is no answer");
  json_decref(token);
  seen++;
}

/** The completion of a sign-in that Alice ends in a browser ("page") or in "authenticator"; freed with free(). */
static inline char *opened(const char *response, const char *what) {
  static char command[8192], line[65536];
  json_t *begun = json_loads(response ? response : "", 0, NULL);
  snprintf(command, sizeof command, "person %s '%s'", what, member(begun, "url"));
  FILE *pipe = popen(command, "r");
  check(pipe && fgets(line, sizeof line, pipe), "nobody has opened the address");
  pclose(pipe);
  line[strcspn(line, "\n")] = 0;
  json_t *completion = json_pack("{s:s, s:s, s:s}", "state", member(begun, "state"), "url", line,
                                 "source_application", "com.microsoft.azureauthenticator");
  char *text = json_dumps(completion, 0);
  json_decref(completion);
  json_decref(begun);
  return text;
}

/** Wait until a descriptor is readable. */
static inline void wait_for(int descriptor) {
  struct pollfd watched = {descriptor, POLLIN, 0};
  check(poll(&watched, 1, 30000) == 1, "nothing came");
}

/** An application at the local provider, with what Microsoft Authenticator asks of one. */
static inline tessera_application *at_home(void) {
  tessera_application *application;
  char *response;
  json_t *configuration =
      json_pack("{s:s, s:s, s:s, s:s}", "client_id", "your-client-id", "authority", getenv("DOCS_AUTHORITY"),
                "authority_type", "entra", "bundle_id", "com.contoso.app");
  if (getenv("DOCS_REDIRECT_URI"))
    json_object_set_new(configuration, "redirect_uri", json_string(getenv("DOCS_REDIRECT_URI")));
  char *text = json_dumps(configuration, 0);
  check(tessera_application_create(text, NULL, &application, &response) == TESSERA_OK, response);
  tessera_string_free(response);
  free(text);
  json_decref(configuration);
  return application;
}
#endif
