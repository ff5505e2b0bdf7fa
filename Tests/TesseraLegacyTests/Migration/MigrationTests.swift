// SPDX-License-Identifier: MIT
// Repeated migration of a cache: new tokens are added, and unchanged ones cause no write.

import TesseraCache
import TesseraEngine
import TesseraLegacy
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct MigrationTests {
  private let store: CountingStore
  private let bench: TestBench

  init() {
    let clock = VirtualClock()
    store = CountingStore(MemoryStore(time: clock))
    bench = TestBench(clock: clock, store: store)
  }

  private func entry(_ name: String, _ token: String, at realm: String = "common") -> JSONValue {
    [
      "tokenType": "Bearer", "refreshToken": .string(token), "userId": .string(name),
      "isMRRT": true, "resource": "r", "_clientId": "client",
      "_authority": .string("\(bench.provider.entraAuthority(realm))"),
    ]
  }

  private func migrateEntries(_ entries: JSONValue...) throws -> [String: MigrationReport.Outcome] {
    let request = MigrationRequest(data: JSONValue.array(entries).bytes, format: .adalPython)
    let report = try bench.application().migrate(request)
    return Dictionary(uniqueKeysWithValues: report.accounts.map { ($0.username, $0.outcome) })
  }

  private func tokens(of name: String) throws -> [String] {
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let found = try store.snapshot(selection, within: .none).legacyAccounts
    return found.flatMap(\.items).compactMap { $0.refreshToken?.reveal() }
  }

  private func keychain(_ items: [KeychainItem]) throws -> MigrationReport {
    let lines = items.map { JSONValue.object($0.json).serialized }.joined(separator: "\n")
    return try bench.application().migrate(
      MigrationRequest(data: Array(lines.utf8), format: .appleKeychain))
  }

  @Test func `1,000 tokens of two users are stored with at most three commits`() throws {
    let entries = (0..<1000).flatMap { number in
      ["a@x.y", "b@x.y"].map { entry($0, "token \(number)", at: "tenant\(number)") }
    }
    let request = MigrationRequest(data: JSONValue.array(entries).bytes, format: .adalPython)
    #expect(try bench.application().migrate(request).count(.migrated) == 2)
    #expect(try tokens(of: "a@x.y").count == 1000 && tokens(of: "b@x.y").count == 1000)
    #expect(store.commitCount <= 3)
  }

  @Test func `migrating an unchanged cache writes nothing`() throws {
    #expect(
      try migrateEntries(entry("a@x.y", "1"), entry("b@x.y", "2"))
        == ["a@x.y": .migrated, "b@x.y": .migrated])
    let commits = store.commitCount
    #expect(
      try migrateEntries(entry("a@x.y", "1"), entry("b@x.y", "2"))
        == ["a@x.y": .alreadyMigrated, "b@x.y": .alreadyMigrated])
    #expect(store.commitCount == commits)
  }

  @Test func `a newer token is migrated and precedes the older one`() throws {
    _ = try migrateEntries(entry("a@x.y", "older"))
    #expect(try migrateEntries(entry("a@x.y", "newer")) == ["a@x.y": .migrated])
    #expect(try tokens(of: "a@x.y") == ["newer", "older"])
    // The next token replaces the oldest one.
    _ = try migrateEntries(entry("a@x.y", "newest"))
    #expect(try tokens(of: "a@x.y") == ["newest", "newer"])
  }

  @Test func `tokens of two caches do not replace each other`() throws {
    _ = try migrateEntries(entry("a@x.y", "one"))
    _ = try migrateEntries(entry("a@x.y", "two"))
    let commits = store.commitCount
    for token in ["one", "two", "one"] {
      #expect(try migrateEntries(entry("a@x.y", token)) == ["a@x.y": .alreadyMigrated])
    }
    #expect(store.commitCount == commits)
  }

  @Test func `an account missing from the cache is not removed from the store`() throws {
    _ = try migrateEntries(entry("a@x.y", "1"), entry("b@x.y", "2"))
    #expect(try migrateEntries(entry("b@x.y", "2")) == ["b@x.y": .alreadyMigrated])
    #expect(try migrateEntries().isEmpty)
    #expect(try bench.application().accounts().map(\.username) == ["a@x.y", "b@x.y"])
  }

  @Test func `a newer token is used after the older one was rejected`() throws {
    let item = try bench.legacyItem()
    let name = item.userID
    _ = try migrateEntries(entry(name, "revoked"))
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = name
    let application = try bench.application()
    expect(.refreshTokenRejected) { _ = try application.acquireTokenSilent(request) }
    #expect(try migrateEntries(entry(name, "revoked")) == [name: .notMigrated])
    let token = try #require(item.refreshToken).reveal()
    #expect(try migrateEntries(entry(name, token)) == [name: .migrated])
    #expect(try application.acquireTokenSilent(request).source == .network)
    // While the application is signed in itself, ADAL's next token is kept as a fallback.
    #expect(try migrateEntries(entry(name, "next")) == [name: .alreadySignedIn])
    #expect(try tokens(of: name).first == "next")
  }

  @Test func `records that already exist are not written again`() throws {
    try bench.signIn(bench.application())
    var selection = SnapshotSelection()
    selection.allAccounts = true
    let items = KeychainItem.items(of: try store.snapshot(selection, within: .none).records)
    _ = try keychain(items)
    let commits = store.commitCount
    #expect(try keychain(items).recordCount == items.count)
    #expect(store.commitCount == commits)
  }

  @Test func `a token of a signed-out account is not migrated`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var selection = SnapshotSelection()
    selection.owner = account.homeAccountID
    let items = KeychainItem.items(of: try store.snapshot(selection, within: .none).records)
    try application.removeAccount(account)
    _ = try keychain(items)
    #expect(try application.accounts().isEmpty)
    #expect(try store.snapshot(selection, within: .none).credentials.isEmpty)
  }

  @Test(arguments: ["https://login.windows.net", "https://", "no address", "https://x.y/\u{1B}[2J"])
  func `an entry with an unusual authority is migrated once or not at all`(_ authority: String)
    throws
  {
    let strange: JSONValue = [
      "refreshToken": "token", "userId": "a\u{0}\u{1B}@x.y", "_clientId": "client",
      "_authority": .string(authority),
    ]
    let first = try migrateEntries(strange)
    let commits = store.commitCount
    for (name, outcome) in try migrateEntries(strange) {
      #expect(first[name] == .migrated ? outcome == .alreadyMigrated : outcome == first[name])
    }
    #expect(store.commitCount == commits)
    // No request is sent to such an authority.
    var request = SilentRequest(homeAccountID: "", scopes: ["user.read"])
    request.username = "a\u{0}\u{1B}@x.y"
    expect(.interactionRequired) { _ = try bench.application().acquireTokenSilent(request) }
    #expect(bench.refreshes == 0)
  }

  @Test func `a user name of 512 KiB is accepted`() throws {
    let name = String(repeating: "a", count: 1 << 19) + "@x.y"
    #expect(try migrateEntries(entry(name, "1")) == [name: .migrated])
    #expect(
      try migrateEntries(entry(name.uppercased(), "1")) == [name.uppercased(): .alreadyMigrated])
    #expect(try bench.application().account(username: name).homeAccountID.isEmpty)
  }

  @Test func `account IDs are compared without case`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var known = try bench.legacyItem { $0.homeAccountID = account.homeAccountID.uppercased() }
    known.isMultiResource = true
    #expect(try keychain([KeychainItem(known)]).accounts.map(\.outcome) == [.alreadySignedIn])
    let other = try bench.application(client: "other")
    known.clientID = "other"
    known.refreshToken = Secret("of the other application")
    #expect(try keychain([KeychainItem(known)]).accounts.map(\.outcome) == [.migrated])
    #expect(try other.accounts().map(\.homeAccountID) == [account.homeAccountID])
  }

  @Test func `a sign-in at one cloud does not count at another`() throws {
    let account = try bench.signIn(bench.application()).account
    var item = try bench.legacyItem { $0.homeAccountID = account.homeAccountID }
    item.environment = "login.microsoftonline.us"
    #expect(try keychain([KeychainItem(item)]).accounts.map(\.outcome) == [.migrated])
  }

  @Test func `an exported cache does not sign in a signed-out account again`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    let cache = try application.exportSignIns(ExportRequest(format: .adalMacOS)).data
    let commits = store.commitCount
    #expect(try application.migrate(MigrationRequest(data: cache)).count(.alreadySignedIn) == 1)
    // The token is the application's own.
    #expect(try tokens(of: LocalUser.alice.username).isEmpty && store.commitCount <= commits + 1)
    try application.removeAccount(account)
    let report = try application.migrate(MigrationRequest(data: cache))
    #expect(report.accounts.map(\.reason) == [.retired])
    #expect(try application.accounts().isEmpty)
  }

  @Test func `an account known by name only is reported as name_only`() throws {
    let list: JSONValue = [
      "lastWriteTimestamp": 5,
      "one": [
        "id": "one", "type": "ADAL", "authEndpointUrl": "https://login.windows.net/common",
        "oid": "object", "tenantId": "tenant", "username": "Upn@test.com",
      ],
      "two": ["id": "two", "type": "MSA", "cid": "40c03bac188d0d10", "email": "me@outlook.com"],
      "three": ["id": "three", "type": "else"],
    ]
    let item = KeychainItem(account: "AccountsV3", service: "shared", value: list.bytes)
    let report = try keychain([item])
    #expect(report.accounts.map(\.username) == ["me@outlook.com", "upn@test.com"])
    #expect(report.accounts.allSatisfy { $0.reason == .nameOnly && $0.clientID == "client" })
    #expect(report.accounts.last?.homeAccountID == "object.tenant")
    #expect(report.damaged.map(\.code) == ["shared_account_invalid"])
    #expect(try bench.application().accounts().isEmpty && store.commitCount == 0)
    // An account with a token is not reported as known by name only.
    var known = LegacyItem(
      environment: "login.windows.net", realm: "common", clientID: "client", userID: "upn@test.com")
    known.refreshToken = Secret("token")
    let both = try keychain([item, KeychainItem(known)])
    #expect(both.accounts.map(\.outcome) == [.notMigrated, .migrated])
  }
}
