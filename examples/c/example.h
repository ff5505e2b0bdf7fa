/* SPDX-License-Identifier: MIT */
/** @file example.h Common code of the examples: options, the application and error output. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <jansson.h>
#include <tessera.h>

/** A running example: its command line, and the application created from it. */
struct example {
  tessera_application *application;
  /** The configuration for tessera_application_create(): client ID, authority and store. */
  json_t *configuration;
  /** The requested scopes, an array of strings. */
  json_t *scopes;
  /** The account, by ID or by user name. Both are NULL if there is only one account. */
  const char *home_account_id, *username;
  /** The requested resource, as in ADAL; NULL to request scopes. */
  const char *resource;
  /** The cache file of an older library, or NULL. */
  const char *file;
  /** The claims of an error or of a resource's claims challenge, or NULL. */
  const char *claims;
  int force_refresh;
  /** Print one line of JSON instead of text. */
  int json;
};

/** Parse the command line and create the application. Call example_close() afterwards, even after a failure. */
tessera_status example_open(struct example *example, int argc, char **argv);

/** Free everything that example_open() allocated. */
void example_close(struct example *example);

/**
 * Parse the response of a call into *result, or print the error with advice.
 * Frees `response`. *result is NULL after an error. Free it with json_decref().
 * Returns `status`, or TESSERA_STATUS_OK for a token with "declined_scopes", which example_print_token() reports.
 */
tessera_status example_read(tessera_status status, char *response, json_t **result);

/** Find the account of --home-account-id or --username, or the only account. */
tessera_status example_find_account(const struct example *example, json_t **account);

/** Returns the text of a member, or "-" if it is missing. */
const char *example_text(const json_t *object, const char *member);

/** Print a document as one line of JSON. */
void example_print_line(const json_t *document);

/** Print the source of the token and its remaining lifetime. The token itself is never printed. */
void example_print_token(const struct example *example, const json_t *token);

#endif /* EXAMPLE_H */
