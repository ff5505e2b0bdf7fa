// SPDX-License-Identifier: MIT
// A host application's store in memory, with configurable failures.

import Foundation
import TesseraEngine

/// A store in memory, like a host application's table, which several handles share.
final class TestHostStore: HostStore, HostLocks {
  /// The failures of the store.
  struct Faults: Sendable {
    /// The number of following calls that fail.
    var failures = 0
    /// The number of following writes before which another process changes the partition.
    var supersessions = 0
    /// The time that each call takes, in microseconds.
    var delay: UInt32 = 0
    /// The change of the partition by another process.
    var competitor: (@Sendable () -> Void)?
  }

  struct Broken: Error {}

  private struct State {
    var partitions: [String: HostPartition] = [:]
    var lastVersion: UInt64 = 0
    var locked: Set<String> = []
    var faults = Faults()
    var reads = 0
    var writes = 0
  }

  private let state = SpinLock(State())
  private let reportsVersions: Bool
  private let hasLocks: Bool

  init(reportsVersions: Bool = true, hasLocks: Bool = true) {
    self.reportsVersions = reportsVersions
    self.hasLocks = hasLocks
  }

  var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  var reads: Int { state.withLock { $0.reads } }
  var writes: Int { state.withLock { $0.writes } }

  /// The bytes of a partition; nil if it does not exist.
  subscript(_ partition: String) -> [UInt8]? {
    get { state.withLock { $0.partitions[partition]?.bytes } }
    set {
      state.withLock { state in
        state.lastVersion += 1
        state.partitions[partition] = newValue.map { HostPartition($0, version: state.lastVersion) }
      }
    }
  }

  private func begin() throws {
    let (delay, fails) = state.withLock { state in
      defer { state.faults.failures = max(state.faults.failures - 1, 0) }
      return (state.faults.delay, state.faults.failures > 0)
    }
    usleep(delay)
    if fails { throw Broken() }
  }

  func read(_ partition: String, timeout: Duration) throws -> HostPartition? {
    try begin()
    return state.withLock { state in
      state.reads += 1
      return state.partitions[partition]
    }
  }

  func write(
    _ bytes: [UInt8], to partition: String, expecting expectedVersion: UInt64, timeout: Duration
  ) throws -> HostWriteResult {
    try begin()
    let competitor = state.withLock { state in
      guard state.faults.supersessions > 0 else { return nil as (@Sendable () -> Void)? }
      state.faults.supersessions -= 1
      return state.faults.competitor
    }
    competitor?()
    return state.withLock { state in
      guard state.partitions[partition]?.version ?? 0 == expectedVersion else {
        return .conflict
      }
      state.lastVersion += 1
      state.writes += 1
      state.partitions[partition] = HostPartition(bytes, version: state.lastVersion)
      return .committed
    }
  }

  func version(of partition: String) -> UInt64? {
    guard reportsVersions else { return nil }
    return state.withLock { $0.partitions[partition]?.version ?? 0 }
  }

  var locks: (any HostLocks)? { hasLocks ? self : nil }

  func lock(_ credential: String, timeout: Duration) throws -> Bool {
    try begin()
    return state.withLock { $0.locked.insert(credential).inserted }
  }

  func unlock(_ credential: String) {
    state.withLock { _ = $0.locked.remove(credential) }
  }

  /// The names of the locks that are held.
  var heldLocks: Set<String> { state.withLock { $0.locked } }
}
