// SPDX-License-Identifier: MIT
// A request that failed and must not be repeated for a while, remembered for every process of the user.

import Crypto
package import TesseraWire

/// What a failed request for an account's token asks for: not to be sent again for some time.
///
/// It holds no secret: its name is a hash, and the error has the server's words only.
package struct ThrottleRecord: Sendable, Hashable {
  /// Seconds that a record is good for at most, whatever it says.
  package static let longest: Int64 = 3600

  /// The record as it is stored.
  package let members: JSONObject

  /// A failure at a point in time.
  ///
  /// - Parameters:
  ///   - blocksSeconds: how long nobody may send the request.
  ///   - restsSeconds: how long nobody should who has a valid token.
  ///   - failures: how often it has failed in a row.
  package init(
    name: String, homeAccountID: String, clientID: String, at now: Instant, blocksSeconds: Int64,
    restsSeconds: Int64, failures: Int64, error: JSONObject
  ) {
    let blocks = min(max(blocksSeconds, 0), Self.longest)
    let rests = min(max(restsSeconds, 0), Self.longest)
    func end(_ seconds: Int64) -> String { String(now.adding(seconds: seconds).secondsSince1970) }
    var members = JSONObject()
    members.append("throttle", name)
    members.append("home_account_id", homeAccountID)
    members.append("client_id", clientID)
    members.append("cached_at", String(now.secondsSince1970))
    members.append("blocked_until", end(blocks))
    members.append("rests_until", end(rests))
    // The failures in a row are counted until nobody has tried for as long again.
    members.append("expires_on", end(min(2 * max(blocks, rests), Self.longest)))
    members.append("failures", String(failures))
    members.append("error", .object(error))
    self.members = members
  }

  /// A stored record; nil for one that could not be used.
  package init?(members: JSONObject) {
    guard members["throttle"]?.string != nil, members["home_account_id"]?.string != nil,
      members["client_id"]?.string != nil, members["error"]?.object != nil
    else { return nil }
    self.members = members
  }

  /// The name of a request: a hash of what makes it the same request again.
  package static func name(of parts: [String]) -> String {
    // The length of each part: no two lists may give the same text.
    let text = parts.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n")
    return Hexadecimal.text(Array(SHA256.hash(data: Array(text.utf8))))
  }

  /// Where it lies.
  package var key: RecordKey {
    RecordKey(account: "throttle", service: name, generic: nil, type: Self.typeNumber)
  }

  package var name: String { members["throttle"]?.string ?? "" }
  package var homeAccountID: String { members["home_account_id"]?.string ?? "" }
  package var clientID: String { members["client_id"]?.string ?? "" }
  package var failures: Int64 { max(members["failures"]?.integer ?? 0, 0) }
  /// The members of the error.
  package var error: JSONObject { members["error"]?.object ?? JSONObject() }

  /// For how many more seconds nobody may send the request; zero if it may be sent.
  package func blockedSeconds(at now: Instant) -> Int64 { secondsLeft("blocked_until", now) }

  /// For how many more seconds nobody should who has a valid token.
  package func restingSeconds(at now: Instant) -> Int64 {
    max(secondsLeft("rests_until", now), blockedSeconds(at: now))
  }

  /// Whether it says nothing any more, so that it can be removed.
  package func isOver(at now: Instant) -> Bool { secondsLeft("expires_on", now) == 0 }

  /// A record from the future is of a clock that was set back since: it could last for ever.
  private func secondsLeft(_ name: String, _ now: Instant) -> Int64 {
    guard let cachedAt = members["cached_at"]?.integer, let end = members[name]?.integer else {
      return 0
    }
    let age = now.seconds(since: Instant(secondsSince1970: cachedAt))
    guard age >= 0 else { return 0 }
    let left = Instant(secondsSince1970: end).seconds(since: now)
    return max(min(left, Self.longest - min(age, Self.longest)), 0)
  }

  /// The number that its key carries; the unified schema has no such record.
  package static let typeNumber = 9002
}
