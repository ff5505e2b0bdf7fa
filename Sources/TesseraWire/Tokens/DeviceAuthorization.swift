// SPDX-License-Identifier: MIT
// The device authorization request and response (RFC 8628 section 3.1 and 3.2).

/// A request for a device code and a user code.
package struct DeviceAuthorizationRequest: Sendable {
  /// The application.
  package var clientID: String
  /// What is asked for.
  package var scopes: Scopes
  /// A `claims` parameter, as JSON text.
  package var claims: String?

  /// A request for a device code.
  package init(clientID: String, scopes: Scopes, claims: String? = nil) {
    self.clientID = clientID
    self.scopes = scopes
    self.claims = claims
  }

  /// The request as it is sent.
  package func httpRequest(to endpoint: String) -> HTTPRequest {
    var form = FormFields()
    form.add("client_id", clientID)
    form.add("scope", scopes.text)
    form.add("claims", claims)
    return .post(endpoint, form)
  }
}

/// A device code, and what to show to the person who approves it.
package struct DeviceAuthorization: Sendable {
  /// The code that the application polls with.
  package let deviceCode: Secret
  /// The code that the person enters.
  package let userCode: String
  /// Where the person enters it.
  package let verificationURI: String
  /// The same address with the code in it, for a QR code.
  package let verificationURIComplete: String?
  /// A sentence for the person, if the server wrote one.
  package let message: String?
  /// When the codes stop working.
  package let expiresAt: Instant
  /// Seconds between two polls.
  package let intervalSeconds: Int64

  /// Reads an answer that arrived at a given time.
  package init(_ json: JSONObject, receivedAt now: Instant) throws(WireError) {
    // `verification_url` is what Google and old Azure AD endpoints send.
    guard let deviceCode = json["device_code"]?.string?.nonBlank,
      let userCode = json["user_code"]?.string?.plain(atMost: 200).nonBlank,
      let address = json["verification_uri"]?.string?.nonBlank
        ?? json["verification_url"]?.string?.nonBlank
    else {
      throw WireError(
        "device_authorization_incomplete",
        "The device authorization endpoint answered without device_code, user_code or verification_uri."
      )
    }
    // The address is shown to a person who will type a password there.
    guard WebAddress(address)?.mayCarrySecrets == true else {
      throw WireError(
        "device_authorization_untrusted", "The server's verification_uri is not an https address.")
    }
    self.deviceCode = Secret(deviceCode)
    self.userCode = userCode
    verificationURI = address
    verificationURIComplete = json["verification_uri_complete"]?.string?.nonBlank.flatMap {
      WebAddress($0)?.mayCarrySecrets == true ? $0 : nil
    }
    message = json["message"]?.string?.plain(atMost: 1000).nonBlank
    // RFC 8628 section 3.2: expires_in is required; MSAL assumes half an hour where it is missing.
    expiresAt = now.adding(seconds: max(json["expires_in"]?.integer ?? 1800, 0))
    // RFC 8628 section 3.2: without an interval, clients use five seconds.
    intervalSeconds = min(max(json["interval"]?.integer ?? 5, 1), 3600)
  }
}
