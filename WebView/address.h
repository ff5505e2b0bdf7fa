/* SPDX-License-Identifier: MIT */
/* Which addresses a web view may open, and which one ends a sign-in: no window, no library. */
#ifndef TESSERA_WEBVIEW_ADDRESS_H
#define TESSERA_WEBVIEW_ADDRESS_H

/** What is done with an address to which a page wants to go. */
typedef enum {
  /** It is opened: https, or http on this machine. */
  ADDRESS_OPENED,
  /** It is opened in a frame of a page, never in its place: what the page made itself. */
  ADDRESS_FRAMED,
  /** It is the redirect URI: it ends the sign-in and is never opened. */
  ADDRESS_ANSWER,
  /** It is never opened. */
  ADDRESS_REFUSED,
} address_kind;

/**
 * Judges an address.
 *
 * The redirect URI is met when scheme, host and port are its own, whatever their case, and the path is its own to the
 * letter; a query and a fragment may follow. An address with a user's name in it is refused.
 *
 * @param address the address, as WebKit spells it.
 * @param redirect the redirect URI, as the provider was told it.
 */
address_kind address_judge(const char *address, const char *redirect);

/** Copies the part of an address that a person has to look at: scheme and host, with the port; cut to what fits. */
void address_origin(const char *address, char *origin, unsigned long size);

/**
 * Write the title of a window that shows an address: its host and port, with the scheme unless it is https.
 *
 * A long host keeps its end, which decides who owns it: "…ple.com.attacker.example". A title bar would cut the end.
 */
void address_title(const char *address, char *title, unsigned long size);

#endif
