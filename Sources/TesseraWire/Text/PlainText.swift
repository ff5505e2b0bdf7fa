// SPDX-License-Identifier: MIT
// What a server wrote, as far as it may reach a terminal or a log: one line, of bounded length, without commands.

extension String {
  /// The text on one line, without control characters and without what turns the direction of writing.
  ///
  /// A terminal takes some of them for commands (ECMA-48), and what is turned reads as something else (Unicode Technical
  /// Report 36 section 2.6). White space of any kind becomes a space; an escape sequence loses what makes it one.
  ///
  /// - Parameter count: how many scalars it has at most; what is longer ends with an ellipsis.
  package func plain(atMost count: Int) -> String {
    if utf8.count <= count, utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars.lazy.compactMap(\.plain) {
      guard text.count < count else { return String(text) + "…" }
      text.append(scalar)
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  /// The scalar as plain text has it; nil if it has no place there.
  fileprivate var plain: Unicode.Scalar? {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
    case 0x00...0x1F, 0x7F...0x9F: nil
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: nil
    default: self
    }
  }
}
