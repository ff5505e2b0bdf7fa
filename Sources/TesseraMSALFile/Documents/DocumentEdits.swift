// SPDX-License-Identifier: MIT
// The edits that another library made in the unified document, and their application to the stored records.

package import TesseraCache
import TesseraWire

/// The edits that another library made in the unified document.
package struct DocumentEdits: FeatureStep {
  /// A change that another library made to one record.
  enum Edit: Sendable {
    /// Store a new or changed record.
    ///
    /// The older one is the record that the other library replaced. The two may have different keys.
    case store(CacheRecord, insteadOf: CacheRecord?)
    /// Remove a record.
    case remove(CacheRecord)
  }

  var edits: [Edit] = []

  /// The number of removed entries.
  var removalCount: Int { edits.count { if case .remove = $0 { true } else { false } } }

  package var removesSecrets: Bool { removalCount > 0 }

  /// Applies the edits.
  ///
  /// Concurrent changes of other records are kept.
  package func apply<Table: CacheTable>(
    to table: inout Table
  ) throws(Table.Failure) -> CommitOutcome {
    for edit in edits {
      switch edit {
      case .store(let record, let older): try table.store(record, insteadOf: older)
      case .remove(let record): try table.remove(record)
      }
    }
    return .applied
  }
}

extension CacheTable {
  /// Stores a record unless the stored version is newer.
  ///
  /// Accounts and app metadata are merged with the stored version.
  private mutating func storeIfNewer(_ record: CacheRecord) throws(Failure) {
    switch (record, try self.record(at: record.key)) {
    case (.account(let account), _): try mergeAccount(account)
    case (.appMetadata(let new), .appMetadata(let old)?):
      // Keep the family ID if a later response omits it.
      guard let merged = AppMetadataRecord(members: old.members.overlaid(with: new.members)) else {
        return
      }
      try put(.appMetadata(merged))
    case (.credential(let token), let stored?):
      guard stored.writeTime <= record.writeTime else { return }
      try put(.credential(token.keepingTenantAlias(as: stored)))
    default: try put(record)
    }
  }

  fileprivate mutating func store(
    _ record: CacheRecord, insteadOf older: CacheRecord?
  ) throws(Failure) {
    // Remove the old record if only one of the two entries loads as one. Otherwise the store would have both.
    if let older, older.isForeign != record.isForeign { try remove(older.key) }
    if case .foreign(let foreign) = record { return try storeForeignEntry(foreign) }
    try storeIfNewer(record)
    guard case .credential(var token) = record, token.type.isRefreshToken else { return }
    try updateSignInState(.signedIn, of: token)
    guard token.familyID != nil else { return }
    // A family refresh token is stored under both the family and the application, as after a sign-in of Tessera.
    token.familyID = nil
    try storeIfNewer(.credential(token))
  }

  fileprivate mutating func remove(_ record: CacheRecord) throws(Failure) {
    if case .foreign(let foreign) = record { return try removeForeignEntry(foreign) }
    guard case .credential(let token) = record else { return try remove(record.key) }
    if token.type.isRefreshToken {
      for case .credential(let stored) in try records(of: token.homeAccountID)
      where stored.type == token.type && stored.environment == token.environment
        && stored.clientID.normalised == token.clientID.normalised
      {
        try remove(stored.key)
      }
      try updateSignInState(.signedOut, of: token)
    } else {
      // Keep the access token if another process has refreshed it in the meantime.
      guard case .credential(let stored)? = try self.record(at: record.key),
        stored.secret == token.secret
      else { return }
      try remove(record.key)
    }
  }

  /// Stores an entry without a record type, unless the stored version is newer.
  private mutating func storeForeignEntry(_ new: ForeignRecord) throws(Failure) {
    if case .foreign(let stored)? = try record(at: new.key),
      stored.entry.writeTime > new.entry.writeTime
    {
      return
    }
    try put(.foreign(new))
  }

  /// Removes an entry without a record type.
  ///
  /// Tokens are removed only if the stored secret is unchanged.
  private mutating func removeForeignEntry(_ foreign: ForeignRecord) throws(Failure) {
    let (key, entry) = (foreign.key, foreign.entry)
    if ["AccessToken", "IdToken"].contains(entry.section),
      case .foreign(let stored)? = try record(at: key),
      !stored.entry.secret.hasBytes(of: entry.secret)
    {
      return
    }
    try remove(key)
  }

  /// Updates the recorded sign-in state to match the other library.
  ///
  /// Does nothing if no state is recorded.
  private mutating func updateSignInState(
    _ state: SignInState, of token: CredentialRecord
  ) throws(Failure) {
    var metadata = try accountMetadata(of: token.clientID, token.homeAccountID)
    let known = metadata.state(of: token.homeAccountID)
    guard known != .unknown, known != state else { return }
    if state == .signedIn {
      metadata.signIn(token.homeAccountID)
    } else {
      metadata.signOut(token.homeAccountID)
    }
    try put(.accountMetadata(metadata))
  }
}

extension CacheRecord {
  /// Whether the record is an entry of another library without a record type.
  fileprivate var isForeign: Bool {
    if case .foreign = self { true } else { false }
  }
}
