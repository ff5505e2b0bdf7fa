// SPDX-License-Identifier: MIT
// The remedies of errors: the closed set over which applications switch.

extension TesseraError {
  /// The action that the application should take after an error.
  ///
  /// Every application must handle ``signIn``: the user must sign in. For all other errors it is sufficient to show
  /// ``TesseraError/message``, and to retry later if ``TesseraError/isRetryable`` is `true`. If the server granted fewer
  /// scopes than requested, the call succeeds, and ``TokenResult/declinedScopes`` names the others. The set of remedies is
  /// closed; the set of codes is open.
  public enum Remedy: Int32, Sendable, CaseIterable {
    /// Start an interactive flow, and pass on ``TesseraError/claims``.
    case signIn = 1
    /// Retry after ``TesseraError/retryAfter``.
    case retryLater = 2
    /// Correct the call.
    case fixRequest = 3
    /// Correct the registration of the application or its configuration.
    case fixConfiguration = 4
    /// Repair the token store, or use another one.
    case fixStorage = 5
    /// Do nothing: the user or the host application cancelled the call, or its deadline passed.
    case cancelled = 6
    /// Report the bug, including the message.
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
}
