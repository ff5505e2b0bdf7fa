// SPDX-License-Identifier: MIT
// Authorization requests and responses.

/// The response mode of an authorization request (OAuth 2.0 Form Post Response Mode).
public enum ResponseMode: String, Sendable, CaseIterable {
  /// The response is in the query of the redirect URL.
  case query
  /// The response is in the body of a form POST, so it does not appear in the browser history.
  case formPost = "form_post"
}

/// A request to the authorization endpoint, which the user's browser opens.
package struct AuthorizationRequest: Sendable {
  /// The authorization endpoint, which may have a query.
  package var endpoint: String
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
    to endpoint: String, clientID: String, redirectURI: String, scopes: Scopes,
    secrets: AuthorizationSecrets
  ) {
    self.endpoint = endpoint
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

  /// The URL of the sign-in page.
  ///
  /// Query parameters of the endpoint are kept unless the request sets them too. Spaces are encoded as `%20` (MSAL for
  /// Apple).
  package var address: String {
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

/// An unvalidated authorization response (RFC 6749 section 4.1.2).
///
/// It can contain an authorization code, so the entire value is a secret.
public enum RawAuthorizationResponse: Sendable, Hashable {
  /// The complete redirect URL (`response_mode=query`).
  case address(Secret)
  /// The form-encoded body of the POST request (`response_mode=form_post`).
  case form(Secret)
}

/// The values that an authorization response is checked against.
package struct AuthorizationExpectation: Sendable {
  /// The `state` of the request.
  package var state: Secret
  /// The redirect URI of the request.
  package var redirectURI: String
  /// The issuer of the provider; `{tenantid}` in it matches any tenant.
  package var issuer: String
  /// Whether the provider's metadata announces that every response has `iss` (RFC 9207 section 3).
  package var requiresIssuer = false
  /// Whether the response may arrive at `msauth://code/…`, as after certificate sign-in on another device (Microsoft).
  package var acceptsCertificateRedirect = false

  package init(state: Secret, redirectURI: String, issuer: String) {
    self.state = state
    self.redirectURI = redirectURI
    self.issuer = issuer
  }
}

/// A validated response of the authorization endpoint.
package struct AuthorizationResponse: Sendable {
  /// The outcome of the request.
  package enum Content: Sendable {
    /// The authorization code to redeem.
    case code(Secret)
    /// The error that the provider returned.
    case errorResponse(ServerError)
  }

  /// The outcome of the request.
  package let content: Content
  /// The redirect URI to redeem the code with; nil for that of the request.
  package let redirectURI: String?
  /// The host of the account's cloud, as reported by Entra.
  ///
  /// It is not authenticated and must be checked before use.
  package let cloudHost: String?
  /// The home account ID in `client_info`.
  ///
  /// It is not authenticated; only the tokens identify the account.
  package let homeAccountID: String?

  /// The maximum size of a response, in bytes.
  ///
  /// Codes are several hundred times shorter.
  package static let limit = 65_536
  /// The maximum number of parameters in a response.
  private static let fieldLimit = 100

  /// Validates a response.
  ///
  /// - Throws: ``WireError`` with a code that starts with `authorization_`. First `…too_large`, then `…state` if the
  ///   response belongs to another request, then `…elsewhere`, `…repeated`, `…issuer`, `…ambiguous`, `…incomplete`,
  ///   `…code`.
  package init(
    _ rawResponse: RawAuthorizationResponse, to expected: AuthorizationExpectation
  ) throws(WireError) {
    let fields = try AuthorizationResponse.fields(of: rawResponse)
    guard AuthorizationResponse.matchesState(fields, to: expected.state) else {
      throw WireError("authorization_state", "The state parameter does not match this sign-in.")
    }
    try self.init(fields, rawResponse, expected)
  }

  /// Validates a response; returns nil if it belongs to another request.
  package init?(
    _ rawResponse: RawAuthorizationResponse, matching expected: AuthorizationExpectation
  ) throws(WireError) {
    guard let fields = try? AuthorizationResponse.fields(of: rawResponse),
      AuthorizationResponse.matchesState(fields, to: expected.state)
    else { return nil }
    try self.init(fields, rawResponse, expected)
  }

  /// Validates the parameters of a response with the right `state`.
  private init(
    _ fields: FormFields, _ rawResponse: RawAuthorizationResponse,
    _ expected: AuthorizationExpectation
  ) throws(WireError) {
    redirectURI = try AuthorizationResponse.redemptionRedirectURI(of: rawResponse, expected)
    try AuthorizationResponse.checkRepetitions(fields)
    try AuthorizationResponse.checkIssuer(of: fields, expected)
    content = try AuthorizationResponse.content(of: fields)
    cloudHost = fields["cloud_instance_host_name"]?.nonBlank.map { String($0.prefix(300)) }
    homeAccountID = fields["client_info"].flatMap { try? ClientInfo($0) }?.homeAccountID
  }

  /// Whether the response has the `state` of a request.
  ///
  /// No other parameter is read.
  package static func matchesState(_ rawResponse: RawAuthorizationResponse, to state: Secret)
    -> Bool
  {
    guard let fields = try? fields(of: rawResponse) else { return false }
    return matchesState(fields, to: state)
  }

  /// Returns the only `state` of a response; nil if it has none or several.
  package static func state(of rawResponse: RawAuthorizationResponse) -> Secret? {
    (try? fields(of: rawResponse)).flatMap(state).map { Secret($0) }
  }

  private static func state(of fields: FormFields) -> String? {
    let states = fields.fields.filter { $0.name == "state" }
    return states.count == 1 ? states.first?.value.nonBlank : nil
  }

  private static func matchesState(_ fields: FormFields, to state: Secret) -> Bool {
    guard let received = self.state(of: fields), !state.isEmpty else { return false }
    return received.isSame(as: state.reveal())
  }
}

extension AuthorizationResponse {
  /// Parses the parameters from the query or the form.
  ///
  /// The fragment is ignored, because the code flow does not use it.
  package static func fields(of rawResponse: RawAuthorizationResponse) throws(WireError)
    -> FormFields
  {
    let text: String
    switch rawResponse {
    case .form(let body): text = body.reveal()
    case .address(let address):
      text = String(
        address.reveal().prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst())
    }
    guard text.utf8.count <= limit, case let fields = FormFields(decoding: text),
      fields.fields.count <= fieldLimit
    else {
      throw WireError(
        "authorization_too_large",
        "The response has more than \(limit) bytes or \(fieldLimit) parameters.")
    }
    return fields
  }

  /// Returns the redirect URI to redeem the code with; nil for that of the request.
  private static func redemptionRedirectURI(
    of rawResponse: RawAuthorizationResponse, _ expected: AuthorizationExpectation
  ) throws(WireError) -> String? {
    guard case .address(let secret) = rawResponse else { return nil }
    let opened = String(secret.reveal().prefix { $0 != "?" && $0 != "#" })
    if opened.isSameRedirect(as: expected.redirectURI) { return nil }
    if expected.acceptsCertificateRedirect, opened.isCertificateRedirect { return opened }
    throw WireError(
      "authorization_elsewhere",
      "The response was received at a different address than the redirect URI of the request.")
  }

  /// Checks that no parameter is repeated (RFC 6749 section 3.1).
  private static func checkRepetitions(_ fields: FormFields) throws(WireError) {
    let names = fields.fields.map(\.name)
    guard Set(names).count == names.count else {
      throw WireError("authorization_repeated", "The response contains a parameter more than once.")
    }
  }

  /// Checks that the response is from the expected issuer, for codes and errors alike (RFC 9207 section 2.4).
  ///
  /// Some providers omit `iss` in error responses. Such a response has no code to redeem, so its error is reported.
  private static func checkIssuer(
    of fields: FormFields, _ expected: AuthorizationExpectation
  ) throws(WireError) {
    guard let issuer = fields["iss"] else {
      let isError = fields["error"]?.nonBlank != nil && fields["code"]?.nonBlank == nil
      guard !expected.requiresIssuer || isError else {
        throw WireError(
          "authorization_issuer",
          "The response has no iss parameter, although the provider announces it in its metadata.")
      }
      return
    }
    let parts = expected.issuer.parts(separatedBy: "{tenantid}")
    let matches: Bool
    if parts.count == 2, let head = parts.first, let tail = parts.last {
      let tenant = issuer.dropFirst(head.count).dropLast(tail.count)
      matches =
        issuer.hasPrefix(head) && issuer.hasSuffix(tail) && !tenant.isEmpty
        && !tenant.contains("/") && issuer.count > head.count + tail.count
    } else {
      matches = issuer == expected.issuer
    }
    guard matches else {
      throw WireError(
        "authorization_issuer", "The iss parameter of the response does not match the provider.")
    }
  }

  private static func content(of fields: FormFields) throws(WireError) -> Content {
    let code = fields["code"]?.nonBlank
    if let errorResponse = ServerError(authorization: fields) {
      guard code == nil else {
        throw WireError(
          "authorization_ambiguous", "The response has both a code and an error.")
      }
      return .errorResponse(errorResponse)
    }
    guard let code else {
      throw WireError("authorization_incomplete", "The response has neither a code nor an error.")
    }
    // RFC 6749 appendix A.11: VSCHAR.
    guard code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw WireError("authorization_code", "The code of the response contains invalid characters.")
    }
    return .code(Secret(code))
  }
}

extension String {
  /// Whether this URL is the redirect URI, without query and fragment.
  ///
  /// Browsers write the scheme and host in lower case, and add `/` to an empty path (RFC 3986 section 6.2).
  package func isSameRedirect(as redirectURI: String) -> Bool {
    comparableRedirect == redirectURI.comparableRedirect
  }

  /// Whether this is the URL to which a certificate sign-in on another device redirects.
  package var isCertificateRedirect: Bool {
    lowercased().hasPrefix("msauth://code/") && utf8.count > "msauth://code/".utf8.count
  }

  private var comparableRedirect: String {
    let plain = prefix { $0 != "?" && $0 != "#" }
    guard let start = plain.firstRange(of: "://")?.upperBound else { return String(plain) }
    let path = plain[start...].firstIndex(of: "/") ?? plain.endIndex
    let rest = plain[path...]
    return plain[..<path].lowercased() + (rest == "/" ? "" : rest)
  }
}
