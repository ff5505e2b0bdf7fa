// SPDX-License-Identifier: MIT
// What another library changed in the unified document, done to the records that are there now.

import TesseraWire

extension CacheDocument.Edit {
  /// The edit with another host in place of that of its entries.
  ///
  /// - Parameters:
  ///   - name: the host for entries with a record.
  ///   - foreign: the host for access tokens without one.
  package func inEnvironment(
    _ name: (String) -> String, foreign: (String) -> String
  ) -> CacheDocument.Edit {
    switch self {
    case .store(let entry, let older):
      .store(
        entry.inEnvironment(name, foreign: foreign),
        insteadOf: older?.inEnvironment(name, foreign: foreign))
    case .remove(let entry): .remove(entry.inEnvironment(name, foreign: foreign))
    }
  }
}

extension CacheTable {
  /// Does what differs between two documents; what others did meanwhile stays.
  mutating func exchange(_ edits: [CacheDocument.Edit]) throws(Failure) {
    for edit in edits {
      switch edit {
      case .store(let entry, let older): try store(entry, insteadOf: older)
      case .remove(let entry): try remove(entry)
      }
    }
  }

  /// Stores a record, unless what is there is newer.
  private mutating func take(_ record: CacheRecord) throws(Failure) {
    switch (record, try self.record(at: record.key)) {
    case (.account(let account), _): try mergeAccount(account)
    case (.appMetadata(let new), .appMetadata(let old)?):
      // The family stays also where a later answer does not name it.
      guard let merged = AppMetadataRecord(members: old.members.overlaid(with: new.members)) else {
        return
      }
      try put(.appMetadata(merged))
    case (.credential(let token), let stored?):
      guard stored.writtenOn <= record.writtenOn else { return }
      try put(.credential(token.foundAlso(as: stored)))
    default: try put(record)
    }
  }

  private mutating func store(
    _ entry: DocumentEntry, insteadOf older: DocumentEntry?
  ) throws(Failure) {
    guard let record = entry.record else {
      // What was a record before and is none now would be there twice.
      if let older = older?.record { try remove(older.key) }
      return try keep(entry)
    }
    if let older, older.record == nil { try remove(ForeignRecord(older).key) }
    try take(record)
    guard case .credential(var token) = record, token.type.isRefreshToken else { return }
    try remember(.signedIn, of: token)
    guard token.familyID != nil else { return }
    // A family's token lies under the family and under the application, as a sign-in of Tessera stores it.
    token.familyID = nil
    try take(.credential(token))
  }

  private mutating func remove(_ entry: DocumentEntry) throws(Failure) {
    guard let record = entry.record else { return try drop(entry) }
    guard case .credential(let token) = record else { return try remove(record.key) }
    if token.type.isRefreshToken {
      for case .credential(let stored) in try records(of: token.homeAccountID)
      where stored.type == token.type && stored.environment == token.environment
        && stored.clientID.normalised == token.clientID.normalised
      {
        try remove(stored.key)
      }
      try remember(.signedOut, of: token)
    } else {
      // An access token that somebody has renewed meanwhile is another one.
      guard case .credential(let stored)? = try self.record(at: record.key),
        stored.secret == token.secret
      else { return }
      try remove(record.key)
    }
  }

  /// Stores what no record stands for, unless what is there is newer.
  private mutating func keep(_ entry: DocumentEntry) throws(Failure) {
    let new = ForeignRecord(entry)
    if case .foreign(let stored)? = try record(at: new.key),
      stored.entry.writtenOn > entry.writtenOn
    {
      return
    }
    try put(.foreign(new))
  }

  /// Removes what no record stands for; an access token or an ID token only if it is the same one still.
  private mutating func drop(_ entry: DocumentEntry) throws(Failure) {
    let key = ForeignRecord(entry).key
    if ["AccessToken", "IdToken"].contains(entry.section),
      case .foreign(let stored)? = try record(at: key), stored.entry.secret != entry.secret
    {
      return
    }
    try remove(key)
  }

  /// Where Tessera's own calls remember whether somebody is signed in, they agree with the other library.
  private mutating func remember(
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
