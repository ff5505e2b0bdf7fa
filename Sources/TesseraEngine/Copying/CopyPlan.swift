// SPDX-License-Identifier: MIT
// Decides from two snapshots which records of one store are missing or outdated in another one.

import TesseraCache
import TesseraWire

/// The records to copy from one store to another.
struct CopyPlan {
  /// The account and the application of a token.
  private struct Holder: Hashable {
    let homeAccountID: String
    let clientID: String

    init(_ token: CredentialRecord) {
      homeAccountID = token.homeAccountID
      clientID = token.clientID.normalised
    }
  }

  /// The change that copies the records.
  private(set) var change = CacheChange()
  /// The outcome for each account.
  private(set) var report = CopyReport()

  private var people: [String: (environment: String, username: String, count: Int)] = [:]
  private let here: [RecordKey: CacheRecord]
  private let ages: (there: [Holder: Int64], here: [Holder: Int64])

  /// Compares the records of both stores.
  ///
  /// - Parameter owner: The account with the records to copy; `nil` for all.
  init(from there: [CacheRecord], into here: [CacheRecord], of owner: String?) {
    self.here = Dictionary(here.map { ($0.key, $0) }) { first, _ in first }
    ages = (CopyPlan.ages(there), CopyPlan.ages(here))
    for record in there {
      if let owner, CopyPlan.person(of: record)?.normalised != owner.normalised { continue }
      decide(record)
    }
    report.accounts = people.map { home, person in
      CopyReport.Account(
        homeAccountID: home, environment: person.environment, username: person.username,
        outcome: person.count > 0 ? .copied : .alreadyHere, recordCount: person.count)
    }.sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) }
  }

  /// Returns the account of a record, including entries of other libraries.
  private static func person(of record: CacheRecord) -> String? {
    guard case .foreign(let foreign) = record else { return record.owner }
    return foreign.homeAccountID
  }

  private mutating func decide(_ record: CacheRecord) {
    switch record {
    case .account(let account):
      meet(account)
      guard case .account(let stored)? = here[record.key] else {
        return take(record, [.mergeAccount(account)])
      }
      // Values in the target store win. Missing ones are added.
      let merged = account.overlaid(with: stored)
      if merged != stored { take(record, [.mergeAccount(merged)]) }
    case .credential(let token): decide(token, record)
    case .legacyAccount(let left): decide(left, record)
    // Without the record of legacy sources, the imported items would never be read.
    case .appMetadata, .legacySources, .foreign:
      if here[record.key] == nil { take(record, [.add(record)]) }
    case .accountMetadata, .discovery, .throttle, .signIn: break
    }
  }

  private mutating func decide(_ token: CredentialRecord, _ record: CacheRecord) {
    var steps = [CacheChange.Step.add(record)]
    if case .credential(let stored)? = here[record.key] {
      guard stored.secret != token.secret,
        age(of: token, ages.there) > age(of: stored, ages.here)
      else { return }
      // A sign-in or sign-out in the meantime takes precedence.
      steps = [.unlessChanged([record.key: stored.secret], [.put(record)])]
    }
    if token.type.isRefreshToken, isSignedOutHere(token) {
      steps.append(
        .signIn(
          homeAccountID: token.homeAccountID, clientID: token.clientID, requested: "", result: ""))
    }
    take(record, steps)
  }

  /// Merges the items of an older library with those of the same name in the target store.
  private mutating func decide(_ left: LegacyAccountRecord, _ record: CacheRecord) {
    guard case .legacyAccount(let stored)? = here[record.key] else {
      return take(record, [.add(record)])
    }
    let merge = LegacyAccountRecord.Change.merge(left.items)
    guard merge.applied(to: stored, named: left.name) != nil else { return }
    take(record, [.legacy(name: left.name, merge)])
  }

  private mutating func meet(_ account: AccountRecord) {
    let known = people[account.homeAccountID]
    people[account.homeAccountID] = (
      account.environment, known?.username.nonBlank ?? account.username ?? "", known?.count ?? 0
    )
  }

  private mutating func take(_ record: CacheRecord, _ steps: [CacheChange.Step]) {
    change.steps += steps
    report.recordCount += 1
    // Entries that Tessera does not use do not count for an account.
    if case .foreign = record { return }
    guard let owner = record.owner?.nonBlank else { return }
    let environment = record.members["environment"]?.string ?? ""
    people[owner, default: (environment, "", 0)].count += 1
  }

  private func isSignedOutHere(_ token: CredentialRecord) -> Bool {
    let empty = AccountMetadataRecord(
      clientID: token.clientID, homeAccountID: token.homeAccountID)
    guard case .accountMetadata(let metadata)? = here[empty.key] else { return false }
    return metadata.state(of: token.homeAccountID) == .signedOut
  }

  /// Returns the time at which a token was stored.
  ///
  /// For a refresh token without a time, it is that of the newest access token of the same account and application.
  private func age(of token: CredentialRecord, _ ages: [Holder: Int64]) -> Int64 {
    let own = CacheRecord.credential(token).writeTime
    return own > 0 || token.type.isAccessToken ? own : ages[Holder(token)] ?? 0
  }

  private static func ages(_ records: [CacheRecord]) -> [Holder: Int64] {
    var ages: [Holder: Int64] = [:]
    for case .credential(let token) in records where token.type.isAccessToken {
      let time = CacheRecord.credential(token).writeTime
      ages[Holder(token)] = max(ages[Holder(token)] ?? 0, time)
    }
    return ages
  }
}
