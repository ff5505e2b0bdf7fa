// SPDX-License-Identifier: MIT
// The parameters of the authorization request, derived from the request and the account without side effects.

import TesseraCache
package import TesseraWire

/// The parameters of an authorization request that depend on the account.
package struct AuthorizationPlan: Sendable, Hashable {
  package let prompt: String?
  package let loginHint: String?
  /// The scopes of the authorization request, including those for consent only.
  package let scopes: Scopes
  /// The account that Entra selects among the sessions of the browser.
  package let homeAccountID: String?

  /// Derives the parameters from a request and the requested account.
  package init(
    _ request: AuthorizationOptions, _ scopes: Scopes, _ account: AccountConstraint?,
    _ offlineAccess: OfflineAccess
  ) {
    // As in MSAL for Apple, a signed-out user must enter credentials again, even if the browser still has a session.
    let wanted = request.prompt
    prompt = offlineAccess.prompt(
      account?.isSignedOut == true && wanted != .consent
        ? SignInPromptType.login.rawValue : wanted?.rawValue)
    loginHint = account?.username?.nonBlank ?? request.loginHint?.nonBlank
    self.scopes = scopes.union(Scopes(request.extraScopesToConsent))
      .union(offlineAccess.scopes)
    homeAccountID = account?.homeAccountID
  }
}
