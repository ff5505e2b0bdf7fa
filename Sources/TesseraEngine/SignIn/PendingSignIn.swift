// SPDX-License-Identifier: MIT
// A sign-in between the page and its answer: everything that it takes to redeem the code, and to know whose it is.

package import TesseraWire

/// A sign-in whose answer has not come yet.
package struct PendingSignIn: Sendable, Hashable {
  /// What tells it from others; it can be seen.
  package var id: String
  /// The application that began it.
  package var clientID: String
  /// The address of the authority.
  package var authority: String
  /// Who issues its tokens.
  package var issuer: String
  /// Where the answer comes.
  package var redirectURI: String
  package var secrets: AuthorizationSecrets
  /// What was asked for, without what was only to be consented to.
  package var scopes: Scopes
  /// Whether a refresh token was requested.
  package var requestsRefreshToken = true
  /// The claims of the caller, as JSON text.
  package var claims: String?
  /// What the program adds to the request that redeems the answer.
  package var extraTokenFields: [String: String] = [:]
  /// The account that must sign in; nil for anybody.
  package var homeAccountID: String?
  /// The name of that account.
  package var username: String?
  /// The program that must open the redirect URI; nil for any.
  package var sourceApplication: String?
  package var correlationID: String
  /// Until when the answer is taken.
  package var expiresAt: Instant
}

extension PendingSignIn {
  /// What the answer must show.
  package func expectation(of authority: ResolvedAuthority) -> AuthorizationExpectation {
    var expected = AuthorizationExpectation(
      state: secrets.state, redirectURI: redirectURI, issuer: issuer)
    expected.requiresIssuer = authority.configuration.namesItself
    expected.acceptsCertificateAnswer = authority.authority.isMicrosoft
    return expected
  }

  /// The provider's refusal, with the settings to change if it may concern the refresh token.
  func error(
    _ refusal: TesseraError, _ configuration: ApplicationConfiguration, _ authority: Authority
  ) -> TesseraError {
    let offlineAccess = OfflineAccess(
      configured: requestsRefreshToken, offlinePrompt: configuration.offlineAccessPrompt,
      isMicrosoft: authority.isMicrosoft, prompt: nil)
    return authority.isMicrosoft
      ? refusal : refusal.advising(on: offlineAccess, configuration, showsPage: true)
  }

  /// Whose tokens must come; nil for anybody's.
  package var account: AccountConstraint? {
    homeAccountID.map { AccountConstraint(homeAccountID: $0, username: username) }
  }
}
