// SPDX-License-Identifier: MIT
// Lookup of a record's entries: found by hash, compared by members. The newest of several entries wins.

import TesseraCache
import TesseraWire

extension UnifiedCache {
  /// Returns the sections that may contain a record with a key.
  static func sections(of key: RecordKey) -> [UnifiedSection] {
    UnifiedSection(shared: key).map { [$0, .own] } ?? [.own]
  }

  /// Returns the record of an entry, or `nil` if it does not load.
  func record(_ section: UnifiedSection, _ index: Int) -> CacheRecord? {
    guard section.number < UnifiedSection.known.count,
      let members = document.members(section, index)
    else { return nil }
    return UnifiedEntry.record(section, members, names, key: document.key(section, index))
  }

  /// Returns the records with the sign-outs removed that another library's sign-in has superseded.
  ///
  /// A sign-out removes the ID tokens of the application. An existing ID token was therefore stored later. Other
  /// libraries record no other sign of a sign-in.
  func withLaterSignIns(_ records: [CacheRecord]) -> [CacheRecord] {
    let homes = Set(records.compactMap(\.signedOutAccount))
    guard !homes.isEmpty else { return records }
    let hashes = Set(homes.map { AccountHash($0).number })
    var signedIn: Set<TokenOwner> = []
    for index in document[.idToken].indices(having: hashes, \.owner) {
      guard case .credential(let token)? = record(.idToken, index) else { continue }
      signedIn.insert(TokenOwner(token.homeAccountID, token.clientID))
    }
    return records.map { record in
      guard let home = record.signedOutAccount, case .accountMetadata(var metadata) = record,
        signedIn.contains(TokenOwner(home, metadata.clientID))
      else { return record }
      metadata.signIn(home)
      return .accountMetadata(metadata)
    }
  }

  /// Returns the entries of a record.
  func entryIndices(of key: RecordKey, in section: UnifiedSection) -> [Int] {
    guard document[section].count > 0 else { return [] }
    return document[section].indices(having: hashes(of: key, in: section), \.account).filter {
      record(section, $0)?.key == key
    }
  }

  /// Returns the hashes of the entries that may contain a record.
  func hashes(of key: RecordKey, in section: UnifiedSection) -> [UInt64] {
    switch section {
    case .own: [AccountHash(TesseraEntryKey.text(of: key)).number]
    // App metadata has no account. Its key has the environment in place of the account attribute.
    case .appMetadata: hashes(of: "", key.account)
    default: hashes(of: key.account)
    }
  }

  /// Returns the hashes of an account's entries, one for each host of the environment.
  func hashes(of homeAccountID: String, _ environment: String) -> [UInt64] {
    names.hosts(of: environment).map { AccountHash.account(homeAccountID, $0) }
  }

  /// Returns the hashes for the account attribute of a key, one for each host of the environment.
  private func hashes(of account: String) -> [UInt64] {
    let others = names.preferredHosts.compactMap { host, preferred -> UInt64? in
      guard host != preferred, account.hasSuffix("-" + preferred) else { return nil }
      return AccountHash(account.dropLast(preferred.count) + host).number
    }
    return [AccountHash(account).number] + others
  }

  /// Returns the record of an entry, or a foreign record.
  ///
  /// In Tessera's own section, an entry that does not load is `nil`.
  func entry(_ section: UnifiedSection, _ index: Int) -> CacheRecord? {
    record(section, index) ?? foreign(section, index).map(CacheRecord.foreign)
  }

  /// Returns the records of the entries, without duplicates.
  func records(_ section: UnifiedSection, _ indices: [Int]) -> [CacheRecord] {
    records(section, indices) { record(section, $0) }
  }

  /// Returns the records of the entries, without duplicates, as created by `record`.
  func records(
    _ section: UnifiedSection, _ indices: [Int], _ record: (Int) -> CacheRecord?
  ) -> [CacheRecord] {
    var found: [CacheRecord] = []
    var entryIndices: [RecordKey: Int] = [:]
    for index in indices {
      guard let record = record(index) else { continue }
      // With a single entry, skip the key, which takes long to build.
      guard indices.count > 1 else { found = [record]; break }
      let key = record.key
      if let other = entryIndices[key] {
        found[other] = UnifiedCache.newer(found[other], record)
      } else {
        entryIndices[key] = found.count
        found.append(record)
      }
    }
    return section == .own ? withLaterSignIns(found) : found
  }

  /// Returns the newest of several entries of the same record, or `nil` if there are none.
  static func newest(_ records: [CacheRecord]) -> CacheRecord? {
    guard let first = records.first else { return nil }
    return records.dropFirst().reduce(first, newer)
  }

  /// Returns the newer of two entries of the same record.
  ///
  /// Credentials are compared by write time, then by expiry time. If both are equal, the later one in the document
  /// wins.
  /// Accounts have no times and are merged. App metadata with a family ID takes precedence.
  private static func newer(_ left: CacheRecord, _ right: CacheRecord) -> CacheRecord {
    switch (left, right) {
    case (.credential(let first), .credential(let second)):
      age(of: first) > age(of: second)
        ? .credential(first.keepingTenantAlias(as: right))
        : .credential(second.keepingTenantAlias(as: left))
    case (.account(let first), .account(let second)): .account(first.overlaid(with: second))
    case (.appMetadata(let first), .appMetadata(let second)):
      first.familyID.nonBlank != nil && second.familyID.nonBlank == nil ? left : right
    default: right
    }
  }

  private static func age(of token: CredentialRecord) -> (Int64, Int64) {
    (time(of: token), token.expiresAt?.secondsSince1970 ?? 0)
  }

  /// Returns the write time of a credential, in seconds since 1970.
  static func time(of token: CredentialRecord) -> Int64 { CacheRecord.credential(token).writeTime }
}

/// The account and the application of a token.
private struct TokenOwner: Hashable {
  let homeAccountID: String
  let clientID: String

  init(_ homeAccountID: String, _ clientID: String) {
    self.homeAccountID = homeAccountID
    self.clientID = clientID.normalised
  }
}

extension CacheRecord {
  /// The account that the record marks as signed out, or `nil` if it does not.
  fileprivate var signedOutAccount: String? {
    guard case .accountMetadata(let metadata) = self, let home = metadata.homeAccountID,
      metadata.state(of: home) == .signedOut
    else { return nil }
    return home
  }
}
