// SPDX-License-Identifier: MIT
// A token, key, code or assertion: text that no log, error or debugger shows by accident.

/// A token, key, code or assertion.
///
/// It prints as `<redacted>` however it is printed; ``reveal()`` is the one way to the text, so a search for
/// that word finds every place where a secret leaves the library.
public struct Secret: Sendable, Hashable {
  private let text: String

  /// Wraps the text of a secret.
  public init(_ text: String) {
    self.text = text
  }

  /// The text itself, for the one place that needs it, such as an `Authorization` header.
  public func reveal() -> String {
    text
  }

  /// How many bytes the text has in UTF-8.
  package var utf8Count: Int { text.utf8.count }

  /// Whether there is no text at all; an empty token counts as absent everywhere.
  public var isEmpty: Bool {
    text.isEmpty
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<redacted>`.
  public var description: String { "<redacted>" }

  /// Always `<redacted>`.
  public var debugDescription: String { description }

  /// Empty, so that `dump` and a debugger show nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
