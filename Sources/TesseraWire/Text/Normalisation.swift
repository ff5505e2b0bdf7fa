// SPDX-License-Identifier: MIT
// The normalization of strings for comparisons and cache keys: trimmed, or trimmed and in lower case.

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
