// SPDX-License-Identifier: MIT
// What an older library's cache has of a person, kept until the person has a sign-in of the unified cache.

import Crypto
package import TesseraWire

/// The refresh tokens that were imported under one name, and which of them are of no use any more.
///
/// The cache they came from stays as it is. What was tried there in vain, or signed out here, is remembered by a hash, so
/// that another import does not bring it back.
package struct LegacyAccountRecord: Sendable, Hashable {
  /// The record as it is stored.
  package private(set) var members: JSONObject

  /// A record without tokens.
  ///
  /// - Parameter name: what the person signs in with.
  package init(name: String) {
    members = JSONObject()
    members.append("legacy_name", name.normalised)
  }

  /// A stored record; nil for one without a name.
  package init?(members: JSONObject) {
    guard members["legacy_name"]?.string?.nonBlank != nil else { return nil }
    self.members = members
  }

  /// Where it lies.
  package var key: RecordKey { LegacyAccountRecord.key(of: name) }
  /// Where the record of a name lies.
  package static func key(of name: String) -> RecordKey {
    RecordKey(account: "legacy", service: name.normalised, generic: nil, type: typeNumber)
  }

  /// What the person signs in with, normalised.
  package var name: String { members["legacy_name"]?.string ?? "" }
  /// Under what it is found beside the records of home account ids, which have no spaces.
  package var owner: String { "legacy \(name)" }

  /// The items with refresh tokens.
  package var items: [LegacyItem] { stored.compactMap { $0.object.flatMap(LegacyItem.init) } }
  /// The home account ids that are known of people with this name.
  package var homeAccountIDs: Set<String> { Set(items.compactMap(\.homeAccountID)) }

  private var stored: [JSONValue] { members["items"]?.array ?? [] }
  private var retired: [String] { members["retired"]?.array?.compactMap(\.string) ?? [] }

  /// The items, so that others can be added.
  package var shelf: LegacyTokenSet { LegacyTokenSet(items, retired: Set(retired)) }

  /// The first half of a token's SHA-256: enough to know it again, too little to be of use.
  static func mark(_ token: Secret) -> String {
    Hexadecimal.text(Array(SHA256.hash(data: Array(token.reveal().utf8)).prefix(16)))
  }

  /// How many tokens are remembered as retired, the latest ones: as many as a name may have.
  private static let mostRetired = LegacyTokenSet.mostTokens
  /// The number that its key carries: among the accounts, since that is what it is listed with.
  package static let typeNumber = 1990
}

extension LegacyAccountRecord {
  /// What can be changed about it.
  package enum Change: Sendable {
    /// Adds items, each before the latest one of the same authority, application and resource, as far as there is room.
    case merge([LegacyItem])
    /// Removes the items with a token, and does not take it again.
    case retire(Secret)
    /// Puts what a server gave for a token before it, and notes whose it is as far as that is known.
    case renew(Secret, with: Secret?, homeAccountID: String?)
    /// Notes whose a token turned out to be.
    case identify(Secret, homeAccountID: String)
    /// Retires a person's items of an application, or of all if it is nil.
    case signOut(LegacyPerson, clientID: String?)

    /// The record afterwards; nil if it stays as it is.
    package func applied(
      to stored: LegacyAccountRecord?, named name: String
    ) -> LegacyAccountRecord? {
      if stored == nil, case .merge = self {} else if stored == nil { return nil }
      let before = stored ?? LegacyAccountRecord(name: name)
      var record = before
      switch self {
      case .merge(let items): record.merge(items)
      case .retire(let token): record.retire { $0.refreshToken == token }
      case .renew(let token, let new, let home): record.renew(token, with: new, home)
      case .identify(let token, let home): record.identify(token, home)
      case .signOut(let person, let client): record.signOut(person, client?.normalised)
      }
      return record == before ? nil : record
    }
  }

  /// Adds items; all at once, since reading what is stored takes longer than adding to it.
  private mutating func merge(_ new: [LegacyItem]) {
    var shelf = shelf
    var isChanged = false
    for item in new {
      if case .added = shelf.add(item) { isChanged = true }
    }
    if isChanged { set(shelf.items) }
  }

  private mutating func signOut(_ person: LegacyPerson, _ client: String?) {
    let known = homeAccountIDs
    let isOf = { (item: LegacyItem) in person.has(item, amongPeople: known) }
    retire { isOf($0) && (client == nil || $0.clientID.normalised == client) }
    // What others left is theirs. Where there is an identifier, its sign-out is remembered under that.
    guard let client, person.homeAccountID == nil || items.contains(where: isOf) else { return }
    let marked = items.map { item in
      var item = item
      if isOf(item), item.homeAccountID == nil { item.signedOutClients.insert(client) }
      return item
    }
    if marked != items { set(marked) }
  }

  private mutating func retire(where isUseless: (LegacyItem) -> Bool) {
    let items = items
    let useless = items.filter(isUseless)
    guard !useless.isEmpty else { return }
    set(items.filter { !isUseless($0) })
    // A token may lie at several places.
    let new = Set(useless.compactMap(\.refreshToken)).map(Self.mark).sorted()
    let marks = retired + new
    members["retired"] = .array(marks.suffix(Self.mostRetired).map(JSONValue.string))
  }

  /// Nothing if the token is gone: who signed out stays signed out.
  private mutating func renew(_ token: Secret, with new: Secret?, _ homeAccountID: String?) {
    var items = items
    let identity = items.first { $0.refreshToken == token }?.identity
    if let homeAccountID {
      for index in items.indices
      where items[index].refreshToken == token
        || identity != nil && items[index].identity == identity
      {
        items[index].homeAccountID = homeAccountID
      }
    }
    set(items)
    guard let new else { return }
    merge(
      items.filter { $0.refreshToken == token }.map { item in
        var item = item
        item.refreshToken = new
        return item
      })
  }

  private mutating func identify(_ token: Secret, _ homeAccountID: String) {
    let identity = items.first { $0.refreshToken == token }?.identity
    set(
      items.map { item in
        var item = item
        if item.refreshToken == token {
          item.homeAccountID = homeAccountID
          item.wasUpgraded = true
        } else if identity != nil, item.identity == identity {
          item.homeAccountID = homeAccountID
        }
        return item
      })
  }

  private mutating func set(_ items: [LegacyItem]) {
    members["items"] = .array(items.map { .object($0.members) })
  }
}
