// SPDX-License-Identifier: MIT
// Sums over pages: every bit that changes changes one of the two (SQLite's file format, 4.2 "Checksum Algorithm").

#include "sums.h"

#include <string.h>

uint32_t ctessera_number(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static inline uint32_t word(const unsigned char *bytes, bool swaps) {
  uint32_t number;
  memcpy(&number, bytes, sizeof number);
  return swaps ? __builtin_bswap32(number) : number;
}

typedef struct pair {
  uint32_t first, second;
} pair;

static inline pair step(pair sums, const unsigned char *bytes, bool swaps) {
  sums.first += word(bytes, swaps) + sums.second;
  sums.second += word(bytes + 4, swaps) + sums.first;
  return sums;
}

/// What so many pairs of zeros make of sums: each adds the second to the first, then the first to the second.
///
/// A power of the matrix (1 1, 1 2), all of which are (p q, q p + q).
static pair after_zeros(pair sums, int pairs) {
  for (uint32_t p = 1, q = 1; pairs > 0; pairs >>= 1) {
    if (pairs & 1) {
      uint32_t first = p * sums.first + q * sums.second;
      sums.second = q * sums.first + (p + q) * sums.second;
      sums.first = first;
    }
    uint32_t square = p * p + q * q;
    q *= 2 * p + q;
    p = square;
  }
  return sums;
}

/// Sums of four quarters side by side, since each step waits for the one before it; sums are linear, so they can be put
/// together.
static inline pair quarters(pair start, const unsigned char *bytes, int pairs, bool swaps) {
  pair a = start, b = {0, 0}, c = b, d = b;
  const unsigned char *end = bytes + 8 * (size_t)pairs;
  for (size_t quarter = 8 * (size_t)pairs; bytes < end; bytes += 8) {
    a = step(a, bytes, swaps);
    b = step(b, bytes + quarter, swaps);
    c = step(c, bytes + 2 * quarter, swaps);
    d = step(d, bytes + 3 * quarter, swaps);
  }
  for (int i = 0; i < 3; i++) {
    pair next = i == 0 ? b : i == 1 ? c : d;
    a = after_zeros(a, pairs);
    a.first += next.first;
    a.second += next.second;
  }
  return a;
}

static inline pair sum(pair sums, const unsigned char *bytes, int count, bool swaps) {
  const unsigned char *end = bytes + count;
  int pairs = count / 32;
  // What is short costs more to put together than to add up.
  if (pairs >= 16) {
    sums = quarters(sums, bytes, pairs, swaps);
    bytes += 32 * (size_t)pairs;
  }
  for (; bytes < end; bytes += 8) sums = step(sums, bytes, swaps);
  return sums;
}

void ctessera_sum(uint32_t result[2], const unsigned char *bytes, int count, bool highest_first) {
  pair sums = {result[0], result[1]};
  bool swaps = highest_first != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  sums = swaps ? sum(sums, bytes, count, true) : sum(sums, bytes, count, false);
  result[0] = sums.first;
  result[1] = sums.second;
}
