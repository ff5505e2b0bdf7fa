// SPDX-License-Identifier: MIT
// The records of the unified schema in an older cache: stored where there are none, reported by the people they are of.

import TesseraCache
import TesseraWire

/// What lay beside older items, or is all that there is.
struct MigratedRecords {
  /// A person at an application.
  private struct Subject: Hashable {
    let person: AccountPerson
    let clientID: String

    init(_ token: CredentialRecord) {
      person = AccountPerson(token.homeAccountID.normalised, token.environment.normalised)
      clientID = token.clientID.normalised
    }
  }

  /// What is waiting to be stored.
  private(set) var waiting: [CacheRecord] = []
  /// How many waited and wait no more.
  private(set) var count = 0
  private var accounts: [Subject: MigrationReport.Account] = [:]
  /// Who has tokens that soon expire, and perhaps no others.
  private var passing: [Subject: MigrationReport.Account] = [:]
  private var profiles: [AccountPerson: AccountRecord] = [:]

  /// Takes a record; what another program still has does not bring back who signed out here.
  mutating func meet(_ record: CacheRecord, isSignedOut: Bool) {
    if !isSignedOut { waiting.append(record) }
    switch record {
    case .account(let account):
      let person = AccountPerson(account.homeAccountID.normalised, account.environment.normalised)
      guard account.username?.nonBlank != nil, profiles[person]?.isHome != true else { return }
      if account.isHome || profiles[person] == nil { profiles[person] = account }
    case .credential(let token):
      guard !token.homeAccountID.isEmpty else { return }
      if isSignedOut {
        note(token, .notMigrated, .retired)
      } else if !token.type.isRefreshToken {
        passing[Subject(token)] = account(of: token, .notMigrated, .noRefreshToken)
      }
    default: return
    }
  }

  /// What stores the waiting records, where there are none; they wait no longer.
  mutating func steps(over snapshot: CacheSnapshot) -> [CacheChange.Step] {
    let known = Dictionary(snapshot.records.map { ($0.key, $0) }) { first, _ in first }
    var steps: [CacheChange.Step] = []
    for record in waiting {
      let stored = known[record.key]
      if stored == nil { steps.append(.add(record)) }
      guard case .credential(let token) = record, token.type.isRefreshToken else { continue }
      guard case .credential(let own)? = stored else {
        note(token, .migrated)
        continue
      }
      note(token, own.secret == token.secret ? .alreadyMigrated : .alreadySignedIn)
    }
    count += waiting.count
    waiting = []
    return steps
  }

  private func account(
    of token: CredentialRecord, _ outcome: MigrationReport.Outcome,
    _ reason: MigrationReport.Reason?
  ) -> MigrationReport.Account {
    MigrationReport.Account(
      username: "", homeAccountID: token.homeAccountID, environment: token.environment,
      clientID: token.clientID, outcome: outcome, reason: reason)
  }

  private mutating func note(
    _ token: CredentialRecord, _ outcome: MigrationReport.Outcome,
    _ reason: MigrationReport.Reason? = nil
  ) {
    let subject = Subject(token)
    guard !token.homeAccountID.isEmpty else { return }
    if let known = accounts[subject], known.outcome.rank <= outcome.rank { return }
    accounts[subject] = account(of: token, outcome, reason)
  }

  /// The accounts of older items with those of the records; one that is known by both is told once, the better of both.
  func beside(_ items: [MigrationReport.Account]) -> [MigrationReport.Account] {
    var told = items
    var places: [[String]: Int] = [:]
    for (index, account) in items.enumerated() {
      places[MigratedRecords.name(account, account.homeAccountID ?? account.username)] = index
    }
    let people = Set(accounts.keys.map(\.person))
    let bare = passing.filter { !people.contains($0.key.person) }
    for (subject, found) in accounts.merging(bare, uniquingKeysWith: { first, _ in first }) {
      let account = found.named(profiles[subject.person]?.username ?? "")
      let names = [account.homeAccountID ?? "", account.username]
      let place = names.lazy.compactMap { places[MigratedRecords.name(account, $0)] }.first
      guard let place, told.indices.contains(place) else {
        told.append(account)
        continue
      }
      guard account.outcome.rank < told[place].outcome.rank else { continue }
      told[place].outcome = account.outcome
      told[place].reason = account.reason
    }
    return told
  }

  private static func name(_ account: MigrationReport.Account, _ person: String) -> [String] {
    [
      person.normalised, AccountPerson.environment(account.environment),
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
  /// Which outcome counts where an account has several: the lowest.
  var rank: Int {
    switch self {
    case .migrated: 0
    case .alreadyMigrated: 1
    case .alreadySignedIn: 2
    case .notMigrated: 3
    }
  }
}
