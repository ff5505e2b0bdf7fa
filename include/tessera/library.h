/* SPDX-License-Identifier: MIT */
/**
 * @file library.h
 * The library itself: its versions, and the end of every response. Include tessera.h.
 */
#ifndef TESSERA_LIBRARY_H
#define TESSERA_LIBRARY_H

#include <stdint.h>

#include "declarations.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * The version of the library that was loaded, as text such as "0.1.0": compare with TESSERA_VERSION. Never NULL; not to be
 * freed.
 */
const char *tessera_version(void);

/** The version of the library that was loaded, as one number: compare with TESSERA_VERSION_NUMBER. */
int32_t tessera_version_number(void);

/**
 * The version of the binary interface of the library that was loaded. If it is not TESSERA_ABI_VERSION, the program must be
 * compiled again. It is also the number in libtessera.so.0.
 */
int32_t tessera_abi_version(void);

/**
 * Free a response, after overwriting it: it may hold a token. NULL does nothing. A response must be freed by this function,
 * once, and by no other.
 */
void tessera_string_free(char *TESSERA_NULLABLE string);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_LIBRARY_H */
