// SPDX-License-Identifier: MIT
// The device authorization request and response (RFC 8628 sections 3.1 and 3.2).

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
