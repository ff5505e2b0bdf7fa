// SPDX-License-Identifier: MIT
// Entra's instance discovery: whether a host is a trusted instance, and which hosts are aliases of the same cloud.

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
