/* SPDX-License-Identifier: MIT */
/* Addresses that a web view opens, redirects that end a sign-in, and addresses that it rejects. */

#include "../../WebView/address.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *address;
  const char *redirect;
  address_kind kind;
} row;

static const row ROWS[] = {
    {"https://login.example/authorize?x=1", "http://localhost", ADDRESS_OPENED},
    {"HTTPS://login.example/", "http://localhost", ADDRESS_OPENED},
    {"http://localhost:8080/a", "http://localhost/", ADDRESS_OPENED},
    {"http://127.0.0.1/a", "http://localhost/", ADDRESS_OPENED},
    {"http://[::1]:80/a", "http://localhost/", ADDRESS_OPENED},
    {"http://login.example/", "http://localhost", ADDRESS_REFUSED},
    {"http://127.0.0.2/", "http://localhost", ADDRESS_REFUSED},
    {"http://127.0.0.1.login.example/", "http://localhost", ADDRESS_REFUSED},
    {"http://localhost.login.example/", "http://localhost", ADDRESS_REFUSED},
    {"http://localhost:80@login.example/", "http://localhost", ADDRESS_REFUSED},
    {"https://a@login.example/", "http://localhost", ADDRESS_REFUSED},
    {"http://::1/", "http://localhost", ADDRESS_REFUSED},
    {"http:///a", "http://localhost", ADDRESS_REFUSED},
    {"https:", "http://localhost", ADDRESS_REFUSED},
    {"file:///etc/passwd", "http://localhost", ADDRESS_REFUSED},
    {"ftp://login.example/", "http://localhost", ADDRESS_REFUSED},
    {"javascript:alert(1)", "http://localhost", ADDRESS_REFUSED},
    {"view-source:https://login.example/", "http://localhost", ADDRESS_REFUSED},
    {"webkit://gpu", "http://localhost", ADDRESS_REFUSED},
    {"about:blank", "http://localhost", ADDRESS_OPENED},
    {"about:srcdoc", "http://localhost", ADDRESS_OPENED},
    {"about:gpu", "http://localhost", ADDRESS_REFUSED},
    {"data:text/html,x", "http://localhost", ADDRESS_FRAMED},
    {"blob:https://login.example/1", "http://localhost", ADDRESS_FRAMED},
    {"", "http://localhost", ADDRESS_REFUSED},
    {"no address", "http://localhost", ADDRESS_REFUSED},
    {"//login.example/", "http://localhost", ADDRESS_REFUSED},
    {"http://localhost/?code=c", "http://localhost", ADDRESS_REDIRECT},
    {"http://localhost:80/?code=c", "http://localhost", ADDRESS_REDIRECT},
    {"http://localhost?code=c", "http://localhost/", ADDRESS_REDIRECT},
    {"http://LOCALHOST/cb?code=c", "http://localhost/cb", ADDRESS_REDIRECT},
    {"http://localhost/cb#code=c", "http://localhost/cb", ADDRESS_REDIRECT},
    {"http://localhost/CB?code=c", "http://localhost/cb", ADDRESS_OPENED},
    {"http://localhost/cb/?code=c", "http://localhost/cb", ADDRESS_OPENED},
    {"http://localhost/cbx?code=c", "http://localhost/cb", ADDRESS_OPENED},
    {"http://localhost:8400/?code=c", "http://localhost", ADDRESS_OPENED},
    {"http://localhost:8400/?code=c", "http://localhost:8400", ADDRESS_REDIRECT},
    {"https://localhost/?code=c", "http://localhost", ADDRESS_OPENED},
    {"https://app.example:443/cb?code=c", "https://app.example/cb", ADDRESS_REDIRECT},
    {"https://app.example.evil/cb?code=c", "https://app.example/cb", ADDRESS_OPENED},
    {"https://app.example@evil.example/cb", "https://app.example/cb", ADDRESS_REFUSED},
    {"msauth.com.example://auth?code=c", "msauth.com.example://auth", ADDRESS_REDIRECT},
    {"MSAUTH.com.example://AUTH?code=c", "msauth.com.example://auth", ADDRESS_REDIRECT},
    {"msauth.com.example://auth/?code=c", "msauth.com.example://auth", ADDRESS_REFUSED},
    {"msauth.com.example://authx?code=c", "msauth.com.example://auth", ADDRESS_REFUSED},
    {"msauth.com.example:/auth?code=c", "msauth.com.example://auth", ADDRESS_REFUSED},
    {"com.example:/auth?code=c", "com.example:/auth", ADDRESS_REDIRECT},
    {"com.example://?code=c", "com.example://", ADDRESS_REDIRECT},
};

int main(void) {
  int wrong = 0;
  for (unsigned i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
    address_kind kind = address_decide(ROWS[i].address, ROWS[i].redirect);
    if (kind == ROWS[i].kind) continue;
    printf("%s with %s is %d, not %d\n", ROWS[i].address, ROWS[i].redirect, kind, ROWS[i].kind);
    wrong++;
  }
  char origin[16];
  address_origin("https://login.example/x?y", origin, sizeof(origin));
  if (strcmp(origin, "login.example") != 0) wrong++;
  address_origin("http://localhost:80/", origin, sizeof(origin));
  if (strcmp(origin, "http://localhos") != 0) wrong++;
  address_origin("about:blank", origin, sizeof(origin));
  if (origin[0] != 0) wrong++;
  char title[80];
  address_title("https://login.example/x", title, sizeof(title));
  if (strcmp(title, "login.example") != 0) wrong++;
  address_title("https://login.microsoftonline.com.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.evil.example/", title, sizeof(title));
  if (strcmp(title, "\u2026aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.evil.example") != 0) printf("%s\n", title), wrong++;
  address_title("http://login.microsoftonline.com.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.evil.example/", title, sizeof(title));
  if (strncmp(title, "http://\u2026aaa", 13) != 0) printf("%s\n", title), wrong++;
  return wrong == 0 ? 0 : 1;
}
