// SPDX-License-Identifier: MIT
// The type of tokens, keys, codes and assertions, which logs, errors and debuggers do not show by accident.

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
