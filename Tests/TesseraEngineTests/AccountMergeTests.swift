// SPDX-License-Identifier: MIT
// Incremental updates of a cached account list: same accounts and same document as after a full rebuild.

import CLibrary
import TesseraCache
import TesseraWire
import Testing

@testable import TesseraEngine

@Suite struct AccountMergeTests {
  private struct AccountTable {
    var names: [String: Int] = [:]
    var answer: CachedAccountList?

    func account(_ id: String) -> Account {
      let profile = TenantProfile(
        tenantID: "tenant", localAccountID: id, isHomeTenant: true, username: "user \"\(id)\"")
      return Account(
        homeAccountID: id, environment: "issuer.example", username: "user",
        name: names[id].map(String.init),
        tenantProfiles: [profile], isEntra: false)
    }

    /// Returns the accounts in some hash ranges; `nil` for all accounts.
    func accounts(in ranges: Set<Int>?) -> [Account] {
      names.keys.filter { ranges?.contains(AccountListVersion.range(of: $0)) ?? true }.sorted().map(
        account)
    }

    /// Updates the list after changes in some hash ranges.
    mutating func update(_ changed: Set<Int>?) {
      var snapshot = CacheSnapshot(records: [], version: StoreVersion(identity: 1, commits: 1))
      snapshot.list = AccountListVersion(identity: 1, ranges: [])
      snapshot.ranges = changed.map { $0.sorted() }
      answer = CachedAccountList(accounts(in: changed), snapshot, after: answer)
    }
  }

  private func text(_ answer: CachedAccountList?) -> String? {
    guard let text = answer?.text else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `an updated list equals a rebuilt list after random changes`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed)
    var world = AccountTable()
    for index in 0..<300 { world.names["person \(index)"] = index }
    world.update(nil)
    // At first more accounts are added than removed, then the reverse, until none is left.
    for round in 0..<200 {
      var changed: Set<Int> = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let id = "person \(Int.random(in: 0..<900, using: &random))"
        let stays = Int.random(in: 0..<10, using: &random) < (round < 120 ? 7 : 0)
        world.names[id] = stays ? round : nil
        changed.insert(AccountListVersion.range(of: id))
      }
      if round == 190 {
        changed.formUnion(world.names.keys.map(AccountListVersion.range))
        world.names = [:]
      }
      // A document that was not requested is serialized later. A requested one is reused.
      if round % 3 == 0 { _ = text(world.answer) }
      world.update(changed)
      var anew = world
      anew.answer = nil
      anew.update(nil)
      #expect(world.answer?.accounts == anew.answer?.accounts)
      #expect(text(world.answer) == text(anew.answer))
    }
  }

  @Test func `the document of a list is JSON; without accounts, the array is empty`() throws {
    var world = AccountTable()
    world.update(nil)
    #expect(text(world.answer) == #"{"accounts":[]}"#)
    for index in 0..<100 { world.names["person \(index)"] = index }
    world.update(nil)
    let json = try JSONValue(parsing: try #require(text(world.answer))).object?["accounts"]?.array
    #expect(json == world.accounts(in: nil).map(\.json))
  }

  @Test func `copies of accounts are equal and have equal hashes, wherever they are stored`() {
    var world = AccountTable()
    for index in 0..<40 { world.names["person \(index)"] = index }
    world.update(nil)
    #expect(world.answer?.accounts == world.accounts(in: nil))
    #expect(Set(world.answer?.accounts ?? []) == Set(world.accounts(in: nil)))
  }
}

/// A random number generator with a fixed seed.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
