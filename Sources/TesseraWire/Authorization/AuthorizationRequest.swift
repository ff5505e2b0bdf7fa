// SPDX-License-Identifier: MIT
// The authorization request (RFC 6749 section 4.1.1), which is sent as the URL of the sign-in page.

/// The response mode of an authorization request (OAuth 2.0 Form Post Response Mode).
public enum ResponseMode: String, Sendable, CaseIterable {
  /// The response is in the query of the redirect URL.
  case query
  /// The response is in the body of a form POST, so it does not appear in the browser history.
  case formPost = "form_post"
}

/// A request to the authorization endpoint, which the user's browser opens.
package struct AuthorizationRequest: Sendable {
  /// The client ID of the application.
  package var clientID: String
  /// The redirect URI that receives the response.
  package var redirectURI: String
  /// The requested scopes, including those for consent only.
  package var scopes: Scopes
  /// The value that binds the response to the request (RFC 6749 section 10.12).
  package var state: Secret
  /// The value that binds the ID token to the request (OpenID Connect Core 3.1.2.1).
  package var nonce: Secret
  /// The PKCE verifier, which binds the authorization code to this client.
  package var verifier: CodeVerifier
  /// The response mode; nil omits the parameter, which means the query.
  package var responseMode: ResponseMode?
  /// The `prompt` parameter (OpenID Connect Core 3.1.2.1); nil leaves the choice to the provider.
  package var prompt: String?
  /// The user name to prefill on the sign-in page.
  package var loginHint: String?
  /// The domain of the user's organization, which selects its sign-in page (Entra).
  package var domainHint: String?
  /// The preferred languages of the page, separated by spaces.
  package var uiLocales: String?
  /// The home account ID that must sign in, `uid.utid` (Entra); nil for any account.
  package var homeAccountID: String?
  /// The `claims` parameter, as JSON text.
  package var claims: String?
  /// Whether an account of another cloud may sign in (Entra).
  package var isInstanceAware = false
  /// Whether to request `client_info`, which contains the home account ID (Entra).
  package var requestsClientInfo = false
  /// The correlation ID in the server's log (Microsoft); nil for other providers.
  package var correlationID: String?
  /// Additional query parameters from the application.
  ///
  /// The request's own parameters override them.
  package var extraQuery: [String: String] = [:]

  /// Creates a request with its required members.
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

  /// The parameters of the request, in the order in which they are sent.
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
    form.add("ui_locales", uiLocales)
    addAccount(to: &form)
    form.add("claims", claims)
    if isInstanceAware { form.add("instance_aware", "true") }
    if requestsClientInfo { form.add("client_info", "1") }
    form.add("client-request-id", correlationID)
    if correlationID != nil { form.add("return-client-request-id", "true") }
    return form
  }

  /// Returns the URL of the sign-in page.
  ///
  /// Query parameters of the endpoint are kept unless the request sets them too. Spaces are encoded as `%20` (MSAL for
  /// Apple).
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

  /// Adds the parameters by which Entra finds the account's session in a shared browser (MSAL for Apple).
  private func addAccount(to form: inout FormFields) {
    let parts = (homeAccountID ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return }
    form.add("login_req", String(parts[0]))
    form.add("domain_req", String(parts[1]))
  }
}

/// The unguessable values of one sign-in.
package struct AuthorizationSecrets: Sendable, Hashable {
  package let state: Secret
  package let nonce: Secret
  package let verifier: CodeVerifier

  package init(state: Secret, nonce: Secret, verifier: CodeVerifier) {
    self.state = state
    self.nonce = nonce
    self.verifier = verifier
  }

  /// Creates the values from random bytes, 32 for each.
  package init(_ random: (Int) -> [UInt8]) {
    state = Secret(Base64URL.encode(random(32)))
    nonce = Secret(Base64URL.encode(random(32)))
    verifier = CodeVerifier(random(CodeVerifier.byteCount))
  }
}
