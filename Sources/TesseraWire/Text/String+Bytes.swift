// SPDX-License-Identifier: MIT
// Comparing texts by their bytes, in this module and as keys; see docs/decisions/0020-texts-compare-by-bytes.md.

extension String {
  /// Whether two texts have the same UTF-8 bytes.
  ///
  /// Swift's `==` also accepts texts that are canonically equivalent in Unicode, such as U+212A KELVIN SIGN and `K`. For the
  /// protocols these are two identifiers (RFC 8259 section 8.3).
  package func hasBytes(of other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        UnsafeRawBufferPointer(left).isSame(as: UnsafeRawBufferPointer(right))
      } ?? utf8.elementsEqual(other.utf8)
    }
    return isSame ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the UTF-8 bytes of this text come before those of another one.
  ///
  /// Texts with other bytes have an order, also where they are neither `<` nor `>` for Swift.
  package func bytesPrecede(_ other: String) -> Bool {
    let precedes = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        UnsafeRawBufferPointer(left).precedes(UnsafeRawBufferPointer(right))
      } ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
    return precedes ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension String {
  static func == (left: String, right: String) -> Bool { left.hasBytes(of: right) }
  static func != (left: String, right: String) -> Bool { !left.hasBytes(of: right) }
}

extension Optional where Wrapped == String {
  static func == (left: String?, right: String?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): left.hasBytes(of: right)
    case (nil, nil): true
    default: false
    }
  }

  static func != (left: String?, right: String?) -> Bool { !(left == right) }
}

extension Sequence where Element == String {
  func contains(_ text: String) -> Bool { contains { $0.hasBytes(of: text) } }
}
