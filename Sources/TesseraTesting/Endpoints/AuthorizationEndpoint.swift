// SPDX-License-Identifier: MIT
// The authorization endpoint (RFC 6749 section 3.1): pages for sign-in and consent, then the authorization response.

import TesseraWire

extension ProviderState {
  /// Returns the next page of a sign-in, or the response at the redirect URI.
  ///
  /// Every page posts to the URL of the request itself, so that no state is kept between them.
  mutating func authorize(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    counts.authorizations += 1
    guard let requested = AuthorizationQuery(request.query, settings) else {
      return AuthorizationPage.invalidRequestPage.response
    }
    let form = request.method == "POST" ? try request.form() : FormFields()
    do throws(ErrorResponse) {
      try requested.check()
      return try respond(to: requested, form, request, at: issuer)
    } catch {
      let fields = error.authorizationFields(isEntra: issuer.isEntra)
      return redirect(fields, requested, request, at: issuer)
    }
  }

  private mutating func respond(
    to requested: AuthorizationQuery, _ form: FormFields, _ request: IncomingRequest,
    at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    let page = AuthorizationPage(requested, issuer, target: request.target)
    let typed = form["username"]?.nonBlank
    let session = request.method == "GET" ? sessionUser(requested, request, issuer) : nil
    guard let user = typed.flatMap(LocalUser.named) ?? session, issuer.admits(user) else {
      if requested.prompts == ["none"] { throw .loginRequired }
      return page.accountPage(
        problem: typed == nil
          ? nil : "This account does not exist. Correct the name, or choose an account."
      )
      .response
    }
    switch form["decision"] {
    case "decline": throw .consentDeclined
    case "approve": authorizations.consent(user, requested, at: issuer)
    default:
      let hasConsented = authorizations.hasConsented(user, requested, at: issuer)
      guard hasConsented, !requested.prompts.contains("consent") else {
        if requested.prompts == ["none"] { throw .consentRequired }
        return page.consentPage(user).response
      }
    }
    return finish(requested, user, request, at: issuer)
  }

  /// Returns the user of the browser session; nil if the request requires another user or a prompt.
  private func sessionUser(
    _ requested: AuthorizationQuery, _ request: IncomingRequest, _ issuer: Issuer
  ) -> LocalUser? {
    guard let user = authorizations.user(of: request.cookie(AuthorizationPage.cookie)),
      !requested.prompts.contains(where: ["login", "select_account", "create"].contains),
      requested.loginHint.map({ $0.normalised == user.username }) ?? true
    else { return nil }
    return user
  }

  private mutating func finish(
    _ requested: AuthorizationQuery, _ user: LocalUser, _ request: IncomingRequest,
    at issuer: Issuer
  ) -> HTTPResponse {
    let (code, session) = (randomToken(), randomToken())
    authorizations.add(
      AuthorizationGrant(
        user: user, issuer: issuer, request: requested,
        expiresAt: request.now.adding(seconds: settings.authorizationCodeLifetimeSeconds)),
      code: code, at: request.now)
    authorizations.begin(session, of: user)
    var response = redirect([("code", code)], requested, request, at: issuer)
    response.headers.append(
      HTTPHeader(
        "Set-Cookie",
        "\(AuthorizationPage.cookie)=\(session); Path=/; HttpOnly; SameSite=Lax"))
    return response
  }

  /// Returns the authorization response at the redirect URI: in its query, or as a form post.
  private func redirect(
    _ fields: [(String, String)], _ requested: AuthorizationQuery, _ request: IncomingRequest,
    at issuer: Issuer
  ) -> HTTPResponse {
    var form = FormFields()
    for (name, value) in fields { form.add(name, value) }
    form.add("state", requested.state)
    // RFC 9207. Entra does not send it.
    if case .plain = issuer { form.add("iss", origin + issuer.identifierPath) }
    if issuer.isEntra { form.add("session_state", UUIDText.make(randomBytes(16))) }
    guard !requested.isFormPost else { return AuthorizationPage.post(form, to: requested).response }
    let mark = requested.redirectURI.contains("?") ? "&" : "?"
    return HTTPResponse(
      status: request.method == "POST" ? 303 : 302,
      headers: [HTTPHeader("Location", requested.redirectURI + mark + form.encoded)]
        + HTTPHeader.noStore)
  }
}

extension IncomingRequest {
  /// The path with the query.
  fileprivate var target: String {
    query.fields.isEmpty ? path : path + "?" + query.encoded
  }

  /// Returns a cookie of the browser; nil if it is absent.
  fileprivate func cookie(_ name: String) -> String? {
    let pairs = (headers["Cookie"] ?? "").split(separator: ";").map { String($0).trimmed }
    return pairs.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}
