// SPDX-License-Identifier: MIT
// A credential store in memory, lost when the process exits.

package import TesseraCache
package import TesseraEngine

/// A credential store in memory, for tests and for applications that must not write tokens to disk.
package final class MemoryStore: CredentialStore {
  private struct State {
    var table = MemoryTable()
    var commits: UInt64 = 0
    var locked: Set<CredentialLock> = []
  }

  private let state = SpinLock(State())
  private let time: any TimeSource

  /// Creates an empty store.
  package init(time: any TimeSource) {
    self.time = time
  }

  package func isCurrent(_ version: StoreVersion) -> Bool {
    version == StoreVersion(identity: 0, commits: state.withLock { $0.commits })
  }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    state.withLock { state in
      CacheSnapshot(
        records: selection.records(in: state.table),
        version: StoreVersion(identity: 0, commits: state.commits))
    }
  }

  package func checkWritable(within limits: CallLimits) throws(TesseraError) {}

  @discardableResult
  package func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    state.withLock { state in
      state.commits &+= 1
      return change.apply(to: &state.table)
    }
  }

  package func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    var info = StoreInfo(state: .usable, policy: policy, protection: .memory)
    info.lockScope = .process
    return info
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var pause = Backoff()
    while !state.withLock({ $0.locked.insert(credential).inserted }) {
      try pause.wait(time, within: limits)
    }
    defer { state.withLock { _ = $0.locked.remove(credential) } }
    return try body()
  }
}
