// SPDX-License-Identifier: MIT
// What an authority's discovery documents said, remembered for every process of the user.

package import TesseraWire

/// A remembered discovery document.
///
/// It holds no secret; it saves a process its first two requests.
package struct DiscoveryRecord: Sendable, Hashable {
  /// The record as it is stored.
  package let members: JSONObject

  /// The discovery documents of an authority as of a point in time.
  ///
  /// - Parameter isVerified: see ``isVerified``.
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

  /// A stored record; nil for one that could not be used.
  package init?(members: JSONObject) {
    guard members["authority"]?.string != nil, members["configuration"]?.object != nil else {
      return nil
    }
    self.members = members
  }

  /// Where it lies.
  package var key: RecordKey {
    DiscoveryRecord.key(authority: authority)
  }

  /// Where the record of an authority lies.
  package static func key(authority: String) -> RecordKey {
    RecordKey(account: "discovery", service: authority, generic: nil, type: typeNumber)
  }

  package var authority: String { members["authority"]?.string ?? "" }

  /// The document; nil if what is stored would not be accepted from a server either.
  package var configuration: OpenIDConfiguration? {
    members["configuration"]?.object.flatMap { try? OpenIDConfiguration($0) }
  }

  /// The hosts of the cloud; nil for a provider that has no such notion.
  package var cloud: CloudInstance? {
    guard let network = members["preferred_network"]?.string,
      let cache = members["preferred_cache"]?.string
    else { return nil }
    return CloudInstance(
      preferredNetwork: network, preferredCache: cache,
      aliases: (members["aliases"]?.array ?? []).compactMap(\.string))
  }

  /// Whether somebody was asked who vouches for the host; who trusts no program's word asks unless that is so.
  package var isVerified: Bool { members["verified"]?.bool == true }

  /// Whether it is recent enough to be used without asking again: a day, as MSAL Python remembers it.
  package func isFresh(at now: Instant) -> Bool {
    guard let cachedAt = members["cached_at"]?.integer else { return false }
    return (0..<86_400).contains(now.seconds(since: Instant(secondsSince1970: cachedAt)))
  }

  /// The number that its key carries; the unified schema has no such record.
  package static let typeNumber = 9001
}
