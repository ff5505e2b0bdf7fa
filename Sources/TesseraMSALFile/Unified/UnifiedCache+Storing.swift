// SPDX-License-Identifier: MIT
// Storing of records, which replaces the entries of other libraries regardless of their keys.

import TesseraCache
package import TesseraWire

extension UnifiedCache {
  /// Stores a record.
  mutating func store(_ record: CacheRecord) {
    let key = record.key
    let section = UnifiedEntry.section(of: record, names)
    for other in UnifiedCache.sections(of: key) where other != section {
      for index in entriesToChange(of: key, in: other) where isReplaced(other, index, by: record) {
        drop(other, index)
      }
    }
    let entryIndices = entriesToChange(of: key, in: section)
    switch (section, record) {
    case (.accessToken, .credential(let token)): storeAccessToken(token, in: entryIndices)
    case (.refreshToken, .credential(let token)): storeRefreshToken(token, in: entryIndices)
    case (.idToken, .credential(let token)): storeIDToken(token, in: entryIndices)
    case (.account, .account(let account)): storeAccount(account, in: entryIndices)
    case (.appMetadata, .appMetadata(let metadata)): storeAppMetadata(metadata, in: entryIndices)
    default: storeOwn(record, in: entryIndices)
    }
  }

  /// Whether storing a record removes an entry in another section.
  ///
  /// A superseded token replaces no other token.
  private func isReplaced(
    _ section: UnifiedSection, _ index: Int, by record: CacheRecord
  ) -> Bool {
    guard case .credential(let token) = record, token.isSuperseded,
      case .credential(let other)? = self.record(section, index)
    else { return true }
    return other.secret == token.secret
  }

  /// Stores an access token under its tenant ID and its tenant aliases.
  private mutating func storeAccessToken(_ token: CredentialRecord, in entryIndices: [Int]) {
    if let time = token.members["cached_at"]?.integer { newest = max(newest ?? time, time) }
    let realms = realms(of: token)
    for index in entryIndices { drop(.accessToken, index) }
    for realm in realms {
      add(.accessToken, UnifiedEntry.members(of: token, realm: realm, names))
    }
  }

  private mutating func storeIDToken(_ token: CredentialRecord, in entryIndices: [Int]) {
    var stored: Set<ExactString> = []
    let realms = realms(of: token)
    for index in entryIndices {
      let members = document.members(.idToken, index)
      if stored.insert(members?["realm"]?.string ?? "").inserted {
        replace(.idToken, index, UnifiedEntry.members(of: .credential(token), over: members))
      } else {
        drop(.idToken, index)
      }
    }
    for realm in realms where !stored.contains(realm) {
      var token = token
      token.realm = realm
      add(.idToken, UnifiedEntry.members(of: .credential(token), over: nil))
    }
  }

  /// Returns the tenant ID of a token, and the aliases that applications may look it up by.
  private mutating func realms(of token: CredentialRecord) -> [String] {
    let realm = token.realm ?? ""
    var aliases = Set(
      texts: [names.tenantAlias, token[CredentialRecord.tenantAliasMember]].compactMap { $0 })
    aliases.formUnion(Set(texts: tenantAliases(of: token)))
    let synonyms = aliases.texts.filter {
      UnifiedTenant.tenant(forRealm: $0, of: token.homeAccountID) == realm.normalised
    }
    // If an alias stands for "no tenant", no library looks up an empty realm.
    return (realm.isEmpty && !synonyms.isEmpty ? [] : [realm]) + synonyms.sorted()
  }

  /// Stores a refresh token once, with its family ID, as the other libraries do.
  private mutating func storeRefreshToken(_ token: CredentialRecord, in entryIndices: [Int]) {
    var token = token
    if token.members["last_modification_time"] == nil, let newest {
      token["last_modification_time"] = String(newest)
    }
    let copies = copies(of: token)
    if token.familyID == nil, copies.contains(where: { $0.serves(token) }) {
      // The entry of the family also serves the application.
      for index in entryIndices { drop(.refreshToken, index) }
      return
    }
    // MSAL Python keeps one entry for each application of the family. Entries that are older than this token may remain.
    let time = UnifiedCache.time(of: token)
    let replaced = entryIndices.filter { index in
      guard case .credential(let other)? = record(.refreshToken, index) else { return true }
      return copies.contains { $0.index == index } || UnifiedCache.time(of: other) >= time
    }
    let own = replaced.last { index in copies.contains { $0.index == index } }
    for index in replaced where index != own { drop(.refreshToken, index) }
    if let own {
      let members = UnifiedEntry.members(
        of: .credential(token), over: document.members(.refreshToken, own))
      replace(.refreshToken, own, members)
    } else {
      add(.refreshToken, UnifiedEntry.members(of: .credential(token), over: nil))
    }
  }

  /// Removes the entries with redeemed refresh tokens, such as older ones of MSAL Python for other applications.
  package mutating func removeOlderEntries(of secrets: Set<Secret>, in owner: String) {
    let hashes = [AccountHash(owner).number]
    for index in document[.refreshToken].indices(having: hashes, \.owner) {
      guard case .credential(let token)? = record(.refreshToken, index),
        token.homeAccountID == owner, secrets.contains(token.secret)
      else { continue }
      drop(.refreshToken, index)
      isChanged = true
    }
  }

  /// Returns the refresh tokens of the same account and application, with or without a family.
  private mutating func copies(of token: CredentialRecord) -> [RefreshTokenCopy] {
    refreshTokens(of: token).compactMap { index in
      guard case .credential(let other)? = record(.refreshToken, index),
        other.homeAccountID == token.homeAccountID, other.environment == token.environment
      else { return nil }
      return RefreshTokenCopy(index: index, token: other)
    }
  }

  private mutating func storeAccount(_ account: AccountRecord, in entryIndices: [Int]) {
    if let index = entryIndices.last {
      let members = UnifiedEntry.members(of: account, over: document.members(.account, index))
      replace(.account, index, members)
    } else {
      add(.account, UnifiedEntry.members(of: account, over: nil))
    }
  }

  /// Stores app metadata.
  ///
  /// A known family ID is kept, because most responses omit it.
  private mutating func storeAppMetadata(_ metadata: AppMetadataRecord, in entryIndices: [Int]) {
    let index = entryIndices.last
    let stored = index.flatMap { document.members(.appMetadata, $0) }
    var members = UnifiedEntry.members(of: .appMetadata(metadata), over: stored)
    if metadata.familyID.isEmpty { members["family_id"] = stored?["family_id"] }
    guard let index else { return add(.appMetadata, members) }
    replace(.appMetadata, index, members)
  }

  private mutating func storeOwn(_ record: CacheRecord, in entryIndices: [Int]) {
    for index in entryIndices.dropLast() { drop(.own, index) }
    if let index = entryIndices.last {
      replace(.own, index, record.members)
    } else {
      let key = TesseraEntryKey.text(of: record.key)
      let isLegacy = key.utf8.starts(with: TesseraEntryKey.legacyPrefix)
      add(
        .own, key, record.members,
        owner: isLegacy ? AccountHash.unknown : AccountHash(record.owner ?? "").number,
        account: AccountHash(key).number)
    }
  }

  /// Adds an entry with the environment of the application's authority.
  private mutating func add(_ section: UnifiedSection, _ members: JSONObject) {
    var members = members
    let home = members["home_account_id"]?.string ?? ""
    let environment = names.written(members["environment"]?.string ?? "")
    members["environment"] = .string(environment)
    add(
      section, UnifiedKey.text(section, members), members, owner: AccountHash(home).number,
      account: AccountHash.account(home, environment))
  }
}

/// An entry with a refresh token of an application.
private struct RefreshTokenCopy {
  let index: Int
  let token: CredentialRecord

  /// Whether it has the same token with a family ID.
  func serves(_ other: CredentialRecord) -> Bool {
    token.familyID != nil && token.secret == other.secret
  }
}
