// SPDX-License-Identifier: MIT
// The discovery documents of an authority, cached for all processes of the user.

package import TesseraWire

/// A cached discovery document.
///
/// It contains no secrets and saves each process two requests.
package struct DiscoveryRecord: Sendable, Hashable {
  /// The stored JSON members.
  package let members: JSONObject

  /// Creates a record of the discovery documents of an authority.
  ///
  /// - Parameters:
  ///   - isVerified: See ``isVerified``.
  ///   - now: The time of the request.
  package init(
    authority: String, configuration: OpenIDConfiguration, cloud: CloudInstance?,
    isVerified: Bool = false, at now: Instant
  ) {
    var members = JSONObject()
    members.append("authority", authority)
    members.append("cached_at", String(now.secondsSince1970))
    members.append("configuration", .object(configuration.json))
    if let cloud {
      members.append("preferred_network", cloud.preferredNetwork)
      members.append("preferred_cache", cloud.preferredCache)
      members.append("aliases", .array(cloud.aliases.map(JSONValue.string)))
    }
    if isVerified { members.append("verified", true) }
    self.members = members
  }

  /// Creates a record from its stored members, or returns `nil` if required members are missing.
  package init?(members: JSONObject) {
    guard members["authority"]?.string != nil, members["configuration"]?.object != nil else {
      return nil
    }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey {
    DiscoveryRecord.key(authority: authority)
  }

  /// Returns the key of an authority's record.
  package static func key(authority: String) -> RecordKey {
    RecordKey(account: "discovery", service: authority, generic: nil, type: typeNumber)
  }

  package var authority: String { members["authority"]?.string ?? "" }

  /// The OpenID configuration, or `nil` if the stored document is not valid.
  package var configuration: OpenIDConfiguration? {
    members["configuration"]?.object.flatMap { try? OpenIDConfiguration($0) }
  }

  /// The hosts of the cloud, or `nil` if the provider has no clouds.
  package var cloud: CloudInstance? {
    guard let network = members["preferred_network"]?.string,
      let cache = members["preferred_cache"]?.string
    else { return nil }
    return CloudInstance(
      preferredNetwork: network, preferredCache: cache,
      aliases: (members["aliases"]?.array ?? []).compactMap(\.string))
  }

  /// Whether the host was verified by instance discovery.
  ///
  /// An application that requires the verification ignores other records.
  package var isVerified: Bool { members["verified"]?.bool == true }

  /// Whether the record is less than a day old, which is also the cache lifetime in MSAL Python.
  package func isFresh(at now: Instant) -> Bool {
    guard let cachedAt = members["cached_at"]?.integer else { return false }
    return (0..<86_400).contains(now.seconds(since: Instant(secondsSince1970: cachedAt)))
  }

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9001
}
