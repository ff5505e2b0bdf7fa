// SPDX-License-Identifier: MIT
// The token request for all grants (RFC 6749 sections 4 to 6), and its HTTP form.

/// A request to the token endpoint.
package struct TokenRequest: Sendable {
  /// The grant.
  ///
  /// Support for another one needs a case here and its form fields below.
  package enum Grant: Sendable {
    /// RFC 6749 section 6.
    case refreshToken(Secret)
    /// RFC 8628 section 3.4.
    case deviceCode(Secret)
    /// RFC 6749 section 4.1.3, with the verifier of RFC 7636 section 4.5.
    case authorizationCode(Secret, redirectURI: String, verifier: CodeVerifier)
  }

  /// The grant.
  package var grant: Grant
  /// The client ID of the application.
  package var clientID: String
  /// The requested scopes; an empty list omits the parameter.
  package var scopes: Scopes
  /// The `claims` parameter (OpenID Connect Core 5.5), as JSON text.
  package var claims: String?
  /// Whether to request `client_info`, which contains the home account ID (Entra).
  package var requestsClientInfo: Bool
  /// The user's Intune enrollment ID; nil omits the parameter.
  package var enrollmentID: String?
  /// Additional parameters from the application.
  package var extras = ExtraParameters()

  /// Creates a token request.
  package init(
    grant: Grant, clientID: String, scopes: Scopes, claims: String? = nil,
    requestsClientInfo: Bool = false
  ) {
    self.grant = grant
    self.clientID = clientID
    self.scopes = scopes
    self.claims = claims
    self.requestsClientInfo = requestsClientInfo
  }

  /// The form fields of the body.
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
    if requestsClientInfo { form.add("client_info", "1") }
    form.add("microsoft_enrollment_id", enrollmentID)
    return form
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to tokenEndpoint: String) -> HTTPRequest {
    .post(extras.endpoint(tokenEndpoint), form)
  }

  /// Returns the request with additional parameters.
  package func adding(_ extras: ExtraParameters) -> TokenRequest {
    var request = self
    request.extras = extras
    return request
  }
}

extension TokenRequest.Grant {
  /// The value of `grant_type`.
  package var name: String {
    switch self {
    case .refreshToken: "refresh_token"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    case .authorizationCode: "authorization_code"
    }
  }
}
