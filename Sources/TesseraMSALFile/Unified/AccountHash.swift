// SPDX-License-Identifier: MIT
// A hash of the account of an entry, used to find entries without decoding them.

import TesseraCache
import TesseraWire

/// A case-insensitive FNV-1a hash of a string.
///
/// It only narrows a search. The entries found are decoded and compared.
struct AccountHash: Sendable, Equatable {
  /// The hash value, updated with each byte.
  private(set) var number: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The value for an entry that must be decoded to determine its account.
  static let unknown: UInt64 = 0

  /// Creates the hash of an empty string.
  init() {}

  /// Creates the hash of a string.
  init(_ text: some StringProtocol) {
    append(String(text))
  }

  /// Adds a normalised string.
  mutating func append(_ text: String) {
    for byte in text.normalised.utf8 { append(byte) }
  }

  /// Adds a byte.
  ///
  /// Uppercase letters are lowercased.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    let small = byte &- 0x41 < 26 ? byte | 0x20 : byte
    number = (number ^ UInt64(small)) &* 0x100_0000_01B3
    if number == AccountHash.unknown { number = 1 }
  }

  /// Returns the hash of a home account ID and an environment, in the form of the account attribute of a key.
  static func account(_ homeAccountID: String, _ environment: String) -> UInt64 {
    var hash = AccountHash(homeAccountID)
    hash.append(UInt8(ascii: "-"))
    hash.append(environment)
    return hash.number
  }
}
