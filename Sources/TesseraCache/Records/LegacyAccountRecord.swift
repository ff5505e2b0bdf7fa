// SPDX-License-Identifier: MIT
// The imported cache items of a user, kept until the user has tokens in the unified cache.

package import TesseraWire

/// The refresh tokens that were imported under one user name, and the hashes of those that must not be imported again.
///
/// The original cache is not changed. A rejected token, and one of an account that signed out here, is retired: its
/// hash is stored, so that another import does not restore it.
package struct LegacyAccountRecord: Sendable, Hashable {
  /// The stored JSON members.
  package private(set) var members: JSONObject

  /// Creates a record without tokens.
  ///
  /// - Parameter name: The user name.
  package init(name: String) {
    members = JSONObject()
    members.append("legacy_name", name.normalised)
  }

  /// Creates a record from its stored members, or returns `nil` if the user name is missing.
  package init?(members: JSONObject) {
    guard members["legacy_name"]?.string?.nonBlank != nil else { return nil }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey { LegacyAccountRecord.key(of: name) }
  /// Returns the key of a user name's record.
  package static func key(of name: String) -> RecordKey {
    RecordKey(account: "legacy", service: name.normalised, generic: nil, type: typeNumber)
  }

  /// The user name, normalised.
  package var name: String { members["legacy_name"]?.string ?? "" }
  /// The owner of the record in the store.
  ///
  /// A home account ID has no spaces, so the two cannot collide.
  package var owner: String { "legacy \(name)" }

  /// The items with refresh tokens.
  package var items: [LegacyItem] { stored.compactMap { $0.object.flatMap(LegacyItem.init) } }
  /// The known home account IDs of the users with this name.
  package var homeAccountIDs: Set<ExactString> { Set(texts: items.compactMap(\.homeAccountID)) }

  /// The tokens that a rejected response replaced, and the unverified ones from it.
  ///
  /// They are only sent to be revoked.
  package var superseded: [LegacyItem] {
    members["superseded"]?.array?.compactMap { $0.object.flatMap(LegacyItem.init) } ?? []
  }

  private var stored: [JSONValue] { members["items"]?.array ?? [] }
  private var retired: [String] { members["retired"]?.array?.compactMap(\.string) ?? [] }

  /// The items as a mutable set with size limits.
  package var tokenSet: LegacyTokenSet { LegacyTokenSet(items, retired: Set(retired)) }

  /// Returns the first half of a token's SHA-256, which identifies the token but does not reveal it.
  static func tokenHash(_ token: Secret) -> String {
    Hexadecimal.text(Cipher.sha256(token.reveal()).prefix(16))
  }

  /// The maximum number of retired tokens to keep, latest first; the same as the maximum number of tokens per name.
  private static let maximumRetiredCount = LegacyTokenSet.maximumTokenCount
  /// The maximum number of superseded and unverified tokens to keep, latest first.
  private static let maximumSupersededCount = 16
  /// The type number in the record key.
  ///
  /// It is in the range of account records, because it is listed with them.
  package static let typeNumber = 1990
}

extension LegacyAccountRecord {
  /// A change of the record.
  package enum Change: Sendable {
    /// Add items.
    ///
    /// Each is placed in front of the others with the same authority, application and resource, within the limits.
    case merge([LegacyItem])
    /// Remove the items with a token, and do not import the token again.
    case retire(Secret)
    /// Retire a token that a rejected response replaced, and keep the new one as unverified until the account signs out.
    case supersede(Secret, by: Secret?)
    /// Record the home account ID of a token, and the effect of its redemption for that account.
    case identify(Secret, homeAccountID: String, LegacyItem.Upgrade?)
    /// Retire the items of a user for an application, or for all applications if it is `nil`.
    case signOut(LegacyUser, clientID: String?)

    /// Returns the changed record, or `nil` if nothing changes.
    package func applied(
      to stored: LegacyAccountRecord?, named name: String
    ) -> LegacyAccountRecord? {
      if stored == nil, case .merge = self {} else if stored == nil { return nil }
      let before = stored ?? LegacyAccountRecord(name: name)
      var record = before
      switch self {
      case .merge(let items): _ = record.merge(items)
      case .retire(let token): record.retire { $0.refreshToken == token }
      case .supersede(let token, let new): record.supersede(token, by: new)
      case .identify(let token, let home, let upgrade): record.identify(token, home, upgrade)
      case .signOut(let user, let client): record.signOut(user, client?.normalised)
      }
      return record == before ? nil : record
    }
  }

  /// Adds all items at once, because parsing the stored items takes longer than adding new ones.
  mutating func merge(_ new: [LegacyItem]) -> [LegacyTokenSet.AddResult] {
    var tokenSet = tokenSet
    let results = new.map { tokenSet.add($0) }
    if results.contains(.added) { set(tokenSet.items) }
    return results
  }

  private mutating func signOut(_ user: LegacyUser, _ client: String?) {
    let known = homeAccountIDs.union(Set(texts: superseded.compactMap(\.homeAccountID)))
    let belongsToUser = { (item: LegacyItem) in user.owns(item, knownIDs: known) }
    let isGone = { (item: LegacyItem) in
      belongsToUser(item) && (client == nil || item.clientID.normalised == client)
    }
    retire(where: isGone)
    setSuperseded(superseded.filter { !isGone($0) })
    // Items of other applications are kept. For a user with a home account ID, its account metadata records the sign-out.
    guard let client, user.homeAccountID == nil || items.contains(where: belongsToUser) else {
      return
    }
    let markedItems = items.map { item in
      var item = item
      if belongsToUser(item), item.homeAccountID == nil { item.signedOutClients.insert(client) }
      return item
    }
    if markedItems != items { set(markedItems) }
  }

  private mutating func retire(where shouldRetire: (LegacyItem) -> Bool) {
    let items = items
    let itemsToRetire = items.filter(shouldRetire)
    guard !itemsToRetire.isEmpty else { return }
    set(items.filter { !shouldRetire($0) })
    // Several items may have the same token.
    let new = Set(itemsToRetire.compactMap(\.refreshToken)).map(Self.tokenHash).sorted()
    let tokenHashes = retired + new
    members["retired"] = .array(tokenHashes.suffix(Self.maximumRetiredCount).map(JSONValue.string))
  }

  /// Does nothing if the token was removed by a sign-out in the meantime.
  private mutating func supersede(_ token: Secret, by successor: Secret?) {
    guard let item = items.first(where: { $0.refreshToken == token }) else { return }
    retire { $0.refreshToken == token }
    let new = [token, successor].compactMap { token -> LegacyItem? in
      var item = item
      item.refreshToken = token
      return token == nil ? nil : item
    }
    setSuperseded(superseded + new)
  }

  private mutating func identify(
    _ token: Secret, _ homeAccountID: String, _ upgrade: LegacyItem.Upgrade?
  ) {
    let identity = items.first { $0.refreshToken == token }?.identity
    set(
      items.map { item in
        var item = item
        if item.refreshToken == token {
          item.homeAccountID = homeAccountID
          item.upgrade = upgrade ?? item.upgrade
        } else if identity != nil, item.identity == identity {
          item.homeAccountID = homeAccountID
        }
        return item
      })
  }

  private mutating func setSuperseded(_ items: [LegacyItem]) {
    let latest = items.suffix(Self.maximumSupersededCount).map { JSONValue.object($0.members) }
    members["superseded"] = latest.isEmpty ? nil : .array(latest)
  }

  private mutating func set(_ items: [LegacyItem]) {
    members["items"] = .array(items.map { .object($0.members) })
  }
}
