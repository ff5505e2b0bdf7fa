/* SPDX-License-Identifier: MIT */
/**
 * @file library.h
 * Version numbers of the loaded library, and the release of responses. Include tessera.h.
 */
#ifndef TESSERA_LIBRARY_H
#define TESSERA_LIBRARY_H

#include <stdint.h>

#include "declarations.h"

TESSERA_BEGIN_DECLARATIONS

/**
 * Get the version of the loaded library as text such as "0.1.0". Compare it with TESSERA_VERSION.
 *
 * Never NULL. Do not free it.
 */
const char *tessera_version(void);

/** Get the version of the loaded library as one number. Compare it with TESSERA_VERSION_NUMBER. */
int32_t tessera_version_number(void);

/**
 * Get the version of the binary interface of the loaded library.
 *
 * If it differs from TESSERA_ABI_VERSION, recompile the program. It is also the number in libtessera.so.0.
 */
int32_t tessera_abi_version(void);

/**
 * Overwrite and free a response, which may contain tokens. NULL does nothing.
 *
 * Free every response with this function, exactly once.
 */
void tessera_string_free(char *TESSERA_NULLABLE string);

TESSERA_END_DECLARATIONS

#endif /* TESSERA_LIBRARY_H */
