// SPDX-License-Identifier: MIT
// A reproducible random number generator, and random mutations of bytes.

import CLibrary

/// A random number generator with the same sequence in each run.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator; equal seeds give equal sequences.
  package init(seed: UInt64) { state = seed }

  /// The number of mutations to test for each file; `TESSERA_MUTATIONS` overrides it.
  package static let mutations =
    getenv("TESSERA_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 1000

  /// Returns the next number.
  package mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Returns the bytes with one to four changes.
  ///
  /// One result in 16 is truncated or has a repeated part.
  package mutating func mutation(of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      bytes[place] =
        Bool.random(using: &self) ? UInt8(truncatingIfNeeded: next()) : bytes[place] ^ 1
    }
    switch next() % 32 {
    case 0: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &self)...)
    case 1: bytes += bytes.prefix(Int.random(in: 0..<bytes.count, using: &self))
    default: break
    }
    return bytes
  }
}
