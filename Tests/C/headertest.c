/* SPDX-License-Identifier: MIT */
/* Compiles if tessera.h is self-contained, in every supported dialect of C and C++. */
#include "tessera.h"

int main(void) { return TESSERA_STATUS_OK; }
