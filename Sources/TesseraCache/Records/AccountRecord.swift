// SPDX-License-Identifier: MIT
// The records of accounts, also of those that only older libraries write.

package import TesseraWire

/// The account type, with the values of the unified schema.
package enum AccountType: String, Sendable {
  /// An account of the Microsoft identity platform.
  case microsoft = "MSSTS"
  /// An ADFS account.
  case adfs = "ADFS"
  /// An account of any other provider.
  ///
  /// Only MSAL for JavaScript defines a value for it.
  case generic = "Generic"
}

/// A user's account in one tenant.
///
/// A guest has several records with the same home account ID.
package struct AccountRecord: Sendable, Hashable {
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record.
  package init(
    homeAccountID: String, environment: String, realm: String, type: AccountType = .microsoft
  ) {
    members = JSONObject()
    members.append("authority_type", type.rawValue)
    members.append("home_account_id", homeAccountID)
    members.append("environment", environment)
    members.append("realm", realm)
  }

  /// Creates a record from its stored members, or returns `nil` if the account type is missing or unknown.
  package init?(members: JSONObject) {
    guard AccountRecord.typeNumber(members["authority_type"]?.string) != nil else { return nil }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey { key(as: AccountRecord.typeNumber(self["authority_type"]) ?? 3) }

  /// The key of the same ADFS account if another library stored it with the Microsoft type; `nil` for other account types.
  package var keyWithMicrosoftType: RecordKey? {
    AccountRecord.typeNumber(self["authority_type"]) == 4 ? key(as: 3) : nil
  }

  private func key(as type: Int) -> RecordKey {
    RecordKey(
      account: "\(homeAccountID.normalised)-\(environment.normalised)", service: realm.normalised,
      generic: username?.normalised, type: 1000 + type, homeAccountID: homeAccountID,
      environment: environment
    ).owned(by: homeAccountID)
  }

  /// Returns this record overlaid with a newer one.
  ///
  /// Members that the newer record lacks are kept.
  package func overlaid(with newer: AccountRecord) -> AccountRecord {
    var result = self
    result.members = members.overlaid(with: newer.members)
    return result
  }

  package var homeAccountID: String { self["home_account_id"] ?? "" }
  package var environment: String { self["environment"] ?? "" }
  package var realm: String { self["realm"] ?? "" }
  package var localAccountID: String? {
    get { self["local_account_id"] }
    set { self["local_account_id"] = newValue }
  }
  package var username: String? {
    get { self["username"] }
    set { self["username"] = newValue }
  }
  package var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  package var givenName: String? {
    get { self["given_name"] }
    set { self["given_name"] = newValue }
  }
  package var middleName: String? {
    get { self["middle_name"] }
    set { self["middle_name"] = newValue }
  }
  package var familyName: String? {
    get { self["family_name"] }
    set { self["family_name"] = newValue }
  }
  /// The `client_info` value, which only Microsoft Entra ID returns.
  package var clientInfo: String? {
    get { self["client_info"] }
    set { self["client_info"] = newValue }
  }

  /// Accesses any string member.
  package subscript(_ name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map(JSONValue.string) }
  }

  /// Returns the number of an account type, or `nil` if it is missing or unknown.
  ///
  /// `Other` is not a type that loads.
  ///
  /// MSAL for Apple has no number for `Generic`, so such records use the number of Microsoft accounts.
  package static func typeNumber(_ name: String?) -> Int? {
    switch name?.lowercased() {
    case "aad": 1
    case "msa": 2
    case "mssts", "generic": 3
    case "adfs": 4
    default: nil
    }
  }
}

/// The sign-in state of an account in an application.
package enum SignInState: String, Sendable {
  case unknown
  case signedIn = "signed_in"
  case signedOut = "signed_out"
}

/// The metadata of an account in one application, in the layout of MSAL for Apple.
///
/// MSAL keeps one record for all accounts of an application. Tessera keeps one record per account instead. A single
/// record would be rewritten at every sign-in and could grow beyond the size limit of a record.
package struct AccountMetadataRecord: Sendable, Hashable {
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record.
  ///
  /// Without an account, it is the application-wide record of MSAL for Apple.
  package init(clientID: String, homeAccountID: String? = nil) {
    members = JSONObject()
    members.append("client_id", clientID)
    members.append("home_account_id", homeAccountID)
    members.append("account_metadata_map", .object(JSONObject()))
  }

  /// Creates a record from its stored members, or returns `nil` if the client ID is missing.
  package init?(members: JSONObject) {
    guard members["client_id"]?.string != nil else { return nil }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey {
    RecordKey(
      account: homeAccountID.map { "authority_map-" + $0.normalised } ?? "authority_map",
      service: clientID, generic: nil, type: AccountMetadataRecord.typeNumber,
      homeAccountID: homeAccountID ?? ""
    ).owned(by: homeAccountID)
  }

  package var clientID: String { members["client_id"]?.string ?? "" }
  /// The home account ID, or `nil` in the record for all accounts.
  package var homeAccountID: String? { members["home_account_id"]?.string }

  /// Returns the sign-in state of an account.
  package func state(of homeAccountID: String) -> SignInState {
    entry(homeAccountID)?["sign_in_state"]?.string.flatMap(SignInState.init) ?? .unknown
  }

  /// Returns the authority to which `requested` resolved when this account used it.
  ///
  /// Instance-aware sign-ins (of multi-cloud applications) have a separate map, because they may resolve to another
  /// cloud.
  ///
  /// - Returns: The authority, or `nil` if it resolved to itself, was never used or the account is signed out.
  package func authority(
    for requested: String, of homeAccountID: String, isInstanceAware: Bool = false
  ) -> String? {
    guard state(of: homeAccountID) != .signedOut else { return nil }
    let name = isInstanceAware ? Name.instanceAware : Name.plain
    return entry(homeAccountID)?[Name.map]?.object?[name]?.object?[requested]?.string
  }

  /// Records that an account signed in, and the authority to which the requested one resolved.
  package mutating func signIn(
    _ homeAccountID: String, requested: String? = nil, result: String? = nil,
    instanceAware: Bool = false
  ) {
    var entry = entry(homeAccountID) ?? newEntry(homeAccountID)
    entry["sign_in_state"] = .string(SignInState.signedIn.rawValue)
    if let requested, let result, requested != result {
      let name = instanceAware ? Name.instanceAware : Name.plain
      var maps = entry[Name.map]?.object ?? JSONObject()
      var map = maps[name]?.object ?? JSONObject()
      map[requested] = .string(result)
      maps[name] = .object(map)
      entry[Name.map] = .object(maps)
    }
    setEntry(homeAccountID, entry)
  }

  /// Records that an account signed out, and discards its resolved authorities.
  package mutating func signOut(_ homeAccountID: String) {
    var entry = entry(homeAccountID) ?? newEntry(homeAccountID)
    entry["sign_in_state"] = .string(SignInState.signedOut.rawValue)
    entry[Name.map] = .object(JSONObject())
    setEntry(homeAccountID, entry)
  }

  /// Sets or removes a string member.
  mutating func set(_ name: String, _ text: String?) {
    members[name] = text.map(JSONValue.string)
  }

  /// The type number in the record key.
  package static let typeNumber = 5001

  private enum Name {
    /// The misspelling is MSAL for Apple's and part of the format.
    static let map = "athority_map"
    static let plain = "URLMap-"
    static let instanceAware = "URLMap-instance_aware=YES"
  }

  private func newEntry(_ homeAccountID: String) -> JSONObject {
    [
      "client_id": .string(clientID), "home_account_id": .string(homeAccountID),
      Name.map: .object(JSONObject()),
    ]
  }

  private func entry(_ homeAccountID: String) -> JSONObject? {
    members["account_metadata_map"]?.object?[homeAccountID]?.object
  }

  private mutating func setEntry(_ homeAccountID: String, _ entry: JSONObject) {
    var map = members["account_metadata_map"]?.object ?? JSONObject()
    map[homeAccountID] = .object(entry)
    members["account_metadata_map"] = .object(map)
  }
}

/// The family of an application, as last reported by the server.
///
/// No record means unknown, an empty family ID means not a member, any other value is the family.
package struct AppMetadataRecord: Sendable, Hashable {
  /// The stored JSON members, including unknown ones.
  package private(set) var members: JSONObject

  /// Creates a record.
  ///
  /// An empty family ID means that the application does not belong to a family.
  package init(clientID: String, environment: String, familyID: String) {
    members = JSONObject()
    members.append("client_id", clientID)
    members.append("environment", environment)
    members.append("family_id", familyID)
  }

  /// Creates a record from its stored members, or returns `nil` if the client ID or the environment is missing.
  package init?(members: JSONObject) {
    guard members["client_id"]?.string != nil, members["environment"]?.string != nil else {
      return nil
    }
    self.members = members
  }

  /// The key of the record.
  package var key: RecordKey {
    RecordKey(
      account: environment, service: "appmetadata-" + clientID.normalised,
      generic: members["family_id"]?.string?.nonBlank, type: AppMetadataRecord.typeNumber)
  }

  package var clientID: String { members["client_id"]?.string ?? "" }
  package var environment: String { members["environment"]?.string ?? "" }
  /// The family ID, or an empty string for none.
  package var familyID: String { members["family_id"]?.string ?? "" }

  /// The type number in the record key.
  package static let typeNumber = 3001
}

/// The current account of a single-account application.
package struct Principal: Sendable, Hashable {
  /// The home account ID, or an empty string for an account that only has imported items.
  package let homeAccountID: String
  package let username: String?
  package let environment: String

  /// Creates a principal.
  package init(homeAccountID: String, username: String?, environment: String) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.environment = environment
  }
}

extension AccountMetadataRecord {
  /// The last known current account of the application.
  ///
  /// It is stored in the record without an account.
  package var principal: Principal? {
    get {
      let home = members["principal_home_account_id"]?.string?.nonBlank
      let name = members["principal_username"]?.string
      guard let environment = members["principal_account_environment"]?.string?.nonBlank,
        home ?? name?.nonBlank != nil
      else { return nil }
      return Principal(homeAccountID: home ?? "", username: name, environment: environment)
    }
    set {
      set("principal_home_account_id", newValue?.homeAccountID.nonBlank)
      set("principal_username", newValue?.username)
      set("principal_account_environment", newValue?.environment)
    }
  }
}

/// A user name in the masked form that MSAL for Apple logs.
///
/// The mask contains the domain, and a hash in place of the local part. A reader can confirm a guess of the name
/// by its hash, and equal local parts at different domains have equal hashes.
package struct MaskedName: Sendable, CustomStringConvertible {
  /// The masked name: `auth.placeholder-`, the start of the SHA-256 of the local part, and the domain.
  ///
  /// The domain starts after the last at sign. Without a local part or a domain, the mask is only the start of the hash of
  /// the whole name.
  package let description: String

  /// Masks a user name.
  ///
  /// `nil` and blank names become `Masked(null)`.
  package init(_ name: String?) {
    guard let name = name?.nonBlank else {
      description = "Masked(null)"
      return
    }
    let text = Array(name.normalised.utf8)
    let parts = text.lastIndex(of: UInt8(ascii: "@")).map { (text[..<$0], text[($0 + 1)...]) }
    guard let (local, domain) = parts, !local.isEmpty, !domain.isEmpty else {
      description = MaskedName.digits(of: text)
      return
    }
    let shown = String(decoding: domain, as: UTF8.self).plain(atMost: 255)
    description = "auth.placeholder-\(MaskedName.digits(of: local))__\(shown)"
  }

  /// Returns the start of the SHA-256 of a text.
  package static func digits(of text: some Sequence<UInt8>) -> String {
    Hexadecimal.text(Cipher.sha256(Array(text)).prefix(4))
  }
}

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
    RecordKey(
      account: "legacy", service: name.normalised, generic: nil, type: typeNumber
    ).owned(by: owner(of: name.normalised))
  }

  /// The user name, normalised.
  package var name: String { members["legacy_name"]?.string ?? "" }
  /// The owner of the record in the store.
  ///
  /// A home account ID has no spaces, so the two cannot collide.
  package var owner: String { LegacyAccountRecord.owner(of: name) }
  private static func owner(of name: String) -> String { "legacy \(name)" }

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
  package mutating func merge(_ new: [LegacyItem]) -> [LegacyTokenSet.AddResult] {
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
