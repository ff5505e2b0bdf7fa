// SPDX-License-Identifier: MIT
// The discovery document of a provider (OpenID Connect Discovery section 3, RFC 8414).

/// The parts of a provider's discovery document that Tessera uses.
package struct OpenIDConfiguration: Sendable, Equatable {
  /// The issuer of the tokens; for Entra's multi-tenant authorities it contains `{tenantid}`.
  package let issuer: String
  /// The endpoint that a browser opens to sign in.
  package let authorizationEndpoint: String?
  /// The endpoint that issues tokens.
  package let tokenEndpoint: String
  /// The endpoint that issues device codes; nil if the provider does not support the device flow.
  package let deviceAuthorizationEndpoint: String?
  /// The endpoint that a browser opens to sign out.
  package let endSessionEndpoint: String?
  /// The endpoint that revokes tokens (RFC 7009); nil if the provider does not support revocation.
  package let revocationEndpoint: String?
  /// Whether all authorization responses contain `iss` (RFC 9207 section 3).
  package let alwaysSendsIssuer: Bool

  /// Parses a discovery document.
  ///
  /// Rejects endpoints that must not receive secrets.
  package init(_ json: JSONObject) throws(WireError) {
    guard let issuer = json["issuer"]?.string?.nonBlank,
      let tokenEndpoint = json["token_endpoint"]?.string?.nonBlank
    else {
      throw WireError(
        "discovery_incomplete", "The discovery document has no issuer or no token_endpoint.")
    }
    self.issuer = issuer
    self.tokenEndpoint = tokenEndpoint
    authorizationEndpoint = json["authorization_endpoint"]?.string?.nonBlank
    deviceAuthorizationEndpoint = json["device_authorization_endpoint"]?.string?.nonBlank
    endSessionEndpoint = json["end_session_endpoint"]?.string?.nonBlank
    revocationEndpoint = json["revocation_endpoint"]?.string?.nonBlank
    alwaysSendsIssuer = json["authorization_response_iss_parameter_supported"]?.bool ?? false
    let endpoints = [
      ("token_endpoint", tokenEndpoint), ("authorization_endpoint", authorizationEndpoint),
      ("device_authorization_endpoint", deviceAuthorizationEndpoint),
      ("end_session_endpoint", endSessionEndpoint), ("revocation_endpoint", revocationEndpoint),
    ]
    for case (let name, let endpoint?) in endpoints
    where WebURL(endpoint)?.mayCarrySecrets != true {
      throw WireError(
        "discovery_untrusted",
        "The \(name) in the discovery document must be an https URL without user information (user@host)."
      )
    }
  }

  /// The document as JSON, in the form that is cached on disk.
  package var json: JSONObject {
    var json = JSONObject()
    json.append("issuer", issuer)
    json.append("authorization_endpoint", authorizationEndpoint)
    json.append("token_endpoint", tokenEndpoint)
    json.append("device_authorization_endpoint", deviceAuthorizationEndpoint)
    json.append("end_session_endpoint", endSessionEndpoint)
    json.append("revocation_endpoint", revocationEndpoint)
    if alwaysSendsIssuer { json["authorization_response_iss_parameter_supported"] = .bool(true) }
    return json
  }
}
