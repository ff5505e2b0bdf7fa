// SPDX-License-Identifier: MIT
// The two spellings every comparison and cache key uses: trimmed, and trimmed with lower case.

extension String {
  /// The text without white space and newlines at either end.
  package var trimmed: String {
    // Printable ASCII at both ends is what nearly every text has; only others need Unicode's tables.
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

  /// Trimmed and in lower case: the form in which the unified cache compares identifiers and scopes.
  package var normalised: String {
    isLowerCaseASCII ? trimmed : trimmed.lowercased()
  }

  /// Whether nothing but ASCII is in it, and no capital letter.
  package var isLowerCaseASCII: Bool {
    let isSmall = { (bytes: UnsafeBufferPointer<UInt8>) in
      // All bytes are looked at: that is quicker than to stop, for texts as short as these.
      var other: UInt8 = 0
      for byte in bytes { other |= byte & 0x80 | (byte &- 0x41 < 26 ? 1 : 0) }
      return other == 0
    }
    return utf8.withContiguousStorageIfAvailable(isSmall)
      ?? (self == lowercased() && utf8.allSatisfy { $0 < 0x80 })
  }

  /// Nil for a text that is empty once trimmed: a blank member means the same as an absent one.
  package var nonBlank: String? {
    trimmed.isEmpty ? nil : self
  }
}
