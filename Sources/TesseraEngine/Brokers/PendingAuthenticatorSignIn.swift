// SPDX-License-Identifier: MIT
// A sign-in between Microsoft Authenticator and its answer: what MSAL for Apple calls the resume state, with the key in it.

package import TesseraWire

/// A sign-in whose answer Microsoft Authenticator has not sent yet.
package struct PendingAuthenticatorSignIn: Sendable, Hashable {
  /// What tells it from others; it can be seen.
  package var id: String
  /// The address of the authority.
  package var authority: String
  /// Who issues its tokens.
  package var issuer: String
  /// The application's own redirect URI.
  package var redirectURI: String
  /// Where the answer comes: that, or the one of the application around it.
  package var answerURI: String
  /// What ties the answer to the request.
  package var nonce: Secret
  /// The key with which the answer is encrypted; nil if what was sealed has none.
  package var key: AuthenticatorKey?
  /// What was asked for, without what was only to be consented to.
  package var scopes: Scopes
  /// The claims of the caller, as JSON text.
  package var claims: String?
  /// The account that must sign in; nil for anybody.
  package var account: AccountConstraint?
  package var correlationID: String
  /// Until when the answer is taken.
  package var expiresAt: Instant
}
