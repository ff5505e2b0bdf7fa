// SPDX-License-Identifier: MIT
// The response cache in memory.

import CLibrary
import Synchronization
package import TesseraCache
package import TesseraWire

/// The response cache of an application, keyed by the bytes of the request.
///
/// The Swift interface stores results as objects, and the C interface stores serialized documents. Keys of the Swift interface
/// are not valid UTF-8, so they differ from the keys of valid JSON requests. A lookup never blocks: while a writer holds the
/// lock, it is a miss.
package struct ResponseCache: @unchecked Sendable {
  /// The maximum size of a key, in bytes.
  ///
  /// Responses to longer requests are not cached.
  package static let maximumKeySize = 4096

  private let gate = TryReadWriteLock()
  private let table = UnsafeMutablePointer<ResponseTable>.allocate(capacity: 1)

  /// Creates an empty cache.
  ///
  /// Call ``free()`` after the last use.
  ///
  /// - Parameter capacity: The maximum total size of all entries, in bytes.
  package init(capacity: Int = 512 << 20) {
    table.initialize(to: ResponseTable(capacity: capacity))
  }

  /// Frees all entries and the memory of the cache.
  ///
  /// No thread may use the cache afterwards.
  package func free() {
    table.pointee.free()
    table.deinitialize(count: 1)
    table.deallocate()
    gate.free()
  }

  /// Returns a copy of the cached response, if it is serialized.
  ///
  /// - Parameters:
  ///   - key: The cache key.
  ///   - time: The current time, which decides whether the entry has expired.
  ///   - kind: The counter of a cache hit.
  ///   - isCurrent: Returns whether a store version is still the current one.
  /// - Returns: A NUL-terminated copy to be released with `free(3)`, or `nil` on a cache miss.
  package func copy(
    for key: UnsafeRawBufferPointer, at time: ClockReading, counting kind: ReadKind = .token,
    isCurrent: (StoreVersion) -> Bool
  ) -> UnsafeMutablePointer<CChar>? {
    let hash = ResponseTable.hash(key)
    return gate.read(counting: kind) {
      guard let entry = table.pointee.entry(for: key, hash), entry.isSerialized,
        entry.validity.lasts(at: time), isCurrent(entry.validity.version)
      else { return nil }
      let bytes = entry.bytes
      guard let copy = malloc(bytes.count + 1) else { return nil }
      if let start = bytes.baseAddress { memcpy(copy, start, bytes.count) }
      copy.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
      return copy.assumingMemoryBound(to: CChar.self)
    }
  }

  /// Returns the cached object with its validity.
  ///
  /// - Parameters:
  ///   - kind: The counter of a cache hit.
  ///   - isCurrent: Returns whether a store version is still the current one.
  /// - Returns: The object and its validity, or `nil` on a cache miss.
  func object(
    for key: UnsafeRawBufferPointer, at time: ClockReading, counting kind: ReadKind,
    isCurrent: (StoreVersion) -> Bool
  ) -> (object: AnyObject, validity: ResponseValidity)? {
    let hash = ResponseTable.hash(key)
    return gate.read(counting: kind) {
      guard let entry = table.pointee.entry(for: key, hash), entry.validity.lasts(at: time),
        isCurrent(entry.validity.version), let object = entry.object
      else { return nil }
      return (object, entry.validity)
    }
  }

  /// Revalidates a stale entry against the current store version.
  ///
  /// `revalidated` runs without the lock, because it may access a file.
  ///
  /// - Parameter revalidated: Returns the store version for which the entry is valid now, or `nil` if it is stale.
  /// - Returns: Whether the entry is valid.
  package func revalidate(
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    _ revalidated: (StoreVersion) -> StoreVersion?
  ) -> Bool {
    let hash = ResponseTable.hash(key)
    let old = gate.read(counting: .other) { table.pointee.entry(for: key, hash)?.validity }
    guard let old, old.lasts(at: time), let version = revalidated(old.version) else { return false }
    guard version != old.version else { return true }
    gate.write {
      // Another thread may have replaced the entry in the meantime.
      guard let entry = table.pointee.entry(for: key, hash),
        entry.validity.version == old.version
      else { return }
      entry.validity = entry.validity.revalidated(version)
    }
    return true
  }

  /// Caches a serialized response.
  ///
  /// Does nothing if the key is too long or the lock is held.
  ///
  /// - Parameter isRetained: Returns whether entries of a store version may still be valid. Others are evicted over time.
  package func store(
    _ bytes: [UInt8], _ validity: ResponseValidity, for key: UnsafeRawBufferPointer,
    at time: ClockReading, isRetained: (StoreVersion) -> Bool
  ) {
    guard key.count <= ResponseCache.maximumKeySize else { return }
    gate.write {
      let entry = bytes.withUnsafeBytes { CachedResponse(validity, for: key, bytes: $0) }
      insert(entry, at: time, isRetained: isRetained)
    }
  }

  /// Caches an object with its approximate size in bytes.
  ///
  /// Does nothing if the key is too long or the lock is held.
  func store(
    _ object: (AnyObject, size: Int), _ validity: ResponseValidity,
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    isRetained: (StoreVersion) -> Bool
  ) {
    guard key.count <= ResponseCache.maximumKeySize else { return }
    gate.write {
      let entry = CachedResponse(validity, for: key, object: object.0, size: object.size)
      insert(entry, at: time, isRetained: isRetained)
    }
  }

  /// Returns the number of responses of a kind that were returned from the cache.
  func hits(of kind: ReadKind) -> Int64 { gate.count(of: kind) }

  /// The number of entries, and their size in bytes; zero while a writer holds the lock.
  var size: (count: Int, bytes: Int) {
    gate.read(counting: .other) { (table.pointee.count, table.pointee.bytes) } ?? (0, 0)
  }

  private func insert(
    _ entry: CachedResponse?, at time: ClockReading, isRetained: (StoreVersion) -> Bool
  ) {
    guard let entry else { return }
    table.pointee.insert(entry, ResponseTable.hash(entry.key)) { validity in
      !validity.isOver(at: time) && isRetained(validity.version)
    }
  }
}

/// The entries of the response cache by key: open addressing with linear probing, with a load factor of at most two thirds.
struct ResponseTable {
  private struct Slot {
    var hash: UInt64
    var entry: CachedResponse?
  }

  /// The maximum total size of all entries, in bytes.
  ///
  /// If it is exceeded, the oldest entries are evicted.
  private let capacity: Int
  private var slots: UnsafeMutableBufferPointer<Slot>
  /// The slot that is examined next for a stale entry.
  private var hand = 0
  /// The ends of the list of entries in the order of their insertion.
  private var oldest: CachedResponse?
  private var newest: CachedResponse?
  private(set) var count = 0
  private(set) var bytes = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = ResponseTable.emptySlots(64)
  }

  /// Frees all entries and the memory of the table.
  ///
  /// The table must not be used afterwards.
  mutating func free() {
    for slot in slots { slot.entry?.release() }
    slots.deallocate()
  }

  /// Returns the entry for a key, or `nil` on a cache miss.
  @inline(__always)
  func entry(for key: UnsafeRawBufferPointer, _ hash: UInt64) -> CachedResponse? {
    slots[slot(of: key, hash)].entry
  }

  /// Inserts an entry, or replaces the one with the same key.
  ///
  /// Evicts stale entries and, if necessary, the oldest ones.
  ///
  /// - Parameter isValid: Returns whether an entry may still be valid. Each call examines eight slots for stale entries.
  mutating func insert(
    _ entry: CachedResponse, _ hash: UInt64, unless isValid: (ResponseValidity) -> Bool
  ) {
    for _ in 0..<8 { evictStaleEntry(isValid) }
    let replaced = slot(of: entry.key, hash)
    if slots[replaced].entry != nil { remove(at: replaced) }
    while let oldest, bytes + entry.size > capacity {
      remove(at: slot(of: oldest.key, oldest.hash))
    }
    if (count + 1) * 3 > slots.count * 2 { grow() }
    slots[slot(of: entry.key, hash)] = Slot(hash: hash, entry: entry)
    count += 1
    bytes += entry.size
    entry.hash = hash
    entry.older = newest
    newest?.newer = entry
    newest = entry
    oldest = oldest ?? entry
  }

  /// Examines the next slot, and evicts its entry if that is stale.
  ///
  /// The slot may then hold a moved entry.
  private mutating func evictStaleEntry(_ isValid: (ResponseValidity) -> Bool) {
    if let entry = slots[hand].entry, !isValid(entry.validity) {
      remove(at: hand)
    } else {
      hand = (hand + 1) & (slots.count - 1)
    }
  }

  private mutating func remove(at index: Int) {
    guard let entry = slots[index].entry else { return }
    let (older, newer) = (entry.older, entry.newer)
    if let older { older.newer = newer } else { oldest = newer }
    if let newer { newer.older = older } else { newest = older }
    bytes -= entry.size
    count -= 1
    entry.release()
    close(index)
  }

  /// Empties a slot, and moves entries that were displaced by it.
  private mutating func close(_ index: Int) {
    let mask = slots.count - 1
    var (hole, next) = (index, (index + 1) & mask)
    while slots[next].entry != nil {
      let home = Int(truncatingIfNeeded: slots[next].hash) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole].entry = nil
  }

  private mutating func grow() {
    let old = slots
    slots = ResponseTable.emptySlots(old.count * 2)
    for slot in old {
      guard let entry = slot.entry else { continue }
      slots[self.slot(of: entry.key, slot.hash)] = slot
    }
    old.deallocate()
  }

  /// Returns the slot that holds a key, or the free slot for it.
  @inline(__always)
  private func slot(of key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while let entry = slots[index].entry {
      if slots[index].hash == hash, entry.hasKey(key) { break }
      index = (index + 1) & mask
    }
    return index
  }

  private static func emptySlots(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot(hash: 0, entry: nil))
    return slots
  }

  /// Returns the hash of a key.
  ///
  /// A collision only costs a comparison.
  static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 { WordHash.of(key) }
}

/// An entry of the response cache in one allocation: the header, the key, and the serialized response.
struct CachedResponse {
  private struct Head {
    var validity: ResponseValidity
    /// The hash of the key.
    var hash: UInt64 = 0
    /// The neighbors in the order of insertion.
    var older: UnsafeMutableRawPointer?
    var newer: UnsafeMutableRawPointer?
    /// The response as a retained object; `nil` for a serialized response.
    let object: Unmanaged<AnyObject>?
    /// The approximate size of the object, in bytes.
    let objectSize: Int
    let keyCount: Int
    let responseCount: Int
  }

  private let memory: UnsafeMutableRawPointer

  private init(_ memory: UnsafeMutableRawPointer) {
    self.memory = memory
  }

  /// Creates an entry with a serialized response.
  ///
  /// Returns `nil` if memory ran out.
  init?(
    _ validity: ResponseValidity, for key: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    self.init(validity, key, bytes, nil, 0)
  }

  /// Creates an entry with an object.
  ///
  /// Returns `nil` if memory ran out.
  init?(
    _ validity: ResponseValidity, for key: UnsafeRawBufferPointer, object: AnyObject, size: Int
  ) {
    self.init(validity, key, UnsafeRawBufferPointer(start: nil, count: 0), object, size)
  }

  private init?(
    _ validity: ResponseValidity, _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
    _ object: AnyObject?, _ objectSize: Int
  ) {
    guard let memory = malloc(MemoryLayout<Head>.stride + key.count + bytes.count) else {
      return nil
    }
    self.memory = memory
    let head = Head(
      validity: validity, object: object.map(Unmanaged.passRetained), objectSize: objectSize,
      keyCount: key.count, responseCount: bytes.count)
    memory.storeBytes(of: head, as: Head.self)
    let body = memory + MemoryLayout<Head>.stride
    if let start = key.baseAddress { body.copyMemory(from: start, byteCount: key.count) }
    if let start = bytes.baseAddress {
      (body + key.count).copyMemory(from: start, byteCount: bytes.count)
    }
  }

  /// Overwrites the memory, which contains tokens, and frees it.
  func release() {
    head.pointee.object?.release()
    let size = MemoryLayout<Head>.stride + head.pointee.keyCount + head.pointee.responseCount
    KeyMaterial.overwrite(UnsafeMutableRawBufferPointer(start: memory, count: size))
    free(memory)
  }

  private var head: UnsafeMutablePointer<Head> {
    @inline(__always) get { memory.assumingMemoryBound(to: Head.self) }
  }

  /// The validity of the response.
  var validity: ResponseValidity {
    get { head.pointee.validity }
    nonmutating set { head.pointee.validity = newValue }
  }

  /// The hash of the key, set by the table.
  var hash: UInt64 {
    get { head.pointee.hash }
    nonmutating set { head.pointee.hash = newValue }
  }

  /// The entry that was inserted before this one.
  var older: CachedResponse? {
    get { head.pointee.older.map { CachedResponse($0) } }
    nonmutating set { head.pointee.older = newValue?.memory }
  }

  /// The entry that was inserted after this one.
  var newer: CachedResponse? {
    get { head.pointee.newer.map { CachedResponse($0) } }
    nonmutating set { head.pointee.newer = newValue?.memory }
  }

  /// The approximate size of the entry including the object, in bytes.
  var size: Int {
    MemoryLayout<Head>.stride + head.pointee.keyCount + head.pointee.responseCount
      + head.pointee.objectSize
  }

  /// Whether the entry has a key.
  @inline(__always)
  func hasKey(_ key: UnsafeRawBufferPointer) -> Bool {
    let own = self.key
    guard own.count == key.count, let one = own.baseAddress, let other = key.baseAddress
    else { return own.count == key.count }
    return memcmp(one, other, own.count) == 0
  }

  /// The bytes of the key.
  var key: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride, count: head.pointee.keyCount)
  }

  /// The bytes of the serialized response.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: memory + MemoryLayout<Head>.stride + head.pointee.keyCount,
      count: head.pointee.responseCount)
  }

  /// Whether the response is serialized, not an object.
  var isSerialized: Bool { head.pointee.object == nil }

  /// The object of the response, retained for the caller; `nil` for a serialized response.
  var object: AnyObject? { head.pointee.object?.takeUnretainedValue() }
}

/// The kind of a read of the response cache, each with its own counter.
package enum ReadKind: Int, CaseIterable {
  /// A response to a silent request.
  case token
  /// A response to a request for a token of the application.
  case clientToken
  /// A list of accounts, or the validity of an entry.
  case other
}

/// A reader–writer lock that never blocks.
///
/// Any number of readers, or one writer, hold the lock at a time. An attempt that cannot succeed returns at once. Readers
/// are counted in one of several stripes, selected by thread, so they rarely share a cache line.
///
/// The counter of a stripe also has the number of reads with a result, in its upper bits. The addition that ends a read
/// counts it, so that the number costs nothing.
///
/// A child forked during a read inherits a reader count that never returns to zero. Writers in that child give up after a
/// bounded number of retries. Readers are not affected.
///
/// The caller owns the memory and must call ``free()`` after the last use.
struct TryReadWriteLock: @unchecked Sendable {
  /// The number of reader counts.
  ///
  /// Each occupies its own cache lines, to avoid false sharing.
  private static let stripes = 32
  private static let stride = 128
  /// The addend that counts a read with a result.
  ///
  /// The bits below it count the present readers: more than the threads of a process.
  private static let result = 1 << 20

  private let memory: UnsafeMutableRawPointer

  init() {
    let size = TryReadWriteLock.stride * (TryReadWriteLock.stripes + 1)
    memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: TryReadWriteLock.stride)
    for index in 0...TryReadWriteLock.stripes {
      let counters = (memory + index * TryReadWriteLock.stride)
        .bindMemory(to: Atomic<Int>.self, capacity: ReadKind.allCases.count)
      for kind in ReadKind.allCases {
        (counters + kind.rawValue).initialize(to: Atomic(0))
      }
    }
  }

  /// Frees the memory of the lock.
  ///
  /// No thread may use the lock afterwards.
  func free() {
    memory.deallocate()
  }

  /// Runs `body` with a read lock.
  ///
  /// - Parameter kind: The counter that is increased if `body` has a result.
  /// - Returns: The result of `body`, or `nil` without running it if a writer holds the lock.
  @inline(__always)
  func read<Value>(counting kind: ReadKind, _ body: () -> Value?) -> Value? {
    let own = counter(TryReadWriteLock.stripe, kind)
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    let isFree = writing.pointee.load(ordering: .sequentiallyConsistent) == 0
    let value = isFree ? body() : nil
    own.pointee.wrappingAdd(value == nil ? -1 : TryReadWriteLock.result - 1, ordering: .releasing)
    return value
  }

  /// Returns the number of reads with a result.
  func count(of kind: ReadKind) -> Int64 {
    (0..<TryReadWriteLock.stripes).reduce(0) { sum, index in
      let counted = UInt(bitPattern: counter(index, kind).pointee.load(ordering: .relaxed))
      return sum &+ Int64(counted / UInt(TryReadWriteLock.result))
    }
  }

  /// Runs `body` with the write lock.
  ///
  /// Does not run `body` if another writer holds the lock, or if readers still hold it after 1000 retries per stripe.
  func write(_ body: () -> Void) {
    let (isAcquired, _) = writing.pointee.compareExchange(
      expected: 0, desired: 1, ordering: .sequentiallyConsistent)
    guard isAcquired else { return }
    defer { writing.pointee.store(0, ordering: .sequentiallyConsistent) }
    for index in 0..<TryReadWriteLock.stripes {
      var retries = 0
      while hasReaders(index) {
        retries += 1
        guard retries < 1000 else { return }
        sched_yield()
      }
    }
    body()
  }

  private func hasReaders(_ index: Int) -> Bool {
    ReadKind.allCases.contains { kind in
      let count = counter(index, kind).pointee.load(ordering: .sequentiallyConsistent)
      return count & (TryReadWriteLock.result - 1) != 0
    }
  }

  @inline(__always)
  private func counter(_ index: Int, _ kind: ReadKind) -> UnsafeMutablePointer<Atomic<Int>> {
    (memory + index * TryReadWriteLock.stride).assumingMemoryBound(to: Atomic<Int>.self)
      + kind.rawValue
  }

  /// 1 while a writer holds or waits for the lock; stored after the last stripe.
  private var writing: UnsafeMutablePointer<Atomic<Int>> {
    counter(TryReadWriteLock.stripes, .token)
  }

  /// The stripe of the calling thread.
  ///
  /// Thread descriptors are at least a page apart, so the hash uses the upper bits of the address.
  private static var stripe: Int {
    // pthread_t is an integer on Linux and a pointer on Darwin.
    let thread = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    return Int((thread >> 12 ^ thread >> 20) % UInt(stripes))
  }
}

/// A result of the silent flow, with its validity for the cache.
package struct SilentResult: Sendable {
  /// The result.
  package var result: TokenResult
  /// The validity of the result; `nil` if it must not be cached.
  ///
  /// A time before the interval means that the clock was set back.
  package var validity: ResponseValidity?

  /// Creates a result.
  package init(result: TokenResult, validity: ResponseValidity?) {
    self.result = result
    self.validity = validity
  }
}

/// The results of silent calls by request, and the list of accounts, in the response cache of an application.
package final class CachedResults: Sendable {
  /// The approximate size of a result without its token texts, in bytes.
  private static let resultSize = 1024
  /// The approximate size of an account, in bytes.
  ///
  /// The list of accounts is an entry like others.
  private static let accountSize = 512

  /// The response cache, which is freed with this object.
  let responses = ResponseCache()
  /// The list of accounts that was read last, whether or not it is current.
  private let latest = SpinLock<CachedAccountList?>(nil)
  private let cache: CredentialCache
  private let time: any TimeSource

  /// Creates an empty cache of results from a credential cache.
  init(_ cache: CredentialCache, time: any TimeSource) {
    self.cache = cache
    self.time = time
  }

  deinit {
    responses.free()
  }

  /// Returns the cached result of a request with its validity.
  ///
  /// A stale entry is revalidated. Returns `nil` on a cache miss.
  package func result(for request: SilentRequest) -> SilentResult? {
    guard CachedResults.isCacheable(request) else { return nil }
    return request.withCacheKey { result(for: $0, counting: .token) }
  }

  private func result(
    for key: UnsafeRawBufferPointer, counting kind: ReadKind
  ) -> SilentResult? {
    let reading = time.reading
    let found =
      responses.object(for: key, at: reading, counting: kind, isCurrent: isCurrent)
      ?? (responses.revalidate(for: key, at: reading, cache.revalidated)
        ? responses.object(for: key, at: reading, counting: kind) { _ in true } : nil)
    guard let found, let content = found.object as? TokenResult.Content else { return nil }
    return SilentResult(result: TokenResult(content), validity: found.validity)
  }

  /// Caches a result.
  ///
  /// Does nothing if the result or the request must not be cached.
  func store(_ result: SilentResult, for request: SilentRequest) {
    guard CachedResults.isCacheable(request) else { return }
    request.withCacheKey { store(result, for: $0) }
  }

  private func store(_ result: SilentResult, for key: UnsafeRawBufferPointer) {
    guard let validity = result.validity else { return }
    let texts = result.result.accessToken.utf8Count + (result.result.idToken?.utf8Count ?? 0)
    responses.store(
      (result.result.content, size: texts + CachedResults.resultSize), validity,
      for: key, at: time.reading, isRetained: cache.isRetained)
  }

  /// Returns the cached result of a request of a feature; `nil` on a cache miss.
  package func result(for key: FeatureRequestKey) -> SilentResult? {
    key.bytes.withUnsafeBytes { result(for: $0, counting: .clientToken) }
  }

  /// Caches the result of a request of a feature.
  ///
  /// Does nothing if the result must not be cached.
  package func store(_ result: SilentResult, for key: FeatureRequestKey) {
    key.bytes.withUnsafeBytes { store(result, for: $0) }
  }

  /// The cached list of accounts; `nil` if there is none or a commit has changed it.
  var accounts: CachedAccountList? {
    CachedResults.withAccountsKey { key in
      responses.object(for: key, at: .always, counting: .other, isCurrent: isCurrent)
    }?.object as? CachedAccountList
  }

  /// The list of accounts that was read last, as the base of an incremental update; `nil` for none.
  var previousAccountList: CachedAccountList? { latest.withLock { $0 } }

  /// Caches the list of accounts.
  ///
  /// Does nothing if the list has no version.
  func store(_ list: CachedAccountList) {
    guard let version = list.version else { return }
    latest.withLock { $0 = list }
    CachedResults.withAccountsKey { key in
      responses.store(
        (list, size: list.count * CachedResults.accountSize), ResponseValidity(version),
        for: key, at: time.reading, isRetained: cache.isRetained)
    }
  }

  /// Whether the result of a request may be cached.
  package static func isCacheable(_ request: SilentRequest) -> Bool {
    !request.forcesRefresh && request.claims == nil && !request.isForApplication
  }

  private func isCurrent(_ version: StoreVersion) -> Bool { cache.isCurrent(version) }

  /// The key of the list of accounts.
  ///
  /// It differs from the key of every request, which has at most one authority.
  private static func withAccountsKey<Value>(
    _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    withUnsafeBytes(
      of: (KeySeparator.authority.rawValue, KeySeparator.authority.rawValue), body)
  }
}

/// The separators between the parts of a key.
///
/// These bytes do not occur in UTF-8.
private enum KeySeparator: UInt8 {
  case account = 0xFC
  case scope = 0xFE
  case authority = 0xFF
  case environment = 0xFD
  case feature = 0xFB
}

/// The key of a request of a feature in the response cache.
package struct FeatureRequestKey: Sendable {
  fileprivate let bytes: [UInt8]

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - kind: The kind of the request, which no other one has.
  ///   - parts: The texts that identify the request. No text may be a list: pass its elements after their number.
  package init(_ kind: String, _ parts: [String]) {
    bytes = ([kind] + parts).reduce(into: []) { bytes, part in
      bytes.append(KeySeparator.feature.rawValue)
      bytes += part.utf8
    }
  }
}

extension SilentRequest {
  /// Calls `body` with the cache key of the request, which is valid only during the call.
  fileprivate func withCacheKey<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    var size = 1 + homeAccountID.utf8.count + 1 + (authority?.utf8.count ?? 0)
    for scope in scopes { size += scope.utf8.count + 1 }
    if let environment { size += environment.utf8.count + 1 }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { memory in
      memory[0] = KeySeparator.account.rawValue
      var end = SilentRequest.append(homeAccountID, to: memory, at: 1)
      for scope in scopes {
        memory[end] = KeySeparator.scope.rawValue
        end = SilentRequest.append(scope, to: memory, at: end + 1)
      }
      if let authority {
        memory[end] = KeySeparator.authority.rawValue
        end = SilentRequest.append(authority, to: memory, at: end + 1)
      }
      if let environment {
        memory[end] = KeySeparator.environment.rawValue
        end = SilentRequest.append(environment, to: memory, at: end + 1)
      }
      return body(UnsafeRawBufferPointer(rebasing: memory[..<end]))
    }
  }

  @inline(__always)
  private static func append(
    _ text: String, to memory: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let target = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + bytes.count])
      target.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return start + bytes.count
    }
  }
}

extension ClockReading {
  /// A time at which entries without time limits are valid.
  static let always = ClockReading(now: .distantPast, monotonicNanoseconds: 0)
}

/// The validity of a cached response: a store version and a time interval.
package struct ResponseValidity: Sendable {
  package let version: StoreVersion
  package let usableFrom: Instant
  package let usableUntil: Instant
  /// The end on the monotonic clock, so that setting back the wall clock does not revive an expired token.
  package let monotonicUntil: UInt64

  /// Creates the validity for a store version and a time interval.
  package init(
    _ version: StoreVersion, from usableFrom: Instant = .distantPast,
    until usableUntil: Instant = .distantFuture, monotonicUntil: UInt64 = .max
  ) {
    self.version = version
    self.usableFrom = usableFrom
    self.usableUntil = usableUntil
    self.monotonicUntil = monotonicUntil
  }

  /// Returns the validity for another store version, in which the records of the response are unchanged.
  func revalidated(_ version: StoreVersion) -> ResponseValidity {
    ResponseValidity(
      version, from: usableFrom, until: usableUntil, monotonicUntil: monotonicUntil)
  }

  /// Whether a time is within the interval.
  @inline(__always)
  func lasts(at time: ClockReading) -> Bool {
    usableFrom <= time.now && time.now < usableUntil && time.monotonicNanoseconds < monotonicUntil
  }

  /// Whether the interval has ended.
  func isOver(at time: ClockReading) -> Bool {
    time.now >= usableUntil || time.monotonicNanoseconds >= monotonicUntil
  }
}

/// Updates a sorted list of accounts page by page.
struct AccountMerge {
  /// A change at an index of the old list.
  private struct Edit {
    let index: Int
    /// The inserted account and its range; `nil` to remove the account at the index.
    let inserted: (account: Account, range: UInt16)?
  }

  /// The updated list and its differences from the old one.
  struct Result {
    /// The range of each account.
    let ranges: [UInt16]
    fileprivate(set) var pages: [AccountPage] = []
    /// The replaced index ranges of the old list in ascending order, each with its new pages.
    private(set) var replaced: [(indices: Range<Int>, pages: [AccountPage])] = []

    fileprivate init(ranges: [UInt16]) { self.ranges = ranges }

    fileprivate mutating func replace(_ indices: Range<Int>, _ new: [AccountPage]) {
      pages += new
      replaced.append((indices, new))
    }
  }

  private let pages: [AccountPage]
  private let ranges: [UInt16]
  /// The index of the first account of each page.
  private let starts: [Int]
  private var edits: [Edit] = []
  /// The indices to remove that are not in `edits` yet, in descending order.
  private var removed: [Int] = []
  /// The index up to which all changes are in `edits`.
  private var done = 0

  /// Creates an update that removes the accounts of some ranges.
  init(_ pages: [AccountPage], _ ranges: [UInt16], without changed: [Int]) {
    self.pages = pages
    self.ranges = ranges
    var starts: [Int] = []
    var count = 0
    for page in pages {
      starts.append(count)
      count += page.entries.count
    }
    self.starts = starts
    var isRemoved = [Bool](repeating: false, count: AccountListVersion.rangeCount)
    for range in changed where isRemoved.indices.contains(range) { isRemoved[range] = true }
    for index in ranges.indices.reversed() where isRemoved[Int(ranges[index])] {
      removed.append(index)
    }
  }

  /// Inserts an account at its sorted position.
  ///
  /// Accounts must be inserted in sorted order.
  mutating func insert(_ account: Account, _ range: UInt16) {
    let index = index(of: account)
    remove(before: index)
    edits.append(Edit(index: index, inserted: (account, range)))
  }

  /// The updated list.
  var result: Result {
    var merge = self
    merge.remove(before: ranges.count)
    return merge.merged
  }

  private mutating func remove(before index: Int) {
    while let last = removed.last, last < index {
      edits.append(Edit(index: last, inserted: nil))
      removed.removeLast()
    }
    done = index
  }

  /// Returns the index of the first old account that does not precede an account.
  private func index(of account: Account) -> Int {
    var (low, high) = (done, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if AccountList.precedes(old(middle), account) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func old(_ index: Int) -> Account {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return Account(pages[low], index - starts[low])
  }

  private var mergedRanges: [UInt16] {
    var merged: [UInt16] = []
    merged.reserveCapacity(ranges.count + edits.count)
    var next = 0
    for edit in edits {
      merged += ranges[next..<edit.index]
      next = edit.index + (edit.inserted == nil ? 1 : 0)
      if let inserted = edit.inserted { merged.append(inserted.range) }
    }
    return merged + ranges[next...]
  }

  private var merged: Result {
    var result = Result(ranges: mergedRanges)
    var rest = edits[...]
    for (number, page) in pages.enumerated() {
      let start = starts[number]
      let end = number + 1 < starts.count ? starts[number + 1] : Int.max
      let own = rest.prefix { $0.index < end }
      rest = rest.dropFirst(own.count)
      if own.isEmpty {
        result.pages.append(page)
      } else {
        let new = AccountPage.pages(of: slices(of: page, from: start, own))
        result.replace(start..<start + page.entries.count, new)
      }
    }
    // Accounts remain here only if the old list was empty.
    let first = AccountPage.pages(of: rest.compactMap(\.inserted?.account))
    if !first.isEmpty { result.replace(0..<0, first) }
    return result
  }

  private func slices(
    of page: AccountPage, from start: Int, _ edits: ArraySlice<Edit>
  ) -> [AccountPage.PageSlice] {
    var slices: [AccountPage.PageSlice] = []
    var next = 0
    for edit in edits {
      let index = edit.index - start
      slices.append(AccountPage.PageSlice(page: page, range: next..<index))
      next = index + (edit.inserted == nil ? 1 : 0)
      if let account = edit.inserted?.account {
        let range = account.index..<account.index + 1
        slices.append(AccountPage.PageSlice(page: account.page, range: range))
      }
    }
    return slices + [AccountPage.PageSlice(page: page, range: next..<page.entries.count)]
  }
}

/// The accounts that an application can use, with the version of the store from which they were read.
///
/// Unchanged pages of accounts are shared with the next list.
package final class CachedAccountList: Sendable {
  /// The accounts, in the order of ``AccountList``.
  let pages: [AccountPage]
  /// The version of the store; `nil` for a list that must not be cached.
  package let version: StoreVersion?
  /// The state of the list by range; `nil` for a list that cannot be updated incrementally.
  package let list: AccountListVersion?
  /// The range of each account.
  private let ranges: [UInt16]
  /// The number of accounts.
  let count: Int
  /// The accounts as one array, created at the first access.
  private let array = SpinLock<[Account]?>(nil)

  /// Creates the list from a snapshot.
  ///
  /// If the snapshot contains only changed ranges, it is merged with the previous list.
  package init(_ found: [Account], _ snapshot: CacheSnapshot, after known: CachedAccountList?) {
    version = snapshot.version
    list = snapshot.list
    let foundRanges =
      list == nil
      ? []
      : found.map { UInt16(truncatingIfNeeded: AccountListVersion.range(of: $0.homeAccountID)) }
    guard let changed = snapshot.ranges, let known, known.ranges.count == known.count else {
      (pages, ranges, count) = (AccountPage.pages(of: found), foundRanges, found.count)
      array.withLock { $0 = found }
      return
    }
    var merge = AccountMerge(known.pages, known.ranges, without: changed)
    for (account, range) in zip(found, foundRanges) { merge.insert(account, range) }
    let result = merge.result
    (pages, ranges, count) = (result.pages, result.ranges, result.ranges.count)
    guard var accounts = known.takeAccounts() else { return }
    for (indices, pages) in result.replaced.reversed() {
      accounts.replaceSubrange(indices, with: pages.flatMap(\.accounts))
    }
    array.withLock { $0 = accounts }
  }

  /// The accounts, in the order of ``AccountList``.
  package var accounts: [Account] {
    array.withLock { array in
      if let array { return array }
      let all = pages.flatMap(\.accounts)
      array = all
      return all
    }
  }

  /// Moves the array to the next list, which updates it in place unless the application also holds it.
  private func takeAccounts() -> [Account]? {
    array.withLock { array in
      defer { array = nil }
      return array
    }
  }
}
