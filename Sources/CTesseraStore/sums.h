/* SPDX-License-Identifier: MIT */
/* Sums over pages, by which damage is recognised: SQLite's own, of its write-ahead log. */
#ifndef CTESSERA_SUMS_H
#define CTESSERA_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/** Four bytes as a number, the lowest one first. */
uint32_t ctessera_number(const unsigned char *bytes);

/** Go on with two sums over some bytes, a multiple of eight; words may have the highest byte first. */
void ctessera_sum(uint32_t sums[2], const unsigned char *bytes, int count, bool highest_first);

#endif
