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
    name: String, homeAccountID: String, clientID: String, at clocks: Clocks, blocksSeconds: Int64,
    restsSeconds: Int64, failures: Int64, error: JSONObject
  ) {
    let blocks = min(max(blocksSeconds, 0), Self.longest)
    let rests = min(max(restsSeconds, 0), Self.longest)
    func end(_ seconds: Int64) -> String {
      String(clocks.now.adding(seconds: seconds).secondsSince1970)
    }
    var members = JSONObject()
    members.append("throttle", name)
    members.append("home_account_id", homeAccountID)
    members.append("client_id", clientID)
    members.append("cached_at", String(clocks.now.secondsSince1970))
    members.append("cached_moment", clocks.moment?.text)
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
  package func blockedSeconds(at clocks: Clocks) -> Int64 { secondsLeft("blocked_until", clocks) }

  /// For how many more seconds nobody should who has a valid token.
  package func restingSeconds(at clocks: Clocks) -> Int64 {
    max(secondsLeft("rests_until", clocks), blockedSeconds(at: clocks))
  }

  /// Whether it says nothing any more, so that it can be removed.
  package func isOver(at clocks: Clocks) -> Bool { secondsLeft("expires_on", clocks) == 0 }

  /// The seconds that are left by the clock that says that more have passed, so that no clock can make a pause longer.
  ///
  /// A record from the future is of a wall clock that was set back since: only the clock that nobody can set knows then.
  private func secondsLeft(_ name: String, _ clocks: Clocks) -> Int64 {
    guard let start, let end = members[name]?.integer, let age = ageSeconds(at: clocks) else {
      return 0
    }
    let whole = min(Instant(secondsSince1970: end).seconds(since: start), Self.longest)
    return max(whole - min(age, Self.longest), 0)
  }

  private var start: Instant? {
    members["cached_at"]?.integer.map { Instant(secondsSince1970: $0) }
  }

  /// The seconds since the failure; nil if no clock can measure them.
  package func ageSeconds(at clocks: Clocks) -> Int64? {
    guard let start else { return nil }
    let moment = members["cached_moment"]?.string.flatMap(BootTime.init)
    let trueAge = moment.flatMap { clocks.moment?.seconds(since: $0) }
    let wallAge = clocks.now.seconds(since: start)
    return trueAge.map { max($0, wallAge) } ?? (wallAge < 0 ? nil : wallAge)
  }

  /// The number that its key carries; the unified schema has no such record.
  package static let typeNumber = 9002
}
