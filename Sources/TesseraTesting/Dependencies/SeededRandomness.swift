// SPDX-License-Identifier: MIT
// A deterministic random number generator.

import Synchronization
import TesseraEngine

/// A generator that returns the same bytes in every run with the same seed; for tests only.
public final class SeededRandomness: Sendable {
  private let state: Mutex<UInt64>

  /// Creates a generator with a seed.
  public init(seed: UInt64 = 1) {
    state = Mutex(seed)
  }

  /// Returns the next bytes.
  public func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      (0..<max(count, 0)).map { _ in UInt8(truncatingIfNeeded: SeededRandomness.next(&state)) }
    }
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

extension SeededRandomness: Randomness {}
