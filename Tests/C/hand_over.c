/* SPDX-License-Identifier: MIT */
/* Redirect URLs without a pending sign-in; usage: hand_over [URL], which prints the status for that URL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void check_refused(const char *what, const char *url, tessera_cancellation *cancellation,
                          tessera_status expected, const char *code) {
  char *response = NULL;
  tessera_status status = tessera_library_hand_over_url(url, cancellation, &response);
  json_t *document = check_response(what, status, response);
  CHECK(status == expected);
  CHECK(strcmp(error_code(document), code) == 0);
  json_decref(document);
}

static void check_all(void) {
  static char large[(1 << 20) + 2];
  memset(large, 'a', sizeof large - 1);
  const char *url = "com.example.app://auth?code=c&state=nobody";
  check_refused("no address", NULL, NULL, TESSERA_STATUS_FIX_REQUEST, "missing_parameter");
  check_refused("no UTF-8", "a:\xff?state=b", NULL, TESSERA_STATUS_FIX_REQUEST, "invalid_member");
  check_refused("more than a megabyte", large, NULL, TESSERA_STATUS_FIX_REQUEST, "invalid_member");
  large[1 << 20] = '\0';
  check_refused("a megabyte", large, NULL, TESSERA_STATUS_FIX_REQUEST, "state_mismatch");
  check_refused("no pending sign-in", url, NULL, TESSERA_STATUS_FIX_REQUEST, "state_mismatch");
  check_refused("no state", "com.example.app://auth?code=c", NULL, TESSERA_STATUS_FIX_REQUEST, "state_mismatch");
  check_refused("empty", "", NULL, TESSERA_STATUS_FIX_REQUEST, "state_mismatch");
  tessera_cancellation *cancellation = tessera_cancellation_create();
  tessera_cancellation_cancel(cancellation);
  check_refused("cancelled", url, cancellation, TESSERA_STATUS_CANCELLED, "cancelled");
  tessera_cancellation_free(cancellation);
  static unsigned char nothing[4096];
  check_refused("no cancellation", url, (tessera_cancellation *)(void *)nothing, TESSERA_STATUS_FIX_REQUEST,
                "missing_parameter");
  CHECK(tessera_library_hand_over_url(url, NULL, NULL) == TESSERA_STATUS_FIX_REQUEST);
}

int main(int count, char **words) {
  if (count == 1) {
    check_all();
  } else {
    char *response = NULL;
    tessera_status status = tessera_library_hand_over_url(words[1], NULL, &response);
    json_decref(check_response("tessera_library_hand_over_url", status, response));
    printf("%d\n", (int)status);
  }
  return failures != 0;
}
