/* SPDX-License-Identifier: MIT */
/* What the library and the web view say to each other: a request on standard input, lines on standard output. */
#ifndef TESSERA_WEBVIEW_REQUEST_H
#define TESSERA_WEBVIEW_REQUEST_H

#include <stdbool.h>

/** The number of the first line; another one is another way to talk. */
#define REQUEST_VERSION "tessera-webview 1"

enum {
  /** The most bytes of a request. */
  REQUEST_LIMIT = 128 * 1024,
  /** The most bytes of a line that is told. */
  TOLD_LIMIT = 65 * 1024,
};

/** A sign-in, as the library asks for it. */
typedef struct {
  /** The address of the provider's page. */
  const char *page;
  /** The redirect URI. */
  const char *redirect;
  /** Whether cookies are kept for the next sign-in. */
  bool is_shared;
  /** A file of certificates (PEM) to trust beside the system's, or NULL. */
  const char *trust;
  /** The proxy, empty for none, or NULL for those of the desktop. */
  const char *proxy;
  /** Hosts that are reached without it, separated by commas, or NULL. */
  const char *direct;
} request;

/**
 * Reads a request: the version, then `page`, `redirect` and `session` (`ephemeral` or `shared`), perhaps `trust`, `proxy` and
 * `direct`, one a line, with a space before their value, and an empty line.
 *
 * @param descriptor where it comes from.
 * @param found receives it; its texts live as long as the process.
 * @return whether it is whole and understood.
 */
bool request_read(int descriptor, request *found);

/**
 * Tells the library something: `answer ADDRESS`, `posted`, `refused SCHEME`, `untrusted HOST ISSUER`, `closed`,
 * `unavailable WORDS` where there can be no window, or `failed WORDS`. Control characters become spaces, what is too long is
 * cut, except an address, which is then not told.
 *
 * @return whether somebody hears it.
 */
bool request_tell(const char *word, const char *value);

#endif
