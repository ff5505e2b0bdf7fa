/* SPDX-License-Identifier: MIT */
/* The version of the header, as parts, text and number, is the version of the library. */
#include <stdio.h>
#include <string.h>

#include "check.h"

int main(void) {
  char text[64];
  snprintf(text, sizeof text, "%d.%d.%d", TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR,
           TESSERA_VERSION_PATCH);
  CHECK(strcmp(text, TESSERA_VERSION) == 0);
  CHECK(TESSERA_VERSION_NUMBER ==
        TESSERA_VERSION_MAJOR * 1000000 + TESSERA_VERSION_MINOR * 1000 + TESSERA_VERSION_PATCH);
  CHECK(strcmp(tessera_version(), TESSERA_VERSION) == 0);
  CHECK(tessera_version_number() == TESSERA_VERSION_NUMBER);
  CHECK(tessera_abi_version() == TESSERA_ABI_VERSION);
  return failures != 0;
}
