// SPDX-License-Identifier: MIT
// Secrets, and text without secrets or control characters.

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
