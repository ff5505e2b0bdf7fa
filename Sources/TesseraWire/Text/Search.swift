// SPDX-License-Identifier: MIT
// Searches in strings. They compare UTF-8 bytes, and spare the library the module _StringProcessing.

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
