// SPDX-License-Identifier: MIT
// URL rules of the web view: the URLs that it may open, and the redirect URI that ends a sign-in.

#include "address.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/** A substring. */
typedef struct {
  const char *start;
  size_t length;
} piece;

/** The parts of a URL that the rules use. */
typedef struct {
  piece scheme;
  bool has_authority;
  piece authority;
  piece path;
} parts;

static bool is_equal_ignoring_case(piece left, piece right) {
  return left.length == right.length && strncasecmp(left.start, right.start, left.length) == 0;
}

static bool is_text(piece part, const char *text) {
  return is_equal_ignoring_case(part, (piece){text, strlen(text)});
}

static bool parse_address(const char *address, parts *found) {
  size_t scheme = strspn(address, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  if (scheme == 0 || address[scheme] != ':') return false;
  const char *rest = address + scheme + 1;
  found->scheme = (piece){address, scheme};
  found->has_authority = strncmp(rest, "//", 2) == 0;
  if (found->has_authority) rest += 2;
  size_t authority = found->has_authority ? strcspn(rest, "/?#\\") : 0;
  found->authority = (piece){rest, authority};
  rest += authority;
  found->path = (piece){rest, strcspn(rest, "?#")};
  return true;
}

static bool is_web(const parts *address) {
  return is_text(address->scheme, "https") || is_text(address->scheme, "http");
}

// Returns the authority without the default port of the scheme.
static piece authority_without_default_port(const parts *address) {
  const char *default_port = is_text(address->scheme, "https") ? ":443" : ":80";
  piece authority_without_default_port = address->authority;
  size_t length = strlen(default_port);
  if (is_web(address) && authority_without_default_port.length > length
      && strncmp(authority_without_default_port.start + authority_without_default_port.length - length, default_port, length) == 0) {
    authority_without_default_port.length -= length;
  }
  return authority_without_default_port;
}

// On the web, an empty path equals the root (RFC 9110 section 4.2.3). With other schemes it does not.
static bool is_same_path(const parts *left, const parts *right) {
  bool is_root_left = left->path.length == 0 || (left->path.length == 1 && left->path.start[0] == '/');
  bool is_root_right = right->path.length == 0 || (right->path.length == 1 && right->path.start[0] == '/');
  if (is_web(left) && is_root_left && is_root_right) return true;
  return left->path.length == right->path.length
      && memcmp(left->path.start, right->path.start, left->path.length) == 0;
}

static bool is_redirect(const parts *address, const char *redirect) {
  parts expected;
  return parse_address(redirect, &expected) && is_equal_ignoring_case(address->scheme, expected.scheme)
      && address->has_authority == expected.has_authority
      && is_equal_ignoring_case(authority_without_default_port(address), authority_without_default_port(&expected)) && is_same_path(address, &expected);
}

static bool is_this_machine(piece authority) {
  piece host = authority;
  // A port consists of digits after the last colon. The colons of an IPv6 address are inside brackets.
  while (host.length > 0 && strchr("0123456789", host.start[host.length - 1]) != NULL) host.length--;
  if (host.length == 0 || host.start[host.length - 1] != ':') {
    host = authority;
  } else {
    host.length--;
  }
  return is_text(host, "localhost") || is_text(host, "127.0.0.1") || is_text(host, "[::1]");
}

address_kind address_decide(const char *address, const char *redirect) {
  parts found;
  if (!parse_address(address, &found)) return ADDRESS_REFUSED;
  if (memchr(found.authority.start, '@', found.authority.length) != NULL) return ADDRESS_REFUSED;
  if (is_redirect(&found, redirect)) return ADDRESS_REDIRECT;
  if (is_web(&found)) {
    if (!found.has_authority || found.authority.length == 0) return ADDRESS_REFUSED;
    bool is_open = is_text(found.scheme, "https") || is_this_machine(found.authority);
    return is_open ? ADDRESS_OPENED : ADDRESS_REFUSED;
  }
  if (is_text(found.scheme, "about")) {
    return is_text(found.path, "blank") || is_text(found.path, "srcdoc") ? ADDRESS_OPENED : ADDRESS_REFUSED;
  }
  bool is_created_by_page = is_text(found.scheme, "data") || is_text(found.scheme, "blob");
  return is_created_by_page ? ADDRESS_FRAMED : ADDRESS_REFUSED;
}

void address_title(const char *address, char *title, unsigned long size) {
  enum { longest = 45 };
  parts found;
  if (!parse_address(address, &found) || !found.has_authority) {
    snprintf(title, size, "%s", "");
    return;
  }
  const int length = (int)(found.authority.length < longest ? found.authority.length : longest);
  const bool is_usual = is_text(found.scheme, "https");
  snprintf(
      title, size, "%.*s%s%s%.*s", is_usual ? 0 : (int)found.scheme.length, found.scheme.start, is_usual ? "" : "://",
      found.authority.length > longest ? "\u2026" : "", length, found.authority.start + found.authority.length - length);
}

void address_origin(const char *address, char *origin, unsigned long size) {
  parts found;
  if (!parse_address(address, &found) || !found.has_authority) {
    snprintf(origin, size, "%s", "");
    return;
  }
  int length = (int)(found.authority.length < 255 ? found.authority.length : 255);
  bool is_usual = is_text(found.scheme, "https");
  snprintf(
      origin, size, "%.*s%s%.*s", is_usual ? 0 : (int)found.scheme.length, found.scheme.start,
      is_usual ? "" : "://", length, found.authority.start);
}
