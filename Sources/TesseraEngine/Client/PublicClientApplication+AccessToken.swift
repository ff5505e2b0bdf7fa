// SPDX-License-Identifier: MIT
// A token for the account with a user name, or for the only account.

extension PublicClientApplication {
  /// Returns a token without user interaction.
  ///
  /// - Parameters:
  ///   - scope: The requested scopes, separated by spaces.
  ///   - username: The user name of the account; `nil` for the only account that is signed in.
  /// - Throws: As ``account(_:cancellation:)`` and ``acquireTokenSilent(_:cancellation:)``.
  package func token(
    scope: String, username: String?, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult {
    try NamedAccountCall(context, within: limits).token(scope: scope, username: username)
  }
}
