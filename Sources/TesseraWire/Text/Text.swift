// SPDX-License-Identifier: MIT
// Texts as bytes: comparison, search, encoding, normalisation, and secrets.

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

extension Optional where Wrapped == String {
  /// Whether two texts have the same UTF-8 bytes, or both are absent.
  package func hasBytes(of other: String?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasBytes(of: other)
    case (nil, nil): true
    default: false
    }
  }
}

extension String {
  static func == (left: String, right: String) -> Bool { left.hasBytes(of: right) }
  static func != (left: String, right: String) -> Bool { !left.hasBytes(of: right) }
}

extension Optional where Wrapped == String {
  static func == (left: String?, right: String?) -> Bool { left.hasBytes(of: right) }
  static func != (left: String?, right: String?) -> Bool { !left.hasBytes(of: right) }
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

/// An ordered list of form fields, with its `application/x-www-form-urlencoded` encoding.
///
/// The characters `A-Za-z0-9-._~` are not encoded, a space becomes `+`, and any other byte becomes `%XX` in upper-case
/// hexadecimal digits (RFC 6749 appendix B; MSAL for Apple uses the same encoding).
package struct FormFields: Sendable, Equatable {
  /// The fields, in the order in which they are sent.
  package private(set) var fields: [(name: String, value: String)] = []

  /// Creates an empty list.
  package init() {}

  /// Adds a field unless the value is nil or empty.
  package mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    fields.append((name, value))
  }

  /// Adds a field with a value that may be blank.
  ///
  /// A blank value is sent as the name without `=` (MSAL for Apple).
  package mutating func add(_ name: String, evenIfBlank value: String) {
    fields.append((name, value.nonBlank == nil ? "" : value))
  }

  /// Adds a field with a secret value unless it is nil or empty.
  package mutating func add(_ name: String, _ secret: Secret?) {
    add(name, secret?.reveal())
  }

  /// Returns the first value of a field; nil if there is none.
  package subscript(_ name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The encoded text.
  package var encoded: String {
    fields.map { name, value in
      FormFields.escape(name) + (value.isEmpty ? "" : "=" + FormFields.escape(value))
    }.joined(separator: "&")
  }

  /// Whether two lists have the same fields in the same order.
  package static func == (left: FormFields, right: FormFields) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}

extension FormFields {
  /// Decodes a form or a query.
  ///
  /// Invalid escapes are kept unchanged. Elements without a name are skipped.
  package init(decoding text: some StringProtocol) {
    self.init()
    for element in text.split(separator: "&", omittingEmptySubsequences: true) {
      let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = FormFields.unescape(parts[0])
      guard !name.isEmpty else { continue }
      fields.append((name, parts.count > 1 ? FormFields.unescape(parts[1]) : ""))
    }
  }

  /// Encodes a name or a value.
  package static func escape(_ text: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: " "):
        bytes.append(UInt8(ascii: "+"))
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 0x0F)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes a name or a value.
  ///
  /// Invalid escapes are kept unchanged.
  package static func unescape(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let decoded = FormFields.hexadecimalByte(rest.prefix(2))
      {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexadecimalByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = digits.first, let low = digits.last,
      let highValue = Character(Unicode.Scalar(high)).hexDigitValue,
      let lowValue = Character(Unicode.Scalar(low)).hexDigitValue
    else { return nil }
    return UInt8(highValue << 4 | lowValue)
  }
}

/// A piece of HTML.
///
/// Interpolated strings are escaped.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup.
  package let markup: String

  /// Creates unescaped markup from a literal.
  package init(stringLiteral markup: String) {
    self.markup = markup
  }

  /// Creates markup from an interpolated literal.
  package init(stringInterpolation: StringInterpolation) {
    markup = stringInterpolation.markup
  }

  /// The interpolation, which collects literal markup, escaped strings and other pieces.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    /// Creates an empty interpolation.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal markup without escaping.
    package mutating func appendLiteral(_ literal: String) {
      markup += literal
    }

    /// Appends a string, escaped.
    package mutating func appendInterpolation(_ text: String) {
      markup += HTML.escape(text)
    }

    /// Appends a piece of HTML without escaping.
    package mutating func appendInterpolation(_ piece: HTML) {
      markup += piece.markup
    }

    /// Appends pieces of HTML without escaping.
    package mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { markup += piece.markup }
    }
  }

  private static func escape(_ text: String) -> String {
    // Escape scalars, not characters: a quote with a combining mark is a different Character, but a browser sees a quote.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

extension String {
  /// The string without leading and trailing white space and newlines.
  package var trimmed: String {
    // Fast path: nearly all strings have printable ASCII at both ends and need no Unicode lookup.
    if let first = utf8.first, let last = utf8.last, (0x21...0x7E).contains(first),
      (0x21...0x7E).contains(last)
    {
      return self
    }
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }

  /// The string, trimmed and in lower case, as the unified cache compares identifiers and scopes.
  ///
  /// U+212A KELVIN SIGN is kept, because its lower case is the letter `k`, which would make different identifiers equal.
  package var normalised: String {
    if isLowerCaseASCII { return trimmed }
    guard unicodeScalars.contains(String.kelvin) else { return trimmed.lowercased() }
    return trimmed.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == String.kelvin {
        text.unicodeScalars.append(scalar)
      } else {
        text += scalar.properties.lowercaseMapping
      }
    }
  }

  private static let kelvin: Unicode.Scalar = "\u{212A}"

  /// Whether the string is ASCII without capital letters.
  package var isLowerCaseASCII: Bool {
    let isLowerCase = { (bytes: UnsafeBufferPointer<UInt8>) in
      // Check all bytes: for short strings this is faster than an early exit.
      var other: UInt8 = 0
      for byte in bytes { other |= byte & 0x80 | (byte &- 0x41 < 26 ? 1 : 0) }
      return other == 0
    }
    return utf8.withContiguousStorageIfAvailable(isLowerCase)
      ?? (self == lowercased() && utf8.allSatisfy { $0 < 0x80 })
  }

  /// The string, or nil if it is blank: a blank member is equivalent to an absent one.
  package var nonBlank: String? {
    trimmed.isEmpty ? nil : self
  }
}

extension String {
  /// Whether the string is true, as `boolValue` of `NSString` parses it.
  ///
  /// After leading white space, it must start with one of "YyTt" or with a nonzero number. A sign and leading zeros are
  /// ignored.
  package var isTrue: Bool {
    let text = trimmed
    if let first = text.first, "YyTt".contains(first) { return true }
    let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
    return digits.first { $0 != "0" }.map { "123456789".contains($0) } ?? false
  }
}

/// A well-formed language tag.
///
/// Only the syntax is checked. Whether its subtags are registered is not.
package struct LanguageTag: Sendable, Hashable {
  /// The tag in its original spelling.
  package let text: String

  /// Parses a tag; nil if it is not well-formed.
  package init?(_ text: String) {
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false).map(Subtag.init)
    guard subtags.allSatisfy(\.isAlphanumeric),
      LanguageTag.irregular.contains(text.lowercased()) || LanguageTag.isWellFormed(subtags[...])
    else { return nil }
    self.text = text
  }

  /// The registered tags that do not match the syntax of all others ("irregular" in the ABNF).
  private static let irregular: Set<String> = [
    "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux",
    "i-mingo", "i-navajo", "i-pwn", "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl",
    "sgn-ch-de",
  ]

  private static func isWellFormed(_ subtags: ArraySlice<Subtag>) -> Bool {
    var rest = subtags
    if rest.first?.isPrivateUse != true {
      guard let language = rest.popFirst(), language.isAlphabetic, language.length >= 2 else {
        return false
      }
      if language.length <= 3 {
        skip(&rest, atMost: 3) { $0.length == 3 && $0.isAlphabetic }
      }
      skip(&rest, atMost: 1) { $0.length == 4 && $0.isAlphabetic }
      skip(&rest, atMost: 1, where: \.isRegion)
      skip(&rest, where: \.isVariant)
      while let singleton = rest.first, singleton.length == 1, !singleton.isPrivateUse {
        rest.removeFirst()
        guard skip(&rest, where: { $0.length >= 2 }) > 0 else { return false }
      }
    }
    if rest.first?.isPrivateUse == true {
      rest.removeFirst()
      guard skip(&rest, where: { _ in true }) > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// Skips subtags as long as they satisfy a condition, and returns their number.
  @discardableResult
  private static func skip(
    _ subtags: inout ArraySlice<Subtag>, atMost limit: Int = .max, where isSkipped: (Subtag) -> Bool
  ) -> Int {
    let skipped = subtags.prefix(limit).prefix(while: isSkipped).count
    subtags.removeFirst(skipped)
    return skipped
  }
}

/// A part of a language tag, between hyphens.
private struct Subtag {
  private let bytes: [UInt8]

  init(_ text: Substring) {
    // Only ASCII: other letters may have an ASCII letter as their lowercase form.
    bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  var length: Int { bytes.count }
  var isAlphabetic: Bool { bytes.allSatisfy(Subtag.isLetter) }
  var isAlphanumeric: Bool {
    (1...8).contains(length) && bytes.allSatisfy { Subtag.isLetter($0) || Subtag.isDigit($0) }
  }
  /// Whether it starts a part for private use.
  var isPrivateUse: Bool { bytes == [UInt8(ascii: "x")] }
  var isRegion: Bool {
    length == 2 && isAlphabetic || length == 3 && bytes.allSatisfy(Subtag.isDigit)
  }
  var isVariant: Bool { length >= 5 || length == 4 && bytes.first.map(Subtag.isDigit) == true }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// A token, key, code or assertion.
///
/// Every conversion to a string returns `<redacted>`. ``reveal()`` is the only access to the text, so a search for its
/// name finds each place where a secret leaves the library.
public struct Secret: Sendable, Hashable {
  private let text: String

  /// Wraps the text of a secret.
  public init(_ text: String) {
    self.text = text
  }

  /// Returns the text, for the code that must send or store it, such as in an `Authorization` header.
  public func reveal() -> String {
    text
  }

  /// The size of the text in UTF-8, in bytes.
  package var utf8Count: Int { text.utf8.count }

  /// Whether the text is empty.
  ///
  /// An empty secret counts as absent.
  public var isEmpty: Bool {
    text.isEmpty
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<redacted>`.
  public var description: String { "<redacted>" }

  /// Always `<redacted>`.
  public var debugDescription: String { description }

  /// An empty mirror, so that `dump` and a debugger show no text.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DefaultStringInterpolation {
  /// Inserts `<redacted>`.
  @available(*, deprecated, message: "inserts <redacted>; reveal() returns the text")
  public mutating func appendInterpolation(_ secret: Secret) {
    appendLiteral(secret.description)
  }

  /// Inserts `<redacted>`, or `nil`.
  @available(*, deprecated, message: "inserts <redacted>; reveal() returns the text")
  public mutating func appendInterpolation(_ secret: Secret?) {
    appendLiteral(secret?.description ?? "nil")
  }
}

extension String {
  /// Returns the string on one line, without control characters and bidirectional formatting characters.
  ///
  /// Control characters could be interpreted as terminal commands (ECMA-48). Bidirectional formatting could make the
  /// text misleading (Unicode Technical Report 36 section 2.6). White space of any kind becomes a space. An escape
  /// sequence loses its control characters, so a terminal shows the rest as text.
  ///
  /// - Parameter count: The maximum number of Unicode scalars. Longer text is truncated and ends with an ellipsis.
  package func plain(atMost count: Int) -> String {
    if utf8.count <= count, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var text = String.UnicodeScalarView()
    var length = 0
    for scalar in unicodeScalars.lazy.compactMap(\.plain) {
      guard length < count else { return String(text) + "…" }
      text.append(scalar)
      length += 1
    }
    return String(text)
  }
}

extension String {
  /// The text without queries, fragments and form fields, which may have an authorization code or a token.
  ///
  /// An ellipsis replaces the rest of a word with an equals sign, from its first `?`, `#` or `=` on.
  package var withoutParameters: String {
    split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.utf8.contains(UInt8(ascii: "=")) else { return String(word) }
      return String(word.prefix { !"?#=".contains($0) }) + "…"
    }.joined(separator: " ")
  }
}

extension Unicode.Scalar {
  /// The scalar, or a space for white space; nil if it must be removed.
  fileprivate var plain: Unicode.Scalar? {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
    case 0x00...0x1F, 0x7F...0x9F: nil
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: nil
    default: self
    }
  }
}

extension Substring {
  /// Returns the first range with the UTF-8 bytes of a text; nil if there is none.
  package func firstRange(of text: String) -> Range<Index>? {
    guard let first = text.utf8.first else { return startIndex..<startIndex }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) {
        return start..<rest.index(start, offsetBy: text.utf8.count)
      }
      rest.removeFirst()
    }
    return nil
  }

  /// Whether this text contains the UTF-8 bytes of a text.
  package func contains(_ text: String) -> Bool {
    firstRange(of: text) != nil
  }
}

extension String {
  /// Returns the first range with the UTF-8 bytes of a text; nil if there is none.
  package func firstRange(of text: String) -> Range<Index>? {
    self[...].firstRange(of: text)
  }

  /// Whether this text contains the UTF-8 bytes of a text.
  package func contains(_ text: String) -> Bool {
    firstRange(of: text) != nil
  }

  /// Returns the parts before, between and after the occurrences of a text, which may be empty.
  package func parts(separatedBy text: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while !text.isEmpty, let found = rest.firstRange(of: text) {
      parts.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return parts + [rest]
  }

  /// Returns this text with all occurrences of a text replaced.
  package func replacing(_ text: String, with replacement: String) -> String {
    parts(separatedBy: text).joined(separator: replacement)
  }
}

/// Base64url without padding, as used by JWTs, PKCE and `client_info`.
package enum Base64URL {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  private static let standardAlphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// Encodes bytes as base64url without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: encoded(Array(bytes), alphabet), as: UTF8.self)
  }

  /// Encodes bytes as standard base64 with padding (RFC 4648 section 4).
  package static func encodeStandard(_ bytes: [UInt8]) -> String {
    var text = encoded(bytes, standardAlphabet)
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes base64 or base64url; nil if the text is neither.
  ///
  /// Padding is optional.
  package static func decodeAnyAlphabet(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { decode(UnsafeRawBufferPointer($0), eitherValues) }
  }

  /// Decodes base64url; nil if the text is not base64url.
  ///
  /// Padding is optional.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var text = String(text)
    return text.withUTF8 { decode(UnsafeRawBufferPointer($0)) }
  }

  /// Decodes base64url text in UTF-8; nil if it is not base64url.
  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    decode(text, urlValues)
  }

  private static func encoded(_ bytes: [UInt8], _ alphabet: StaticString) -> [UInt8] {
    let size = (bytes.count * 8 + 5) / 6
    return [UInt8](unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text, count in
      var (bits, width) = (UInt32(0), 0)
      var next = bytes.makeIterator()
      while count < size {
        if width < 6 {
          // The last character is filled up with zero bits.
          bits = bits << 8 | UInt32(next.next() ?? 0)
          width += 8
        }
        width -= 6
        text[count] = alphabet.utf8Start[Int(bits >> UInt32(width) & 0x3F)]
        count += 1
      }
    }
  }

  private static func decode(_ text: UnsafeRawBufferPointer, _ values: [UInt8]) -> [UInt8]? {
    var text = text
    while text.last == UInt8(ascii: "=") {
      text = UnsafeRawBufferPointer(rebasing: text.dropLast())
    }
    // A single character has less than eight bits.
    guard text.count % 4 != 1 else { return nil }
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, count in
      values.withUnsafeBufferPointer { values in
        var (bits, width) = (UInt32(0), 0)
        for byte in text {
          let value = values[Int(byte)]
          guard value != invalid else {
            isValid = false
            return
          }
          bits = bits << 6 | UInt32(value)
          width += 6
          guard width >= 8 else { continue }
          width -= 8
          output.initializeElement(
            at: count, to: UInt8(truncatingIfNeeded: bits >> UInt32(width)))
          count += 1
        }
      }
    }
    return isValid ? bytes : nil
  }

  /// The value of a byte that is not in the alphabet.
  private static let invalid: UInt8 = 0xFF
  private static let urlValues = values(of: [alphabet])
  private static let eitherValues = values(of: [alphabet, standardAlphabet])

  /// Returns the six bits of each byte.
  private static func values(of alphabets: [StaticString]) -> [UInt8] {
    var values = [UInt8](repeating: invalid, count: 256)
    for alphabet in alphabets {
      for value in 0..<64 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
    }
    return values
  }
}
