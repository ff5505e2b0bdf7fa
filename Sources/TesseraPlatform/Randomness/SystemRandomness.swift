// SPDX-License-Identifier: MIT
// What nobody can guess, from the system's own generator.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's random number generator.
package struct SystemRandomness: Randomness {
  /// What the system gives at once (getentropy(3)).
  private static let most = 256

  /// The system's generator.
  package init() {}

  /// Bytes fit for keys and nonces.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      bytes += portion(min(count - bytes.count, SystemRandomness.most))
    }
    return bytes
  }

  /// Some bytes, with one question to the system.
  private func portion(_ count: Int) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      filled = getentropy(memory.baseAddress, count) == 0 ? count : 0
    }
    guard bytes.isEmpty else { return bytes }
    // The runtime has other ways where a sandbox knows no such call.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
