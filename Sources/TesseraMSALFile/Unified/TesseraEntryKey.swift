// SPDX-License-Identifier: MIT
// The keys in Tessera's own section: the type number and a hash of the record key.

import TesseraCache
import TesseraWire

/// The keys in Tessera's own section.
enum TesseraEntryKey {
  /// The prefix of the keys of imported accounts.
  static let legacyPrefix = Array("\(LegacyAccountRecord.typeNumber)-".utf8)

  /// Returns the key for a record.
  ///
  /// It does not reveal the account and needs no JSON escapes.
  static func text(of key: RecordKey) -> String {
    "\(key.type)-" + Hexadecimal.text(bytes(of: UInt64(bitPattern: key.number)))
  }

  /// Returns the type number in a key, or `nil` if there is none.
  static func typeNumber(in text: String) -> Int? {
    text.split(separator: "-").first.flatMap { Int($0) }
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
