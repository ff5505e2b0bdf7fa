// SPDX-License-Identifier: MIT
// What a store remembers of sign-ins that a host drives: the key that seals them, which of them are done, and what brokers
// want to see again.

package import TesseraWire

/// The key of a store's sign-ins, and the ids of those that were completed, until they expire.
///
/// It is a record like any other: sealed with the store's key, shared by all programs that share the store, and gone with
/// it.
package struct SignInRecord: Sendable, Hashable {
  /// The record as it is stored.
  package private(set) var members: JSONObject

  /// A record with a new key, and nothing completed.
  package init(key: some Sequence<UInt8>) {
    members = JSONObject()
    members.append("sign_in_key", Base64URL.encode(key))
  }

  /// A stored record; nil for one without a key.
  package init?(members: JSONObject) {
    guard members["sign_in_key"]?.string != nil else { return nil }
    self.members = members
  }

  /// Where it lies; a store has one.
  package static let key = RecordKey(
    account: "sign_in", service: "key", generic: nil, type: typeNumber)

  /// The key; nil if what is stored is none.
  package var sealingKey: [UInt8]? {
    members["sign_in_key"]?.string.flatMap { Base64URL.decode($0) }
      .flatMap { $0.count == SignInRecord.keyByteCount ? $0 : nil }
  }

  /// Whether a sign-in was completed.
  package func hasUsed(_ id: String) -> Bool { used[id] != nil }

  /// Remembers that a sign-in is completed, and forgets those that have expired.
  package mutating func use(_ id: String, until end: Instant, at now: Instant) {
    var still = JSONObject()
    for member in used.members
    where (member.value.integer ?? 0) > now.secondsSince1970 && member.name != id {
      still[member.name] = member.value
    }
    still[id] = .integer(end.secondsSince1970)
    members["used"] = .object(still)
  }

  /// Forgets that a sign-in was completed, because the server could not be asked.
  package mutating func release(_ id: String) {
    var still = used
    still[id] = nil
    members["used"] = .object(still)
  }

  /// What a broker wants to see again with the next request of an application; nil for nothing.
  package func applicationToken(of clientID: String) -> Secret? {
    members["application_tokens"]?.object?[clientID.normalised]?.string?.nonBlank.map { Secret($0) }
  }

  /// Keeps what a broker wants to see again.
  package mutating func keep(_ token: Secret, of clientID: String) {
    var tokens = members["application_tokens"]?.object ?? JSONObject()
    tokens[clientID.normalised] = .string(token.reveal())
    members["application_tokens"] = .object(tokens)
  }

  /// What can be changed about it.
  package enum Change: Sendable {
    /// Keeps a key, unless there is one.
    case add(SignInRecord)
    /// Remembers that a sign-in is completed; without a key none can have been begun.
    case use(id: String, until: Instant, at: Instant)
    /// Forgets that a sign-in was completed.
    case release(id: String)
    /// Keeps what a broker wants to see again with the next request of an application.
    case keep(Secret, clientID: String)

    /// The record afterwards; nil if it stays as it is.
    func applied(to stored: SignInRecord?) -> SignInRecord? {
      guard var record = stored else {
        guard case .add(let new) = self else { return nil }
        return new
      }
      switch self {
      case .add: return nil
      case .use(let id, let end, let now): record.use(id, until: end, at: now)
      case .release(let id): record.release(id)
      case .keep(let token, let clientID): record.keep(token, of: clientID)
      }
      return record
    }
  }

  private var used: JSONObject { members["used"]?.object ?? JSONObject() }

  /// How many bytes the key has.
  package static let keyByteCount = 32
  /// The number that its key carries; the unified schema has no such record.
  package static let typeNumber = 9003
}
