// SPDX-License-Identifier: MIT
// A reader of DER, for the parts of certificates that swift-crypto does not read.

/// A reader of consecutive values in DER (X.690 section 10).
struct DERReader {
  /// A value.
  struct Value {
    /// The identifier octet; of universal tags in their constructed form if they have one.
    let tag: UInt8
    /// The contents.
    let contents: ArraySlice<UInt8>
    /// The whole value.
    let encoding: ArraySlice<UInt8>
  }

  /// The identifier octets of the values in a certificate.
  enum Tag {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let objectIdentifier: UInt8 = 0x06
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30
    /// The version of a certificate, which version 1 omits.
    static let version: UInt8 = 0xA0
  }

  private var rest: ArraySlice<UInt8>

  /// Creates a reader of bytes.
  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// Returns the next value; nil at the end, and for a value that is truncated or larger than 64 KiB.
  mutating func next() -> Value? {
    var bytes = rest
    guard let tag = bytes.popFirst(), let first = bytes.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      let size = Int(first & 0x7F)
      guard (1...2).contains(size), bytes.count >= size else { return nil }
      length = bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
      bytes = bytes.dropFirst(size)
    }
    guard bytes.count >= length else { return nil }
    let contents = bytes.prefix(length)
    defer { rest = bytes.dropFirst(length) }
    return Value(tag: tag, contents: contents, encoding: rest[rest.startIndex..<contents.endIndex])
  }

  /// Returns the next value if it has a tag.
  mutating func next(_ tag: UInt8) -> Value? {
    guard rest.first == tag else { return nil }
    return next()
  }

  /// Returns a reader of the contents of the next value, which must be a sequence.
  mutating func nextSequence() -> DERReader? {
    next(Tag.sequence).map { DERReader($0.contents) }
  }
}
