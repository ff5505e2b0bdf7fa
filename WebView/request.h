/* SPDX-License-Identifier: MIT */
/* The protocol between library and web view: a request on standard input, lines of text on standard output. */
#ifndef TESSERA_WEBVIEW_REQUEST_H
#define TESSERA_WEBVIEW_REQUEST_H

#include <stdbool.h>

/** The first line of a request. The number is the version of the protocol. */
#define REQUEST_VERSION "tessera-webview 1"

enum {
  /** The maximum size of a request, in bytes. */
  REQUEST_LIMIT = 128 * 1024,
  /** The maximum size of a line to the library, in bytes. */
  LINE_LIMIT = 65 * 1024,
};

/** A sign-in request from the library. */
typedef struct {
  /** The URL of the sign-in page. */
  const char *page;
  /** The redirect URI. */
  const char *redirect;
  /** Whether cookies are kept for the next sign-in. */
  bool is_shared;
  /** A file of certificates (PEM) to trust in addition to the system's, or NULL. */
  const char *trust;
  /** The proxy; empty for no proxy, NULL for the settings of the desktop. */
  const char *proxy;
  /** Hosts that are reached without the proxy, separated by commas, or NULL. */
  const char *direct;
} request;

/**
 * Reads a request.
 *
 * It consists of the version, then `page`, `redirect` and `session` (`ephemeral` or `shared`), optionally `trust`,
 * `proxy` and `direct`, and an empty line. Each is on one line, with a space before the value.
 *
 * @param descriptor the input.
 * @param found receives the request. Its strings are valid until the process exits.
 * @return whether the request is complete and valid.
 */
bool request_read(int descriptor, request *found);

/**
 * Sends a line to the library.
 *
 * The lines are `answer URL`, `posted`, `refused SCHEME`, `untrusted HOST ISSUER`, `closed`, `unavailable TEXT` if no
 * window can be opened, and `failed TEXT`. Control characters are replaced with spaces. A long value is truncated.
 * For a URL that is too long, `failed` is sent instead.
 *
 * @return whether the line was written.
 */
bool request_send(const char *keyword, const char *value);

#endif
