// SPDX-License-Identifier: MIT
// A value of an Apple property list, independent of its file format.

import TesseraCache

/// A value of a property list.
package enum PropertyList: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer that exceeds the range of `Int64`.
  case unsigned(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// The index of an object in a keyed archive.
  case uid(Int)
  case array([PropertyList])
  case dictionary([Member])

  /// A name and its value in a dictionary.
  package struct Member: Sendable, Hashable {
    package let name: String
    package var value: PropertyList

    package init(_ name: String, _ value: PropertyList) {
      self.name = name
      self.value = value
    }
  }

  /// The members of a dictionary, or `nil` for any other value.
  package var members: [Member]? {
    guard case .dictionary(let members) = self else { return nil }
    return members
  }

  /// The elements of an array, or `nil` for any other value.
  package var array: [PropertyList]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The string, or `nil` for any other value.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The index of an object, or `nil` for any other value.
  package var uid: Int? {
    guard case .uid(let objectIndex) = self else { return nil }
    return objectIndex
  }

  /// The number if it has no fraction, or `nil` for any other value.
  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Returns a member of a dictionary.
  ///
  /// If a name occurs twice, the last value counts.
  package subscript(_ name: String) -> PropertyList? {
    members?.last { $0.name == name }?.value
  }
}
