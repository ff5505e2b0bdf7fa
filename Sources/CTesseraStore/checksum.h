/* SPDX-License-Identifier: MIT */
/* Page checksums that detect damage: the algorithm of SQLite's write-ahead log. */
#ifndef CTESSERA_CHECKSUM_H
#define CTESSERA_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

/** Decode four bytes as a little-endian integer. */
uint32_t ctessera_decode_u32(const unsigned char *bytes);

/** Continue two sums over bytes, a multiple of eight. The words are big-endian if `highest_first` is set. */
void ctessera_checksum(uint32_t sums[2], const unsigned char *bytes, int count, bool highest_first);

#endif
