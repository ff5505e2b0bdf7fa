// SPDX-License-Identifier: MIT
// The state of a migration: the items to store and the report so far.

import TesseraCache
import TesseraEngine
import TesseraWire

/// The state of a migration, as a value without side effects.
struct MigrationState {
  /// The accounts that are signed in through the unified cache, by application.
  struct SignedInAccounts {
    private var accountEntries: Set<ExactString> = []
    private var tokens: Set<Secret> = []
    private var signedOut: Set<ExactString> = []

    init(_ snapshot: CacheSnapshot) {
      for case .accountMetadata(let record) in snapshot.records {
        guard let home = record.homeAccountID, record.state(of: home) == .signedOut
        else { continue }
        signedOut.insert(SignedInAccounts.entry(home, record.clientID))
      }
      var names: [ExactString: Set<ExactString>] = [:]
      for account in snapshot.accounts {
        if let name = account.username?.normalised {
          names[account.homeAccountID.normalised, default: []].insert(name)
        }
      }
      for token in snapshot.credentials where token.type == .refreshToken {
        tokens.insert(token.secret)
        let home = token.homeAccountID.normalised
        for identifier in names[home, default: []].union([ExactString(home)]).texts {
          accountEntries.insert(
            SignedInAccounts.entry(identifier, token.clientID, token.environment))
        }
      }
    }

    func includes(_ item: LegacyItem) -> Bool {
      accountEntries.contains(
        SignedInAccounts.entry(item.identity ?? item.userID, item.clientID, item.environment))
    }

    /// Whether the token of an item is also in the unified cache, because it was exported to the older library.
    func containsToken(_ item: LegacyItem) -> Bool {
      item.refreshToken.map(tokens.contains) ?? false
    }

    /// Whether the token belongs to an account that has signed out of its application here.
    func isSignedOut(_ record: CacheRecord) -> Bool {
      guard case .credential(let token) = record else { return false }
      return signedOut.contains(SignedInAccounts.entry(token.homeAccountID, token.clientID))
    }

    /// Whether the item belongs to an account that has signed out of its application here.
    ///
    /// `false` if the account is unknown.
    func isSignedOut(_ item: LegacyItem) -> Bool {
      item.identity.map { signedOut.contains(SignedInAccounts.entry($0, item.clientID)) } ?? false
    }

    private static func entry(_ identifier: String, _ clientID: String) -> String {
      "\(identifier.normalised) \(clientID.normalised)"
    }

    private static func entry(
      _ identifier: String, _ clientID: String, _ environment: String
    ) -> String {
      "\(entry(identifier, clientID)) \(AccountKey.environment(environment).normalised)"
    }
  }

  /// The key of an account in the report.
  private struct ReportKey: Hashable {
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

  /// The minimum number of items in one commit, a compromise between memory use and speed.
  private static let batch = 500
  /// The size of pending items above which they are stored, in bytes.
  ///
  /// It limits how often the record of a name is read.
  private static let maximumPendingBytes = 8 << 20
  /// The estimated size of an item without its name and its token, in bytes.
  private static let itemBytes = 512
  /// The maximum number of damaged entries in the report.
  private static let maximumDamaged = 100

  private var report: MigrationReport
  private let signedIn: SignedInAccounts
  /// The client ID of the application that migrates the cache.
  private let clientID: String
  private var accounts: [ReportKey: MigrationReport.Account] = [:]
  private var items: [LegacyItem] = []
  private var pendingBytes = 0
  private var records = MigratedRecords()
  /// The hosts that the application trusts in addition to those of the clouds.
  private let hosts: Set<String>
  /// Whether no entry has been added yet.
  private(set) var isEmpty = true

  init(report: MigrationReport, signedIn: SignedInAccounts, clientID: String, hosts: Set<String>) {
    self.report = report
    self.signedIn = signedIn
    self.clientID = clientID
    self.hosts = hosts
  }

  /// Whether there are enough pending items or records to store them.
  var isFull: Bool {
    pendingBytes >= Self.maximumPendingBytes || records.pending.count >= Self.batch
  }

  /// Removes the pending items and records, and returns them in batches for separate commits.
  ///
  /// All items of a name are in the same batch, so that the record of a name is read once. The last batch has the
  /// records.
  mutating func removePendingBatches() -> [MigrationBatch] {
    var byName = Dictionary(grouping: items) { ExactString($0.userID) }
    var batches: [MigrationBatch] = []
    var batch: [LegacyItem] = []
    for name in items.map(\.userID) {
      batch += byName.removeValue(forKey: ExactString(name)) ?? []
      guard batch.count >= Self.batch else { continue }
      batches.append(MigrationBatch(items: batch, records: []))
      batch = []
    }
    items = []
    pendingBytes = 0
    return batches + [MigrationBatch(items: batch, records: records.removePending())]
  }

  /// Adds an entry of the cache.
  mutating func add(_ entry: LegacyEntry) {
    isEmpty = false
    switch entry {
    case .item(let item): add(item)
    case .record(let record): records.add(record, isSignedOut: signedIn.isSignedOut(record))
    case .preserved(let kind): report.preserved[kind.rawValue, default: 0] += 1
    case .damaged(let damage):
      guard report.damaged.count < Self.maximumDamaged else { return report.furtherDamaged += 1 }
      report.damaged.append(
        MigrationReport.Damage(entry: damage.entry, code: damage.code, message: damage.message))
    }
  }

  private mutating func add(_ item: LegacyItem) {
    guard let kind = item.kind else { return }
    if kind == .account { return add(account: item) }
    if item.userID.isEmpty { return recordOutcome(item, .notMigrated, .unknownPerson) }
    switch kind {
    case .account: return
    case .accessToken: recordOutcome(item, .notMigrated, .noRefreshToken)
    case .tombstone: recordOutcome(item, .notMigrated, .refused)
    case .refreshToken, .singleResource:
      var item = item
      // Entra's identifiers are case-insensitive. They are normalized because they are compared exactly.
      item.homeAccountID = item.homeAccountID?.nonBlank?.normalised
      // An item that could not be parsed again is useless: it has no server, no application or a blank token.
      guard let kept = LegacyItem(members: item.members), let token = kept.refreshToken else {
        return recordOutcome(item, .notMigrated, .unknownPerson)
      }
      if signedIn.containsToken(item) { return recordOutcome(item, .alreadySignedIn) }
      let isSignedIn = signedIn.includes(item)
      if signedIn.isSignedOut(item), !isSignedIn {
        return recordOutcome(item, .notMigrated, .retired)
      }
      // A silent call would never redeem it.
      guard CloudTable.cloud(of: item.environment) != nil || hosts.contains(item.environment) else {
        return isSignedIn
          ? recordOutcome(item, .alreadySignedIn)
          : recordOutcome(item, .notMigrated, .unknownAuthority)
      }
      items.append(kept)
      pendingBytes += token.reveal().utf8.count + kept.userID.utf8.count + Self.itemBytes
    }
  }

  /// Adds a user name that applications of one publisher share.
  ///
  /// It is reported for the application that migrates.
  private mutating func add(account: LegacyItem) {
    var item = account
    item.clientID = clientID
    if signedIn.includes(item) { return recordOutcome(item, .alreadySignedIn) }
    recordOutcome(item, .notMigrated, .nameOnly)
  }

  /// Records the outcome of a batch.
  mutating func record(_ outcome: MigrationOutcome, of batch: MigrationBatch) {
    for (item, result) in zip(batch.items, outcome.items) {
      switch result {
      // The token is kept in addition to the existing sign-in, as a fallback if the server rejects that.
      case _ where signedIn.includes(item): recordOutcome(item, .alreadySignedIn)
      case .added: recordOutcome(item, .migrated)
      case .known: recordOutcome(item, .alreadyMigrated)
      case .retired: recordOutcome(item, .notMigrated, .retired)
      case .full: recordOutcome(item, .notMigrated, .tooManyTokens)
      }
    }
    records.record(outcome, of: batch)
  }

  /// Records the outcome for an account.
  ///
  /// The best outcome is kept, because one valid token is sufficient.
  private mutating func recordOutcome(
    _ item: LegacyItem, _ outcome: MigrationReport.Outcome, _ reason: MigrationReport.Reason? = nil
  ) {
    let subject = ReportKey(item)
    if let known = accounts[subject], known.outcome.rank <= outcome.rank { return }
    accounts[subject] = MigrationReport.Account(
      username: item.claims?.username ?? item.userID, homeAccountID: item.homeAccountID,
      environment: item.environment, clientID: item.clientID, outcome: outcome, reason: reason)
  }

  /// The report, once all items are stored.
  var finished: MigrationReport {
    var report = report
    report.recordCount = records.count
    let accounts = records.merged(Array(accounts.values))
    // A name that is also known with a token is not reported as a name only.
    let names = Set(texts: accounts.filter { $0.reason != .nameOnly }.map(\.username.normalised))
    let reported = accounts.filter {
      $0.reason != .nameOnly || !names.contains($0.username.normalised)
    }
    report.accounts = reported.sorted {
      ($0.username, $0.environment, $0.clientID) < ($1.username, $1.environment, $1.clientID)
    }
    return report
  }
}
