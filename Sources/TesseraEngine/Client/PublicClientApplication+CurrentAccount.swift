// SPDX-License-Identifier: MIT
// Single-account applications: the current account and the previous one.

extension PublicClientApplication {
  /// Returns the only signed-in account, and the account that the previous call returned.
  ///
  /// Works offline. The current account is recorded in the store for the next call of any process. If the store cannot be
  /// written, the call still succeeds.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  ///   - cancellation: Cancels the call from another thread.
  /// - Throws: `fixRequest` with code `ambiguous_account` if several accounts are signed in; ``TesseraError/accounts``
  ///   lists them, and nothing is recorded. `fixStorage` or `retryLater` if the store could not be read.
  public func currentAccount(
    timeout: Duration? = nil, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> CurrentAccount {
    try currentAccount(within: startedLimits(timeout, cancellation))
  }

  /// Returns the only signed-in account and the previous one, within the limits of a call.
  package func currentAccount(within limits: CallLimits) throws(TesseraError) -> CurrentAccount {
    try AccountDirectory(context, within: limits).currentAccount()
  }
}
