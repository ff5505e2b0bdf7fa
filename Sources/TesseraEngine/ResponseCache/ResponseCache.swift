// SPDX-License-Identifier: MIT
// The response cache in memory.

import CLibrary
import Synchronization
package import TesseraCache
import TesseraWire

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
  ///   - isCurrent: Returns whether a store version is still the current one.
  /// - Returns: A NUL-terminated copy to be released with `free(3)`, or `nil` on a cache miss.
  package func copy(
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    isCurrent: (StoreVersion) -> Bool
  ) -> UnsafeMutablePointer<CChar>? {
    let hash = ResponseTable.hash(key)
    return gate.read {
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

  /// Returns the cached object.
  ///
  /// - Parameter isCurrent: Returns whether a store version is still the current one.
  /// - Returns: The object, or `nil` on a cache miss.
  func object(
    for key: UnsafeRawBufferPointer, at time: ClockReading,
    isCurrent: (StoreVersion) -> Bool
  ) -> AnyObject? {
    let hash = ResponseTable.hash(key)
    return gate.read {
      guard let entry = table.pointee.entry(for: key, hash), entry.validity.lasts(at: time),
        isCurrent(entry.validity.version)
      else { return nil }
      return entry.object
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
    let old = gate.read { table.pointee.entry(for: key, hash)?.validity }
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

/// A reader–writer lock that never blocks.
///
/// Any number of readers, or one writer, hold the lock at a time. An attempt that cannot succeed returns at once. Readers
/// are counted in one of several stripes, selected by thread, so they rarely share a cache line.
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

  private let memory: UnsafeMutableRawPointer

  init() {
    let size = TryReadWriteLock.stride * (TryReadWriteLock.stripes + 1)
    memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: TryReadWriteLock.stride)
    for index in 0...TryReadWriteLock.stripes {
      (memory + index * TryReadWriteLock.stride).bindMemory(to: Atomic<Int>.self, capacity: 1)
        .initialize(to: Atomic(0))
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
  /// - Returns: The result of `body`, or `nil` without running it if a writer holds the lock.
  @inline(__always)
  func read<Value>(_ body: () -> Value?) -> Value? {
    let own = counter(TryReadWriteLock.stripe)
    own.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { own.pointee.wrappingSubtract(1, ordering: .releasing) }
    guard writing.pointee.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
    return body()
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
      while counter(index).pointee.load(ordering: .sequentiallyConsistent) != 0 {
        retries += 1
        guard retries < 1000 else { return }
        sched_yield()
      }
    }
    body()
  }

  @inline(__always)
  private func counter(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (memory + index * TryReadWriteLock.stride).assumingMemoryBound(to: Atomic<Int>.self)
  }

  /// 1 while a writer holds or waits for the lock; stored after the last stripe.
  private var writing: UnsafeMutablePointer<Atomic<Int>> { counter(TryReadWriteLock.stripes) }

  /// The stripe of the calling thread.
  ///
  /// Thread descriptors are at least a page apart, so the hash uses the upper bits of the address.
  private static var stripe: Int {
    // pthread_t is an integer on Linux and a pointer on Darwin.
    let thread = withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
    return Int((thread >> 12 ^ thread >> 20) % UInt(stripes))
  }
}
