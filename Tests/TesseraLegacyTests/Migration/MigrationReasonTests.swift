// SPDX-License-Identifier: MIT
// The reasons in a migration report: each item that silent calls cannot use is reported with its user.

import TesseraCache
import TesseraEngine
import TesseraLegacy
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct MigrationReasonTests {
  private let bench = TestBench()

  /// Returns a cache of ADAL for Python with a token for each directory.
  private func cache(
    _ name: String, _ directories: Range<Int>, generation: String = "", clients: Int = 1,
    resources: Int = 1
  ) -> MigrationRequest {
    var entries: [JSONValue] = []
    for directory in directories {
      for client in 0..<clients {
        for resource in 0..<resources {
          entries.append([
            "tokenType": "Bearer", "userId": .string(name), "isMRRT": true,
            "refreshToken": .string("token \(directory) \(client)\(generation)"),
            "resource": .string("resource \(resource)"), "_clientId": .string("client \(client)"),
            "_authority": .string(bench.provider.entraAuthority("directory\(directory)")),
          ])
        }
      }
    }
    return MigrationRequest(data: JSONValue.array(entries).bytes, format: .adalPython)
  }

  private func tokens(of name: String) throws -> [String] {
    var selection = SnapshotSelection()
    selection.keys = [LegacyAccountRecord.key(of: name)]
    let found = try bench.store.snapshot(selection, within: .none).legacyAccounts
    return found.flatMap(\.items).compactMap { $0.refreshToken?.reveal() }
  }

  @Test func `all tokens of a guest in 500 directories are migrated, and newer ones later`() throws
  {
    let application = try bench.application()
    let first = try application.migrate(cache("a@x.y", 0..<500, clients: 3, resources: 2))
    #expect(first.accounts.map(\.outcome) == [.migrated, .migrated, .migrated])
    #expect(first.damaged.isEmpty)
    // A token stored for two resources is one token.
    #expect(try tokens(of: "a@x.y").count == 1500)
    let newer = cache("a@x.y", 0..<500, generation: " newer", clients: 3, resources: 2)
    #expect(try application.migrate(newer).count(.migrated) == 3)
    let kept = try Set(tokens(of: "a@x.y"))
    #expect(kept.count == 3000 && kept.contains("token 499 2 newer"))
    #expect(try application.migrate(newer).count(.alreadyMigrated) == 3)
  }

  @Test func `tokens beyond the limit of a user are reported, and newer ones replace old ones`()
    throws
  {
    let application = try bench.application()
    let most = LegacyTokenSet.maximumTokenCount
    _ = try application.migrate(cache("a@x.y", 0..<most))
    #expect(try tokens(of: "a@x.y").count == most)
    let more = try application.migrate(cache("A@x.y", most..<(most + 2)))
    #expect(more.accounts.map(\.reason) == [.tooManyTokens] && more.damaged.isEmpty)
    #expect(more.accounts.map(\.username) == ["A@x.y"])
    #expect(more.accounts.first?.reason?.advice.isEmpty == false)
    let newer = try application.migrate(cache("a@x.y", 7..<8, generation: " newer"))
    #expect(newer.count(.migrated) == 1)
    let kept = try tokens(of: "a@x.y")
    #expect(kept.count == most && kept.contains("token 7 0 newer") && !kept.contains("token 7 0"))
    // The limit applies to each user name.
    #expect(try application.migrate(cache("b@x.y", 0..<1)).count(.migrated) == 1)
  }

  @Test func `a user name has as many retired tokens as tokens`() throws {
    var record = LegacyAccountRecord(name: "a@x.y")
    var items: [LegacyItem] = []
    for number in 0..<LegacyTokenSet.maximumTokenCount {
      var item = LegacyItem(
        environment: "x.y", realm: "\(number)", clientID: "client", userID: "a@x.y")
      item.refreshToken = Secret("token \(number)")
      items.append(item)
    }
    for change: LegacyAccountRecord.Change in [
      .merge(items), .signOut(LegacyUser(homeAccountID: nil), clientID: nil),
    ] {
      let step = CacheChange.Step.legacy(name: "a@x.y", change)
      try bench.store.commit(CacheChange([step]), within: .none)
    }
    var selection = SnapshotSelection()
    selection.keys = [record.key]
    record = try #require(
      bench.store.snapshot(selection, within: .none).legacyAccounts.first)
    #expect(record.items.isEmpty)
    var tokenSet = record.tokenSet
    for item in items { #expect(tokenSet.add(item) == .retired) }
  }

  @Test(arguments: [
    "https://adfs.contoso.com/adfs", "no address", "https://login.evil.example/common",
  ])
  func `a token for an unknown authority is not migrated`(_ authority: String) throws {
    let entry: JSONValue = [
      "refreshToken": "token", "userId": "a@x.y", "_clientId": "client",
      "_authority": .string(authority),
    ]
    let request = MigrationRequest(data: JSONValue.array([entry]).bytes, format: .adalPython)
    let report = try bench.application().migrate(request)
    #expect(report.accounts.map(\.reason) == [.unknownAuthority])
    #expect(try bench.application().accounts().isEmpty)
  }

  @Test func `a token for a known authority of the configuration is migrated`() throws {
    let entry: JSONValue = [
      "refreshToken": "token", "userId": "a@x.y", "_clientId": "client",
      "_authority": "https://login.private.example/common",
    ]
    let request = MigrationRequest(data: JSONValue.array([entry]).bytes, format: .adalPython)
    #expect(try bench.application().migrate(request).count(.migrated) == 0)
    let application = try bench.application { configuration in
      configuration.knownAuthorities = ["https://login.private.example/common"]
    }
    #expect(try application.migrate(request).count(.migrated) == 1)
  }
}

extension MigrationReasonTests {
  /// Returns the records as a cache of MSAL for macOS.
  private func unified(_ records: [CacheRecord]) -> MigrationRequest {
    let lines = KeychainItem.items(of: records).map { JSONValue.object($0.json).serialized }
    return MigrationRequest(
      data: Array(lines.joined(separator: "\n").utf8), format: .appleKeychain)
  }

  private func records(of application: PublicClientApplication) throws -> [CacheRecord] {
    var selection = SnapshotSelection()
    selection.everything = true
    return try application.cache.snapshot(selection, within: .none).records
  }

  @Test func `each account of a unified cache is reported`() throws {
    let other = TestBench()
    let source = try other.application()
    let account = try other.signIn(source).account
    let cache = try unified(records(of: source))
    let application = try bench.application()
    let first = try application.migrate(cache)
    #expect(first.accounts.map(\.outcome) == [.migrated])
    #expect(first.accounts.map(\.username) == [account.username])
    #expect(first.accounts.map(\.homeAccountID) == [account.homeAccountID])
    #expect(try application.migrate(cache).accounts.map(\.outcome) == [.alreadyMigrated])
    try application.removeAccount(application.account(username: account.username ?? ""))
    let last = try application.migrate(cache)
    #expect(last.accounts.map(\.reason) == [.retired])
    #expect(try application.accounts().isEmpty)
  }

  @Test func `an account without a refresh token, or already signed in, is reported`()
    throws
  {
    let other = TestBench()
    let source = try other.application()
    try other.signIn(source)
    let records = try records(of: source)
    let bare = records.filter { record in
      if case .credential(let token) = record { !token.type.isRefreshToken } else { true }
    }
    let application = try bench.application()
    let first = try application.migrate(unified(bare))
    #expect(first.accounts.map(\.reason) == [.noRefreshToken])
    try bench.signIn(application)
    #expect(try application.migrate(unified(records)).accounts.map(\.outcome) == [.alreadySignedIn])
  }
}
