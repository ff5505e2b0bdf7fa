// SPDX-License-Identifier: MIT
// The token request (RFC 6749 section 4 to 6): one value for every grant, and its HTTP form.

/// A request to the token endpoint.
package struct TokenRequest: Sendable {
  /// What is exchanged for tokens; a new grant is a new case here and a few fields below.
  package enum Grant: Sendable {
    /// RFC 6749 section 6.
    case refreshToken(Secret)
    /// RFC 8628 section 3.4.
    case deviceCode(Secret)
    /// RFC 6749 section 4.1.3, with the verifier of RFC 7636 section 4.5.
    case authorizationCode(Secret, redirectURI: String, verifier: CodeVerifier)
  }

  /// What is exchanged.
  package var grant: Grant
  /// The application.
  package var clientID: String
  /// What is asked for; an empty list sends no scope.
  package var scopes: Scopes
  /// A `claims` parameter (OpenID Connect Core 5.5), as JSON text.
  package var claims: String?
  /// Whether to ask for `client_info`, by which Entra names the home account.
  package var asksForClientInfo: Bool
  /// The enrolment of the person in Intune's app protection; nil sends nothing of it.
  package var enrollmentID: String?
  /// What the program adds.
  package var extras = ExtraParameters()

  /// A request to the token endpoint.
  package init(
    grant: Grant, clientID: String, scopes: Scopes, claims: String? = nil,
    asksForClientInfo: Bool = false
  ) {
    self.grant = grant
    self.clientID = clientID
    self.scopes = scopes
    self.claims = claims
    self.asksForClientInfo = asksForClientInfo
  }

  /// The fields of the request's body.
  package var form: FormFields {
    var form = FormFields()
    form.add("client_id", clientID)
    form.add("grant_type", grant.name)
    switch grant {
    case .refreshToken(let token): form.add("refresh_token", token)
    case .deviceCode(let code): form.add("device_code", code)
    case .authorizationCode(let code, let redirectURI, let verifier):
      form.add("code", code)
      form.add("redirect_uri", redirectURI)
      form.add("code_verifier", verifier.secret)
    }
    form.add("scope", scopes.text)
    for (name, value) in extras.tokenFields.sorted(by: { $0.key < $1.key }) {
      form.add(name, evenIfBlank: value)
    }
    form.add("claims", claims)
    if asksForClientInfo { form.add("client_info", "1") }
    form.add("microsoft_enrollment_id", enrollmentID)
    return form
  }

  /// The request as it is sent.
  package func httpRequest(to tokenEndpoint: String) -> HTTPRequest {
    .post(extras.endpoint(tokenEndpoint), form)
  }

  /// The same with what the program adds.
  package func adding(_ extras: ExtraParameters) -> TokenRequest {
    var request = self
    request.extras = extras
    return request
  }
}

extension TokenRequest.Grant {
  /// The `grant_type`.
  package var name: String {
    switch self {
    case .refreshToken: "refresh_token"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    case .authorizationCode: "authorization_code"
    }
  }
}
