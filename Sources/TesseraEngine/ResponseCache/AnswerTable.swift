// SPDX-License-Identifier: MIT
// The hash table of the response cache, in plain memory without reference counting.

import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The entries of the response cache by key: open addressing with linear probing, with a load factor of at most two thirds.
struct AnswerTable {
  private struct Slot {
    var hash: UInt64
    var answer: StoredAnswer?
  }

  /// The maximum total size of all entries, in bytes.
  ///
  /// If it is exceeded, old entries are evicted.
  private let capacity: Int
  private var slots: UnsafeMutableBufferPointer<Slot>
  /// The slot that is examined next for eviction.
  private var hand = 0
  private(set) var count = 0
  private(set) var bytes = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = AnswerTable.emptySlots(64)
  }

  /// Frees all entries and the memory of the table.
  ///
  /// The table must not be used afterwards.
  mutating func free() {
    for slot in slots { slot.answer?.release() }
    slots.deallocate()
  }

  /// Returns the entry for a key, or `nil` on a cache miss.
  @inline(__always)
  func answer(to question: UnsafeRawBufferPointer, _ hash: UInt64) -> StoredAnswer? {
    slots[slot(of: question, hash)].answer
  }

  /// Inserts an entry, or replaces the one with the same key.
  ///
  /// Evicts stale entries and, if necessary, others.
  ///
  /// - Parameter isTrue: Returns whether an entry may still be valid. Each call examines eight slots for stale entries.
  mutating func insert(
    _ answer: StoredAnswer, _ hash: UInt64, unless isTrue: (AnswerTruth) -> Bool
  ) {
    for _ in 0..<8 { look { !isTrue($0) } }
    while count > 0, bytes + answer.size > capacity { look { _ in true } }
    if (count + 1) * 3 > slots.count * 2 { grow() }
    let index = slot(of: answer.question, hash)
    if slots[index].answer == nil { count += 1 }
    bytes += answer.size - (slots[index].answer?.size ?? 0)
    slots[index].answer?.release()
    slots[index] = Slot(hash: hash, answer: answer)
  }

  /// Examines the next slot, and evicts its entry if `isOld` returns `true`.
  ///
  /// The slot may then hold a moved entry.
  private mutating func look(_ isOld: (AnswerTruth) -> Bool) {
    guard let answer = slots[hand].answer, isOld(answer.truth) else {
      hand = (hand + 1) & (slots.count - 1)
      return
    }
    bytes -= answer.size
    count -= 1
    answer.release()
    close(hand)
  }

  /// Empties a slot, and moves entries that were displaced by it.
  private mutating func close(_ index: Int) {
    let mask = slots.count - 1
    var (hole, next) = (index, (index + 1) & mask)
    while slots[next].answer != nil {
      let home = Int(truncatingIfNeeded: slots[next].hash) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole].answer = nil
  }

  private mutating func grow() {
    let old = slots
    slots = AnswerTable.emptySlots(old.count * 2)
    for slot in old {
      guard let answer = slot.answer else { continue }
      slots[self.slot(of: answer.question, slot.hash)] = slot
    }
    old.deallocate()
  }

  /// Returns the slot that holds a key, or the free slot for it.
  @inline(__always)
  private func slot(of question: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while let answer = slots[index].answer {
      if slots[index].hash == hash, answer.answers(question) { break }
      index = (index + 1) & mask
    }
    return index
  }

  private static func emptySlots(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot(hash: 0, answer: nil))
    return slots
  }
}

extension AnswerTable {
  /// Returns the hash of a key.
  ///
  /// A collision only costs a comparison.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 { WordHash.of(bytes) }
}
