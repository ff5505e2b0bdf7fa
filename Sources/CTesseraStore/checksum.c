// SPDX-License-Identifier: MIT
// Page checksums: any single-bit change alters at least one of the two sums (SQLite's file format, 4.2 "Checksum
// Algorithm").

#include "checksum.h"

#include <string.h>

uint32_t ctessera_decode_u32(const unsigned char *bytes) {
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

/// Returns the sums after a number of pairs of zero words. Each pair adds the second sum to the first, then the first
/// to the second.
///
/// This is a power of the matrix (1 1, 1 2). All its powers have the form (p q, q p + q).
static pair advance_over_zeros(pair sums, int pairs) {
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

typedef uint32_t lanes __attribute__((vector_size(16)));

static inline lanes load(const unsigned char *bytes) {
  lanes lanes;
  memcpy(&lanes, bytes, sizeof lanes);
  return lanes;
}

#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/// Computes the sums of four quarters in parallel, because each step depends on the previous one. The sums are linear,
/// so that they can be combined.
static pair sum_in_quarters(pair start, const unsigned char *bytes, int pairs) {
  lanes first = {start.first, 0, 0, 0}, second = {start.second, 0, 0, 0};
  size_t quarter = 8 * (size_t)pairs;
  for (const unsigned char *end = bytes + quarter; bytes < end; bytes += 16) {
    lanes a = load(bytes), b = load(bytes + quarter);
    lanes c = load(bytes + 2 * quarter), d = load(bytes + 3 * quarter);
    lanes ab = PICK(a, b, 0, 4, 1, 5), cd = PICK(c, d, 0, 4, 1, 5);
    first += PICK(ab, cd, 0, 1, 4, 5) + second;
    second += PICK(ab, cd, 2, 3, 6, 7) + first;
    ab = PICK(a, b, 2, 6, 3, 7), cd = PICK(c, d, 2, 6, 3, 7);
    first += PICK(ab, cd, 0, 1, 4, 5) + second;
    second += PICK(ab, cd, 2, 3, 6, 7) + first;
  }
  pair sums = {first[0], second[0]};
  for (int i = 1; i < 4; i++) {
    sums = advance_over_zeros(sums, pairs);
    sums.first += first[i];
    sums.second += second[i];
  }
  return sums;
}

void ctessera_checksum(uint32_t result[2], const unsigned char *bytes, int count, bool highest_first) {
  pair sums = {result[0], result[1]};
  const unsigned char *end = bytes + count;
  bool swaps = highest_first != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
  int pairs = count / 64 * 2;
  // For short data, combining costs more than it saves. Logs with the other byte order are from other machines.
  if (pairs >= 16 && !swaps) {
    sums = sum_in_quarters(sums, bytes, pairs);
    bytes += 32 * (size_t)pairs;
  }
  for (; bytes < end; bytes += 8) sums = step(sums, bytes, swaps);
  result[0] = sums.first;
  result[1] = sums.second;
}
