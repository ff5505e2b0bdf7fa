// SPDX-License-Identifier: MIT
// A list of accounts that is brought up to date is the one that would be made anew: its accounts, and its document.

import TesseraCache
import TesseraWire
import Testing

@testable import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct AccountMergeTests {
  private struct World {
    var names: [String: Int] = [:]
    var answer: AccountsAnswer?

    func account(_ id: String) -> Account {
      let profile = TenantProfile(
        tenantID: "tenant", localAccountID: id, isHomeTenant: true, username: "user \"\(id)\"")
      return Account(
        homeAccountID: id, environment: "issuer.example", username: "user",
        name: names[id].map(String.init),
        tenantProfiles: [profile], isEntra: false)
    }

    /// The accounts of some ranges of people; of all of them if it is nil.
    func accounts(in ranges: Set<Int>?) -> [Account] {
      names.keys.filter { ranges?.contains(ListState.range(of: $0)) ?? true }.sorted().map(account)
    }

    /// Brings the list up to date after something has changed with some people.
    mutating func update(_ changed: Set<Int>?) {
      var snapshot = CacheSnapshot(records: [], version: StoreVersion(identity: 1, commits: 1))
      snapshot.list = ListState(identity: 1, ranges: [])
      snapshot.ranges = changed.map { $0.sorted() }
      answer = AccountsAnswer(accounts(in: changed), snapshot, after: answer)
    }
  }

  private func text(_ answer: AccountsAnswer?) -> String? {
    guard let text = answer?.text else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `people come and go, and the list is right`(_ seed: UInt64) throws {
    var random = SeededNumbers(seed)
    var world = World()
    for index in 0..<300 { world.names["person \(index)"] = index }
    world.update(nil)
    // At first more come than go, then the other way round, until nobody is left.
    for round in 0..<200 {
      var changed: Set<Int> = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let id = "person \(Int.random(in: 0..<900, using: &random))"
        let stays = Int.random(in: 0..<10, using: &random) < (round < 120 ? 7 : 0)
        world.names[id] = stays ? round : nil
        changed.insert(ListState.range(of: id))
      }
      if round == 190 {
        changed.formUnion(world.names.keys.map(ListState.range))
        world.names = [:]
      }
      // Documents that were not asked for are made later, those that were are taken over.
      if round % 3 == 0 { _ = text(world.answer) }
      world.update(changed)
      var anew = world
      anew.answer = nil
      anew.update(nil)
      #expect(world.answer?.accounts == anew.answer?.accounts)
      #expect(text(world.answer) == text(anew.answer))
    }
  }

  @Test func `the document of a list is JSON, and nobody is an empty one`() throws {
    var world = World()
    world.update(nil)
    #expect(text(world.answer) == #"{"accounts":[]}"#)
    for index in 0..<100 { world.names["person \(index)"] = index }
    world.update(nil)
    let json = try JSONValue(parsing: try #require(text(world.answer))).object?["accounts"]?.array
    #expect(json == world.accounts(in: nil).map(\.json))
  }

  @Test func `copies of an account say the same, wherever they lie`() {
    var world = World()
    for index in 0..<40 { world.names["person \(index)"] = index }
    world.update(nil)
    #expect(world.answer?.accounts == world.accounts(in: nil))
    #expect(Set(world.answer?.accounts ?? []) == Set(world.accounts(in: nil)))
  }
}

/// Numbers that are the same for the same seed.
private struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
