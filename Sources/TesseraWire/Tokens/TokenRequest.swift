// SPDX-License-Identifier: MIT
// Requests to the token endpoint and the endpoints beside it.

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

/// A request to the end-session endpoint.
package struct EndSessionRequest: Sendable {
  package var clientID: String
  /// The user name of the session's account at the provider.
  package var username: String?
  /// The registered URL that the provider redirects the browser to after the logout.
  package var postLogoutRedirectURI: String?

  /// An ID token of the session (section 2).
  ///
  /// A provider that recognizes it ends the session without confirmation by the user.
  package var idTokenHint: Secret?

  /// The maximum size of an ID token in the URL, in bytes.
  ///
  /// Servers reject longer request lines.
  package static let hintLimit = 4096

  package init(clientID: String, username: String?, postLogoutRedirectURI: String?) {
    self.clientID = clientID
    self.username = username
    self.postLogoutRedirectURI = postLogoutRedirectURI
  }

  /// Returns the URL to open.
  package func url(at endpoint: String) -> String {
    var form = FormFields()
    form.add("id_token_hint", idTokenHint)
    form.add("client_id", clientID)
    form.add("logout_hint", username)
    form.add("post_logout_redirect_uri", postLogoutRedirectURI)
    let query = form.encoded.replacing("+", with: "%20")
    return endpoint + (endpoint.contains("?") ? "&" : "?") + query
  }
}

/// A request to the revocation endpoint.
package struct RevocationRequest: Sendable {
  /// The refresh token.
  ///
  /// The server may revoke the access tokens that it issued for it as well.
  package var refreshToken: Secret
  /// The client ID that the token was issued to.
  package var clientID: String

  package init(refreshToken: Secret, clientID: String) {
    self.refreshToken = refreshToken
    self.clientID = clientID
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("token", refreshToken)
    form.add("token_type_hint", "refresh_token")
    form.add("client_id", clientID)
    return .post(endpoint, form)
  }
}

/// A request for a device code and a user code.
package struct DeviceAuthorizationRequest: Sendable {
  /// The client ID of the application.
  package var clientID: String
  /// The requested scopes.
  package var scopes: Scopes
  /// The `claims` parameter, as JSON text.
  package var claims: String?

  /// Creates a request.
  package init(clientID: String, scopes: Scopes, claims: String? = nil) {
    self.clientID = clientID
    self.scopes = scopes
    self.claims = claims
  }

  /// Returns the HTTP request to send.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("client_id", clientID)
    form.add("scope", scopes.text)
    form.add("claims", claims)
    return .post(endpoint, form)
  }
}

/// A device code, with the user code and the instructions to show to the user.
package struct DeviceAuthorization: Sendable {
  /// The code with which the application polls.
  package let deviceCode: Secret
  /// The code that the user enters.
  package let userCode: String
  /// The URL at which the user enters the code.
  package let verificationURI: String
  /// The URL that includes the code, for a QR code; nil if it is absent or may not be shown.
  package let verificationURIComplete: String?
  /// The server's instructions for the user, if any.
  package let message: String?
  /// The time at which the codes expire.
  package let expiresAt: Instant
  /// The polling interval, in seconds.
  package let intervalSeconds: Int64

  /// Parses a response.
  ///
  /// - Throws: ``WireError`` with a code that starts with `device_authorization_`.
  package init(_ json: JSONObject, receivedAt now: Instant) throws(WireError) {
    // Google and older Azure AD endpoints send `verification_url`.
    guard let deviceCode = json["device_code"]?.string?.nonBlank,
      let userCode = json["user_code"]?.string?.plain(atMost: 200).nonBlank,
      let address = json["verification_uri"]?.string?.nonBlank
        ?? json["verification_url"]?.string?.nonBlank
    else {
      throw WireError(
        "device_authorization_incomplete",
        "The device authorization response has no device_code, user_code or verification_uri."
      )
    }
    // The user will type a password at this URL, so it must be secure.
    guard WebURL(address)?.mayCarrySecrets == true else {
      throw WireError(
        "device_authorization_untrusted",
        "The verification_uri of the device authorization response is not an https URL.")
    }
    self.deviceCode = Secret(deviceCode)
    self.userCode = userCode
    verificationURI = address
    verificationURIComplete = json["verification_uri_complete"]?.string?.nonBlank.flatMap {
      WebURL($0)?.mayCarrySecrets == true ? $0 : nil
    }
    message = json["message"]?.string?.plain(atMost: 1000).nonBlank
    // RFC 8628 section 3.2 requires expires_in. Without it, MSAL assumes half an hour.
    expiresAt = now.adding(seconds: max(json["expires_in"]?.integer ?? 1800, 0))
    // RFC 8628 section 3.2: the default interval is five seconds.
    intervalSeconds = min(max(json["interval"]?.integer ?? 5, 1), 3600)
  }
}

/// The secret from which the `code_challenge` is derived.
package struct CodeVerifier: Sendable, Hashable {
  /// The `code_verifier`: 43 characters of base64url (RFC 7636 section 4.1).
  package let secret: Secret

  /// The number of random bytes in a verifier.
  package static let byteCount = 32
  /// The challenge method (RFC 7636 section 4.2).
  ///
  /// `plain` is not used: it does not protect a request that an attacker can read.
  package static let method = "S256"

  /// Creates a verifier from random bytes.
  package init(_ bytes: some Sequence<UInt8>) {
    secret = Secret(Base64URL.encode(bytes))
  }

  /// Restores a verifier from its text.
  package init(_ secret: Secret) {
    self.secret = secret
  }

  /// The `code_challenge`, which is not secret.
  package var challenge: String {
    Base64URL.encode(Cipher.sha256(secret.reveal()))
  }
}
