// SPDX-License-Identifier: MIT
// Sanitization of names and server messages for a terminal: one line without control characters.

extension String {
  /// The string on one line, without control characters and bidirectional formatting characters.
  ///
  /// A terminal could interpret control characters as commands (ECMA-48). Bidirectional formatting could make the text
  /// misleading (Unicode Technical Report 36 section 2.6). White space of any kind becomes a space.
  var plain: String {
    if isPrintableASCII { return self }
    return String(String.UnicodeScalarView(unicodeScalars.compactMap(\.plain)))
  }

  /// The same JSON text on one line, with escapes in place of the characters that ``plain`` removes or replaces.
  var plainJSON: String {
    if isPrintableASCII { return self }
    return unicodeScalars.map { $0.plain == $0 ? String($0) : $0.jsonEscape }.joined()
  }

  private var isPrintableASCII: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}

extension Unicode.Scalar {
  /// The scalar, which is at most U+FFFF, as a JSON escape.
  var jsonEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

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
