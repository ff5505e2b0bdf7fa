// SPDX-License-Identifier: MIT
// The records of what servers said: discovery documents and failures.

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

/// The throttle record of a failed token request.
///
/// It contains no secrets: its name is a hash, and the error contains only what the server returned.
package struct ThrottleRecord: Sendable, Hashable {
  /// The maximum lifetime of a record, in seconds.
  package static let maximumSeconds: Int64 = 3600

  /// The stored JSON members.
  package let members: JSONObject

  /// Creates a record of a failure.
  ///
  /// - Parameters:
  ///   - blockedForSeconds: The time for which no request may be sent.
  ///   - backoffForSeconds: The backoff for callers that have a valid token.
  ///   - failures: The number of consecutive failures.
  package init(
    name: String, homeAccountID: String, clientID: String, at clocks: Clocks,
    blockedForSeconds: Int64,
    backoffForSeconds: Int64, failures: Int64, error: JSONObject
  ) {
    let blocks = min(max(blockedForSeconds, 0), Self.maximumSeconds)
    let backoff = min(max(backoffForSeconds, 0), Self.maximumSeconds)
    func end(_ seconds: Int64) -> String {
      String(clocks.now.adding(seconds: seconds).secondsSince1970)
    }
    var members = JSONObject()
    members.append("throttle", name)
    members.append("home_account_id", homeAccountID)
    members.append("client_id", clientID)
    members.append("cached_at", String(clocks.now.secondsSince1970))
    members.append("cached_moment", clocks.bootTime?.text)
    members.append("blocked_until", end(blocks))
    members.append("rests_until", end(backoff))
    // The count of consecutive failures expires after twice that time, if no request was sent in the meantime.
    members.append("expires_on", end(min(2 * max(blocks, backoff), Self.maximumSeconds)))
    members.append("failures", String(failures))
    members.append("error", .object(error))
    self.members = members
  }

  /// Creates a record from its stored members, or returns `nil` if required members are missing.
  package init?(members: JSONObject) {
    guard members["throttle"]?.string != nil, members["home_account_id"]?.string != nil,
      members["client_id"]?.string != nil, members["error"]?.object != nil
    else { return nil }
    self.members = members
  }

  /// Returns the name of a request: a hash of the parts that identify it.
  package static func name(of parts: [String]) -> String {
    // Prefix each part with its length, so that two different lists never produce the same string.
    let text = parts.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
    return Hexadecimal.text(Cipher.sha256(text))
  }

  /// The key of the record.
  package var key: RecordKey {
    RecordKey(account: "throttle", service: name, generic: nil, type: Self.typeNumber)
  }

  package var name: String { members["throttle"]?.string ?? "" }
  package var homeAccountID: String { members["home_account_id"]?.string ?? "" }
  package var clientID: String { members["client_id"]?.string ?? "" }
  package var failures: Int64 { max(members["failures"]?.integer ?? 0, 0) }
  /// The members of the recorded error.
  package var error: JSONObject { members["error"]?.object ?? JSONObject() }

  /// Returns the seconds until a request may be sent, or 0.
  package func blockedSeconds(at clocks: Clocks) -> Int64 { secondsLeft("blocked_until", clocks) }

  /// Returns the seconds until a caller with a valid token may send a request, or 0.
  package func backoffSeconds(at clocks: Clocks) -> Int64 {
    max(secondsLeft("rests_until", clocks), blockedSeconds(at: clocks))
  }

  /// Whether the record has expired and can be removed.
  package func hasExpired(at clocks: Clocks) -> Bool { secondsLeft("expires_on", clocks) == 0 }

  /// Returns the remaining seconds by the clock that reports more elapsed time.
  ///
  /// No clock change can thus extend a backoff.
  ///
  /// If the record is in the future, the wall clock was set back. Then only the boot-time clock counts.
  private func secondsLeft(_ name: String, _ clocks: Clocks) -> Int64 {
    guard let start, let end = members[name]?.integer, let age = ageSeconds(at: clocks) else {
      return 0
    }
    let whole = min(Instant(secondsSince1970: end).seconds(since: start), Self.maximumSeconds)
    return max(whole - min(age, Self.maximumSeconds), 0)
  }

  private var start: Instant? {
    members["cached_at"]?.integer.map { Instant(secondsSince1970: $0) }
  }

  /// Returns the seconds since the failure, or `nil` if no clock can measure them.
  package func ageSeconds(at clocks: Clocks) -> Int64? {
    guard let start else { return nil }
    let bootTime = members["cached_moment"]?.string.flatMap(BootTime.init)
    let bootTimeAge = bootTime.flatMap { clocks.bootTime?.seconds(since: $0) }
    let wallClockAge = clocks.now.seconds(since: start)
    return bootTimeAge.map { max($0, wallClockAge) } ?? (wallClockAge < 0 ? nil : wallClockAge)
  }

  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9002
}
