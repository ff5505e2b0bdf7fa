// SPDX-License-Identifier: MIT
// What every request must fulfil before anything is read or sent.

import TesseraWire

/// Checks of what a caller asks for.
enum RequestRules {
  /// The scopes, if they can be asked for.
  ///
  /// `openid` alone requests an ID token only.
  ///
  /// - Throws: `fixRequest` for none, for those that the library adds itself, and for the application's own id, which is
  ///   a scope at B2C and plain issuers only (MSAL for Apple rejects them too).
  static func scopes(
    _ list: [String], of clientID: String, at authority: Authority
  ) throws(TesseraError) -> Scopes {
    let scopes = Scopes(list)
    guard !scopes.isEmpty else {
      throw TesseraError(
        .fixRequest, .scopesRequired,
        "scopes is empty: name at least one scope of a resource, or \"openid\" for an ID token only."
      )
    }
    guard scopes.list.count <= Scopes.limit else {
      throw TesseraError(
        .fixRequest, .invalidMember, "scopes has more than \(Scopes.limit) scopes.")
    }
    guard !scopes.list.contains(where: { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "A scope contains white space or a control character: give a list of scopes.")
    }
    guard !scopes.intersects(.reserved) || scopes.requestsIDTokenOnly else {
      throw TesseraError(
        .fixRequest, .reservedScope,
        """
        Leave out \(Scopes.reserved.list.joined(separator: ", ")): the library adds them itself. For an ID token \
        only, request "openid" alone.
        """)
    }
    guard !scopes.normalised.contains(Scopes.everything(at: "")) else {
      throw TesseraError(.fixRequest, .invalidMember, "The scope /.default names no resource.")
    }
    if [.entra, .ciam].contains(authority.type), scopes.normalised.contains(clientID.normalised) {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "The client_id is no scope here: ask for \(clientID)/.default, or a scope that it exposes.")
    }
    return scopes
  }

  /// Throws unless a claims challenge is a JSON object; at Microsoft's authorities, for targets that they know.
  static func claims(_ claims: String?, at authority: Authority) throws(TesseraError) {
    guard let claims else { return }
    do throws(WireError) {
      _ = try ClaimsRequest.object(claims, onlyKnownTargets: authority.isMicrosoft)
    } catch {
      throw TesseraError(.fixRequest, .invalidMember, error.message)
    }
  }

  /// Throws for a request for the application itself that names a person.
  static func application(_ request: SilentRequest) throws(TesseraError) {
    guard request.isForApplication, !request.homeAccountID.isEmpty || request.username != nil
    else { return }
    throw TesseraError(
      .fixRequest, .invalidMember,
      "for_application is for the token of nobody: leave out home_account_id and username.")
  }

  /// Throws for a correlation id that does not fit into a header field.
  static func correlationID(_ text: String?) throws(TesseraError) {
    guard let text else { return }
    guard text.utf8.count <= 200, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "correlation_id must have at most 200 printable characters of ASCII, such as a UUID.")
    }
  }

  /// Throws for what of an interactive request cannot be sent.
  static func interactive(
    _ request: InteractiveRequest, at authority: Authority
  ) throws(TesseraError) {
    try claims(request.claims, at: authority)
    try correlationID(request.correlationID)
    let extra = request.extraScopesToConsent
    guard extra.count <= Scopes.limit,
      !extra.contains(where: { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } })
    else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "extra_scopes_to_consent must be a list of at most \(Scopes.limit) scopes without spaces.")
    }
    guard request.browser.webviewType == .default || request.responseMode == .query else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "response_mode \"form_post\" is for browsers: an embedded web view does not see what a page posts."
      )
    }
    guard (1...86_400).contains(request.lifetimeSeconds) else {
      throw TesseraError(
        .fixRequest, .invalidMember, "lifetime_seconds must be between 1 and 86400.")
    }
    for (name, text) in [
      ("login_hint", request.loginHint), ("domain_hint", request.domainHint),
      ("home_account_id", request.homeAccountID), ("source_application", request.sourceApplication),
    ] {
      guard let text else { continue }
      guard text.utf8.count <= 1000, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\(name) has control characters, or more than 1000 bytes.")
      }
    }
  }

  /// Why only the person can continue, whatever the store has; nil if that is not so.
  ///
  /// - Parameter hosts: those of the authority's cloud, or its issuer.
  static func refusal(
    of account: String, named username: String?, in environment: String?, at authority: Authority,
    hosts: [String]
  ) throws(TesseraError) -> TesseraError? {
    if account.isEmpty, username?.nonBlank == nil {
      // MSAL for Apple: without an account only the person can say who they are.
      return TesseraError(
        .signIn, .interactionRequired, "No account was given: sign in first, or choose one.")
    }
    if authority.isOfAnotherPolicy(account) {
      return TesseraError(
        .signIn, .interactionRequired,
        "The account is of another policy than \(authority.text): name its policy as authority, or sign in."
      )
    }
    return try strangeness(of: environment, at: authority, hosts: hosts)
  }

  /// Why an account without a token cannot get one: nobody of its kind is admitted; nil if that is not so.
  ///
  /// Asking would cost the refresh token: what came back would be nobody's who may be here.
  ///
  /// - Parameter realm: the tenant of the account's tokens here.
  static func exclusion(
    of account: String, at authority: Authority, realm: String?
  ) -> TesseraError? {
    guard let home = account.split(separator: ".").dropFirst().last?.lowercased(),
      // A tenant that a sign-in has led to admitted the account.
      realm == authority.tenant || realm == CloudTable.consumersTenant,
      let reason = authority.refusal(ofTenant: home)
    else { return nil }
    return TesseraError(.signIn, .accountNotInTenant, reason)
  }

  /// Why an account is none of the authority's: the same identifier may be somebody else there.
  ///
  /// MSAL for Apple asks for a sign-in too when the token endpoint is in another cloud than the account.
  private static func strangeness(
    of environment: String?, at authority: Authority, hosts: [String]
  ) throws(TesseraError) -> TesseraError? {
    guard let environment else { return nil }
    guard environment.nonBlank != nil else {
      throw TesseraError(.fixRequest, .invalidMember, "environment is empty.")
    }
    let own = authority.isEntra ? environment.normalised : environment
    guard !hosts.contains(where: { AccountPerson.sharesCloud($0, own) }) else { return nil }
    return TesseraError(
      .signIn, .interactionRequired,
      """
      The account belongs to \(environment), which is another provider than \(authority.text): name the account's \
      own authority, or sign in at this one.
      """)
  }
}
