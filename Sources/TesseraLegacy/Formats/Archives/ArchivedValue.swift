// SPDX-License-Identifier: MIT
// The value of an object in a keyed archive, and its class.

import TesseraCache
package import TesseraWire

/// The value of an object in a keyed archive.
///
/// Nested objects are references, which are resolved on request.
package enum ArchivedValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case dictionary(ArchivedDictionary)
  /// An array or a set, as the indexes of its elements.
  case array([Int])
  case instance(ArchivedInstance)
  /// A value of an unsupported type.
  case unknown

  /// The string, or `nil` for any other value.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The point in time of a date, or `nil` for any other value and for dates out of range.
  package var instant: Instant? {
    guard case .date(let seconds) = self else { return nil }
    return Int64(exactly: seconds.rounded(.down)).map {
      Instant(secondsSince1970: $0).adding(seconds: ArchivedValue.epoch)
    }
  }

  /// The number, or `nil` for any other value.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The start of Apple's reference date, in seconds since 1970.
  package static let epoch: Int64 = 978_307_200
}

/// A dictionary of a keyed archive with objects as keys.
package struct ArchivedDictionary: Sendable {
  /// Whether it is a mutable dictionary.
  package let isMutable: Bool
  /// The indexes of keys and values.
  package let pairs: [(key: Int, value: Int)]
}

/// An instance of an unknown class.
package struct ArchivedInstance: Sendable {
  package let className: String
  /// The members, as object numbers of the property list.
  let members: [String: Int]
}
