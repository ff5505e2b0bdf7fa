/* SPDX-License-Identifier: MIT */
/** @file example.h What the examples share: options, the application, errors for people. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <jansson.h>
#include <tessera.h>

/** A program that runs: its command line, and the application made from it. */
struct example {
  tessera_application *application;
  /** What tessera_application_create() takes: client id, authority, store. */
  json_t *configuration;
  /** What the token is for, an array of strings. */
  json_t *scopes;
  /** Whose token, by the identifier or by the name; NULL when there is one account only. */
  const char *home_account_id, *username;
  /** What the token is for, as ADAL named it; NULL for scopes. */
  const char *resource;
  /** What an older library wrote, or NULL. */
  const char *file;
  /** The claims of an error or of a resource's challenge, or NULL. */
  const char *claims;
  int force_refresh;
  /** Print one line of JSON for programs instead of text for people. */
  int json;
};

/** Read the command line and make the application. End it with example_close(), also after a failure. */
tessera_status example_open(struct example *example, int argc, char **argv);

/** Free everything that example_open() made. */
void example_close(struct example *example);

/**
 * Turn the answer of a call into *result, or tell the person what went wrong and what to do about it.
 * Frees `response`; *result is NULL unless the status is TESSERA_OK, and the caller's to json_decref().
 * Returns `status`.
 */
tessera_status example_read(tessera_status status, char *response, json_t **result);

/** Find the account of --home-account-id or --username, or the only account there is. */
tessera_status example_find_account(const struct example *example, json_t **account);

/** The text of a member, or "-" when it is not there. */
const char *example_text(const json_t *object, const char *member);

/** Print a document as one line of JSON. */
void example_print_line(const json_t *document);

/** Print where the token came from and how long it is valid. The token itself is never printed. */
void example_print_token(const struct example *example, const json_t *token);

#endif /* EXAMPLE_H */
