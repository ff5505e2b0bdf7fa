// SPDX-License-Identifier: MIT
// The outcome of a change that stores the result of a redemption.

import TesseraCache
import TesseraWire
import Testing

@Suite struct CommitOutcomeTests {
  private static func token(
    _ secret: String, family: String? = nil
  ) -> CredentialRecord {
    var record = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    record.homeAccountID = "uid.utid"
    record.environment = "login.example.com"
    record.clientID = "client"
    record.familyID = family
    return record
  }

  private static let account = AccountRecord(
    homeAccountID: "uid.utid", environment: "login.example.com", realm: "utid")

  /// The change of a refresh with the token of the family.
  private static let refresh = CacheChange([
    .renew(
      token("old", family: "1"),
      [
        .put(.credential(token("new", family: "1"))), .put(.credential(token("new"))),
        .mergeAccount(account),
      ])
  ])

  private static func table(_ records: CacheRecord...) -> MemoryTable {
    var table = MemoryTable()
    for record in records { table.put(record) }
    return table
  }

  @Test(arguments: ["old", "newer"])
  func `a refresh is applied if a refresh token is stored under the key`(_ secret: String) {
    var table = Self.table(.credential(Self.token(secret, family: "1")))
    #expect(Self.refresh.apply(to: &table) == .applied)
  }

  @Test(arguments: ["old", "newer"])
  func `a refresh is applied if the application still has a token of its own`(_ secret: String) {
    var table = Self.table(.credential(Self.token(secret)), .account(Self.account))
    #expect(Self.refresh.apply(to: &table) == .applied)
    guard case .credential(let stored)? = table.record(at: Self.token("").key) else {
      Issue.record("The token of the application was removed.")
      return
    }
    #expect(stored.secret == Secret(secret == "old" ? "new" : "newer"))
  }

  @Test func `a refresh is superseded by the removal of its token`() {
    var table = Self.table(.account(Self.account))
    #expect(Self.refresh.apply(to: &table) == .superseded(.refreshToken))
    #expect(table.records(of: "uid.utid").count == 1)
  }

  @Test func `a refresh is superseded by a sign-out`() {
    var table = Self.table()
    #expect(Self.refresh.apply(to: &table) == .superseded(.signOut))
    #expect(table.records(of: "uid.utid").isEmpty)
  }

  @Test func `a sign-out is recognized although other applications use the account`() {
    var metadata = AccountMetadataRecord(clientID: "client", homeAccountID: "uid.utid")
    metadata.signOut("uid.utid")
    var table = Self.table(.account(Self.account), .accountMetadata(metadata))
    #expect(Self.refresh.apply(to: &table) == .superseded(.signOut))
  }

  @Test func `the outcome is that of the last redemption`() {
    var table = Self.table(.credential(Self.token("old")), .account(Self.account))
    let lost = CacheChange.Step.renew(Self.token("gone", family: "2"), [])
    #expect(CacheChange([lost] + Self.refresh.steps).apply(to: &table) == .applied)
    #expect(CacheChange(Self.refresh.steps + [lost]).apply(to: &table) != .applied)
    #expect(CacheChange([.removeEverything]).apply(to: &table) == .applied)
  }
}
