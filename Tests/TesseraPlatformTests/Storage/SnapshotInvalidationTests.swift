// SPDX-License-Identifier: MIT
// Invalidation of cached snapshots by commits, and the effect of an invalid change counter file.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct SnapshotInvalidationTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func store() -> SQLiteStore {
    SQLiteStore(
      group: "group", directory: directory.path, protection: PlaintextProtection(),
      time: SystemTime())
  }

  private func token(of owner: String, _ secret: String) -> CacheRecord {
    var token = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    token.homeAccountID = owner
    token.environment = "issuer.example"
    token.clientID = "client"
    return .credential(token)
  }

  private func commit(_ store: SQLiteStore, _ records: CacheRecord...) throws {
    try store.commit(CacheChange(records.map(CacheChange.Step.put)), within: .none)
  }

  private func snapshot(_ store: SQLiteStore, of owner: String) throws -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.owner = owner
    return try store.snapshot(selection, within: .none)
  }

  /// An account with records in other shards than those of "home".
  private var otherOwner: String {
    var selection = SnapshotSelection()
    selection.owner = "home"
    let home = StoreShards.shards(readBy: selection)?.one
    return (0..<10).map { "stranger \($0)" }.first { name in
      selection.owner = name
      return StoreShards.shards(readBy: selection)?.one != home
    } ?? ""
  }

  @Test func `a commit for another account does not invalidate cached snapshots`() throws {
    let (store, other) = (store(), store())
    try commit(store, token(of: "home", "1"), token(of: otherOwner, "1"))
    let home = try #require(try snapshot(store, of: "home").version)
    let strange = try #require(try snapshot(store, of: otherOwner).version)
    try commit(other, token(of: otherOwner, "2"))
    #expect(store.isCurrent(home))
    #expect(!store.isCurrent(strange))
    try commit(other, token(of: "home", "2"))
    #expect(!store.isCurrent(home))
  }

  @Test func `an access token invalidates the snapshots for its scopes only`() throws {
    let (store, other) = (store(), store())
    func version(_ scope: String?) throws -> StoreVersion {
      var selection = SnapshotSelection()
      selection.owner = "home"
      selection.scope = scope
      return try #require(try store.snapshot(selection, within: .none).version)
    }
    func accessToken(_ target: String) -> CredentialRecord {
      var token = CredentialRecord(type: .accessToken, secret: Secret(target))
      token.homeAccountID = "home"
      token.environment = "issuer.example"
      token.clientID = "client"
      token.target = target
      return token
    }
    func shard(_ scope: String) -> Int {
      StoreShards.shard(of: RecordKey.number(of: SQLiteTable.scopeText("home", scope)))
    }
    let spread = (0..<10).map { "scope \($0)" }.filter { scope in
      shard(scope) != shard("read")
    }
    let quiet = try #require(spread.first)
    try commit(store, token(of: "home", "1"), .credential(accessToken("read")))
    for step: CacheChange.Step in [
      .replaceAccessToken(accessToken("openid read write")),
      .removeIfUnchanged(accessToken("openid read write")),
    ] {
      let (read, all, others) = (try version("read"), try version(nil), try version(quiet))
      try other.commit(CacheChange([step]), within: .none)
      #expect(!store.isCurrent(read) && !store.isCurrent(all))
      #expect(store.isCurrent(others))
    }
    let others = try version(quiet)
    try commit(other, token(of: "home", "2"))
    #expect(!store.isCurrent(others))
  }

  @Test func `a commit without changes does not invalidate cached snapshots`() throws {
    let (store, other) = (store(), store())
    try commit(store, token(of: "home", "1"))
    let home = try #require(try snapshot(store, of: "home").version)
    try commit(other, token(of: "home", "1"))
    #expect(store.isCurrent(home))
    #expect(try snapshot(store, of: "home").credentials.map { $0.secret.reveal() } == ["1"])
  }

  @Test func `sign-ins and sign-outs invalidate the account list, refreshes do not`() throws {
    let (store, other) = (store(), store())
    func list() throws -> StoreVersion? {
      var selection = SnapshotSelection()
      selection.allAccounts = true
      return try store.snapshot(selection, within: .none).version
    }
    try commit(store, token(of: "home", "1"))
    var known = try #require(try list())
    var accessToken = CredentialRecord(type: .accessToken, secret: Secret("access"))
    accessToken.homeAccountID = "home"
    accessToken.environment = "issuer.example"
    accessToken.clientID = "client"
    try commit(other, token(of: "home", "2"), .credential(accessToken))
    #expect(store.isCurrent(known))
    try other.commit(
      CacheChange([.removeIfUnchanged(accessToken)]), within: .none)
    #expect(store.isCurrent(known))
    guard case .credential(let otherToken) = token(of: otherOwner, "1") else { return }
    for change: CacheChange.Step in [
      .put(token(of: otherOwner, "1")), .put(.account(account(of: "home"))),
      .put(.account(account(of: "home", named: "Another Name"))),
      .removeIfUnchanged(otherToken),
    ] {
      try other.commit(CacheChange([change]), within: .none)
      #expect(!store.isCurrent(known))
      known = try #require(try list())
    }
  }

  private func account(of owner: String, named name: String? = nil) -> AccountRecord {
    var account = AccountRecord(
      homeAccountID: owner, environment: "issuer.example", realm: "")
    account.name = name
    return account
  }

  @Test(arguments: [Data(repeating: 7, count: 16), Data(repeating: 7, count: 4096), Data()])
  func `an invalid file is ignored, and repaired by the next commit`(
    _ content: Data
  ) throws {
    try commit(store(), token(of: "home", "1"))
    try content.write(to: URL(fileURLWithPath: directory.path + "/group.fresh"))
    let store = store()
    for _ in 0..<2 { #expect(try snapshot(store, of: "home").version == nil) }
    try commit(self.store(), token(of: "home", "2"))
    #expect(try snapshot(store, of: "home").credentials.map { $0.secret.reveal() } == ["2"])
    let version = try #require(try snapshot(store, of: "home").version)
    #expect(store.isCurrent(version))
  }

  @Test func `truncating the file of an open store causes no crash and no stale snapshot`() throws {
    let (store, other) = (store(), store())
    try commit(store, token(of: "home", "1"))
    let before = try #require(try snapshot(store, of: "home").version)
    #expect(try snapshot(other, of: "home").version == before)
    try Data().write(to: URL(fileURLWithPath: directory.path + "/group.fresh"))
    _ = store.isCurrent(before)
    #expect(try snapshot(store, of: "home").version == nil)
    try commit(other, token(of: "home", "2"))
    #expect(!store.isCurrent(before))
    let after = try #require(try snapshot(store, of: "home").version)
    #expect(store.isCurrent(after) && other.isCurrent(after))
  }
}
