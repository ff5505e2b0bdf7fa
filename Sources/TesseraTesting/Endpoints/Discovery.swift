// SPDX-License-Identifier: MIT
// Discovery: Entra's instance discovery, and the OpenID Connect documents of all issuers.

import TesseraWire

extension ProviderState {
  /// Returns Entra's instance discovery document: this host is the only instance of its cloud.
  mutating func instanceDiscovery(_ request: IncomingRequest) throws(ErrorResponse) -> HTTPResponse
  {
    counts.discoveryRequests += 1
    let host = WebURL(origin)?.authority ?? ""
    guard let requested = request.query["authorization_endpoint"].flatMap({ WebURL($0) }) else {
      throw .missing("authorization_endpoint")
    }
    guard requested.authority == host, let tenant = requested.pathSegments.first else {
      throw .unknownInstance
    }
    var body: JSONObject = [
      "tenant_discovery_endpoint":
        .string("\(origin)/\(tenant)/v2.0/.well-known/openid-configuration"),
      "api-version": .string(request.query["api-version"] ?? "1.0"),
    ]
    // Version 1.0 does not list other hosts.
    if request.query["api-version"] == "1.1" {
      body["metadata"] = [
        [
          "preferred_network": .string(host), "preferred_cache": .string(host),
          "aliases": [.string(host)],
        ]
      ]
    }
    return .json(.object(body))
  }

  /// Returns the discovery document of an issuer.
  mutating func configuration(of issuer: Issuer) -> HTTPResponse {
    counts.discoveryRequests += 1
    return .json(
      .object(
        issuer.configuration(origin: origin, methods: settings.clientAuthenticationMethods)))
  }

  /// Returns the signing keys (RFC 7517).
  mutating func keys() throws(ErrorResponse) -> HTTPResponse {
    .json(["keys": [.object(try currentSigningKey().publicJWK)]])
  }
}

extension Issuer {
  /// Returns the discovery document (OpenID Connect Discovery section 3, RFC 8628 section 4).
  fileprivate func configuration(origin: String, methods: [String]?) -> JSONObject {
    let base = origin + path
    var body: JSONObject = [
      "issuer": .string(origin + identifierPath), "token_endpoint": .string(origin + tokenPath),
    ]
    if isEntra {
      body.append("authorization_endpoint", base + "/oauth2/v2.0/authorize")
      body.append("device_authorization_endpoint", base + "/oauth2/v2.0/devicecode")
      body.append("jwks_uri", base + "/discovery/v2.0/keys")
      // Entra ends browser sessions, but does not revoke single tokens.
      body.append("end_session_endpoint", base + "/oauth2/v2.0/logout")
    } else if self == .adfs {
      body.append("authorization_endpoint", base + "/oauth2/authorize")
      body.append("device_authorization_endpoint", base + "/oauth2/devicecode")
      body.append("jwks_uri", base + "/discovery/keys")
      // The issuer in ADFS's access tokens, which is not the address of an endpoint.
      body.append(
        "access_token_issuer", base.replacing("https://", with: "http://") + "/services/trust")
    } else {
      body.append("authorization_endpoint", base + "/authorize")
      body.append("device_authorization_endpoint", base + "/device")
      body.append("jwks_uri", base + "/keys")
      body.append("revocation_endpoint", base + "/revoke")
      body.append("introspection_endpoint", base + "/introspect")
      body.append("end_session_endpoint", base + "/logout")
    }
    describe(&body)
    let all = (isEntra || self == .adfs ? [] : ["none"]) + Issuer.authenticationMethods
    body["token_endpoint_auth_methods_supported"] = .strings(methods ?? all)
    body["token_endpoint_auth_signing_alg_values_supported"] = .strings(
      assertionAlgorithms.map(\.rawValue))
    return body
  }

  /// Adds the capabilities of the endpoints.
  private func describe(_ body: inout JSONObject) {
    if case .plain = self {
      body["grant_types_supported"] = [
        .string(GrantType.authorizationCode), .string(GrantType.deviceCode),
        .string(GrantType.refreshToken), .string(GrantType.clientCredentials),
      ]
      // RFC 9207 section 3.
      body["authorization_response_iss_parameter_supported"] = true
      body["introspection_endpoint_auth_methods_supported"] = [
        "client_secret_basic", "client_secret_post",
      ]
    }
    body["response_types_supported"] = ["code"]
    body["response_modes_supported"] = ["query", "form_post"]
    body["code_challenge_methods_supported"] = ["S256"]
    body["subject_types_supported"] = [isEntra ? "pairwise" : "public"]
    body["id_token_signing_alg_values_supported"] = ["RS256"]
    body["scopes_supported"] = ["openid", "profile", "email", "offline_access"]
  }

  private static let authenticationMethods = [
    "client_secret_post", "client_secret_basic", "private_key_jwt",
  ]
}
