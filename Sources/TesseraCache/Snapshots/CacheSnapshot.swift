// SPDX-License-Identifier: MIT
// What a call sees of the cache: a few records, all of the same moment.

import TesseraWire

/// Some records of the cache as they were at one moment.
package struct CacheSnapshot: Sendable {
  /// The records.
  package let records: [CacheRecord]
  /// The moment; nil when the store cannot tell whether it has passed.
  package let version: StoreVersion?
  /// What the store is like, which matters when nothing was found.
  package let condition: StoreCondition
  /// Which of the records are in memory only, and why.
  package var unstored: (records: Set<CacheRecord>, reason: String)?
  /// The state of the list of all accounts; nil if it can't be told, or is not shown.
  package var list: ListState?
  /// The ranges of people that are shown of the list; nil for all of them.
  package var ranges: [Int]?

  package init(
    records: [CacheRecord], version: StoreVersion?, condition: StoreCondition = .usable
  ) {
    self.records = records
    self.version = version
    self.condition = condition
  }

  /// Tokens of every kind.
  package var credentials: [CredentialRecord] {
    records.compactMap { if case .credential(let record) = $0 { record } else { nil } }
  }

  /// Accounts, one record for each tenant.
  package var accounts: [AccountRecord] {
    records.compactMap { if case .account(let record) = $0 { record } else { nil } }
  }

  /// What the servers said of applications and their families.
  package var appMetadata: [AppMetadataRecord] {
    records.compactMap { if case .appMetadata(let record) = $0 { record } else { nil } }
  }

  /// What an application remembers of the account that was selected.
  package func accountMetadata(of clientID: String) -> AccountMetadataRecord? {
    for case .accountMetadata(let record) in records where record.clientID == clientID {
      return record
    }
    return nil
  }

  /// Whether an application may use its accounts, by home account id; nothing for those it remembers nothing of.
  package func signInStates(of clientID: String) -> [String: SignInState] {
    var states: [String: SignInState] = [:]
    for case .accountMetadata(let record) in records where record.clientID == clientID {
      if let id = record.homeAccountID { states[id] = record.state(of: id) }
    }
    return states
  }

  /// What is remembered of an authority's discovery documents.
  package func discovery(of authority: String) -> DiscoveryRecord? {
    for case .discovery(let record) in records where record.authority == authority {
      return record
    }
    return nil
  }

  /// What failed, and must not be tried again yet.
  package var throttles: [ThrottleRecord] {
    records.compactMap { if case .throttle(let record) = $0 { record } else { nil } }
  }

  /// The key of the sign-ins that hosts drive, and which of them are done.
  package var signIn: SignInRecord? {
    for case .signIn(let record) in records { return record }
    return nil
  }

  /// What was imported of older libraries' caches.
  package var legacyAccounts: [LegacyAccountRecord] {
    records.compactMap { if case .legacyAccount(let record) = $0 { record } else { nil } }
  }

  /// The family whose refresh tokens an application may use; nil for none.
  ///
  /// Without app metadata the application may be in family 1, the only one there is; an empty family id says that
  /// it is in none (MSAL for Apple).
  package func familyID(of clientID: String) -> String? {
    guard let metadata = appMetadata.first(where: { $0.clientID.normalised == clientID.normalised })
    else { return "1" }
    return metadata.familyID.nonBlank
  }
}
