// SPDX-License-Identifier: MIT
// The records that a call reads from the cache, all from the same store version.

package import TesseraWire

/// A consistent subset of the records of the cache.
package struct CacheSnapshot: Sendable {
  /// The records.
  package let records: [CacheRecord]
  /// The store version of the records, or `nil` if the store cannot detect later changes.
  package let version: StoreVersion?
  /// The condition of the store, which explains an empty result.
  package let condition: StoreCondition
  /// The records that are in memory only, and the reason why they were not stored.
  package var unstored: (records: Set<CacheRecord>, reason: String)?
  /// The version of the account list, or `nil` if it is unknown or the list was not read.
  package var list: AccountListVersion?
  /// The account ranges that were read, or `nil` for the whole list.
  package var ranges: [Int]?

  package init(
    records: [CacheRecord], version: StoreVersion?, condition: StoreCondition = .usable
  ) {
    self.records = records
    self.version = version
    self.condition = condition
  }

  /// The credentials of all types.
  package var credentials: [CredentialRecord] {
    records.compactMap { if case .credential(let record) = $0 { record } else { nil } }
  }

  /// The accounts, one record per tenant.
  package var accounts: [AccountRecord] {
    records.compactMap { if case .account(let record) = $0 { record } else { nil } }
  }

  /// The app metadata, including the token family of each application.
  package var appMetadata: [AppMetadataRecord] {
    records.compactMap { if case .appMetadata(let record) = $0 { record } else { nil } }
  }

  /// Returns the account metadata of an application for the selected account, or `nil` if there is none.
  package func accountMetadata(of clientID: String) -> AccountMetadataRecord? {
    for case .accountMetadata(let record) in records where record.clientID == clientID {
      return record
    }
    return nil
  }

  /// Returns the sign-in states that an application has recorded, by home account ID.
  package func signInStates(of clientID: String) -> [ExactString: SignInState] {
    var states: [ExactString: SignInState] = [:]
    for case .accountMetadata(let record) in records where record.clientID == clientID {
      if let id = record.homeAccountID { states[id] = record.state(of: id) }
    }
    return states
  }

  /// Returns the cached discovery document of an authority, or `nil` if there is none.
  package func discovery(of authority: String) -> DiscoveryRecord? {
    for case .discovery(let record) in records where record.authority == authority {
      return record
    }
    return nil
  }

  /// The recorded failures.
  package var throttles: [ThrottleRecord] {
    records.compactMap { if case .throttle(let record) = $0 { record } else { nil } }
  }

  /// The record of host-driven sign-ins, or `nil` if there is none.
  package var signIn: SignInRecord? {
    for case .signIn(let record) in records { return record }
    return nil
  }

  /// The accounts that were imported from the caches of older libraries.
  package var legacyAccounts: [LegacyAccountRecord] {
    records.compactMap { if case .legacyAccount(let record) = $0 { record } else { nil } }
  }

  /// Returns the family ID of an application, or `nil` if the application does not share refresh tokens.
  ///
  /// An application without app metadata may belong to family 1, the only existing family. An empty family ID in the
  /// app metadata means that it does not (MSAL for Apple).
  package func familyID(of clientID: String) -> String? {
    guard let metadata = appMetadata.first(where: { $0.clientID.normalised == clientID.normalised })
    else { return "1" }
    return metadata.familyID.nonBlank
  }
}
