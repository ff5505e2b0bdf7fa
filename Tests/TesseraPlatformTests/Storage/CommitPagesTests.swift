// SPDX-License-Identifier: MIT
// The pages that a commit writes: those of changed rows only.

import TesseraCache
import TesseraEngine
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct CommitPagesTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
  }

  private func token(
    _ type: CredentialType, _ ownerSelection: Int, _ round: Int
  ) -> CredentialRecord {
    var token = CredentialRecord(
      type: type,
      secret: Secret("\(round) of \(ownerSelection)" + String(repeating: "x", count: 1500)))
    token.homeAccountID = "home \(ownerSelection)"
    token.environment = "issuer.example"
    token.clientID = "client"
    guard !type.isRefreshToken else { return token }
    token.realm = "tenant"
    guard type.isAccessToken else { return token }
    token.target = "openid files.read mail.send"
    token.expiresAt = Instant(secondsSince1970: 4_000_000_000 + Int64(round))
    return token
  }

  /// Returns the change of a refresh, which leaves the account unchanged.
  private func refresh(_ ownerSelection: Int, _ round: Int) -> CacheChange {
    CacheChange([
      .replaceAccessToken(token(.accessToken, ownerSelection, round)),
      .put(.credential(token(.idToken, ownerSelection, round))),
      .put(.credential(token(.refreshToken, ownerSelection, round))),
      .mergeAccount(
        AccountRecord(
          homeAccountID: "home \(ownerSelection)", environment: "issuer.example", realm: "tenant")),
    ])
  }

  /// Returns the number of pages by which the write-ahead log has grown.
  private func pages(_ body: () throws -> Void) throws -> Int {
    let log = bench.database + "-wal"
    let before = try #require(FileIdentity(at: log)?.size)
    try body()
    return (try #require(FileIdentity(at: log)?.size) - before) / (4096 + 24)
  }

  @Test func `a refresh writes three rows, the commit count and the expiry index`() throws {
    let store = bench.store()
    for ownerSelection in 0..<40 { try store.commit(refresh(ownerSelection, 0), within: .none) }
    let written = try pages { try store.commit(refresh(7, 1), within: .none) }
    // Three rows in one to three pages, the count, and the index in one or two pages.
    #expect((3...6).contains(written))
  }

  @Test func `committing identical records writes nothing`() throws {
    let store = bench.store()
    for ownerSelection in 0..<40 { try store.commit(refresh(ownerSelection, 0), within: .none) }
    #expect(try pages { try store.commit(refresh(7, 0), within: .none) } == 0)
  }

  @Test func `a check that the store can be written commits nothing and reserves space`() throws {
    let (store, log) = (bench.store(), bench.database + "-wal")
    try store.commit(refresh(7, 0), within: .none)
    // Every commit changes the first part of the index, which has the number of pages in the log.
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.database + "-shm")).prefix(96)
    let size = try #require(FileIdentity(at: log)?.size)
    try store.checkWritable(within: .none)
    let after = try Data(contentsOf: URL(fileURLWithPath: bench.database + "-shm")).prefix(96)
    #expect(before == after)
    #expect(try #require(FileIdentity(at: log)?.size) >= size + 64 * 4096)
    try store.commit(refresh(7, 1), within: .none)
    let later = try Data(contentsOf: URL(fileURLWithPath: bench.database + "-shm")).prefix(96)
    #expect(before != later)
  }

  @Test func `storing a token again restores its deleted scope rows`() throws {
    try bench.store().commit(refresh(7, 0), within: .none)
    try bench.run("DELETE FROM scope")
    let store = bench.store()
    try store.commit(refresh(7, 1), within: .none)
    var selection = SnapshotSelection()
    selection.owner = "home 7"
    selection.scope = "mail.send"
    let found = try store.snapshot(selection, within: .none).credentials.filter {
      $0.type.isAccessToken
    }
    #expect(found.map(\.secret) == [token(.accessToken, 7, 1).secret])
  }

  @Test func `a token with other scopes is found by the new scopes only`() throws {
    let store = bench.store()
    try store.commit(refresh(7, 0), within: .none)
    var other = token(.accessToken, 7, 1)
    other.target = "mail.send calendar.read"
    try store.commit(CacheChange([.replaceAccessToken(other)]), within: .none)
    #expect(try bench.value("SELECT count(*) FROM scope") == "3")
    #expect(try bench.value("SELECT count(*) FROM record WHERE type = 2001") == "1")
  }
}
