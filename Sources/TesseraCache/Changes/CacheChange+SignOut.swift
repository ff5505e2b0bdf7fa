// SPDX-License-Identifier: MIT
// Signing out: what goes, for one application or for all of them, and what others keep.

import TesseraWire

extension CacheChange {
  /// What is removed when an account signs out.
  package struct SignOut: Sendable {
    package var homeAccountID: String
    /// The application; nil for every one.
    package var clientID: String?
    /// The hosts of the account's cloud, or its issuer.
    package var environments: [String]
    /// Whether it is an account of Entra: then the sign-out is remembered, so that a family does not bring it back.
    package var isEntra: Bool
    /// The names under which older libraries know the person.
    package var legacyNames: Set<String> = []
    /// What tells a person without an identifier from others with the same name; nil for everybody with the name.
    package var legacyIdentity: String?
    /// The object ids of a person with an identifier by their tenants, normalised, as far as they are known.
    package var legacyObjectIDs: [String: String] = [:]

    package init(
      homeAccountID: String, clientID: String?, environments: [String], isEntra: Bool
    ) {
      self.homeAccountID = homeAccountID
      self.clientID = clientID
      self.environments = environments
      self.isEntra = isEntra
    }
  }
}

extension CacheTable {
  mutating func signOut(_ signOut: CacheChange.SignOut) throws(Failure) {
    let owner = signOut.homeAccountID
    let person = LegacyPerson(
      homeAccountID: owner.nonBlank, identity: signOut.legacyIdentity,
      objectIDs: signOut.legacyObjectIDs)
    for name in signOut.legacyNames.sorted() {
      try changeLegacy(name, .signOut(person, clientID: signOut.clientID))
    }
    guard !owner.isEmpty else { return }
    for token in try accessTokens(of: owner, having: nil) where signOut.takes(token) {
      try remove(token.key)
    }
    let records = try records(of: owner)
    let others = signOut.others(in: records)
    let families = try families(of: others, signOut)
    for record in records {
      switch record {
      case .credential(let token) where signOut.covers(token.environment):
        // MSAL for Apple removes the family's token if this application was the last to write it, and with it the
        // sign-in of the other members; here it goes with the last of them, whoever wrote it.
        guard !others.contains(token.clientID) else { continue }
        if let family = token.familyID?.normalised, families.contains(family) { continue }
        try remove(token.key)
      case .account(let account) where signOut.covers(account.environment):
        // The person's name and address stay only while somebody still has a token for them.
        if others.isEmpty { try remove(account.key) }
      case .throttle(let record) where signOut.isOf(record.clientID): try remove(record.key)
      case .accountMetadata(var metadata) where signOut.isEntra && signOut.isOf(metadata.clientID):
        metadata.signOut(owner)
        try put(.accountMetadata(metadata))
      default: continue
      }
    }
    for case .foreign(let foreign) in try self.records(of: ForeignRecord.owner)
    where signOut.takes(foreign) {
      try remove(foreign.key)
    }
    try note(signOut)
  }

  /// Remembers for the application that the account has signed out.
  private mutating func note(_ signOut: CacheChange.SignOut) throws(Failure) {
    guard signOut.isEntra, let clientID = signOut.clientID else { return }
    var metadata = try accountMetadata(of: clientID, signOut.homeAccountID)
    metadata.signOut(signOut.homeAccountID)
    try put(.accountMetadata(metadata))
  }

  /// The families of applications that keep their tokens.
  private func families(
    of clients: Set<String>, _ signOut: CacheChange.SignOut
  ) throws(Failure) -> Set<String> {
    guard signOut.isEntra else { return [] }
    var families: Set<String> = []
    for client in clients {
      for environment in Set(signOut.environments) {
        let key = AppMetadataRecord(clientID: client, environment: environment, familyID: "").key
        guard case .appMetadata(let metadata)? = try record(at: key) else { continue }
        if let family = metadata.familyID.nonBlank { families.insert(family.normalised) }
      }
    }
    return families
  }
}

extension CacheChange.SignOut {
  /// Whether something is of the application that is signed out of.
  fileprivate func isOf(_ clientID: String) -> Bool {
    self.clientID.map { $0.normalised == clientID.normalised } ?? true
  }

  /// Whether a token is of the application and the account.
  fileprivate func takes(_ token: CredentialRecord) -> Bool {
    covers(token.environment) && isOf(token.clientID)
  }

  /// Whether an entry of another library is a token or an account that goes with this sign-out.
  ///
  /// MSAL Python removes by home account (`_sign_out` of its `application.py`), whatever else tells a token apart.
  fileprivate func takes(_ foreign: ForeignRecord) -> Bool {
    guard let home = foreign.homeAccountID,
      home == homeAccountID || isEntra && home.normalised == homeAccountID.normalised,
      foreign.environment.map(covers) ?? true
    else { return false }
    return foreign.clientID.map(isOf) ?? (clientID == nil)
  }

  /// The applications that keep a sign-in of the account: they have a token, and have not signed out before.
  fileprivate func others(in records: [CacheRecord]) -> Set<String> {
    var others: Set<String> = []
    var signedOut: Set<String> = []
    for record in records {
      switch record {
      case .credential(let token) where covers(token.environment) && !isOf(token.clientID):
        others.insert(token.clientID)
      case .accountMetadata(let metadata) where isEntra:
        guard metadata.state(of: homeAccountID) == .signedOut else { continue }
        signedOut.insert(metadata.clientID.normalised)
      default: continue
      }
    }
    return others.filter { !signedOut.contains($0.normalised) }
  }

  /// Hosts compare without regard to case, issuers do not.
  fileprivate func covers(_ environment: String) -> Bool {
    environments.contains(environment)
      || isEntra && environments.contains(environment.normalised)
  }
}
