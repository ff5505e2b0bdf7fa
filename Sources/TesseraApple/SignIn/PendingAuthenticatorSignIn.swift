// SPDX-License-Identifier: MIT
// A pending sign-in with Microsoft Authenticator. MSAL for Apple calls it the resume state.

package import TesseraEngine
package import TesseraWire

/// A sign-in for which Microsoft Authenticator has not returned a response yet.
package struct PendingAuthenticatorSignIn: Sendable, Hashable {
  /// The identifier of the sign-in, which is not secret.
  package var id: String
  /// The address of the authority.
  package var authority: String
  /// The issuer of the tokens.
  package var issuer: String
  /// The redirect URI of the application.
  package var redirectURI: String
  /// The redirect URI of the response: the same, or that of the enclosing application.
  package var responseURI: String
  /// The nonce that binds the response to the request.
  package var nonce: Secret
  /// The key that encrypts the response; `nil` if the state contains none.
  package var key: AuthenticatorKey?
  /// The requested scopes, without those for consent only.
  package var scopes: Scopes
  /// The claims of the caller, as JSON text.
  package var claims: String?
  /// The account that must sign in; `nil` for any account.
  package var account: AccountConstraint?
  package var correlationID: String
  /// The time until which a response is accepted.
  package var expiresAt: Instant
}
