/* SPDX-License-Identifier: MIT */
/* URL rules of the web view: the URLs that it may open, and the redirect URI that ends a sign-in. */
#ifndef TESSERA_WEBVIEW_ADDRESS_H
#define TESSERA_WEBVIEW_ADDRESS_H

/** The decision about a URL to which a page navigates. */
typedef enum {
  /** Opened: https, or http on this machine. */
  ADDRESS_OPENED,
  /** Opened in a frame only, never as the page: content that the page created itself. */
  ADDRESS_FRAMED,
  /** The redirect URI: ends the sign-in and is never opened. */
  ADDRESS_REDIRECT,
  /** Never opened. */
  ADDRESS_REFUSED,
} address_kind;

/**
 * Decides about a URL.
 *
 * The redirect URI matches if scheme, host and port are equal, ignoring case, and the path is equal, case-sensitively.
 * A query and a fragment may follow. A URL with user information is refused.
 *
 * @param address the URL, as serialized by WebKit.
 * @param redirect the redirect URI, as sent to the provider.
 */
address_kind address_decide(const char *address, const char *redirect);

/** Copies the scheme, unless it is https, and the host with its port. Truncated to fit the buffer. */
void address_origin(const char *address, char *origin, unsigned long size);

/**
 * Writes the title of a window that shows a URL: its host and port, with the scheme unless it is https.
 *
 * A long host is truncated at its start, because its end determines the owner: "…ple.com.attacker.example". A title bar
 * would truncate the end.
 */
void address_title(const char *address, char *title, unsigned long size);

#endif
