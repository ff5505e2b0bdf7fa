// SPDX-License-Identifier: MIT
// Sign-out: the removal of an account's records for one application or for all of them.

package import TesseraWire

extension CacheChange {
  /// The account to sign out, and the scope of the sign-out.
  package struct SignOut: Sendable {
    package var homeAccountID: String
    /// The client ID of the application, or `nil` for all applications.
    package var clientID: String?
    /// The hosts of the account's cloud, or its issuer.
    package var environments: [String]
    /// Whether it is a Microsoft Entra ID account.
    ///
    /// The sign-out is then recorded, so that a family token does not undo it.
    package var isEntra: Bool
    /// The user names under which older libraries may know the account.
    package var legacyNames: Set<ExactString> = []
    /// The ``LegacyItem/identity`` of an account without a home account ID, or `nil` for all users with the name.
    package var legacyIdentity: String?
    /// The known object IDs of an account with a home account ID, by tenant, normalised.
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
    let user = LegacyUser(
      homeAccountID: owner.nonBlank, identity: signOut.legacyIdentity,
      objectIDs: signOut.legacyObjectIDs)
    for name in signOut.legacyNames.sorted() {
      try changeLegacy(name.text, .signOut(user, clientID: signOut.clientID))
    }
    guard !owner.isEmpty else { return }
    for token in try accessTokens(of: owner, having: nil) where signOut.includes(token) {
      try remove(token.key)
    }
    let records = try records(of: owner)
    let remainingApplications = signOut.remainingApplications(in: records)
    let families = try families(of: remainingApplications, signOut)
    for record in records {
      switch record {
      case .credential(let token) where signOut.covers(token.environment):
        // MSAL for Apple removes the family token if this application was the last to write it, which signs out the other
        // members as well. Here it is removed with the last member, regardless of the writer.
        guard !remainingApplications.contains(token.clientID) else { continue }
        if let family = token.familyID?.normalised, families.contains(family) { continue }
        try remove(token.key)
      case .account(let account) where signOut.covers(account.environment):
        // Keep the account, with the user's names, only while another application has a token for it.
        if remainingApplications.isEmpty { try remove(account.key) }
      case .throttle(let record) where signOut.appliesTo(record.clientID): try remove(record.key)
      case .accountMetadata(var metadata)
      where signOut.isEntra && signOut.appliesTo(metadata.clientID):
        metadata.signOut(owner)
        try put(.accountMetadata(metadata))
      default: continue
      }
    }
    for case .foreign(let foreign) in try self.records(of: ForeignRecord.owner)
    where signOut.includes(foreign) {
      try remove(foreign.key)
    }
    try recordSignOut(signOut)
  }

  /// Records the sign-out in the application's account metadata.
  private mutating func recordSignOut(_ signOut: CacheChange.SignOut) throws(Failure) {
    guard signOut.isEntra, let clientID = signOut.clientID else { return }
    var metadata = try accountMetadata(of: clientID, signOut.homeAccountID)
    metadata.signOut(signOut.homeAccountID)
    try put(.accountMetadata(metadata))
  }

  /// Returns the families of the applications that keep their tokens.
  private func families(
    of clients: Set<ExactString>, _ signOut: CacheChange.SignOut
  ) throws(Failure) -> Set<ExactString> {
    guard signOut.isEntra else { return [] }
    var families: Set<ExactString> = []
    for client in clients.texts {
      for environment in Set(texts: signOut.environments).texts {
        let key = AppMetadataRecord(clientID: client, environment: environment, familyID: "").key
        guard case .appMetadata(let metadata)? = try record(at: key) else { continue }
        if let family = metadata.familyID.nonBlank { families.insert(family.normalised) }
      }
    }
    return families
  }
}

extension CacheChange.SignOut {
  /// Whether the client ID is in the scope of the sign-out.
  fileprivate func appliesTo(_ clientID: String) -> Bool {
    self.clientID.map { $0.normalised == clientID.normalised } ?? true
  }

  /// Whether the token is in the scope of the sign-out.
  fileprivate func includes(_ token: CredentialRecord) -> Bool {
    covers(token.environment) && appliesTo(token.clientID)
  }

  /// Whether an entry of another library is in the scope of the sign-out.
  ///
  /// MSAL Python removes tokens by home account ID (`_sign_out` in `application.py`), regardless of other key parts.
  fileprivate func includes(_ foreign: ForeignRecord) -> Bool {
    guard let home = foreign.homeAccountID,
      home == homeAccountID || isEntra && home.normalised == homeAccountID.normalised,
      foreign.environment.map(covers) ?? true
    else { return false }
    return foreign.clientID.map(appliesTo) ?? (clientID == nil)
  }

  /// Returns the applications that stay signed in to the account: those with a token that have not signed out before.
  fileprivate func remainingApplications(in records: [CacheRecord]) -> Set<ExactString> {
    var remainingApplications: Set<ExactString> = []
    var signedOut: Set<ExactString> = []
    for record in records {
      switch record {
      case .credential(let token) where covers(token.environment) && !appliesTo(token.clientID):
        remainingApplications.insert(token.clientID)
      case .accountMetadata(let metadata) where isEntra:
        guard metadata.state(of: homeAccountID) == .signedOut else { continue }
        signedOut.insert(metadata.clientID.normalised)
      default: continue
      }
    }
    return remainingApplications.filter { !signedOut.contains($0.text.normalised) }
  }

  /// Whether an environment is in the scope of the sign-out.
  ///
  /// Hosts are compared ignoring case, issuers are not.
  fileprivate func covers(_ environment: String) -> Bool {
    environments.contains(environment)
      || isEntra && environments.contains(environment.normalised)
  }
}
