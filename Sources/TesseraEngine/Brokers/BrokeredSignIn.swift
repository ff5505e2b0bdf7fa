// SPDX-License-Identifier: MIT
// Interactive sign-in in the window of the broker.

import TesseraCache
package import TesseraWire

/// Signs in users in the window of an identity broker.
package protocol InteractiveBroker: Feature {
  /// Signs in the user, and stores the tokens.
  func signIn(
    _ signIn: BrokeredSignIn, at authority: Authority, _ scopes: Scopes
  ) throws(TesseraError) -> TokenResult
}

/// One sign-in in the window of the broker.
package struct BrokeredSignIn {
  package let context: FlowContext
  package let request: AuthorizationOptions
  package let serverClient: ServerClient
  /// The limits of the time during which the window may be open.
  package let windowLimits: CallLimits

  /// Signs in the user.
  ///
  /// Returns `nil` and sets `brokerError` if the call continues in a browser.
  func run(_ brokerError: inout TesseraError?) throws(TesseraError) -> TokenResult? {
    let authority = try context.authority(named: request.authority)
    let scopes = try RequestRules.scopes(
      request.scopes, of: context.configuration.clientID, at: authority)
    try RequestRules.interactive(request, at: authority)
    // Check the store first, so that the user does not sign in without a result.
    try context.cache.checkWritableForSignIn(within: serverClient.limits)
    do throws(TesseraError) {
      guard let broker = context.dependencies.feature((any InteractiveBroker).self) else {
        throw MissingFeature.broker.error
      }
      return try broker.signIn(self, at: authority, scopes)
    } catch {
      try serverClient.limits.check(context.dependencies.time)
      guard context.configuration.broker == .prefer, !preventsFallback(error),
        error.code != .accountMismatch
      else { throw error }
      brokerError = error
      return nil
    }
  }

  /// Whether the call must not continue without the broker.
  ///
  /// The user or the broker has decided, the network or the server is unavailable, or the user is signing in in another
  /// window.
  private func preventsFallback(_ error: TesseraError) -> Bool {
    error.remedy == .cancelled || error.code == .networkFailed || error.code == .serverUnavailable
      || error.code == .interactionInProgress
  }
}
