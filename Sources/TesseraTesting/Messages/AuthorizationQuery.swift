// SPDX-License-Identifier: MIT
// An authorization request (RFC 6749 section 4.1.1, OpenID Connect Core 3.1.2.1), parsed strictly.

import TesseraWire

/// An authorization request.
struct AuthorizationQuery: Sendable {
  /// The client ID of the application.
  let clientID: String
  /// The redirect URI.
  let redirectURI: String
  /// All fields of the query.
  let fields: FormFields

  /// Parses a request with a client ID and a permitted redirect URI.
  ///
  /// Returns nil otherwise: then the user must not be redirected (RFC 6749 section 4.1.2.1).
  init?(_ fields: FormFields, _ settings: ProviderSettings) {
    guard let clientID = fields["client_id"]?.nonBlank,
      let redirectURI = fields["redirect_uri"]?.nonBlank,
      settings.accepts(redirectURI),
      Set(fields.fields.map(\.name)).count == fields.fields.count
    else { return nil }
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.fields = fields
  }

  var scopes: Scopes { Scopes(parsing: fields["scope"] ?? "") }
  var state: String? { fields["state"] }
  var nonce: String? { fields["nonce"] }
  var challenge: String? { fields["code_challenge"] }
  var loginHint: String? { fields["login_hint"] }
  var isFormPost: Bool { fields["response_mode"] == "form_post" }
  var prompts: [String] {
    (fields["prompt"] ?? "").split(separator: " ").map(String.init)
  }

  /// Throws for a request that cannot be answered with a code.
  func check() throws(ErrorResponse) {
    guard fields["response_type"] == "code" else { throw .unsupportedResponseType }
    guard ["query", "form_post", nil].contains(fields["response_mode"]) else {
      throw .unsupportedResponseMode
    }
    guard !scopes.isEmpty else { throw .missing("scope") }
    guard challenge?.utf8.count == 43, fields["code_challenge_method"] == "S256" else {
      throw .challengeRequired
    }
    let known = ["none", "login", "select_account", "consent", "create"]
    guard prompts.allSatisfy(known.contains), !prompts.contains("none") || prompts.count == 1
    else { throw .unknownPrompt }
  }
}

extension ProviderSettings {
  /// Whether a redirect URI is registered; at loopback with any port (RFC 8252 section 7.3).
  ///
  /// If none is registered, all loopback redirect URIs and custom schemes are accepted.
  fileprivate func accepts(_ redirectURI: String) -> Bool {
    guard !redirectURI.contains("#"), redirectURI.contains(":"),
      !redirectURI.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F })
    else { return false }
    let address = WebURL(redirectURI)
    guard redirectURIs.isEmpty else {
      return redirectURIs.contains { registered in
        registered == redirectURI || WebURL(registered)?.matchesIgnoringPort(as: address) == true
      }
    }
    let scheme = redirectURI.prefix { $0 != ":" }.lowercased()
    if scheme == "http" || scheme == "https" { return address?.mayCarrySecrets == true }
    return !["javascript", "data", "vbscript", "file", "about", "blob"].contains(scheme)
  }
}

extension WebURL {
  fileprivate func matchesIgnoringPort(as other: WebURL?) -> Bool {
    guard let other, isLoopback, other.isLoopback else { return false }
    return host == other.host && scheme == other.scheme && pathSegments == other.pathSegments
  }
}
