// SPDX-License-Identifier: MIT
// The authorization response (RFC 6749 section 4.1.2). The state is checked before all other parameters.

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
    let parts = expected.issuer.split(
      separator: "{tenantid}", maxSplits: 1, omittingEmptySubsequences: false)
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
