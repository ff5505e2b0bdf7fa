// SPDX-License-Identifier: MIT
// The discovery document of a provider (OpenID Connect Discovery section 3, RFC 8414).

/// The parts of a provider's discovery document that Tessera uses.
package struct OpenIDConfiguration: Sendable, Equatable {
  /// Who issues the tokens; Entra's shared tenants write `{tenantid}` in it.
  package let issuer: String
  /// Where a browser signs in.
  package let authorizationEndpoint: String?
  /// Where tokens are exchanged.
  package let tokenEndpoint: String
  /// Where device codes come from; absent where the provider has no such flow.
  package let deviceAuthorizationEndpoint: String?
  /// Where a browser signs out.
  package let endSessionEndpoint: String?
  /// Where tokens are revoked (RFC 7009); absent where the provider cannot do it.
  package let revocationEndpoint: String?
  /// Whether its authorization responses always name it (RFC 9207 section 3).
  package let namesItself: Bool

  /// Reads a discovery document and refuses endpoints to which no secret may be sent.
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
    namesItself = json["authorization_response_iss_parameter_supported"]?.bool ?? false
    let endpoints = [
      tokenEndpoint, authorizationEndpoint, deviceAuthorizationEndpoint, endSessionEndpoint,
      revocationEndpoint,
    ]
    for case let endpoint? in endpoints where WebAddress(endpoint)?.mayCarrySecrets != true {
      throw WireError(
        "discovery_untrusted", "The discovery document names an endpoint that is not https.")
    }
  }

  /// The document again, as it is remembered on disk.
  package var json: JSONObject {
    var json = JSONObject()
    json.append("issuer", issuer)
    json.append("authorization_endpoint", authorizationEndpoint)
    json.append("token_endpoint", tokenEndpoint)
    json.append("device_authorization_endpoint", deviceAuthorizationEndpoint)
    json.append("end_session_endpoint", endSessionEndpoint)
    json.append("revocation_endpoint", revocationEndpoint)
    if namesItself { json["authorization_response_iss_parameter_supported"] = .bool(true) }
    return json
  }
}
