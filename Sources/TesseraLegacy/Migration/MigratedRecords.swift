// SPDX-License-Identifier: MIT
// The records of the unified schema in an older cache. They are added if missing, and reported by account.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The records of the unified schema that are migrated along with older items, or without any.
struct MigratedRecords {
  /// An account at an application.
  private struct ReportKey: Hashable {
    let accountKey: AccountKey
    let clientID: String

    init(_ token: CredentialRecord) {
      accountKey = AccountKey(token.homeAccountID.normalised, token.environment.normalised)
      clientID = token.clientID.normalised
    }
  }

  /// The records that are not stored yet.
  private(set) var pending: [CacheRecord] = []
  /// The number of records that have been stored.
  private(set) var count = 0
  private var accounts: [ReportKey: MigrationReport.Account] = [:]
  /// The accounts with access or ID tokens, which are reported only if they have no refresh token.
  private var expiring: [ReportKey: MigrationReport.Account] = [:]
  private var profiles: [AccountKey: AccountRecord] = [:]

  /// Adds a record.
  ///
  /// If the account has signed out here, the record is not stored, so an old copy of it does not sign the account in again.
  mutating func add(_ record: CacheRecord, isSignedOut: Bool) {
    if !isSignedOut { pending.append(record) }
    switch record {
    case .account(let account):
      let accountKey = AccountKey(account.homeAccountID.normalised, account.environment.normalised)
      guard account.username?.nonBlank != nil, profiles[accountKey]?.isHome != true else { return }
      if account.isHome || profiles[accountKey] == nil { profiles[accountKey] = account }
    case .credential(let token):
      guard !token.homeAccountID.isEmpty else { return }
      if isSignedOut {
        recordOutcome(token, .notMigrated, .retired)
      } else if !token.type.isRefreshToken {
        expiring[ReportKey(token)] = account(of: token, .notMigrated, .noRefreshToken)
      }
    default: return
    }
  }

  /// Removes and returns the pending records.
  mutating func removePending() -> [CacheRecord] {
    defer { pending = [] }
    return pending
  }

  /// Records the outcome of a batch.
  mutating func record(_ outcome: MigrationOutcome, of batch: MigrationBatch) {
    for case (.credential(let token), let stored) in zip(batch.records, outcome.records)
    where token.type.isRefreshToken {
      guard case .credential(let own)? = stored else {
        recordOutcome(token, .migrated)
        continue
      }
      recordOutcome(token, own.secret == token.secret ? .alreadyMigrated : .alreadySignedIn)
    }
    count += batch.records.count
  }

  private func account(
    of token: CredentialRecord, _ outcome: MigrationReport.Outcome,
    _ reason: MigrationReport.Reason?
  ) -> MigrationReport.Account {
    MigrationReport.Account(
      username: "", homeAccountID: token.homeAccountID, environment: token.environment,
      clientID: token.clientID, outcome: outcome, reason: reason)
  }

  private mutating func recordOutcome(
    _ token: CredentialRecord, _ outcome: MigrationReport.Outcome,
    _ reason: MigrationReport.Reason? = nil
  ) {
    let subject = ReportKey(token)
    guard !token.homeAccountID.isEmpty else { return }
    if let known = accounts[subject], known.outcome.rank <= outcome.rank { return }
    accounts[subject] = account(of: token, outcome, reason)
  }

  /// Merges the accounts of older items with those of the records.
  ///
  /// For an account in both, the better outcome is reported.
  func merged(_ items: [MigrationReport.Account]) -> [MigrationReport.Account] {
    var reported = items
    var indices: [[String]: Int] = [:]
    for (index, account) in items.enumerated() {
      indices[MigratedRecords.name(account, account.homeAccountID ?? account.username)] = index
    }
    let accountKeys = Set(accounts.keys.map(\.accountKey))
    let bare = expiring.filter { !accountKeys.contains($0.key.accountKey) }
    for (subject, found) in accounts.merging(bare, uniquingKeysWith: { first, _ in first }) {
      let account = found.named(profiles[subject.accountKey]?.username ?? "")
      let names = [account.homeAccountID ?? "", account.username]
      let index = names.lazy.compactMap { indices[MigratedRecords.name(account, $0)] }.first
      guard let index, reported.indices.contains(index) else {
        reported.append(account)
        continue
      }
      guard account.outcome.rank < reported[index].outcome.rank else { continue }
      reported[index].outcome = account.outcome
      reported[index].reason = account.reason
    }
    return reported
  }

  private static func name(_ account: MigrationReport.Account, _ identifier: String) -> [String] {
    [
      identifier.normalised, AccountKey.environment(account.environment),
      account.clientID.normalised,
    ]
  }
}

extension MigrationReport.Account {
  fileprivate func named(_ username: String) -> MigrationReport.Account {
    MigrationReport.Account(
      username: username, homeAccountID: homeAccountID, environment: environment,
      clientID: clientID, outcome: outcome, reason: reason)
  }
}

extension MigrationReport.Outcome {
  /// The rank of the outcome.
  ///
  /// If an account has several outcomes, the lowest rank is reported.
  var rank: Int {
    switch self {
    case .migrated: 0
    case .alreadyMigrated: 1
    case .alreadySignedIn: 2
    case .notMigrated: 3
    }
  }
}
