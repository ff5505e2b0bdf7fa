// SPDX-License-Identifier: MIT
// Normalised and checked words.

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
