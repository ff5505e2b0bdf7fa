// SPDX-License-Identifier: MIT
// The other direction: what was signed in here, as ADAL for Apple finds it.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct ExportTests {
  private let bench = TestBench()

  /// The entries of a cache.
  private func entries(_ bytes: [UInt8], as format: LegacyFormat) throws -> [LegacyEntry] {
    var entries: [LegacyEntry] = []
    try format.read(bytes) { entries.append($0) }
    return entries
  }

  @Test func `a keychain gets what ADAL asks for, with its attributes, and no access token`() throws
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
    // By the name, as ADAL knows people.
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

  @Test func `the cache of ADAL for macOS gets the account, and keeps what else is in it`() throws {
    let application = try bench.application()
    let account = try bench.signIn(application).account
    var other = LegacyItem(
      environment: "login.windows.net", realm: "common", clientID: "other", userID: "x@y.example")
    other.refreshToken = Secret("of somebody else")
    let before = try MacOSCacheWriter.blob(changing: nil, putting: [other])
    let export = try application.exportSignIns(ExportRequest(format: .adalMacOS, data: before))
    let items = try entries(export.data, as: .adalMacOS).compactMap { entry in
      if case .item(let item) = entry { item } else { nil }
    }
    #expect(Set(items.map(\.userID)) == ["x@y.example", account.username])
    let own = try #require(items.first { $0.userID == account.username })
    #expect(own.homeAccountID == account.homeAccountID && own.kind == .refreshToken)
    #expect(items.contains { $0.refreshToken == other.refreshToken })
    // Once more: nothing is there twice.
    let again = try application.exportSignIns(
      ExportRequest(format: .adalMacOS, data: export.data))
    #expect(try entries(again.data, as: .adalMacOS).count == 2)
  }

  @Test func `what can't be read is never written over, and nobody is no account`() throws {
    let application = try bench.application()
    expect(.accountNotFound) {
      _ = try application.exportSignIns(ExportRequest(format: .appleKeychain))
    }
    try bench.signIn(application)
    expect(.legacyCacheInvalid) {
      _ = try application.exportSignIns(
        ExportRequest(format: .adalMacOS, data: Array("no archive".utf8)))
    }
    var nobody = ExportRequest(format: .appleKeychain)
    nobody.homeAccountID = "nobody"
    expect(.accountNotFound) { _ = try application.exportSignIns(nobody) }
  }
}
