// SPDX-License-Identifier: MIT
// Decides from two snapshots which records of one store are missing or outdated in another one.

import TesseraCache
import TesseraWire

/// The records to copy from one store to another.
struct CopyPlan {
  /// The account and the application of a token.
  private struct TokenOwner: Hashable {
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

  private var accountsByID: [ExactString: (environment: String, username: String, count: Int)] = [:]
  private let target: [RecordKey: CacheRecord]
  private let ages: (source: [TokenOwner: Int64], target: [TokenOwner: Int64])

  /// Compares the records of both stores.
  ///
  /// - Parameter owner: The account with the records to copy; `nil` for all.
  init(from source: [CacheRecord], into target: [CacheRecord], of owner: String?) {
    self.target = Dictionary(target.map { ($0.key, $0) }) { first, _ in first }
    ages = (CopyPlan.ages(source), CopyPlan.ages(target))
    for record in source {
      if let owner, CopyPlan.account(of: record)?.normalised != owner.normalised { continue }
      decide(record)
    }
    report.accounts = accountsByID.map { home, account in
      CopyReport.Account(
        homeAccountID: home.text, environment: account.environment, username: account.username,
        outcome: account.count > 0 ? .copied : .alreadyHere, recordCount: account.count)
    }.sorted { ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID) }
  }

  /// Returns the account of a record, including entries of other libraries.
  private static func account(of record: CacheRecord) -> String? {
    guard case .foreign(let foreign) = record else { return record.owner }
    return foreign.homeAccountID
  }

  private mutating func decide(_ record: CacheRecord) {
    switch record {
    case .account(let account):
      addAccount(account)
      guard case .account(let stored)? = target[record.key] else {
        return append(record, [.mergeAccount(account)])
      }
      // Values in the target store win. Missing ones are added.
      let merged = account.overlaid(with: stored)
      if merged != stored { append(record, [.mergeAccount(merged)]) }
    case .credential(let token): decide(token, record)
    case .legacyAccount(let left): decide(left, record)
    // Without the record of legacy sources, the imported items would never be read.
    case .appMetadata, .legacySources, .foreign:
      if target[record.key] == nil { append(record, [.add(record)]) }
    case .accountMetadata, .discovery, .throttle, .signIn: break
    }
  }

  private mutating func decide(_ token: CredentialRecord, _ record: CacheRecord) {
    var steps = [CacheChange.Step.add(record)]
    if case .credential(let stored)? = target[record.key] {
      // The mark of a replaced token is copied to the same token. A replaced token replaces no other.
      let isNewer =
        !token.isSuperseded && age(of: token, ages.source) > age(of: stored, ages.target)
      let isMark = token.isSuperseded && !stored.isSuperseded
      guard stored.secret == token.secret ? isMark : isNewer else { return }
      // A sign-in or sign-out in the meantime takes precedence.
      steps = [.unlessChanged([record.key: stored.secret], [.put(record)])]
    }
    if token.type.isRefreshToken, !token.isSuperseded, isSignedOutHere(token) {
      steps.append(
        .signIn(
          homeAccountID: token.homeAccountID, clientID: token.clientID, requested: "", result: ""))
    }
    append(record, steps)
  }

  /// Merges the items of an older library with those of the same name in the target store.
  private mutating func decide(_ left: LegacyAccountRecord, _ record: CacheRecord) {
    guard case .legacyAccount(let stored)? = target[record.key] else {
      return append(record, [.add(record)])
    }
    let merge = LegacyAccountRecord.Change.merge(left.items)
    guard merge.applied(to: stored, named: left.name) != nil else { return }
    append(record, [.legacy(name: left.name, merge)])
  }

  private mutating func addAccount(_ account: AccountRecord) {
    let known = accountsByID[account.homeAccountID]
    accountsByID[account.homeAccountID] = (
      account.environment, known?.username.nonBlank ?? account.username ?? "", known?.count ?? 0
    )
  }

  private mutating func append(_ record: CacheRecord, _ steps: [CacheChange.Step]) {
    change.steps += steps
    report.recordCount += 1
    // Entries that Tessera does not use do not count for an account.
    if case .foreign = record { return }
    guard let owner = record.owner?.nonBlank else { return }
    let environment = record.members["environment"]?.string ?? ""
    accountsByID[owner, default: (environment, "", 0)].count += 1
  }

  private func isSignedOutHere(_ token: CredentialRecord) -> Bool {
    let empty = AccountMetadataRecord(
      clientID: token.clientID, homeAccountID: token.homeAccountID)
    guard case .accountMetadata(let metadata)? = target[empty.key] else { return false }
    return metadata.state(of: token.homeAccountID) == .signedOut
  }

  /// Returns the time at which a token was stored.
  ///
  /// For a refresh token without a time, it is that of the newest access token of the same account and application.
  private func age(of token: CredentialRecord, _ ages: [TokenOwner: Int64]) -> Int64 {
    let own = CacheRecord.credential(token).writeTime
    return own > 0 || token.type.isAccessToken ? own : ages[TokenOwner(token)] ?? 0
  }

  private static func ages(_ records: [CacheRecord]) -> [TokenOwner: Int64] {
    var ages: [TokenOwner: Int64] = [:]
    for case .credential(let token) in records where token.type.isAccessToken {
      let time = CacheRecord.credential(token).writeTime
      ages[TokenOwner(token)] = max(ages[TokenOwner(token)] ?? 0, time)
    }
    return ages
  }
}
