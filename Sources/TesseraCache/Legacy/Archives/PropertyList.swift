// SPDX-License-Identifier: MIT
// A value of Apple's property lists, whichever of their forms it came in.

/// A value of a property list.
package enum PropertyList: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A whole number that is larger than any other case holds.
  case unsigned(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// The place of an object in a keyed archive.
  case uid(Int)
  case array([PropertyList])
  case dictionary([Member])

  /// A name of a dictionary and what it stands for.
  package struct Member: Sendable, Hashable {
    package let name: String
    package var value: PropertyList

    package init(_ name: String, _ value: PropertyList) {
      self.name = name
      self.value = value
    }
  }

  /// The members of a dictionary; nil for every other kind.
  package var members: [Member]? {
    guard case .dictionary(let members) = self else { return nil }
    return members
  }

  /// The elements of an array; nil for every other kind.
  package var array: [PropertyList]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text of a string; nil for every other kind.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The place of an object; nil for every other kind.
  package var uid: Int? {
    guard case .uid(let place) = self else { return nil }
    return place
  }

  /// A number that has no fraction; nil for every other kind.
  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// A member of a dictionary; the last one of a name that is there twice.
  package subscript(_ name: String) -> PropertyList? {
    members?.last { $0.name == name }?.value
  }
}
