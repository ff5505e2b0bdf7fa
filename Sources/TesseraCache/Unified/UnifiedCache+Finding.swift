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
    guard let members = document.members(section, index) else { return nil }
    let record = UnifiedEntry.record(section, members, names, key: document.key(section, index))
    guard case .accountMetadata(let metadata)? = record else { return record }
    return .accountMetadata(signedInAgain(metadata))
  }

  /// What an application remembers of an account, after a program of another library may have signed in with its name.
  ///
  /// Signing out removes the application's ID tokens. One that is there has come since: the others know no other mark.
  private func signedInAgain(_ metadata: AccountMetadataRecord) -> AccountMetadataRecord {
    guard let home = metadata.homeAccountID, metadata.state(of: home) == .signedOut else {
      return metadata
    }
    let places = document[.idToken].indices(\.owners, having: [UnifiedMark(home).number])
    let isBack = places.contains { index in
      guard case .credential(let token)? = record(.idToken, index) else { return false }
      return token.homeAccountID == home
        && token.clientID.normalised == metadata.clientID.normalised
    }
    guard isBack else { return metadata }
    var metadata = metadata
    metadata.signIn(home)
    return metadata
  }

  /// The entries of a record.
  func places(of key: RecordKey, in section: UnifiedSection) -> [Int] {
    let marks =
      switch section {
      case .own: [UnifiedMark(OwnKey.text(of: key)).number]
      // Such a record has no account, its environment stands there.
      case .appMetadata: marks(of: "", key.account)
      default: marks(of: key.account)
      }
    return document[section].indices(\.accounts, having: marks).filter {
      record(section, $0)?.key == key
    }
  }

  /// The marks of an account's entries, under each of the hosts that stand for an environment.
  func marks(of homeAccountID: String, _ environment: String) -> [UInt64] {
    names.hosts(of: environment).map { UnifiedMark.account(homeAccountID, $0) }
  }

  /// The same for the account attribute of a key.
  private func marks(of account: String) -> [UInt64] {
    let others = names.preferredHosts.compactMap { host, preferred -> UInt64? in
      guard host != preferred, account.hasSuffix("-" + preferred) else { return nil }
      return UnifiedMark(account.dropLast(preferred.count) + host).number
    }
    return [UnifiedMark(account).number] + others
  }

  /// The records of some entries, each once.
  func records(_ section: UnifiedSection, _ indices: [Int]) -> [CacheRecord] {
    var found: [CacheRecord] = []
    var marks: [UInt64: [Int]] = [:]
    for index in indices {
      guard let record = record(section, index) else { continue }
      // Hosts of one cloud have marks of their own.
      let mark =
        names.preferredHosts.isEmpty || section == .own
        ? document[section].accounts[index] : document[section].owners[index]
      if let other = marks[mark]?.first(where: { found[$0].lies(where: record) }) {
        found[other] = UnifiedCache.newer(found[other], record)
      } else {
        marks[mark, default: []].append(found.count)
        found.append(record)
      }
    }
    return found
  }

  /// The newest of several entries of one record.
  static func newest(_ records: [CacheRecord]) -> CacheRecord? {
    guard let first = records.first else { return nil }
    return records.dropFirst().reduce(first, newer)
  }

  /// The newer one of two entries of one record; the later one where nothing tells.
  ///
  /// What has no times, accounts and families, is one from all that was written.
  private static func newer(_ left: CacheRecord, _ right: CacheRecord) -> CacheRecord {
    switch (left, right) {
    case (.credential(let first), .credential(let second)):
      time(of: first) > time(of: second) ? left : right
    case (.account(let first), .account(let second)): .account(first.overlaid(with: second))
    case (.appMetadata(let first), .appMetadata(let second)):
      first.familyID.nonBlank != nil && second.familyID.nonBlank == nil ? left : right
    default: right
    }
  }

  /// When a credential was stored, in seconds since 1970.
  static func time(of token: CredentialRecord) -> Int64 {
    (token.members["cached_at"] ?? token.members["last_modification_time"])?.integer ?? 0
  }
}
