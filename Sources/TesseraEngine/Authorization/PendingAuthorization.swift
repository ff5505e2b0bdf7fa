// SPDX-License-Identifier: MIT
// A sign-in that waits for its authorization response, with all values needed to validate and redeem it.

package import TesseraWire

/// A sign-in that waits for its authorization response.
package struct PendingAuthorization: Sendable, Hashable {
  /// The identifier of the sign-in, which is not a secret.
  package var id: String
  /// The client ID of the application that began the sign-in.
  package var clientID: String
  /// The URL of the authority.
  package var authority: String
  /// The issuer of the tokens.
  package var issuer: String
  /// The redirect URI of the authorization request.
  package var redirectURI: String
  package var secrets: AuthorizationSecrets
  /// The requested scopes, without those requested for consent only.
  package var scopes: Scopes
  /// Whether a refresh token was requested.
  package var requestsRefreshToken = true
  /// The claims of the caller, as JSON.
  package var claims: String?
  /// Additional form fields of the token request, by name.
  package var extraTokenFields: [String: String] = [:]
  /// The account that must sign in; `nil` for any account.
  package var homeAccountID: String?
  /// The user name of that account.
  package var username: String?
  /// The application that must open the redirect URI; `nil` for any.
  package var sourceApplication: String?
  package var correlationID: String
  /// The time after which the response is rejected.
  package var expiresAt: Instant
}

extension PendingAuthorization {
  /// Returns the values that the authorization response must contain.
  package func expectation(of authority: ResolvedAuthority) -> AuthorizationExpectation {
    var expected = AuthorizationExpectation(
      state: secrets.state, redirectURI: redirectURI, issuer: issuer)
    expected.requiresIssuer = authority.configuration.alwaysSendsIssuer
    expected.acceptsCertificateRedirect = authority.authority.isMicrosoft
    return expected
  }

  /// Returns the provider's error, with advice on settings if the request for a refresh token may be its cause.
  func error(
    _ providerError: TesseraError, _ configuration: ApplicationConfiguration, _ authority: Authority
  ) -> TesseraError {
    let offlineAccess = OfflineAccess(
      configured: requestsRefreshToken, offlinePrompt: configuration.offlineAccessPrompt,
      isMicrosoft: authority.isMicrosoft, prompt: nil)
    return authority.isMicrosoft
      ? providerError : providerError.withAdvice(on: offlineAccess, configuration, showsPage: true)
  }

  /// The account that must sign in; `nil` for any account.
  package var account: AccountConstraint? {
    homeAccountID.map { AccountConstraint(homeAccountID: $0, username: username) }
  }
}
