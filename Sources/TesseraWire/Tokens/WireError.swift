// SPDX-License-Identifier: MIT
// A message that does not say what its specification wants it to say.

/// Why a message of a server is not what it should be; it never quotes the message.
package struct WireError: Error, Sendable, Equatable {
  /// A stable name in snake case.
  package let code: String
  /// What is wrong, for a developer.
  package let message: String

  /// An error with a stable name and a message for a developer.
  package init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
