// SPDX-License-Identifier: MIT
// Whose an entry is, as a number, so that it is found without being decoded.

import TesseraWire

/// A number made of a text as it compares; different texts nearly always have different numbers.
///
/// It only narrows a search: what is found is decoded and compared.
struct ScanPosition: Sendable, Equatable {
  /// FNV-1a, which takes one byte after another.
  private(set) var number: UInt64 = 0xCBF2_9CE4_8422_2325

  /// What is said of an entry that has to be decoded to know whose it is.
  static let unknown: UInt64 = 0

  /// Of nothing yet.
  init() {}

  /// Of a text.
  init(_ text: some StringProtocol) {
    append(String(text))
  }

  /// Adds a text, normalised.
  mutating func append(_ text: String) {
    for byte in text.normalised.utf8 { append(byte) }
  }

  /// Adds a byte; a capital letter as the small one.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    let small = byte &- 0x41 < 26 ? byte | 0x20 : byte
    number = (number ^ UInt64(small)) &* 0x100_0000_01B3
    if number == ScanPosition.unknown { number = 1 }
  }

  /// Of a home account id and an environment, as the account attribute of a key has them.
  static func account(_ homeAccountID: String, _ environment: String) -> UInt64 {
    var mark = ScanPosition(homeAccountID)
    mark.append(UInt8(ascii: "-"))
    mark.append(environment)
    return mark.number
  }
}
