// SPDX-License-Identifier: MIT
// What nobody can guess, from the system's own generator.

import TesseraEngine

/// The system's random number generator.
package struct SystemRandomness: Randomness {
  /// The system's generator.
  package init() {}

  /// Bytes fit for keys and nonces.
  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word: UInt64 = generator.next()
      let missing = min(count - bytes.count, 8)
      withUnsafeBytes(of: word) { bytes.append(contentsOf: $0.prefix(missing)) }
    }
    return bytes
  }
}
