// SPDX-License-Identifier: MIT
// Validation of requests, before any access to the store or the network.

package import TesseraWire

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
