// SPDX-License-Identifier: MIT
// The current account and the previous account of a single-account application.

/// The current and the previous account of a single-account application (MSAL for Apple: single-account mode).
public struct CurrentAccount: Sendable, Hashable {
  /// The only signed-in account; `nil` if there is none.
  public let account: Account?
  /// The account at the previous call; `nil` if there was none.
  ///
  /// If it differs from ``account``, the application must delete the data that it keeps for the previous user. If the
  /// account was removed, only its identifier, environment and user name are set.
  public let previousAccount: Account?

  /// Creates the result of ``PublicClientApplication/currentAccount(timeout:cancellation:)``.
  public init(account: Account? = nil, previousAccount: Account? = nil) {
    self.account = account
    self.previousAccount = previousAccount
  }
}
