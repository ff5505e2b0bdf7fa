// SPDX-License-Identifier: MIT
// Storing of a refresh: the new refresh token replaces the redeemed one in every record that contains it.

import TesseraWire

extension CacheTable {
  /// Stores the result of a refresh, if the redeemed refresh token is still stored.
  ///
  /// The server may have invalidated the redeemed token. Therefore it is also replaced in the records of the other
  /// applications of the family.
  mutating func renew(
    _ redeemed: CredentialRecord, alsoAccepting others: [Secret], _ steps: [CacheChange.Step]
  ) throws(Failure) -> CommitOutcome {
    let spent = Set([redeemed.secret] + others)
    let issued = steps.compactMap(\.refreshToken)
    var isStored = false
    if case .credential(let stored)? = try record(at: redeemed.key) {
      isStored = true
      let isCurrent = spent.contains(stored.secret)
      try CacheChange(steps.filter { isCurrent || $0.refreshToken == nil }).apply(to: &self)
    }
    try replaceCopies(of: spent, in: redeemed.homeAccountID, by: issued)
    for own in issued where !isStored && own.familyID == nil {
      isStored = try record(at: own.key) != nil
    }
    return isStored ? .applied : .superseded(try removal(of: redeemed, before: steps))
  }

  /// Returns how a refresh token was removed before the result of its redemption could be stored.
  private func removal(
    of redeemed: CredentialRecord, before steps: [CacheChange.Step]
  ) throws(Failure) -> CommitOutcome.Removal {
    for case .mergeAccount(let account) in steps where try record(at: account.key) == nil {
      return .signOut
    }
    guard let clientID = steps.lazy.compactMap(\.credential).first?.clientID else {
      return .refreshToken
    }
    let metadata = try accountMetadata(of: clientID, redeemed.homeAccountID)
    return metadata.state(of: redeemed.homeAccountID) == .signedOut ? .signOut : .refreshToken
  }

  /// Replaces redeemed refresh tokens in all records of an account.
  ///
  /// Does nothing if the server kept the token.
  private mutating func replaceCopies(
    of secrets: Set<Secret>, in owner: String, by issued: [CredentialRecord]
  ) throws(Failure) {
    guard let issued = issued.first(where: { $0.familyID != nil }) ?? issued.first else { return }
    let spent = secrets.subtracting([issued.secret])
    guard !spent.isEmpty else { return }
    for case .credential(let copy) in try records(of: owner)
    where copy.type.isRefreshToken && spent.contains(copy.secret) {
      if let renewed = copy.renewed(by: issued) {
        try put(.credential(renewed))
      } else {
        try remove(copy.key)
      }
    }
    try removeOlderEntries(of: spent, in: owner)
  }
}

extension CacheChange.Step {
  /// The refresh token that the step stores, if any.
  fileprivate var refreshToken: CredentialRecord? {
    guard case .put(.credential(let record)) = self, record.type.isRefreshToken else { return nil }
    return record
  }

  /// The token that the step stores, if any.
  fileprivate var credential: CredentialRecord? {
    switch self {
    case .put(.credential(let record)), .replaceAccessToken(let record, _): record
    default: nil
    }
  }
}

extension CredentialRecord {
  /// Returns the record with a new refresh token, or `nil` if its application cannot use the token.
  fileprivate func renewed(by issued: CredentialRecord) -> CredentialRecord? {
    let isUsable =
      issued.familyID == nil
      ? familyID == nil && clientID.normalised == issued.clientID.normalised
      : familyID == nil || familyID?.normalised == issued.familyID?.normalised
    guard isUsable else { return nil }
    var record = self
    record["secret"] = issued.secret.reveal()
    return record
  }
}
