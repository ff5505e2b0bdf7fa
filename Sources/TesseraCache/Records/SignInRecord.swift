// SPDX-License-Identifier: MIT
// The state of host-driven sign-ins in a store: their encryption key, the completed ones and the application tokens of brokers.

package import TesseraWire

/// The encryption key of host-driven sign-ins, and the IDs of completed ones, at least until they expire.
///
/// Like any other record, it is encrypted with the key of the store and shared by all processes. If the store is an MSAL
/// cache file, the record is in a separate file, because other libraries would remove it.
package struct SignInRecord: Sendable, Hashable {
  /// The stored JSON members.
  package private(set) var members: JSONObject
  /// The key that seals states.
  package let sealingKey: [UInt8]
  /// Whether other libraries may remove the record from where it was read; ``Change/add(_:)`` stores it safely.
  package var isProvisional = false

  /// Creates a record with a new key and no completed sign-ins.
  package init(key: some Sequence<UInt8>) {
    sealingKey = Array(key)
    members = JSONObject()
    members.append("sign_in_key", Base64URL.encode(sealingKey))
  }

  /// Creates a record from its stored members, or returns `nil` if the key is missing.
  package init?(members: JSONObject) {
    guard let text = members["sign_in_key"]?.string, let key = Base64URL.decode(text),
      key.count == SignInRecord.keyByteCount
    else { return nil }
    self.members = members
    sealingKey = key
  }

  /// The key of the record.
  ///
  /// A store has at most one.
  package static let key = RecordKey(
    account: "sign_in", service: "key", generic: nil, type: typeNumber)

  /// Whether a sign-in was completed.
  package func isCompleted(_ id: String) -> Bool { used[id] != nil }

  /// Records that a sign-in is completed, and removes old expired ones.
  ///
  /// The latest completed sign-ins are kept even if they have expired, because the clock of this process may be wrong.
  package mutating func use(_ id: String, until end: Instant, at now: Instant) {
    var others = used
    others[id] = nil
    let oldCount = max(others.members.count - SignInRecord.keptCount, 0)
    var remaining = JSONObject()
    for (index, member) in others.members.enumerated()
    where index >= oldCount || (member.value.integer ?? 0) > now.secondsSince1970 {
      remaining.append(member.name, member.value)
    }
    remaining.append(id, .integer(end.secondsSince1970))
    members["used"] = .object(remaining)
  }

  /// Removes a completed sign-in, because its token request can be retried.
  package mutating func release(_ id: String) {
    var remaining = used
    remaining[id] = nil
    members["used"] = .object(remaining)
  }

  /// Returns the token that a broker expects in the application's next request, or `nil` if there is none.
  package func applicationToken(of clientID: String) -> Secret? {
    members["application_tokens"]?.object?[clientID.normalised]?.string?.nonBlank.map { Secret($0) }
  }

  /// Stores the token that a broker expects in the application's next request.
  package mutating func setApplicationToken(_ token: Secret, of clientID: String) {
    var tokens = members["application_tokens"]?.object ?? JSONObject()
    tokens[clientID.normalised] = .string(token.reveal())
    members["application_tokens"] = .object(tokens)
  }

  /// A change of the record.
  package enum Change: Sendable {
    /// Add the key, unless one exists.
    case add(SignInRecord)
    /// Record a completed sign-in.
    ///
    /// Does nothing if there is no key, because no sign-in can have been started without one.
    case use(id: String, until: Instant, at: Instant)
    /// Remove a completed sign-in.
    case release(id: String)
    /// Store the token that a broker expects in the application's next request.
    case setApplicationToken(Secret, clientID: String)

    /// Returns the changed record, or `nil` if nothing changes.
    package func applied(to stored: SignInRecord?) -> SignInRecord? {
      guard var record = stored else {
        guard case .add(let new) = self else { return nil }
        return new
      }
      switch self {
      case .add: return nil
      case .use(let id, let end, let now): record.use(id, until: end, at: now)
      case .release(let id): record.release(id)
      case .setApplicationToken(let token, let clientID):
        record.setApplicationToken(token, of: clientID)
      }
      return record
    }
  }

  private var used: JSONObject { members["used"]?.object ?? JSONObject() }

  /// The number of completed sign-ins that are kept after they have expired.
  private static let keptCount = 100
  /// The size of the key, in bytes.
  package static let keyByteCount = 32
  /// The type number in the record key.
  ///
  /// It is not part of the unified schema.
  package static let typeNumber = 9003
}
