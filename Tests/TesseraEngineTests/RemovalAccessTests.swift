// SPDX-License-Identifier: MIT
// The accesses of the removal of an account to the store: at most two reads and one commit.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct RemovalAccessTests {
  private let bench = TestBench(origin: "https://login.microsoftonline.com")
  private let store: CountingStore

  init() {
    store = CountingStore(bench.store)
  }

  /// Runs a removal, and requires a number of reads and commits.
  private func expect(
    reads: Int, commits: Int = 1, _ body: (PublicClientApplication) throws -> Bool
  ) throws -> Bool {
    let application = try bench.application(store: store)
    let before = (store.readCount, store.commitCount)
    let isRemoved = try body(application)
    #expect(store.readCount - before.0 == reads)
    #expect(store.commitCount - before.1 == commits)
    #expect(try application.accounts().isEmpty)
    return isRemoved
  }

  private func remove(
    _ homeAccountID: String, _ username: String?, with application: PublicClientApplication
  ) throws -> Bool {
    try application.removeAccount(
      homeAccountID: homeAccountID, username: username, environment: nil, within: .none)
  }

  @Test func `a removal of an account reads its records once`() throws {
    let account = try bench.signIn(bench.application()).account
    #expect(try expect(reads: 1) { try $0.removeAccount(account) })
    // The account may belong to another cloud or to an older library, so all accounts are read.
    #expect(try !expect(reads: 2) { try $0.removeAccount(account) })
  }

  @Test func `a removal by identifier reads the records of the account once`() throws {
    let id = try bench.signIn(bench.application()).account.homeAccountID
    #expect(try expect(reads: 1) { try remove(id, nil, with: $0) })
    #expect(try !expect(reads: 2, commits: 0) { try remove(id, nil, with: $0) })
  }

  @Test func `an identifier in upper case finds the account`() throws {
    let id = try bench.signIn(bench.application()).account.homeAccountID
    #expect(try expect(reads: 2) { try remove(id.uppercased(), nil, with: $0) })
  }

  @Test func `a removal by user name reads all accounts once`() throws {
    let username = try bench.signIn(bench.application()).account.username
    #expect(try expect(reads: 1) { try remove("", username, with: $0) })
  }

  @Test func `an account with imported tokens is removed with them after two reads`() throws {
    let account = try bench.signIn(bench.application()).account
    try bench.importItems(bench.legacyItem(), bench.legacyItem { $0.userID = "former@contoso.com" })
    #expect(try expect(reads: 2) { try $0.removeAccount(account) })
  }

  @Test func `an account of an older library is removed after one read`() throws {
    try bench.importItems(bench.legacyItem())
    let account = try #require(try bench.application().accounts().first)
    #expect(account.homeAccountID.isEmpty)
    #expect(try expect(reads: 1) { try $0.removeAccount(account) })
  }

  @Test func `the family of another cloud determines whether an account was signed in`() throws {
    let environment = "login.microsoftonline.us"
    var token = CredentialRecord(type: .refreshToken, secret: Secret("a refresh token"))
    token.homeAccountID = "uid.utid"
    token.environment = environment
    token.clientID = "sibling"
    token.familyID = "1"
    var account = AccountRecord(
      homeAccountID: "uid.utid", environment: environment, realm: "utid")
    account.username = "alice@contoso.us"
    try bench.store.commit(
      CacheChange([
        .put(.credential(token)), .put(.account(account)),
        .put(
          .appMetadata(
            AppMetadataRecord(clientID: "client", environment: environment, familyID: "1"))),
      ]), within: .none)
    let listed = try #require(try bench.application().accounts().first)
    #expect(try expect(reads: 1) { try $0.removeAccount(listed) })
  }
}
