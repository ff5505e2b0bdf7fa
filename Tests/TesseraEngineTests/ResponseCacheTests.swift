// SPDX-License-Identifier: MIT
// The response cache: hits, expiry, eviction and concurrent access.

import CLibrary
import Synchronization
import TesseraCache
import TesseraWire
import Testing

@testable import TesseraEngine

@Suite struct ResponseCacheTests {
  private static let version = StoreVersion(identity: 1, commits: 2)
  private static let now = Instant(secondsSince1970: 1000)
  private static let validity = ResponseValidity(
    version, from: now, until: now.adding(seconds: 10), monotonicUntil: 10)
  private static let reading = ClockReading(now: now, monotonicNanoseconds: 9)

  private func stored(_ key: String, _ response: String) throws -> CachedResponse {
    try key.withBytes { key in
      try Array(response.utf8).withUnsafeBytes {
        try #require(CachedResponse(Self.validity, for: key, bytes: $0))
      }
    }
  }

  private func insert(
    _ table: inout ResponseTable, _ key: String, _ response: String, isValid: Bool = true
  ) throws {
    let stored = try stored(key, response)
    table.insert(stored, ResponseTable.hash(stored.key)) { _ in isValid }
  }

  private func response(_ table: ResponseTable, _ key: String) -> String? {
    key.withBytes { bytes in
      table.entry(for: bytes, ResponseTable.hash(bytes)).map {
        String(decoding: $0.bytes, as: UTF8.self)
      }
    }
  }

  @Test func `10,000 insertions with 5,000 keys leave the newest response of each key`() throws {
    var table = ResponseTable(capacity: 1 << 30)
    defer { table.free() }
    for round in 0..<2 {
      for index in 0..<5000 { try insert(&table, "key \(index)", "response \(index) \(round)") }
    }
    #expect((0..<5000).allSatisfy { response(table, "key \($0)") == "response \($0) 1" })
    #expect(response(table, "key 5000") == nil)
    try insert(&table, "", "")
    #expect(response(table, "") == "")
    #expect(table.count == 5001)
  }

  @Test func `keys with equal hashes are distinguished, even after an eviction`() throws {
    var table = ResponseTable(capacity: 1 << 30)
    defer { table.free() }
    for text in ["a", "b", "c"] { table.insert(try stored(text, text), 7) { _ in true } }
    func isHit(_ text: String) -> Bool {
      text.withBytes { table.entry(for: $0, 7).map { Array($0.bytes) } == Array(text.utf8) }
    }
    #expect(["a", "b", "c"].allSatisfy(isHit))
    #expect(!isHit("d"))
    // Sixteen insertions visit the slots of the three entries, and evict those that are stale.
    var insertionCount = 0
    while table.count > 3 || insertionCount < 16 {
      table.insert(
        try stored("e", "e"), ResponseTable.hash(UnsafeRawBufferPointer(start: nil, count: 0))
      ) { _ in insertionCount < 8 }
      insertionCount += 1
    }
    #expect(table.count <= 3)
  }

  @Test func `a full table evicts the oldest entries, and only as many as an insertion needs`()
    throws
  {
    let size = try stored("key 1000", "response 1000").size
    var table = ResponseTable(capacity: size * 100)
    defer { table.free() }
    for index in 1000..<1500 {
      try insert(&table, "key \(index)", "response \(index)")
      #expect(response(table, "key \(index)") == "response \(index)")
    }
    #expect(table.count == 100)
    #expect(table.bytes == size * 100)
    #expect((1000..<1400).allSatisfy { response(table, "key \($0)") == nil })
    #expect((1400..<1500).allSatisfy { response(table, "key \($0)") == "response \($0)" })
    // A replaced entry is the newest one.
    try insert(&table, "key 1400", "response 1400")
    try insert(&table, "key 1500", "response 1500")
    #expect(response(table, "key 1400") == "response 1400" && response(table, "key 1401") == nil)
  }

  @Test func `an entry larger than the capacity evicts all others`() throws {
    let size = try stored("key 10", "response 10").size
    var table = ResponseTable(capacity: size * 10)
    defer { table.free() }
    for index in 10..<20 { try insert(&table, "key \(index)", "response \(index)") }
    try insert(&table, "large", String(repeating: "a", count: size * 10))
    #expect(table.count == 1)
    #expect((10..<20).allSatisfy { response(table, "key \($0)") == nil })
  }

  @Test func `stale entries are evicted by later insertions`() throws {
    var table = ResponseTable(capacity: 1 << 30)
    defer { table.free() }
    for index in 0..<40 { try insert(&table, "old \(index)", "response") }
    for _ in 0..<20 { try insert(&table, "new", "response", isValid: false) }
    #expect((0..<40).allSatisfy { response(table, "old \($0)") == nil })
  }

  @Test func `a lookup is a hit only for the current store version and before the expiry`() {
    let cache = ResponseCache()
    defer { cache.free() }
    "request".withBytes { request in
      cache.store(
        Array("response".utf8), Self.validity, for: request, at: Self.reading
      ) { _ in true }
      func isHit(_ now: Instant, _ isCurrent: Bool = true, monotonic: UInt64 = 9) -> Bool {
        let time = ClockReading(now: now, monotonicNanoseconds: monotonic)
        let copy = cache.copy(for: request, at: time) { version in
          #expect(version == Self.version)
          return isCurrent
        }
        defer { free(copy) }
        return copy.map { String(cString: $0) } == "response"
      }
      #expect(isHit(Self.now))
      #expect(isHit(Self.now.adding(seconds: 9)))
      #expect(!isHit(Self.now.adding(seconds: 10)))
      #expect(!isHit(Self.now.adding(seconds: -1)))
      #expect(!isHit(Self.now, false))
      // The wall clock was set back, but the lifetime has passed.
      #expect(!isHit(Self.now, monotonic: 10))
    }
  }

  @Test func `an entry is revalidated for a later store version, within its lifetime`() {
    let cache = ResponseCache()
    defer { cache.free() }
    let later = StoreVersion(identity: 1, commits: 3)
    "request".withBytes { request in
      func isHit(for version: StoreVersion) -> Bool {
        let copy = cache.copy(for: request, at: Self.reading) { $0 == version }
        defer { free(copy) }
        return copy != nil
      }
      func isRenewed(at time: ClockReading, _ version: StoreVersion?) -> Bool {
        cache.revalidate(for: request, at: time) { $0 == Self.version ? version : nil }
      }
      #expect(!isRenewed(at: Self.reading, later))
      cache.store(
        Array("response".utf8), Self.validity, for: request, at: Self.reading
      ) { _ in true }
      #expect(!isRenewed(at: Self.reading, nil))
      let after = ClockReading(now: Self.now.adding(seconds: 10), monotonicNanoseconds: 9)
      #expect(!isRenewed(at: after, later))
      #expect(isHit(for: Self.version))
      #expect(isRenewed(at: Self.reading, later))
      #expect(isHit(for: later))
      #expect(!isHit(for: Self.version))
      // Revalidation does not extend the lifetime.
      #expect(cache.copy(for: request, at: after) { _ in true } == nil)
    }
  }

  @Test func `a cached object is returned by reference, and released with its last reference`() {
    final class Thing: Sendable {}
    let cache = ResponseCache()
    var thing: Thing? = Thing()
    weak let witness = thing
    "thing".withBytes { key in
      if let thing {
        cache.store(
          (thing, size: 8), Self.validity, for: key, at: Self.reading
        ) { _ in true }
      }
      thing =
        cache.object(for: key, at: Self.reading, counting: .token) { _ in true }?.object as? Thing
      // A request of the C interface may have the same bytes, if it is not valid JSON.
      #expect(cache.copy(for: key, at: Self.reading) { _ in true } == nil)
    }
    cache.free()
    #expect(thing != nil && witness === thing)
    thing = nil
    #expect(witness == nil)
  }

  @Test func `hits of four threads are counted exactly, also during writes`() async {
    let cache = ResponseCache()
    defer { cache.free() }
    final class Hits: Sendable { let count = Atomic(0) }
    let hits = Hits()
    let read = { @Sendable in
      "request".withBytes { key in
        let copy = cache.copy(for: key, at: Self.reading) { _ in true }
        guard let copy else { return }
        free(copy)
        hits.count.wrappingAdd(1, ordering: .relaxed)
      }
    }
    let write = { @Sendable in
      "request".withBytes { key in
        cache.store(
          Array("response".utf8), Self.validity, for: key, at: Self.reading
        ) { _ in true }
        _ = cache.object(for: key, at: Self.reading, counting: .other) { _ in true }
      }
    }
    read()
    #expect(cache.hits(of: .token) == 0)
    write()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<2000 { write() } }
      for _ in 0..<4 { group.addTask { for _ in 0..<20_000 { read() } } }
    }
    // A writer may have held the lock during all other reads.
    read()
    #expect(cache.hits(of: .token) > 0)
    #expect(cache.hits(of: .token) == Int64(hits.count.load(ordering: .relaxed)))
    #expect(cache.size.count == 1)
  }

  @Test func `four threads read while one writes`() async throws {
    let cache = ResponseCache()
    defer { cache.free() }
    let cacheRound = { @Sendable (round: Int) in
      let name = "request \(round % 50)"
      name.withBytes {
        cache.store(
          Array("\(name) \(round)".utf8), Self.validity, for: $0, at: Self.reading
        ) { _ in true }
      }
    }
    for round in 0..<50 { cacheRound(round) }
    let read = { @Sendable (number: Int) -> Bool in
      let name = "request \(number % 50)"
      let copy = name.withBytes { cache.copy(for: $0, at: Self.reading) { _ in true } }
      defer { free(copy) }
      guard let copy else { return false }
      #expect(String(cString: copy).hasPrefix(name + " "))
      return true
    }
    await withTaskGroup(of: Void.self) { group in
      // The writer starts first. On two cores, it shares them with one reader at a time.
      group.addTask { for round in 0..<20_000 { cacheRound(round) } }
      for reader in 0..<4 {
        group.addTask { for round in 0..<20_000 { _ = read(reader + round) } }
      }
    }
    // The number of reads during a write depends on the machine. Afterwards, all reads must hit.
    #expect((0..<50).allSatisfy(read))
  }
}

extension String {
  fileprivate func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    try Array(utf8).withUnsafeBytes(body)
  }
}
