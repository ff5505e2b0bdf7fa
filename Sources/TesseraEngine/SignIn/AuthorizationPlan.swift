// SPDX-License-Identifier: MIT
// The decision what the page is asked for: from a request and what is known of its account, without looking at anything.

import TesseraCache
package import TesseraWire

/// What the page of a sign-in is asked for.
package struct AuthorizationPlan: Sendable, Hashable {
  package let prompt: String?
  package let loginHint: String?
  /// The scopes of the page.
  package let scopes: Scopes
  /// The account that Entra looks for among its sessions.
  package let homeAccountID: String?

  /// Decides.
  package init(
    _ request: InteractiveRequest, _ scopes: Scopes, _ account: AccountConstraint?,
    _ offlineAccess: OfflineAccess
  ) {
    // MSAL for Apple: who has signed out has to prove who they are, whatever session the browser still has.
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
