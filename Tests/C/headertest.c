/* SPDX-License-Identifier: MIT */
/* Compiles when tessera.h stands on its own, in every dialect of C and C++ that it promises. */
#include "tessera.h"

int main(void) { return TESSERA_OK; }
