// SPDX-License-Identifier: MIT
// The documents that describe an authority.

/// A request to check whether a host is an instance of the Microsoft identity platform.
package struct InstanceDiscoveryRequest: Sendable {
  /// The origin of the instance that receives the request.
  package var discoveryOrigin: String
  /// The authority to check, such as `https://login.example/tenant`.
  package var authority: String

  /// Creates a request for an authority.
  package init(discoveryOrigin: String, authority: String) {
    self.discoveryOrigin = discoveryOrigin
    self.authority = authority
  }

  /// The HTTP request to send.
  package var httpRequest: HTTPRequest {
    var query = FormFields()
    query.add("api-version", "1.1")
    query.add("authorization_endpoint", authority + "/oauth2/v2.0/authorize")
    return .get("\(discoveryOrigin)/common/discovery/instance?\(query.encoded)")
  }
}

/// The hosts of one cloud.
package struct CloudInstance: Sendable, Hashable {
  /// The host to send requests to.
  package let preferredNetwork: String
  /// The host under which records are stored.
  package let preferredCache: String
  /// All host aliases of the cloud.
  package let aliases: [String]

  /// Creates a cloud from its hosts.
  package init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
    self.preferredNetwork = preferredNetwork
    self.preferredCache = preferredCache
    self.aliases = aliases
  }
}

/// The response to an instance discovery request.
package struct InstanceDiscovery: Sendable {
  /// The clouds that the instance knows.
  package let clouds: [CloudInstance]

  /// Parses a response.
  ///
  /// Rejects the whole response if one entry is invalid, as MSAL for Apple does. An incomplete list of aliases could assign
  /// a host to the wrong cloud.
  package init(_ json: JSONObject) throws(WireError) {
    guard json["tenant_discovery_endpoint"]?.string != nil else {
      throw WireError(
        "instance_discovery_incomplete",
        "The instance discovery response has no tenant_discovery_endpoint.")
    }
    var clouds: [CloudInstance] = []
    for entry in json["metadata"]?.array ?? [] {
      guard let entry = entry.object,
        let network = entry["preferred_network"]?.string?.nonBlank,
        let cache = entry["preferred_cache"]?.string?.nonBlank,
        let aliases = entry["aliases"]?.array?.map({ $0.string?.nonBlank?.normalised }),
        !aliases.contains(nil)
      else {
        throw WireError(
          "instance_discovery_invalid",
          "The instance discovery response has an entry without hosts.")
      }
      clouds.append(
        CloudInstance(
          preferredNetwork: network.normalised, preferredCache: cache.normalised,
          aliases: aliases.compactMap(\.self)))
    }
    self.clouds = clouds
  }

  /// Returns the cloud of a host; nil if the response does not contain the host.
  package func cloud(of host: String) -> CloudInstance? {
    clouds.first { $0.aliases.contains(host.normalised) }
  }
}

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
  /// The methods of client authentication at the token endpoint; nil if the document has none (RFC 8414 section 2).
  package let authenticationMethods: [String]?
  /// The signature algorithms of assertions at the token endpoint; nil if the document has none (RFC 8414 section 2).
  package let assertionAlgorithms: [String]?
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
    authenticationMethods = OpenIDConfiguration.names(
      json["token_endpoint_auth_methods_supported"])
    assertionAlgorithms = OpenIDConfiguration.names(
      json["token_endpoint_auth_signing_alg_values_supported"])
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

  /// Creates the document of an Entra tenant, as far as its token endpoint.
  ///
  /// - Parameters:
  ///   - origin: The origin of the tenant's cloud.
  ///   - tenant: The ID or a domain of the tenant.
  package init(entraAt origin: String, tenant: String) {
    issuer = "\(origin)/\(tenant)/v2.0"
    tokenEndpoint = "\(origin)/\(tenant)/oauth2/v2.0/token"
    authorizationEndpoint = nil
    deviceAuthorizationEndpoint = nil
    endSessionEndpoint = nil
    revocationEndpoint = nil
    authenticationMethods = nil
    assertionAlgorithms = nil
    alwaysSendsIssuer = false
  }

  /// Returns the strings of an array; nil if there are none.
  private static func names(_ value: JSONValue?) -> [String]? {
    value?.array.map { $0.prefix(50).compactMap(\.string) }.flatMap { $0.isEmpty ? nil : $0 }
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
    if let authenticationMethods {
      json["token_endpoint_auth_methods_supported"] = .strings(authenticationMethods)
    }
    if let assertionAlgorithms {
      json["token_endpoint_auth_signing_alg_values_supported"] = .strings(assertionAlgorithms)
    }
    if alwaysSendsIssuer { json["authorization_response_iss_parameter_supported"] = .bool(true) }
    return json
  }
}
