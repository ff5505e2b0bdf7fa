// SPDX-License-Identifier: MIT
// What an object of a keyed archive stands for, and of which class it is.

package import TesseraWire

/// An object of a keyed archive; what is inside it is named by its place and read when it is asked for.
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
  /// An array or a set, as the places of its elements.
  case array([Int])
  case instance(ArchivedInstance)
  /// Nothing that is known how to read.
  case unknown

  /// The text of a string; nil for every other kind.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The point in time of a date; nil for every other kind, and for a date beyond all time.
  package var instant: Instant? {
    guard case .date(let seconds) = self else { return nil }
    return Int64(exactly: seconds.rounded(.down)).map {
      Instant(secondsSince1970: $0).adding(seconds: ArchivedValue.epoch)
    }
  }

  /// Any number; nil for every other kind.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// When Apple's times begin, in seconds since 1970.
  package static let epoch: Int64 = 978_307_200
}

/// A dictionary of a keyed archive, whose keys are objects as well.
package struct ArchivedDictionary: Sendable {
  /// Whether it was made to be changed.
  package let isMutable: Bool
  /// The places of keys and values.
  package let pairs: [(key: Int, value: Int)]
}

/// An object of a class of which nothing but the members is known.
package struct ArchivedInstance: Sendable {
  package let className: String
  /// The members, as numbers of objects of the property list.
  let members: [String: Int]
}
