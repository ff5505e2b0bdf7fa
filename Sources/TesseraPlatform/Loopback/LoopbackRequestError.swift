// SPDX-License-Identifier: MIT
// Errors in requests to the loopback redirect URI.

/// The reason for which a request is rejected.
///
/// The raw value is the HTTP status of the reply.
package enum LoopbackRequestError: Int, Error, Sendable, CaseIterable {
  /// The request is not valid HTTP, or is ambiguous.
  case malformed = 400
  /// The request timed out.
  case timedOut = 408
  /// The body has no length.
  case lengthRequired = 411
  /// The body is larger than any authorization response.
  case bodyTooLarge = 413
  /// The head is larger than any authorization response.
  case tooLarge = 431
  /// The body has a transfer coding, which browsers do not use for forms.
  case unsupported = 501
  /// The HTTP version is not supported.
  case unsupportedVersion = 505
}
