// SPDX-License-Identifier: MIT
// Sums over pages: every bit that changes changes one of the two (SQLite's file format, 4.2 "Checksum Algorithm").

#include "sums.h"

uint32_t ctessera_number(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static uint32_t word(const unsigned char *bytes, bool highest_first) {
  uint32_t number = ctessera_number(bytes);
  return highest_first ? __builtin_bswap32(number) : number;
}

void ctessera_sum(uint32_t sums[2], const unsigned char *bytes, int count, bool highest_first) {
  uint32_t first = sums[0], second = sums[1];
  for (const unsigned char *end = bytes + count; bytes < end; bytes += 8) {
    first += word(bytes, highest_first) + second;
    second += word(bytes + 4, highest_first) + first;
  }
  sums[0] = first;
  sums[1] = second;
}
