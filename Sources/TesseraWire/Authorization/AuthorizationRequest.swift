// SPDX-License-Identifier: MIT
// The authorization request (RFC 6749 section 4.1.1): the address of the page on which a person signs in.

/// How the answer comes to the redirect URI (OAuth 2.0 Form Post Response Mode).
public enum ResponseMode: String, Sendable, CaseIterable {
  /// In the query of the address that is opened.
  case query
  /// In the body of a form that the browser posts, so that it is in no history.
  case formPost = "form_post"
}

/// A request that a person's browser takes to the authorization endpoint.
package struct AuthorizationRequest: Sendable {
  /// The application.
  package var clientID: String
  /// Where the answer goes.
  package var redirectURI: String
  /// What is asked for, with what is only to be consented to.
  package var scopes: Scopes
  /// What ties the answer to the request (RFC 6749 section 10.12).
  package var state: Secret
  /// What ties the ID token to the request (OpenID Connect Core 3.1.2.1).
  package var nonce: Secret
  /// What ties the code to who asked for it.
  package var verifier: CodeVerifier
  /// How the answer comes; nil says nothing of it, which means the query.
  package var responseMode: ResponseMode?
  /// What the page is to ask (OpenID Connect Core 3.1.2.1); nil leaves it to the provider.
  package var prompt: String?
  /// Who is expected to sign in.
  package var loginHint: String?
  /// Where that person's organization signs in (Entra).
  package var domainHint: String?
  /// The account that is expected to sign in, `uid.utid` (Entra); nil for anybody.
  package var homeAccountID: String?
  /// A `claims` parameter, as JSON text.
  package var claims: String?
  /// Whether an account of another cloud may sign in (Entra).
  package var isInstanceAware = false
  /// Whether to ask for `client_info`, by which Entra names the home account.
  package var asksForClientInfo = false
  /// The id of the exchange in the server's log (Microsoft); nil for others.
  package var correlationID: String?
  /// Fields that the program adds; the request's own take their place.
  package var extraQuery: [String: String] = [:]

  /// A request with what every one has.
  package init(
    clientID: String, redirectURI: String, scopes: Scopes, secrets: AuthorizationSecrets
  ) {
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.scopes = scopes
    state = secrets.state
    nonce = secrets.nonce
    verifier = secrets.verifier
  }

  /// The fields of the request, in the order in which they are sent.
  package var fields: FormFields {
    var form = FormFields()
    form.add("client_id", clientID)
    form.add("response_type", "code")
    form.add("redirect_uri", redirectURI)
    form.add("response_mode", responseMode?.rawValue)
    form.add("scope", scopes.text)
    form.add("state", state)
    form.add("nonce", nonce)
    form.add("code_challenge", verifier.challenge)
    form.add("code_challenge_method", CodeVerifier.method)
    form.add("prompt", prompt)
    form.add("login_hint", loginHint)
    form.add("domain_hint", domainHint)
    addAccount(to: &form)
    form.add("claims", claims)
    if isInstanceAware { form.add("instance_aware", "true") }
    if asksForClientInfo { form.add("client_info", "1") }
    form.add("client-request-id", correlationID)
    if correlationID != nil { form.add("return-client-request-id", "true") }
    return form
  }

  /// The address of the page; what the endpoint has in its query stays, unless the request says it too.
  ///
  /// In a query a space is `%20` (MSAL for Apple).
  package func address(at endpoint: String) -> String {
    let own = fields
    let parts = endpoint.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var all = FormFields()
    for field in FormFields(decoding: parts.dropFirst().first ?? "").fields
    where own[field.name] == nil && extraQuery[field.name] == nil {
      all.add(field.name, evenIfBlank: field.value)
    }
    for (name, value) in extraQuery.sorted(by: { $0.key < $1.key }) where own[name] == nil {
      all.add(name, evenIfBlank: value)
    }
    for field in own.fields { all.add(field.name, field.value) }
    return String(parts.first ?? "") + "?" + all.encoded.replacing("+", with: "%20")
  }

  /// Entra finds the session of the account by it, also where several people share a browser (MSAL for Apple).
  private func addAccount(to form: inout FormFields) {
    let parts = (homeAccountID ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return }
    form.add("login_req", String(parts[0]))
    form.add("domain_req", String(parts[1]))
  }
}

/// What nobody can guess about one sign-in.
package struct AuthorizationSecrets: Sendable, Hashable {
  package let state: Secret
  package let nonce: Secret
  package let verifier: CodeVerifier

  package init(state: Secret, nonce: Secret, verifier: CodeVerifier) {
    self.state = state
    self.nonce = nonce
    self.verifier = verifier
  }

  /// Secrets made of random bytes, 32 for each.
  package init(_ random: (Int) -> [UInt8]) {
    state = Secret(Base64URL.encode(random(32)))
    nonce = Secret(Base64URL.encode(random(32)))
    verifier = CodeVerifier(random(CodeVerifier.byteCount))
  }
}
