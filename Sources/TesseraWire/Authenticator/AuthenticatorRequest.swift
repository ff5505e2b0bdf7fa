// SPDX-License-Identifier: MIT
// A request to Microsoft Authenticator as MSAL for Apple makes it: an address whose query says everything.

/// A request to Microsoft Authenticator (protocol version 3).
package struct AuthenticatorRequest: Sendable {
  /// The version of the protocol that is spoken (`msg_protocol_ver`).
  package static let version = "3"

  /// The address of the authority.
  package var authority: String
  /// The application.
  package var clientID: String
  /// Where the answer goes.
  package var redirectURI: String
  /// The id of the exchange in the server's log.
  package var correlationID: String
  /// What is asked for.
  package var scopes: Scopes
  /// The key with which the answer is encrypted.
  package var key: AuthenticatorKey
  /// What ties the answer to the request.
  package var nonce: Secret
  /// The version of this library.
  package var clientVersion: String?
  /// What the program says of itself.
  package var options = AuthenticatorOptions()
  /// The scopes that every sign-in asks for.
  package var extraOIDCScopes = Scopes.reserved
  /// The scopes that are only to be consented to.
  package var extraConsentScopes = Scopes([])
  /// The account that is known to sign in.
  package var homeAccountID: String?
  /// The name of that account.
  package var username: String?
  /// Who is expected to sign in.
  package var loginHint: String?
  /// What the page is to ask.
  package var prompt: String?
  /// The claims of the caller, as JSON text; the capabilities are apart.
  package var claims: String?
  /// What the application can do with an answer of a resource.
  package var clientCapabilities: [String] = []
  /// Fields that the program adds to the page of the server.
  package var extraQuery: [String: String] = [:]

  /// `domain_hint`, which brokers take among the extra parameters.
  package var domainHint: String? {
    get { extraQuery["domain_hint"] }
    set { extraQuery["domain_hint"] = newValue }
  }
  /// Whether an account of another cloud may sign in.
  package var isInstanceAware = false
  /// Whether somebody else may sign in than the account.
  package var acceptsOtherAccount = false
  /// What an earlier answer brought (`application_token`).
  package var applicationToken: Secret?
  /// What kind of token is wanted, with what proves it (`token_type`, `req_cnf`, `key_id`); nothing for bearer.
  package var schemeParameters: [String: String] = [:]

  /// A request with what every one has.
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

  /// The address to open.
  ///
  /// - Throws: ``WireError`` `authenticator_incomplete` for a request without what MSAL for Apple wants of every one.
  package func address(over link: AuthenticatorLink) throws(WireError) -> String {
    let required = [
      ("authority", authority), ("scope", scopes.text), ("client_id", clientID),
      ("redirect_uri", redirectURI), ("correlation_id", correlationID),
    ]
    if let missing = required.first(where: { $0.1.trimmed.isEmpty }) {
      throw WireError("authenticator_incomplete", "A request to a broker needs \(missing.0).")
    }
    return link.base + "?" + fields.encoded
  }
}
