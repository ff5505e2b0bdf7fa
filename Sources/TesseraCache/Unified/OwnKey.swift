// SPDX-License-Identifier: MIT
// The keys in Tessera's own member: the number of the kind, and a number made of the record's key.

import TesseraWire

/// A key in Tessera's own member.
enum OwnKey {
  /// What the keys of items of older libraries begin with.
  static let legacyPrefix = Array("\(LegacyAccountRecord.typeNumber)-".utf8)

  /// The key of a record; it names nobody, and needs no escapes.
  static func text(of key: RecordKey) -> String {
    "\(key.type)-" + Hexadecimal.text(bytes(of: UInt64(bitPattern: key.number)))
  }

  /// The number of the kind that a key names.
  static func typeNumber(in text: String) -> Int? {
    text.split(separator: "-").first.flatMap { Int($0) }
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
