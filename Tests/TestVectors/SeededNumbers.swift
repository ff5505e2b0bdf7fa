// SPDX-License-Identifier: MIT
// Numbers as if drawn by lot, the same in each run, and bytes that were damaged by them.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Numbers that are the same in each run.
package struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers that a seed alone decides.
  package init(seed: UInt64) { state = seed }

  /// How many mutations of each file the tests try.
  package static let mutations =
    getenv("TESSERA_MUTATIONS").flatMap { Int(String(cString: $0)) } ?? 1000

  /// The next number.
  package mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Bytes with one to four changes; one in sixteen is cut off or has something twice.
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
