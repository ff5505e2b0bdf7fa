// SPDX-License-Identifier: MIT
// Bytes of strings and buffers: comparison, hashing and hexadecimal digits.

import CLibrary

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

extension UnsafeRawBufferPointer {
  /// Whether two buffers contain the same bytes.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset + 32 <= count {
      guard
        loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
          == other.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      else { return false }
      offset += 32
    }
    while offset + 8 <= count {
      guard
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }

  /// Returns the index of the first byte with a value, from an index on; nil if there is none.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    let (ones, pattern) = (0x0101_0101_0101_0101 as UInt64, UInt64(byte) &* 0x0101_0101_0101_0101)
    var offset = start
    while offset + 8 <= count {
      // XOR turns matching bytes into zero. The subtraction sets the highest bit of a zero byte first.
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ pattern
      let matches = (word &- ones) & ~word & (ones &* 0x80)
      if matches != 0 { return offset + matches.littleEndian.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count {
      if self[offset] == byte { return offset }
      offset += 1
    }
    return nil
  }

  /// Whether these bytes come before others, as `memcmp` orders them; a beginning comes before the whole.
  package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let common = Swift.min(count, other.count)
    var offset = 0
    while offset + 8 <= common {
      let left = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let right = other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard left == right else { return left.bigEndian < right.bigEndian }
      offset += 8
    }
    while offset < common {
      guard self[offset] == other[offset] else { return self[offset] < other[offset] }
      offset += 1
    }
    return count < other.count
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Overwrites memory in a way that the compiler does not optimize out.
  package func overwrite() {
    guard let start = baseAddress, count > 0 else { return }
    #if canImport(Darwin)  // allowed: each C library has its own name for it
      memset_s(start, count, 0, count)
    #else
      explicit_bzero(start, count)
    #endif
  }
}

extension [UInt8] {
  /// Whether two arrays have the same bytes, in time that depends only on their lengths.
  package func isSame(as other: [UInt8]) -> Bool {
    count == other.count && zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension String {
  /// Whether two strings have the same UTF-8 bytes, in time that depends only on their lengths.
  package func isSame(as other: String) -> Bool {
    Array(utf8).isSame(as: Array(other.utf8))
  }
}

/// A hash function that processes eight bytes at a time.
package enum WordHash {
  /// Returns the hash of bytes.
  ///
  /// - Parameter start: The hash of the preceding bytes, to hash a sequence of buffers.
  package static func of(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = 0) -> UInt64 {
    var hash = mixed(start ^ 0x9E37_79B9_7F4A_7C15, UInt64(truncatingIfNeeded: bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return mixed(hash, rest)
  }

  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}

/// A text that is equal only to a text with the same UTF-8 bytes.
///
/// As keys, plain strings are equal if they are canonically equivalent in Unicode. Two users or two records must not be merged
/// for that.
package struct ExactString: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
  /// The text itself.
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package init(stringLiteral text: String) {
    self.text = text
  }

  package static func < (left: ExactString, right: ExactString) -> Bool {
    left.text.bytesPrecede(right.text)
  }
}

extension Set where Element == ExactString {
  /// Creates a set of texts.
  package init(texts: some Sequence<String>) {
    self.init(texts.lazy.map { ExactString($0) })
  }

  /// The texts, in no order.
  package var texts: some Collection<String> { lazy.map(\.text) }

  package func contains(_ text: String) -> Bool { contains(ExactString(text)) }

  @discardableResult
  package mutating func insert(_ text: String) -> (inserted: Bool, memberAfterInsert: ExactString) {
    insert(ExactString(text))
  }

  package mutating func remove(_ text: String) { remove(ExactString(text)) }
}

extension Dictionary where Key == ExactString {
  package subscript(_ text: String) -> Value? {
    get { self[ExactString(text)] }
    _modify { yield &self[ExactString(text)] }
  }

  package subscript(_ text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ExactString(text), default: value()] }
    _modify { yield &self[ExactString(text), default: value()] }
  }
}

/// Hexadecimal encoding with two digits per byte.
package enum Hexadecimal {
  /// Encodes bytes in lower-case digits.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// Decodes digits in either case; nil if the text is not pairs of digits.
  package static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
