// SPDX-License-Identifier: MIT
// Cryptographically secure random bytes from the operating system.

import CLibrary
import TesseraEngine

/// The system's random number generator.
package struct SystemRandomness: Randomness {
  /// The maximum number of bytes of one getentropy(3) call.
  private static let maximumRequestSize = 256

  /// Creates the generator.
  package init() {}

  /// Returns random bytes suitable for keys and nonces.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      bytes += singleRequest(min(count - bytes.count, SystemRandomness.maximumRequestSize))
    }
    return bytes
  }

  /// Returns random bytes from a single system call.
  private func singleRequest(_ count: Int) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      filled = getentropy(memory.baseAddress, count) == 0 ? count : 0
    }
    guard bytes.isEmpty else { return bytes }
    // A sandbox may not support getentropy(3). The Swift runtime has other sources.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
