// SPDX-License-Identifier: MIT
// The memory that holds freshness words: shared by number, without a file that could be cut off under a reader.

import CTesseraStore
import Synchronization

/// Memory that processes share: which words these are, and a word for each part of a store.
struct ChangeCounterSegment {
  private static let count = 1 + StoreShards.all.count
  private static let size = count * MemoryLayout<UInt64>.stride

  private let memory: UnsafeMutablePointer<Atomic<UInt64>>
  /// What other processes find it by.
  let number: Int32

  /// New words, which nobody has seen; nil where there is no such memory.
  ///
  /// They begin where no others have been, so that nothing that was remembered becomes current again.
  init?(words: UInt64) {
    var number: Int32 = -1
    guard let memory = ctessera_segment_create(ChangeCounterSegment.size, &number) else {
      return nil
    }
    self.memory = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    self.number = number
    let start = UInt64.random(in: 0...UInt64.max >> 2) << 1
    for part in StoreShards.all { word(part)?.pointee.store(start, ordering: .relaxed) }
    self.memory.pointee.store(words, ordering: .sequentiallyConsistent)
  }

  /// The words that a file leads to; nil if they are gone, or in another container.
  init?(_ head: ChangeCounterFile.Head) {
    guard head.words != 0,
      let memory = ctessera_segment_attach(ChangeCounterSegment.size, head.segment)
    else { return nil }
    self.memory = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    number = head.segment
    guard self.memory.pointee.load(ordering: .sequentiallyConsistent) == head.words else {
      detach()
      return nil
    }
  }

  /// Gives it back; nothing may follow.
  func detach() {
    ctessera_segment_detach(memory)
  }

  /// The word of a part; nil for a part that does not exist.
  @inline(__always)
  func word(_ part: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
    StoreShards.all.contains(part) ? memory + (1 + part) : nil
  }
}
