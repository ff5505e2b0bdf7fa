// SPDX-License-Identifier: MIT
// Entra's instance discovery: is this host an instance of the identity platform, and which hosts are the same cloud.

/// The question whether a host is an instance of the Microsoft identity platform.
package struct InstanceDiscoveryRequest: Sendable {
  /// The instance that is asked.
  package var discoveryOrigin: String
  /// The authority that is asked about, such as `https://login.example/tenant`.
  package var authority: String

  /// A question about an authority.
  package init(discoveryOrigin: String, authority: String) {
    self.discoveryOrigin = discoveryOrigin
    self.authority = authority
  }

  /// The request as it is sent.
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
  /// All hosts of the cloud.
  package let aliases: [String]

  /// The hosts of one cloud.
  package init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
    self.preferredNetwork = preferredNetwork
    self.preferredCache = preferredCache
    self.aliases = aliases
  }
}

/// The answer to instance discovery.
package struct InstanceDiscovery: Sendable {
  /// The clouds that the asked instance knows.
  package let clouds: [CloudInstance]

  /// Reads an answer; one damaged entry spoils it, as with MSAL for Apple: half a table of aliases misleads.
  package init(_ json: JSONObject) throws(WireError) {
    guard json["tenant_discovery_endpoint"]?.string != nil else {
      throw WireError(
        "instance_discovery_incomplete", "Instance discovery named no tenant_discovery_endpoint.")
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
          "instance_discovery_invalid", "Instance discovery sent an entry without hosts.")
      }
      clouds.append(
        CloudInstance(
          preferredNetwork: network.normalised, preferredCache: cache.normalised,
          aliases: aliases.compactMap(\.self)))
    }
    self.clouds = clouds
  }

  /// The cloud a host belongs to.
  package func cloud(of host: String) -> CloudInstance? {
    clouds.first { $0.aliases.contains(host.normalised) }
  }
}
