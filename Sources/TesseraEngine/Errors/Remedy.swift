// SPDX-License-Identifier: MIT
// What to do about an error: the closed set that programs switch over.

/// What the application should do about an error.
///
/// Every program has to handle two situations, both of them ``signIn``: somebody has to sign in; and fewer scopes were
/// granted than asked for (``ErrorCode/serverDeclinedScopes``, with ``TesseraError/result`` for those that were). All else is
/// optional: a program that shows ``TesseraError/message`` and tries again later where ``TesseraError/isRetryable`` says so
/// is complete. The set is closed; codes are open.
public enum Remedy: Int32, Sendable, CaseIterable {
  /// Start an interactive flow, passing on ``TesseraError/claims``.
  case signIn = 1
  /// Try again after ``TesseraError/retryAfterSeconds``.
  case retryLater = 2
  /// Change the call.
  case fixRequest = 3
  /// Change the registration of the application or its settings.
  case fixConfiguration = 4
  /// Repair the token store or choose another one.
  case fixStorage = 5
  /// Nothing: the user or the host said stop, or the deadline passed.
  case cancelled = 6
  /// Tell the makers of Tessera; the message has the place.
  case reportBug = 7

  /// The name in JSON, such as `sign_in`.
  public var name: String {
    switch self {
    case .signIn: "sign_in"
    case .retryLater: "retry_later"
    case .fixRequest: "fix_request"
    case .fixConfiguration: "fix_configuration"
    case .fixStorage: "fix_storage"
    case .cancelled: "cancelled"
    case .reportBug: "report_bug"
    }
  }
}
