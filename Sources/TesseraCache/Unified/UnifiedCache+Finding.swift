// SPDX-License-Identifier: MIT
// Which entries are a record's: found by their marks, told by their members, the newest of several.

import TesseraWire

extension UnifiedCache {
  /// Where a record with a key can lie.
  static func sections(of key: RecordKey) -> [UnifiedSection] {
    UnifiedSection(shared: key).map { [$0, .own] } ?? [.own]
  }

  /// The record that an entry is; nil for one that does not load.
  func record(_ section: UnifiedSection, _ index: Int) -> CacheRecord? {
    guard section.number < UnifiedSection.known.count,
      let members = document.members(section, index)
    else { return nil }
    return UnifiedEntry.record(section, members, names, key: document.key(section, index))
  }

  /// What applications remember of accounts, after programs of other libraries may have signed in with their names.
  ///
  /// Signing out removes the application's ID tokens. One that is there has come since: the others know no other mark.
  func signedInAgain(_ records: [CacheRecord]) -> [CacheRecord] {
    let homes = Set(records.compactMap(\.signedOutAccount))
    guard !homes.isEmpty else { return records }
    let marks = Set(homes.map { ScanPosition($0).number })
    var signedIn: Set<Holder> = []
    for index in document[.idToken].indices(having: marks, \.owner) {
      guard case .credential(let token)? = record(.idToken, index) else { continue }
      signedIn.insert(Holder(token.homeAccountID, token.clientID))
    }
    return records.map { record in
      guard let home = record.signedOutAccount, case .accountMetadata(var metadata) = record,
        signedIn.contains(Holder(home, metadata.clientID))
      else { return record }
      metadata.signIn(home)
      return .accountMetadata(metadata)
    }
  }

  /// The entries of a record.
  func places(of key: RecordKey, in section: UnifiedSection) -> [Int] {
    guard document[section].count > 0 else { return [] }
    return document[section].indices(having: marks(of: key, in: section), \.account).filter {
      record(section, $0)?.key == key
    }
  }

  /// The marks of the entries that may hold a record.
  func marks(of key: RecordKey, in section: UnifiedSection) -> [UInt64] {
    switch section {
    case .own: [ScanPosition(OwnKey.text(of: key)).number]
    // Such a record has no account, its environment stands there.
    case .appMetadata: marks(of: "", key.account)
    default: marks(of: key.account)
    }
  }

  /// The marks of an account's entries, under each of the hosts that stand for an environment.
  func marks(of homeAccountID: String, _ environment: String) -> [UInt64] {
    names.hosts(of: environment).map { ScanPosition.account(homeAccountID, $0) }
  }

  /// The same for the account attribute of a key.
  private func marks(of account: String) -> [UInt64] {
    let others = names.preferredHosts.compactMap { host, preferred -> UInt64? in
      guard host != preferred, account.hasSuffix("-" + preferred) else { return nil }
      return ScanPosition(account.dropLast(preferred.count) + host).number
    }
    return [ScanPosition(account).number] + others
  }

  /// The record that an entry is, or what is kept of it for another library; nil for what only Tessera could have meant.
  func entry(_ section: UnifiedSection, _ index: Int) -> CacheRecord? {
    record(section, index) ?? foreign(section, index).map(CacheRecord.foreign)
  }

  /// The records of some entries, each once.
  func records(_ section: UnifiedSection, _ indices: [Int]) -> [CacheRecord] {
    records(section, indices) { record(section, $0) }
  }

  /// The same, with what makes a record of an entry.
  func records(
    _ section: UnifiedSection, _ indices: [Int], _ record: (Int) -> CacheRecord?
  ) -> [CacheRecord] {
    var found: [CacheRecord] = []
    var places: [RecordKey: Int] = [:]
    for index in indices {
      guard let record = record(index) else { continue }
      // One alone has no other one, and its key takes long to make.
      guard indices.count > 1 else { found = [record]; break }
      let key = record.key
      if let other = places[key] {
        found[other] = UnifiedCache.newer(found[other], record)
      } else {
        places[key] = found.count
        found.append(record)
      }
    }
    return section == .own ? signedInAgain(found) : found
  }

  /// The newest of several entries of one record.
  static func newest(_ records: [CacheRecord]) -> CacheRecord? {
    guard let first = records.first else { return nil }
    return records.dropFirst().reduce(first, newer)
  }

  /// The newer one of two entries of one record: the one that was stored later, else the one that lasts longer, else the
  /// one that is further down in the document.
  ///
  /// What has no times, accounts and families, is one from all that was written.
  private static func newer(_ left: CacheRecord, _ right: CacheRecord) -> CacheRecord {
    switch (left, right) {
    case (.credential(let first), .credential(let second)):
      age(of: first) > age(of: second)
        ? .credential(first.foundAlso(as: right)) : .credential(second.foundAlso(as: left))
    case (.account(let first), .account(let second)): .account(first.overlaid(with: second))
    case (.appMetadata(let first), .appMetadata(let second)):
      first.familyID.nonBlank != nil && second.familyID.nonBlank == nil ? left : right
    default: right
    }
  }

  private static func age(of token: CredentialRecord) -> (Int64, Int64) {
    (time(of: token), token.expiresAt?.secondsSince1970 ?? 0)
  }

  /// When a credential was stored, in seconds since 1970.
  static func time(of token: CredentialRecord) -> Int64 { CacheRecord.credential(token).writtenOn }
}

/// Whose token of what application something is.
private struct Holder: Hashable {
  let homeAccountID: String
  let clientID: String

  init(_ homeAccountID: String, _ clientID: String) {
    self.homeAccountID = homeAccountID
    self.clientID = clientID.normalised
  }
}

extension CacheRecord {
  /// The account that an application remembers signing out of; nil for every other record.
  fileprivate var signedOutAccount: String? {
    guard case .accountMetadata(let metadata) = self, let home = metadata.homeAccountID,
      metadata.state(of: home) == .signedOut
    else { return nil }
    return home
  }
}
