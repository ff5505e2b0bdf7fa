// SPDX-License-Identifier: MIT
// The export of sign-ins to the cache formats of ADAL for Apple.

import TesseraCache
import TesseraEngine
import TesseraLegacy
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct ExportTests {
  private let bench = TestBench()

  /// Parses the entries of a cache.
  private func entries(_ bytes: [UInt8], as format: LegacyFormat) throws -> [LegacyEntry] {
    var entries: [LegacyEntry] = []
    try format.read(bytes) { entries.append($0) }
    return entries
  }

  @Test func `the keychain export has the items and attributes of ADAL, without access tokens`()
    throws
  {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    try bench.signIn(bench.application(client: "stranger"), as: .bob)
    let export = try application.exportSignIns(ExportRequest(format: .appleKeychain))
    #expect(export.accountCount == 1)
    let token = try #require(export.items.first { $0.type == 2002 })
    #expect(token.service == "refreshtoken-client--")
    #expect(String(validating: token.generic, as: UTF8.self) == "refreshtoken-client-")
    #expect(token.account == "\(account.homeAccountID)-\(account.environment)")
    let person = try #require(export.items.first { $0.type == 1003 })
    // ADAL identifies users by name.
    #expect(String(validating: person.generic, as: UTF8.self) == account.username)
    #expect(export.items.contains { $0.type == 3001 })
    #expect(!export.items.contains { $0.type == 2001 || $0.type == 2003 })
    let lines = export.items.map { $0.json.serialized }.joined(separator: "\n")
    let read = try entries(Array(lines.utf8), as: .appleKeychain)
    #expect(read.count == export.items.count)
    for entry in read {
      guard case .record = entry else { Issue.record("\(entry) is no record"); continue }
    }
  }

  @Test func `the ADAL for macOS export adds the account to an existing cache`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var other = LegacyItem(
      environment: "login.windows.net", realm: "common", clientID: "other", userID: "x@y.example")
    other.refreshToken = Secret("of another user")
    let before = try MacOSCacheWriter.blob(changing: nil, storing: [other])
    let export = try application.exportSignIns(ExportRequest(format: .adalMacOS, data: before))
    let items = try entries(export.data, as: .adalMacOS).compactMap { entry in
      if case .item(let item) = entry { item } else { nil }
    }
    #expect(Set(items.map(\.userID)) == ["x@y.example", account.username])
    let own = try #require(items.first { $0.userID == account.username })
    #expect(own.homeAccountID == account.homeAccountID && own.kind == .refreshToken)
    #expect(items.contains { $0.refreshToken == other.refreshToken })
    // A second export adds no duplicates.
    let again = try application.exportSignIns(
      ExportRequest(format: .adalMacOS, data: export.data))
    #expect(try entries(again.data, as: .adalMacOS).count == 2)
  }

  @Test func `an unreadable cache is not overwritten, and an unknown account is an error`() throws {
    let application = try bench.application()
    expect(.accountNotFound) {
      _ = try application.exportSignIns(ExportRequest(format: .appleKeychain))
    }
    try bench.signIn(application)
    expect(.legacyCacheInvalid) {
      _ = try application.exportSignIns(
        ExportRequest(format: .adalMacOS, data: Array("no archive".utf8)))
    }
    var withoutAccount = ExportRequest(format: .appleKeychain)
    withoutAccount.homeAccountID = "nobody"
    expect(.accountNotFound) { _ = try application.exportSignIns(withoutAccount) }
  }
}

extension ExportTests {
  /// Returns a record of an account in another directory, as another application stores it.
  private func person(
    _ number: Int, named name: String?, in realm: String? = nil,
    at environment: String = "login.windows.net"
  ) -> AccountRecord {
    var account = AccountRecord(
      homeAccountID: "\(number).home", environment: environment, realm: realm ?? "home")
    account.localAccountID = "\(number) in \(realm ?? "home")"
    account.username = name
    account["client_info"] = "e30"
    return account
  }

  private func put(_ accounts: [AccountRecord]) throws {
    let accountKeys = Set(accounts.map { [$0.homeAccountID, $0.environment] })
    let tokens = accountKeys.map { person in
      var token = CredentialRecord(
        type: .refreshToken, secret: Secret("token of \(person[0]) \(person[1])"))
      token.homeAccountID = person[0]
      token.environment = person[1]
      token.clientID = "client"
      return CacheRecord.credential(token)
    }
    let records = accounts.map(CacheRecord.account) + tokens
    try bench.store.commit(CacheChange(records.map(CacheChange.Step.put)), within: .none)
  }

  private func export(to store: (any CredentialStore)? = nil) throws -> ExportedSignIns {
    try bench.application(store: store).exportSignIns(ExportRequest(format: .adalMacOS))
  }

  private func items(of export: ExportedSignIns) throws -> [LegacyItem] {
    try entries(export.data, as: .adalMacOS).compactMap { entry in
      if case .item(let item) = entry { item } else { nil }
    }
  }

  @Test func `a guest is exported with the name and tenant of the home account`() throws {
    try put([
      person(1, named: "one#EXT#@a", in: "a"), person(1, named: "one@home"),
      person(1, named: "one#EXT#@z", in: "z"),
      person(1, named: "one@elsewhere", at: "login.microsoftonline.us"),
      person(2, named: "two#EXT#@z", in: "z"), person(2, named: "two#EXT#@a", in: "a"),
    ])
    let found = try items(of: export()).sorted { $0.userID < $1.userID }
    #expect(found.map(\.userID) == ["one@elsewhere", "one@home", "two#ext#@a"])
    #expect(
      found.map(\.environment) == [
        "login.microsoftonline.us", "login.windows.net", "login.windows.net",
      ])
    #expect(found.map(\.claims?.tenantID) == ["home", "home", "a"])
    #expect(found.map(\.claims?.objectID) == ["1 in home", "1 in home", "2 in a"])
  }

  @Test func `an account without a user name is not exported and not counted`() throws {
    try put([person(1, named: "one@home"), person(2, named: nil), person(3, named: " ")])
    let exported = try export()
    #expect(exported.accountCount == 1)
    #expect(try items(of: exported).map(\.userID) == ["one@home"])
  }

  @Test func `an export of 3,000 accounts reads the store as often as one of a single account`()
    throws
  {
    func readCount() throws -> Int {
      let counted = CountingStore(bench.store)
      _ = try export(to: counted)
      return counted.readCount
    }
    try put([person(0, named: "0@home")])
    let few = try readCount()
    try put((0..<3000).map { person($0, named: "\($0)@home") })
    #expect(try readCount() == few)
    let exported = try export()
    #expect(exported.accountCount == 3000)
    #expect(try Set(items(of: exported).map(\.userID)).count == 3000)
  }

  @Test func `descriptions and dumps of exports contain no token`() throws {
    try bench.signIn(bench.application())
    let application = try bench.application()
    for format in ExportRequest.Format.allCases {
      let export = try application.exportSignIns(ExportRequest(format: format))
      for value: Any in [
        export, export.items, ExportRequest(format: format, data: export.data),
        MigrationRequest(data: export.data),
      ] {
        var shown = String(describing: value) + String(reflecting: value)
        dump(value, to: &shown)
        // A dump prints bytes as numbers.
        #expect(!shown.contains(", 101, "), "\(shown.prefix(200))")
      }
    }
  }
}
