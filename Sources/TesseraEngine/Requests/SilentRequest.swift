// SPDX-License-Identifier: MIT
// The requests for tokens and accounts without the user, and the rules of all requests.

package import TesseraWire

/// A request for a token without user interaction.
public struct SilentRequest: Sendable, Hashable, TracedRequest {
  /// The account's ``Account/homeAccountID``; empty if it has none yet, in which case ``username`` identifies it.
  public var homeAccountID: String
  /// The user name; `nil` if the identifier is known.
  ///
  /// It identifies an account without an identifier, which only caches of older libraries have (ADAL: `userId`). It can
  /// also be set if the application does not know the identifier.
  public var username: String?
  /// The account's ``Account/environment``; `nil` for that of the authority.
  ///
  /// It distinguishes accounts of different providers that have the same identifier.
  public var environment: String?
  /// Whether the request is for an app-only token.
  ///
  /// A confidential client with another library acquired the token with its secret (RFC 6749 section 4.4), and shares the
  /// cache. The token is returned until it expires. It is not renewed, because a public client has no secret.
  public var isForApplication = false
  /// The requested scopes.
  ///
  /// The library adds `openid`, `profile` and `offline_access`.
  public var scopes: [String]
  /// The authority; `nil` for the one of the configuration.
  public var authority: String?
  /// Whether to request a new token even if the cached one is valid.
  public var forcesRefresh = false
  /// A claims challenge of a resource, as JSON text.
  ///
  /// With it, the cached token is not used.
  public var claims: String?
  /// Additional form fields for token requests.
  ///
  /// They override the fields of the configuration.
  ///
  /// They do not affect the use of a cached token.
  public var extraTokenParameters: [String: String] = [:]
  /// Additional query parameters for the token endpoint.
  ///
  /// They override those of the configuration.
  public var extraQueryParameters: [String: String] = [:]
  /// The timeout of the call; `nil` for the limits of the network settings.
  ///
  /// Without it, the call waits at most one minute for another process that refreshes the same credential.
  public var timeout: Duration?
  /// The correlation ID sent to the server; `nil` for a new one.
  public var correlationID: String?
  /// The `traceparent` of the call's span (W3C Trace Context level 1); `nil` for none.
  ///
  /// It is sent unchanged to the provider, in every request of the call.
  public var traceparent: String?
  /// The `tracestate` of the trace; `nil` for none.
  ///
  /// It requires ``traceparent``.
  public var tracestate: String?

  /// Creates a request for a token of an account.
  public init(
    account: Account, scopes: [String], authority: String? = nil, forcesRefresh: Bool = false,
    claims: String? = nil, extraTokenParameters: [String: String] = [:],
    extraQueryParameters: [String: String] = [:], timeout: Duration? = nil,
    correlationID: String? = nil
  ) {
    self.init(
      homeAccountID: account.homeAccountID,
      username: account.homeAccountID.isEmpty ? account.username : nil,
      environment: account.environment, scopes: scopes, authority: authority,
      forcesRefresh: forcesRefresh, claims: claims, extraTokenParameters: extraTokenParameters,
      extraQueryParameters: extraQueryParameters, timeout: timeout, correlationID: correlationID)
  }

  /// Creates an ADAL-style request for all permissions that the application was granted for a resource (`/.default`).
  ///
  /// The resource is not changed. If it ends in a slash, the scope has two slashes, as Entra requires.
  public init(account: Account, resource: String) {
    self.init(account: account, scopes: [Scopes.defaultScope(at: resource)])
  }

  /// Creates a request like that of ADAL's `acquireTokenSilentWithResource:clientId:redirectUri:userId:`.
  ///
  /// The client ID and the redirect URI are those of the application.
  public init(resource: String, userID: String) {
    self.init(
      homeAccountID: "", username: userID, scopes: [Scopes.defaultScope(at: resource)])
  }

  /// Creates a request for the app-only token in the cache.
  public init(forApplicationWithScopes scopes: [String]) {
    self.init(homeAccountID: "", isForApplication: true, scopes: scopes)
  }

  /// Creates a request for a token of the account with an identifier, or of the only account that is signed in.
  public init(
    homeAccountID: String = "", username: String? = nil, environment: String? = nil,
    isForApplication: Bool = false, scopes: [String], authority: String? = nil,
    forcesRefresh: Bool = false, claims: String? = nil,
    extraTokenParameters: [String: String] = [:], extraQueryParameters: [String: String] = [:],
    timeout: Duration? = nil, correlationID: String? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.environment = environment
    self.isForApplication = isForApplication
    self.scopes = scopes
    self.authority = authority
    self.forcesRefresh = forcesRefresh
    self.claims = claims
    self.extraTokenParameters = extraTokenParameters
    self.extraQueryParameters = extraQueryParameters
    self.timeout = timeout
    self.correlationID = correlationID
  }
}

extension SilentRequest {
  /// The serial key of the call.
  ///
  /// Calls for the same account run one after another, so that one refresh serves all of them.
  package var serialKey: String {
    guard homeAccountID.isEmpty, let name = username?.nonBlank else { return homeAccountID }
    return "name " + name.normalised
  }
}

/// A request with a trace context.
package protocol TracedRequest {
  var traceparent: String? { get }
  var tracestate: String? { get }
}

extension TracedRequest {
  /// Returns the trace context; `nil` without one.
  ///
  /// - Throws: `fixRequest` with code `invalid_member` for invalid values.
  package func traceContext() throws(TesseraError) -> TraceContext? {
    guard traceparent != nil || tracestate != nil else { return nil }
    if let traceparent, let context = TraceContext(parent: traceparent, state: tracestate) {
      return context
    }
    throw TesseraError(
      .fixRequest, .invalidMember,
      """
      traceparent and tracestate must be values of W3C Trace Context level 1, such as the traceparent \
      00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01. tracestate requires traceparent.
      """)
  }
}

/// A filter for accounts.
///
/// Properties that are `nil` match any account (MSAL: `MSALAccountEnumerationParameters`).
public struct AccountsRequest: Sendable, Hashable {
  /// The ``Account/homeAccountID``; compared case-insensitively at Entra only.
  public var homeAccountID: String?
  /// The user name, in any tenant.
  ///
  /// The comparison ignores case.
  public var username: String?
  /// The identifier of the account in a tenant: ``TenantProfile/localAccountID``.
  public var localAccountID: String?
  /// The account's ``Account/environment``, or another host of the same cloud.
  public var environment: String?
  /// Whether to return only accounts with tokens that this application can use.
  ///
  /// If `false`, signed-out accounts and those of other applications are also returned.
  public var signedInOnly = true
  /// Whether to read ``Account/claims`` and ``TenantProfile/claims``, which takes longer.
  public var includesClaims = false
  /// The maximum time to wait for another process that holds the store; `nil` for ten seconds.
  public var timeout: Duration?

  /// Creates a filter, by default one that matches all accounts.
  public init(
    homeAccountID: String? = nil, username: String? = nil, localAccountID: String? = nil,
    environment: String? = nil, signedInOnly: Bool = true, includesClaims: Bool = false,
    timeout: Duration? = nil
  ) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.localAccountID = localAccountID
    self.environment = environment
    self.signedInOnly = signedInOnly
    self.includesClaims = includesClaims
    self.timeout = timeout
  }

  /// Creates a filter for an identifier, or for a user name if the identifier is empty.
  init(named homeAccountID: String?, or username: String?) {
    let isNamed = homeAccountID?.isEmpty ?? true
    self.init(
      homeAccountID: isNamed && username != nil ? nil : homeAccountID,
      username: isNamed ? username : nil)
  }

  /// Checks that no member is empty, because an empty member would match every account.
  func check() throws(TesseraError) {
    let parts = [
      ("home_account_id", homeAccountID), ("username", username),
      ("local_account_id", localAccountID), ("environment", environment),
    ]
    for case (let name, let text?) in parts where text.nonBlank == nil {
      throw TesseraError(
        .fixRequest, .invalidMember, "\(name) is empty: specify a value or remove it.")
    }
  }

  /// Whether an account matches.
  func matches(_ account: Account) -> Bool {
    if let homeAccountID, !account.isNamed(account.homeAccountID, homeAccountID) { return false }
    if let environment, !AccountKey.isSameCloud(environment, account.environment) {
      return false
    }
    if let username, !account.usernames.contains(username.normalised) { return false }
    guard let localAccountID else { return true }
    return account.tenantProfiles.contains {
      account.isNamed($0.localAccountID, localAccountID)
    }
  }
}

extension Account {
  /// Compares identifiers: case-insensitively at Entra, exactly for the subjects of other providers.
  fileprivate func isNamed(_ own: String, _ requested: String) -> Bool {
    isEntra ? own.normalised == requested.normalised : own == requested.trimmed
  }
}

/// Validates the parameters of requests.
package enum RequestRules {
  /// Returns the requested scopes.
  ///
  /// The scopes that the library adds are ignored. If there are no others and `openid` is one of them, the request is for
  /// an ID token only.
  ///
  /// - Throws: `fixRequest` for a list without other scopes. Also for the client ID, which is a scope only at B2C and
  ///   plain issuers (MSAL for Apple rejects it too).
  package static func scopes(
    _ list: [String], of clientID: String, at authority: Authority
  ) throws(TesseraError) -> Scopes {
    let scopes = Scopes(list).withoutAddedScopes
    guard !scopes.isEmpty else {
      throw TesseraError(
        .fixRequest, .scopesRequired,
        "scopes is empty: request a scope of a resource, or \"openid\" for an ID token only.")
    }
    guard scopes.list.count <= Scopes.limit else {
      throw TesseraError(
        .fixRequest, .invalidMember, "scopes has more than \(Scopes.limit) entries: remove some.")
    }
    guard !scopes.list.contains(where: { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "A scope contains white space or a control character: pass each scope as its own element of scopes."
      )
    }
    guard !scopes.normalised.contains(Scopes.defaultScope(at: "")) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "The scope /.default has no resource: add it, as in https://graph.microsoft.com/.default.")
    }
    if [.entra, .ciam].contains(authority.type), scopes.normalised.contains(clientID.normalised) {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "The client_id is not a scope at this authority: request \(clientID)/.default, or a scope that the application exposes."
      )
    }
    return scopes
  }

  /// Checks that a claims challenge is a JSON object.
  ///
  /// At Microsoft's authorities, its members must be known targets.
  package static func claims(_ claims: String?, at authority: Authority) throws(TesseraError) {
    guard let claims else { return }
    do throws(WireError) {
      _ = try ClaimsRequest.object(claims, onlyKnownTargets: authority.isMicrosoft)
    } catch {
      throw TesseraError(.fixRequest, .invalidMember, error.message)
    }
  }

  /// Checks that an app-only request does not name an account.
  static func application(_ request: SilentRequest) throws(TesseraError) {
    guard request.isForApplication, !request.homeAccountID.isEmpty || request.username != nil
    else { return }
    throw TesseraError(
      .fixRequest, .invalidMember,
      "for_application requests an app-only token: remove home_account_id and username.")
  }

  /// Checks that a correlation ID fits into an HTTP header field.
  package static func correlationID(_ text: String?) throws(TesseraError) {
    guard let text else { return }
    guard text.utf8.count <= 200, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "correlation_id must have at most 200 printable ASCII characters, such as a UUID.")
    }
  }

  /// Checks an interactive request: the length, the characters and the combination of its parameters.
  static func interactive(
    _ request: AuthorizationOptions, at authority: Authority
  ) throws(TesseraError) {
    try claims(request.claims, at: authority)
    try correlationID(request.correlationID)
    _ = try request.traceContext()
    let extra = request.extraScopesToConsent
    guard extra.count <= Scopes.limit,
      !extra.contains(where: { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } })
    else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "extra_scopes_to_consent must have at most \(Scopes.limit) scopes, without white space and control characters."
      )
    }
    try texts([
      ("login_hint", request.loginHint), ("domain_hint", request.domainHint),
      ("ui_locales", request.uiLocales), ("home_account_id", request.homeAccountID),
    ])
  }

  /// Checks the combination of the browser and the response mode of an interactive request.
  static func browser(_ request: InteractiveRequest) throws(TesseraError) {
    guard request.browser.webviewType == .default || request.options.responseMode == .query else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "response_mode \"form_post\" is not supported by an embedded web view, which cannot read a posted response: use \"query\" or the system browser."
      )
    }
  }

  /// Checks the members of a request that begins a sign-in, other than its options.
  static func signIn(_ request: SignInRequest) throws(TesseraError) {
    guard (.seconds(1) ... .seconds(86_400)).contains(request.lifetime) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "lifetime_seconds must be between 1 and 86400.")
    }
    try texts([("source_application", request.sourceApplication)])
  }

  /// Checks the length and the characters of members.
  private static func texts(_ members: [(name: String, text: String?)]) throws(TesseraError) {
    for case (let name, let text?) in members {
      guard text.utf8.count <= 1000, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\(name) contains a control character or has more than 1000 bytes.")
      }
    }
  }

  /// Returns the error for a request that requires user interaction whatever the store contains; `nil` for others.
  ///
  /// - Parameter hosts: The hosts of the authority's cloud, or its issuer.
  static func interactionError(
    of account: String, named username: String?, in environment: String?, at authority: Authority,
    hosts: [String]
  ) throws(TesseraError) -> TesseraError? {
    if account.isEmpty, username?.nonBlank == nil {
      // As in MSAL for Apple, a request without an account requires user interaction.
      return TesseraError(
        .signIn, .interactionRequired, "The request has no account: pass an account, or sign in.")
    }
    if authority.belongsToOtherPolicy(account) {
      return TesseraError(
        .signIn, .interactionRequired,
        "The account was signed in with a different B2C policy than \(authority.text): pass its policy as authority, or sign in."
      )
    }
    return try foreignAccountError(of: environment, at: authority, hosts: hosts)
  }

  /// Returns the error for an account without a token that the authority does not admit; `nil` for others.
  ///
  /// The request must not be sent: the server would rotate the refresh token and return one for a user who is not allowed
  /// in this tenant.
  ///
  /// - Parameter realm: The tenant of the account's tokens at this authority.
  package static func admissionError(
    of account: String, at authority: Authority, realm: String?
  ) -> TesseraError? {
    guard let home = account.split(separator: ".").dropFirst().last?.lowercased(),
      // Any other realm was found by a sign-in. That tenant has admitted the account.
      realm == authority.tenant || realm == CloudTable.consumersTenant,
      let reason = authority.rejectionMessage(forTenant: home)
    else { return nil }
    return TesseraError(.signIn, .accountNotInTenant, reason)
  }

  /// Returns the error for an account of a different provider than the authority; `nil` for others.
  ///
  /// The same identifier may denote a different user there. MSAL for Apple also requires a sign-in if the token endpoint is
  /// in another cloud than the account.
  private static func foreignAccountError(
    of environment: String?, at authority: Authority, hosts: [String]
  ) throws(TesseraError) -> TesseraError? {
    guard let environment else { return nil }
    guard environment.nonBlank != nil else {
      throw TesseraError(
        .fixRequest, .invalidMember, "environment is empty: specify a value or remove it.")
    }
    let own = authority.isEntra ? environment.normalised : environment
    guard !hosts.contains(where: { AccountKey.isSameCloud($0, own) }) else { return nil }
    return TesseraError(
      .signIn, .interactionRequired,
      """
      The account belongs to \(environment), which is a different provider than \(authority.text): pass the \
      account's own authority, or sign in at this one.
      """)
  }
}
