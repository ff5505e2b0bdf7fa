// SPDX-License-Identifier: MIT
// The error for protocol messages that violate their specification.

/// The reason why a message is invalid.
///
/// It does not quote the message.
package struct WireError: Error, Sendable, Equatable {
  /// The stable error code, in snake case.
  package let code: String
  /// The reason, for a developer.
  package let message: String

  /// Creates an error from its code and message.
  package init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}
