// SPDX-License-Identifier: MIT
// Eviction: expired access tokens first, then those that expire next, and never refresh tokens.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire
import TestSupport
import Testing

@Suite struct StoreEvictionTests {
  private let bench: StoreBench
  private let now = SystemTime().now

  init() throws {
    bench = try StoreBench()
  }

  /// Returns an access token that expires in the given number of seconds.
  private func token(_ number: Int, endsIn seconds: Int64, size: Int = 1000) -> CacheChange.Step {
    var token = CredentialRecord(
      type: .accessToken, secret: Secret("\(number)" + String(repeating: "x", count: size)))
    token.homeAccountID = "home \(number % 50)"
    token.environment = "issuer.example"
    token.clientID = "client"
    token.realm = "tenant"
    token.target = "read.\(number)"
    token["expires_on"] = "\(now.adding(seconds: seconds).secondsSince1970)"
    return .put(.credential(token))
  }

  private func commit(_ store: SQLiteStore, _ numbers: Range<Int>, endsIn seconds: Int64) throws {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 10) {
      let steps = (start..<start + 10).map { token($0, endsIn: seconds) }
      try store.commit(CacheChange(steps), within: .none)
    }
  }

  private var info: StoreInfo { bench.store().info(.preferEncrypted, within: .none) }

  @Test func `expired access tokens are evicted, and the file stays small`() throws {
    let store = bench.store()
    try bench.commit(store, "kept")
    try commit(store, 0..<1000, endsIn: -4000)
    let early = try #require(info.fileBytes)
    try commit(store, 1000..<5000, endsIn: -4000)
    let late = try #require(info.fileBytes)
    #expect(late <= early + early / 2)
    #expect(try #require(info.records).accessTokens < 100)
    #expect(try bench.secrets(store) == ["kept"])
    #expect(
      try bench.value("SELECT count(*) FROM scope WHERE record NOT IN (SELECT key FROM record)")
        == "0")
  }

  @Test func `setting the wall clock ahead does not evict a valid token`() throws {
    let store = bench.store()
    var ended = CredentialRecord(type: .accessToken, secret: Secret("ended"))
    ended.homeAccountID = "home"
    ended.environment = "issuer.example"
    ended.clientID = "client"
    ended.target = "read"
    // It expired an hour ago by the wall clock, but was received just now and is valid for two hours.
    ended["expires_on"] = "\(now.adding(seconds: -3600).secondsSince1970)"
    ended["cached_at"] = "\(now.adding(seconds: -10_800).secondsSince1970)"
    var good = ended
    good.target = "write"
    good.receivedBootTime = SystemTime().bootTime
    try store.commit(
      CacheChange([.put(.credential(ended)), .put(.credential(good))]), within: .none)
    try bench.commit(store, "other")
    let isKnown = SystemTime().bootTime != nil
    #expect(info.records?.accessTokens == (isKnown ? 1 : 0))
  }

  @Test func `valid tokens are not evicted without a limit`() throws {
    let store = bench.store()
    try commit(store, 0..<500, endsIn: 3600)
    #expect(info.records?.accessTokens == 500)
  }

  @Test func `above the limit, the access tokens that expire first are evicted`() throws {
    let store = bench.store(limitBytes: 1 << 20)
    for number in 0..<200 { try bench.commit(store, "\(number)", owner: "home \(number)") }
    try commit(store, 0..<1000, endsIn: 3600)
    try commit(store, 1000..<1200, endsIn: 7200)
    let info = info
    let bytes = try #require(info.bytes)
    #expect(bytes <= 1 << 20 + 1 << 17)
    let records = try #require(info.records)
    #expect(records.refreshTokens == 200)
    #expect(records.accessTokens > 100)
    // All tokens that expire later remain.
    let first = now.adding(seconds: 5000).secondsSince1970
    #expect(try bench.value("SELECT count(*) FROM record WHERE expires > \(first)") == "200")
  }

  @Test func `refresh tokens are kept even above the limit`() throws {
    let store = bench.store(limitBytes: 1 << 16)
    for number in 0..<300 { try bench.commit(store, "\(number)", owner: "home \(number)") }
    try store.commit(CacheChange([token(1, endsIn: 3600)]), within: .none)
    #expect(info.records?.refreshTokens == 300)
    #expect(info.records?.accessTokens == 1)
  }

  @Test func `the file shrinks after its records are removed`() throws {
    let store = bench.store()
    try commit(store, 0..<2000, endsIn: 3600)
    let before = try #require(info.fileBytes)
    try bench.run("UPDATE record SET expires = 0 WHERE expires IS NOT NULL")
    let other = bench.store()
    for number in 0..<200 { try bench.commit(other, "\(number)", owner: "someone") }
    #expect(info.records?.accessTokens == 0)
    #expect(try #require(info.fileBytes) < before / 2)
  }
}
