// SPDX-License-Identifier: MIT
// A store that counts its reads and commits.

import Synchronization
package import TesseraCache
package import TesseraEngine

/// A store wrapper that counts the snapshots and commits.
package final class CountingStore: WrappingStore {
  package let store: any CredentialStore
  private let numbers = Mutex((reads: 0, commits: 0))

  package init(_ store: any CredentialStore) { self.store = store }

  package var readCount: Int { numbers.withLock { $0.reads } }
  package var commitCount: Int { numbers.withLock { $0.commits } }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    numbers.withLock { $0.reads += 1 }
    return try store.snapshot(selection, within: limits)
  }

  package func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    numbers.withLock { $0.commits += 1 }
    return try store.commit(change, within: limits)
  }
}
