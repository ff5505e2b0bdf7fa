// SPDX-License-Identifier: MIT
// The hash table of the response cache, in plain memory without reference counting.

import TesseraCache
import TesseraWire

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
