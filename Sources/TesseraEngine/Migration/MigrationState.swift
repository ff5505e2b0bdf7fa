// SPDX-License-Identifier: MIT
// What is known of an older library's cache so far: which items wait to be stored, and what is to be reported.

import TesseraCache
import TesseraWire

/// A migration under way; values in, values out.
struct MigrationState {
  /// Who has a sign-in of the unified cache, at which application.
  struct SignedIn {
    private var people: Set<String> = []
    private var tokens: Set<Secret> = []
    private var signedOut: Set<String> = []

    init(_ snapshot: CacheSnapshot) {
      for case .accountMetadata(let record) in snapshot.records {
        guard let home = record.homeAccountID, record.state(of: home) == .signedOut
        else { continue }
        signedOut.insert(SignedIn.entry(home, record.clientID))
      }
      var names: [String: Set<String>] = [:]
      for account in snapshot.accounts {
        if let name = account.username?.normalised {
          names[account.homeAccountID.normalised, default: []].insert(name)
        }
      }
      for token in snapshot.credentials where token.type == .refreshToken {
        tokens.insert(token.secret)
        let home = token.homeAccountID.normalised
        for person in names[home, default: []].union([home]) {
          people.insert(SignedIn.entry(person, token.clientID, token.environment))
        }
      }
    }

    func has(_ item: LegacyItem) -> Bool {
      people.contains(
        SignedIn.entry(item.identity ?? item.userID, item.clientID, item.environment))
    }

    /// Whether an item's token is one of the unified cache, which was given to the other library.
    func hasToken(_ item: LegacyItem) -> Bool {
      item.refreshToken.map(tokens.contains) ?? false
    }

    /// Whether a token is of somebody who has signed out of its application here.
    func isSignedOut(_ record: CacheRecord) -> Bool {
      guard case .credential(let token) = record else { return false }
      return signedOut.contains(SignedIn.entry(token.homeAccountID, token.clientID))
    }

    /// Whether an item is of somebody who has signed out of its application here, as far as its identity is known.
    func isSignedOut(_ item: LegacyItem) -> Bool {
      item.identity.map { signedOut.contains(SignedIn.entry($0, item.clientID)) } ?? false
    }

    private static func entry(_ person: String, _ clientID: String) -> String {
      "\(person.normalised) \(clientID.normalised)"
    }

    private static func entry(
      _ person: String, _ clientID: String, _ environment: String
    ) -> String {
      "\(entry(person, clientID)) \(AccountPerson.environment(environment).normalised)"
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

  /// How many items are stored in one commit, at least: few enough to fit in memory, many enough to be quick.
  private static let batch = 500
  /// How many bytes of items wait before they are stored: many enough that what is stored of a name is not read too often.
  private static let mostWaitingBytes = 8 << 20
  /// What an item takes besides its name and its token, about.
  private static let itemBytes = 512
  /// How much of what is damaged is listed one by one.
  private static let mostDamaged = 100

  private var report: MigrationReport
  private let signedIn: SignedIn
  /// The application that takes the cache over.
  private let clientID: String
  private var accounts: [Subject: MigrationReport.Account] = [:]
  private var items: [LegacyItem] = []
  private var waitingBytes = 0
  private var records = MigratedRecords()
  /// The hosts that the application trusts beside those of the clouds.
  private let hosts: Set<String>
  /// Whether nothing was met yet.
  private(set) var isUntouched = true

  init(report: MigrationReport, signedIn: SignedIn, clientID: String, hosts: Set<String>) {
    self.report = report
    self.signedIn = signedIn
    self.clientID = clientID
    self.hosts = hosts
  }

  /// Whether so much waits that it is to be stored.
  var isFull: Bool {
    waitingBytes >= Self.mostWaitingBytes || records.waiting.count >= Self.batch
  }

  /// What waits, in batches that are stored each by itself; it waits no longer.
  ///
  /// All of a name is in one of them: what is stored of a name is read for a batch and not for each of its tokens.
  mutating func takeWaiting() -> [[LegacyItem]] {
    var byName = Dictionary(grouping: items, by: \.userID)
    var batches: [[LegacyItem]] = []
    var batch: [LegacyItem] = []
    for name in items.map(\.userID) {
      batch += byName.removeValue(forKey: name) ?? []
      guard batch.count >= Self.batch else { continue }
      batches.append(batch)
      batch = []
    }
    items = []
    waitingBytes = 0
    return batches + [batch]
  }

  /// Where the records lie that say what is stored already of a batch, and of what waits of the unified schema.
  func keys(_ batch: [LegacyItem]) -> [RecordKey] {
    Set(batch.map(\.userID)).map(LegacyAccountRecord.key) + records.waiting.map(\.key)
  }

  /// Takes an entry of the cache.
  mutating func meet(_ entry: LegacyEntry) {
    isUntouched = false
    switch entry {
    case .item(let item): meet(item)
    case .record(let record): records.meet(record, isSignedOut: signedIn.isSignedOut(record))
    case .preserved(let kind): report.preserved[kind.rawValue, default: 0] += 1
    case .damaged(let damage):
      guard report.damaged.count < Self.mostDamaged else { return report.furtherDamaged += 1 }
      report.damaged.append(
        MigrationReport.Damage(entry: damage.entry, code: damage.code, message: damage.message))
    }
  }

  private mutating func meet(_ item: LegacyItem) {
    guard let kind = item.kind else { return }
    if kind == .person { return meet(person: item) }
    if item.userID.isEmpty { return note(item, .notMigrated, .unknownPerson) }
    switch kind {
    case .person: return
    case .accessToken: note(item, .notMigrated, .noRefreshToken)
    case .tombstone: note(item, .notMigrated, .refused)
    case .refreshToken, .singleResource:
      var item = item
      // The identifiers of Entra have no case, and are compared as they are written.
      item.homeAccountID = item.homeAccountID?.nonBlank?.normalised
      // What could not be read again is of no use: no server, no application, or a token that is blank.
      guard let kept = LegacyItem(members: item.members), let token = kept.refreshToken else {
        return note(item, .notMigrated, .unknownPerson)
      }
      if signedIn.hasToken(item) { return note(item, .alreadySignedIn) }
      let isBeside = signedIn.has(item)
      if signedIn.isSignedOut(item), !isBeside { return note(item, .notMigrated, .retired) }
      // No silent call would redeem it.
      guard CloudTable.cloud(of: item.environment) != nil || hosts.contains(item.environment) else {
        return isBeside
          ? note(item, .alreadySignedIn) : note(item, .notMigrated, .unknownAuthority)
      }
      items.append(kept)
      waitingBytes += token.reveal().utf8.count + kept.userID.utf8.count + Self.itemBytes
    }
  }

  /// Somebody of whom programs of one maker know: for the application that asks it is who could sign in.
  private mutating func meet(person: LegacyItem) {
    var item = person
    item.clientID = clientID
    if signedIn.has(item) { return note(item, .alreadySignedIn) }
    note(item, .notMigrated, .nameOnly)
  }

  /// What stores a batch over what is stored, and what waits of the unified schema; that waits no longer.
  mutating func change(_ batch: [LegacyItem], over snapshot: CacheSnapshot) -> CacheChange {
    var shelves: [String: LegacyTokenSet] = [:]
    for record in snapshot.legacyAccounts { shelves[record.name] = record.shelf }
    var change = CacheChange()
    var byName: [String: [LegacyItem]] = [:]
    for item in batch {
      let name = item.userID
      // Kept beside the sign-in, for when the server refuses that.
      let isBeside = signedIn.has(item)
      switch shelves[name, default: LegacyAccountRecord(name: name).shelf].add(item) {
      case .added:
        note(item, isBeside ? .alreadySignedIn : .migrated)
        byName[name, default: []].append(item)
      case _ where isBeside: note(item, .alreadySignedIn)
      case .known: note(item, .alreadyMigrated)
      case .retired: note(item, .notMigrated, .retired)
      case .full: note(item, .notMigrated, .tooManyTokens)
      }
    }
    for (name, items) in byName.sorted(by: { $0.key < $1.key }) {
      change.steps.append(.legacy(name: name, .merge(items)))
    }
    change.steps += records.steps(over: snapshot)
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
    report.recordCount = records.count
    let accounts = records.beside(Array(accounts.values))
    // Who came along with a token is not said to be known by name only.
    let names = Set(accounts.filter { $0.reason != .nameOnly }.map(\.username.normalised))
    let told = accounts.filter {
      $0.reason != .nameOnly || !names.contains($0.username.normalised)
    }
    report.accounts = told.sorted {
      ($0.username, $0.environment, $0.clientID) < ($1.username, $1.environment, $1.clientID)
    }
    return report
  }
}
