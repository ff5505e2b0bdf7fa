// SPDX-License-Identifier: MIT
// A hash table of byte strings in plain memory, without any object that readers would have to count.

import TesseraCache
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Answers by the bytes of their questions: open addressing, at most two thirds full.
struct AnswerTable {
  private struct Slot {
    var hash: UInt64
    var answer: StoredAnswer?
  }

  /// Bytes that are remembered at most; then old ones make room, one after the other.
  private let capacity: Int
  private var slots: UnsafeMutableBufferPointer<Slot>
  /// Where room is looked for next.
  private var hand = 0
  private(set) var count = 0
  private(set) var bytes = 0

  init(capacity: Int) {
    self.capacity = capacity
    slots = AnswerTable.emptySlots(64)
  }

  /// Forgets everything and gives back its memory; nothing may follow.
  mutating func free() {
    for slot in slots { slot.answer?.release() }
    slots.deallocate()
  }

  /// The answer to a question.
  @inline(__always)
  func answer(to question: UnsafeRawBufferPointer, _ hash: UInt64) -> StoredAnswer? {
    slots[slot(of: question, hash)].answer
  }

  /// Looks at a few answers, makes room, and puts an answer in place of an older one.
  ///
  /// - Parameter isTrue: whether an answer may still be given; the others are forgotten in time.
  mutating func insert(
    _ answer: StoredAnswer, _ hash: UInt64, unless isTrue: (AnswerTruth) -> Bool
  ) {
    for _ in 0..<8 { look { !isTrue($0) } }
    for _ in 0..<slots.count where bytes + answer.size > capacity { look { _ in true } }
    if (count + 1) * 3 > slots.count * 2 { grow() }
    let index = slot(of: answer.question, hash)
    if slots[index].answer == nil { count += 1 }
    bytes += answer.size - (slots[index].answer?.size ?? 0)
    slots[index].answer?.release()
    slots[index] = Slot(hash: hash, answer: answer)
  }

  /// Looks at one slot, and empties it if the answer there is to be forgotten; then something else may lie there.
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

  /// Empties a slot, and moves what was put behind it only because it was taken.
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

  /// The slot that holds a question, or the free one where it belongs.
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
  /// Where a question is looked for; collisions only cost a comparison.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 { WordHash.of(bytes) }
}
