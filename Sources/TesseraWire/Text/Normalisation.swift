// SPDX-License-Identifier: MIT
// The two spellings every comparison and cache key uses: trimmed, and trimmed with lower case.

extension String {
  /// The text without white space and newlines at either end.
  package var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }

  /// Trimmed and in lower case: the form in which the unified cache compares identifiers and scopes.
  package var normalised: String {
    trimmed.lowercased()
  }

  /// Nil for a text that is empty once trimmed: a blank member means the same as an absent one.
  package var nonBlank: String? {
    trimmed.isEmpty ? nil : self
  }
}
