// SPDX-License-Identifier: MIT
// What is known of an older library's cache so far: which items wait to be stored, and what is to be reported.

import TesseraCache
import TesseraWire

/// A migration under way; values in, values out.
struct MigrationState {
  /// Who has a sign-in of the unified cache, at which application.
  struct SignedIn {
    private var people: Set<String> = []

    init(_ snapshot: CacheSnapshot) {
      var names: [String: Set<String>] = [:]
      for account in snapshot.accounts {
        if let name = account.username?.normalised {
          names[account.homeAccountID.normalised, default: []].insert(name)
        }
      }
      for token in snapshot.credentials where token.type == .refreshToken {
        let home = token.homeAccountID.normalised
        for person in names[home, default: []].union([home]) {
          people.insert(SignedIn.entry(person, token.clientID))
        }
      }
    }

    func has(_ item: LegacyItem) -> Bool {
      people.contains(SignedIn.entry(item.identity ?? item.userID, item.clientID))
    }

    private static func entry(_ person: String, _ clientID: String) -> String {
      "\(person.normalised) \(clientID.normalised)"
    }
  }

  /// What is one account of the report.
  private struct Subject: Hashable {
    let username: String
    let identity: String?
    let environment: String
    let clientID: String

    init(_ item: LegacyItem) {
      username = item.userID
      identity = item.identity
      environment = item.environment
      clientID = item.clientID.normalised
    }
  }

  /// How much of what is damaged is listed one by one.
  private static let mostDamaged = 100

  private var report: MigrationReport
  private let signedIn: SignedIn
  private var accounts: [Subject: MigrationReport.Account] = [:]
  private var items: [LegacyItem] = []
  private var records: [CacheRecord] = []
  /// Whether nothing was met yet.
  private(set) var isUntouched = true

  init(report: MigrationReport, signedIn: SignedIn) {
    self.report = report
    self.signedIn = signedIn
  }

  /// How much waits to be stored.
  var waiting: Int { items.count + records.count }
  /// Under which names.
  var names: Set<String> { Set(items.map(\.userID)) }

  /// Takes an entry of the cache.
  mutating func meet(_ entry: LegacyEntry) {
    isUntouched = false
    switch entry {
    case .item(let item): meet(item)
    case .record(let record): records.append(record)
    case .preserved(let kind): report.preserved[kind.rawValue, default: 0] += 1
    case .damaged(let damage):
      guard report.damaged.count < Self.mostDamaged else { return report.furtherDamaged += 1 }
      report.damaged.append(
        MigrationReport.Damage(entry: damage.entry, code: damage.code, message: damage.message))
    }
  }

  private mutating func meet(_ item: LegacyItem) {
    guard let kind = item.kind else { return }
    if item.userID.isEmpty { return note(item, .notMigrated, .unknownPerson) }
    switch kind {
    case .accessToken: note(item, .notMigrated, .noRefreshToken)
    case .tombstone: note(item, .notMigrated, .refused)
    case .refreshToken, .singleResource:
      if signedIn.has(item) { note(item, .alreadySignedIn) } else { items.append(item) }
    }
  }

  /// What stores the waiting items over what is stored; they wait no longer.
  mutating func change(over snapshot: CacheSnapshot) -> CacheChange {
    var stored: [String: LegacyAccountRecord] = [:]
    for record in snapshot.legacyAccounts { stored[record.name] = record }
    var change = CacheChange()
    var byName: [String: [LegacyItem]] = [:]
    for item in items {
      let record = stored[item.userID]
      let isKnown = record?.items.contains { $0.refreshToken == item.refreshToken } ?? false
      if let token = item.refreshToken, record?.hasRetired(token) == true {
        note(item, .notMigrated, .retired)
      } else if isKnown {
        note(item, .alreadyMigrated)
      } else {
        note(item, .migrated)
        byName[item.userID, default: []].append(item)
      }
    }
    for (name, items) in byName.sorted(by: { $0.key < $1.key }) {
      change.steps.append(.legacy(name: name, .merge(items)))
    }
    change.steps += records.map(CacheChange.Step.add)
    report.recordCount += records.count
    (items, records) = ([], [])
    return change
  }

  /// The best that became of an account counts: one good token is enough.
  private mutating func note(
    _ item: LegacyItem, _ outcome: MigrationReport.Outcome, _ reason: MigrationReport.Reason? = nil
  ) {
    let subject = Subject(item)
    if let known = accounts[subject], known.outcome.rank <= outcome.rank { return }
    accounts[subject] = MigrationReport.Account(
      username: item.claims?.username ?? item.userID, homeAccountID: item.homeAccountID,
      environment: item.environment, clientID: item.clientID, outcome: outcome, reason: reason)
  }

  /// The report, when nothing waits any more.
  var finished: MigrationReport {
    var report = report
    report.accounts = accounts.values.sorted {
      ($0.username, $0.environment, $0.clientID) < ($1.username, $1.environment, $1.clientID)
    }
    return report
  }
}

extension MigrationReport.Outcome {
  fileprivate var rank: Int {
    switch self {
    case .migrated: 0
    case .alreadyMigrated: 1
    case .alreadySignedIn: 2
    case .notMigrated: 3
    }
  }
}
