// SPDX-License-Identifier: MIT
// A request to Microsoft Authenticator, sent as the query of a URL, as in MSAL for Apple.

package import TesseraWire

/// A request to Microsoft Authenticator (protocol version 3).
package struct AuthenticatorRequest: Sendable {
  /// The protocol version (`msg_protocol_ver`).
  package static let version = "3"

  /// The authority URL.
  package var authority: String
  /// The client ID of the application.
  package var clientID: String
  /// The redirect URI that receives the response.
  package var redirectURI: String
  /// The correlation ID in the server's log.
  package var correlationID: String
  /// The requested scopes.
  package var scopes: Scopes
  /// The key that encrypts the response.
  package var key: AuthenticatorKey
  /// The nonce that binds the response to the request.
  package var nonce: Secret
  /// The version of this library.
  package var clientVersion: String?
  /// Additional options.
  package var options = AuthenticatorOptions()
  /// The OpenID Connect scopes that every sign-in requests.
  package var extraOIDCScopes = Scopes.reserved
  /// Scopes to request consent for, without a token.
  package var extraConsentScopes = Scopes([])
  /// The home account ID of the account that must sign in.
  package var homeAccountID: String?
  /// The user name of that account.
  package var username: String?
  /// The user name to prefill on the sign-in page.
  package var loginHint: String?
  /// The `prompt` parameter of the sign-in page.
  package var prompt: String?
  /// The claims challenge from the caller, as JSON text; without the client capabilities.
  package var claims: String?
  /// The client capabilities of the application, such as `CP1`.
  package var clientCapabilities: [String] = []
  /// Additional query parameters for the sign-in page.
  package var extraQuery: [String: String] = [:]

  /// The `domain_hint`, which brokers accept as an extra query parameter.
  package var domainHint: String? {
    get { extraQuery["domain_hint"] }
    set { extraQuery["domain_hint"] = newValue }
  }
  /// The `ui_locales`, likewise.
  package var uiLocales: String? {
    get { extraQuery["ui_locales"] }
    set { extraQuery["ui_locales"] = newValue }
  }
  /// Whether an account of another cloud may sign in.
  package var isInstanceAware = false
  /// Whether a different account than ``homeAccountID`` may sign in.
  package var acceptsOtherAccount = false
  /// The `application_token` of an earlier response.
  package var applicationToken: Secret?
  /// The token type with its proof-of-possession parameters (`token_type`, `req_cnf`, `key_id`); empty for bearer tokens.
  package var schemeParameters: [String: String] = [:]

  /// Creates a request with its required members.
  package init(
    authority: String, clientID: String, redirectURI: String, correlationID: String,
    scopes: Scopes, key: AuthenticatorKey, nonce: Secret
  ) {
    self.authority = authority
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.correlationID = correlationID
    self.scopes = scopes
    self.key = key
    self.nonce = nonce
  }

  /// Returns the URL to open.
  ///
  /// - Throws: ``WireError`` `authenticator_incomplete` if a parameter is empty that MSAL for Apple requires.
  package func address(over link: AuthenticatorLink) throws(WireError) -> String {
    let required = [
      ("authority", authority), ("scope", scopes.text), ("client_id", clientID),
      ("redirect_uri", redirectURI), ("correlation_id", correlationID),
    ]
    if let missing = required.first(where: { $0.1.trimmed.isEmpty }) {
      throw WireError("authenticator_incomplete", "The broker request requires \(missing.0).")
    }
    return link.base + "?" + fields.encoded
  }
}
