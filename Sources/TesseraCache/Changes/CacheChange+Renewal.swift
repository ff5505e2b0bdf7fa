// SPDX-License-Identifier: MIT
// Storing of a refresh: the new refresh token replaces the redeemed one in every record that contains it.

import TesseraWire

/// The result of a refresh, which replaces the redeemed refresh token.
struct Renewal {
  let redeemed: CredentialRecord
  /// The tokens that an earlier pending refresh may have stored in place of the redeemed one.
  let others: [Secret]
  let steps: [CacheChange.Step]

  /// Stores the result, if the redeemed refresh token is still stored.
  ///
  /// The server may have invalidated the redeemed token. Therefore it is also replaced in the records of the other
  /// applications of the family.
  func apply<Table: CacheTable>(to table: inout Table) throws(Table.Failure) -> CommitOutcome {
    let spent = Set([redeemed.secret] + others)
    let issued = steps.compactMap(\.refreshToken)
    var isStored = false
    if case .credential(let stored)? = try table.record(at: redeemed.key) {
      isStored = true
      let isCurrent = spent.contains(stored.secret)
      try CacheChange(steps.filter { isCurrent || $0.refreshToken == nil }).apply(to: &table)
    }
    try replaceCopies(of: spent, by: issued, in: &table)
    for own in issued where !isStored && own.familyID == nil {
      isStored = try table.record(at: own.key) != nil
    }
    return isStored ? .applied : .superseded(try removal(in: table))
  }

  /// Returns how the refresh token was removed before the result of its redemption could be stored.
  private func removal<Table: CacheTable>(
    in table: Table
  ) throws(Table.Failure) -> CommitOutcome.Removal {
    for case .mergeAccount(let account) in steps where try table.record(at: account.key) == nil {
      return .signOut
    }
    guard let clientID = steps.lazy.compactMap(\.credential).first?.clientID else {
      return .refreshToken
    }
    let metadata = try table.accountMetadata(of: clientID, redeemed.homeAccountID)
    return metadata.state(of: redeemed.homeAccountID) == .signedOut ? .signOut : .refreshToken
  }

  /// Replaces redeemed refresh tokens in all records of the account.
  ///
  /// Does nothing if the server kept the token.
  private func replaceCopies<Table: CacheTable>(
    of secrets: Set<Secret>, by issued: [CredentialRecord], in table: inout Table
  ) throws(Table.Failure) {
    let owner = redeemed.homeAccountID
    guard let issued = issued.first(where: { $0.familyID != nil }) ?? issued.first else { return }
    let spent = secrets.subtracting([issued.secret])
    guard !spent.isEmpty else { return }
    for case .credential(let copy) in try table.records(of: owner)
    where copy.type.isRefreshToken && spent.contains(copy.secret) {
      if let renewed = copy.renewed(by: issued) {
        try table.put(.credential(renewed))
      } else {
        try table.remove(copy.key)
      }
    }
    try table.removeOlderEntries(of: spent, in: owner)
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
