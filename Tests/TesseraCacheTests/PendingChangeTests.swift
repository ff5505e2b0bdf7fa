// SPDX-License-Identifier: MIT
// Pending refreshes: one change per refresh token, without loss of newer tokens.

import TesseraCache
import TesseraWire
import Testing

@Suite struct PendingChangeTests {
  private static func credential(
    _ type: CredentialType, _ secret: String, scopes: String? = nil
  ) -> CredentialRecord {
    var record = CredentialRecord(type: type, secret: Secret(secret))
    record["home_account_id"] = "uid.utid"
    record["environment"] = "login.example.com"
    record["client_id"] = "client"
    record["realm"] = "utid"
    record["target"] = scopes
    return record
  }

  private static func refreshToken(_ number: Int) -> CredentialRecord {
    credential(.refreshToken, "refresh-\(number)")
  }

  private static func accessToken(_ number: Int, _ scopes: String = "user.read") -> CredentialRecord
  {
    credential(.accessToken, "access-\(number)", scopes: scopes)
  }

  /// Returns the pending change of the refresh with a number.
  private static func refresh(_ number: Int, scopes: String = "user.read") -> CacheChange {
    let old = accessToken(number, scopes)
    return CacheChange([
      .renew(
        refreshToken(number),
        [
          .put(.credential(refreshToken(number + 1))),
          .replaceAccessToken(accessToken(number + 1, scopes)),
        ])
    ]).guarded(against: [old.key: old.secret])
  }

  /// Returns a table with the refresh token and the access token with the given numbers.
  private static func table(refresh: Int, access: Int) -> MemoryTable {
    var table = MemoryTable()
    table.put(.credential(refreshToken(refresh)))
    table.put(.credential(accessToken(access)))
    return table
  }

  private static func secret(_ table: MemoryTable, _ record: CredentialRecord) -> String? {
    guard case .credential(let stored)? = table.record(at: record.key) else { return nil }
    return stored.secret.reveal()
  }

  /// Returns a hundred consecutive refreshes, merged into one change.
  private static func hundred() throws -> CacheChange {
    var change = refresh(0)
    for number in 1..<100 { change = try #require(refresh(number).mergingPending(change)) }
    return change
  }

  @Test func `a hundred pending refreshes are merged into one change`() throws {
    let change = try Self.hundred()
    guard case .renew(_, let others, let steps)? = change.steps.first else {
      Issue.record("The change is no refresh.")
      return
    }
    #expect(change.steps.count == 1 && steps.count == 2 && others.count == 16)
    var table = Self.table(refresh: 0, access: 0)
    change.apply(to: &table)
    #expect(Self.secret(table, Self.refreshToken(0)) == "refresh-100")
    #expect(Self.secret(table, Self.accessToken(0)) == "access-100")
  }

  @Test func `a merged change applies after a refresh that was already written`() throws {
    var table = Self.table(refresh: 98, access: 98)
    try Self.hundred().apply(to: &table)
    #expect(Self.secret(table, Self.refreshToken(0)) == "refresh-100")
  }

  @Test func `tokens that another process stored are kept`() throws {
    var table = Self.table(refresh: 555, access: 555)
    try Self.hundred().apply(to: &table)
    #expect(Self.secret(table, Self.refreshToken(0)) == "refresh-555")
    #expect(Self.secret(table, Self.accessToken(0)) == "access-555")
    var empty = MemoryTable()
    try Self.hundred().apply(to: &empty)
    #expect(Self.secret(empty, Self.accessToken(0)) == nil)
  }

  @Test func `tokens for other scopes are kept`() throws {
    let change = try #require(Self.refresh(1, scopes: "mail.read").mergingPending(Self.refresh(0)))
    var table = Self.table(refresh: 0, access: 0)
    table.put(.credential(Self.accessToken(1, "mail.read")))
    change.apply(to: &table)
    #expect(Self.secret(table, Self.refreshToken(0)) == "refresh-2")
    #expect(Self.secret(table, Self.accessToken(0)) == "access-1")
    #expect(Self.secret(table, Self.accessToken(0, "mail.read")) == "access-2")
  }

  @Test func `refreshes of unrelated tokens are not merged`() {
    #expect(Self.refresh(2).mergingPending(Self.refresh(0)) == nil)
    #expect(Self.refresh(1).mergingPending(CacheChange()) == nil)
  }
}
