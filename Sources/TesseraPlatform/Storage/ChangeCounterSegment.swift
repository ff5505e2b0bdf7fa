// SPDX-License-Identifier: MIT
// The shared memory segment of the change counters. It has no file that could be truncated while in use.

import CTesseraStore
import Synchronization

/// A shared memory segment: a random ID, followed by one counter per shard of the store.
struct ChangeCounterSegment {
  private static let count = 1 + StoreShards.all.count
  private static let size = count * MemoryLayout<UInt64>.stride

  private let memory: UnsafeMutablePointer<Atomic<UInt64>>
  /// The segment ID by which other processes attach.
  let number: Int32

  /// Creates a segment; nil if the system provides no shared memory.
  ///
  /// All counters start at an unused random value, so that no stale cache entry becomes valid again.
  init?(countersID: UInt64) {
    var number: Int32 = -1
    guard let memory = ctessera_shared_memory_create(ChangeCounterSegment.size, &number) else {
      return nil
    }
    self.memory = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    self.number = number
    let start = UInt64.random(in: 0...UInt64.max >> 2) << 1
    for shard in StoreShards.all { counter(shard)?.pointee.store(start, ordering: .relaxed) }
    self.memory.pointee.store(countersID, ordering: .sequentiallyConsistent)
  }

  /// Attaches to a recorded segment; nil if it no longer exists or belongs to another container.
  init?(_ header: ChangeCounterFile.Header) {
    guard header.countersID != 0,
      let memory = ctessera_shared_memory_attach(ChangeCounterSegment.size, header.segment)
    else { return nil }
    self.memory = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
    number = header.segment
    guard self.memory.pointee.load(ordering: .sequentiallyConsistent) == header.countersID else {
      detach()
      return nil
    }
  }

  /// Detaches from the segment, which must not be used afterwards.
  func detach() {
    ctessera_shared_memory_detach(memory)
  }

  /// Returns the counter of a shard; nil for an invalid number.
  @inline(__always)
  func counter(_ shard: Int) -> UnsafeMutablePointer<Atomic<UInt64>>? {
    StoreShards.all.contains(shard) ? memory + (1 + shard) : nil
  }
}
