// SPDX-License-Identifier: MIT
// A store that counts how often somebody looks at it, and writes to it.

import Synchronization
import TesseraCache
import TesseraEngine

/// Another store, with the number of looks and of commits.
final class CountingStore: WrappingStore {
  let store: any CredentialStore
  private let numbers = Mutex((looks: 0, commits: 0))

  init(_ store: any CredentialStore) { self.store = store }

  var looks: Int { numbers.withLock { $0.looks } }
  var commits: Int { numbers.withLock { $0.commits } }

  func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    numbers.withLock { $0.looks += 1 }
    return try store.snapshot(selection, within: limits)
  }

  func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
    numbers.withLock { $0.commits += 1 }
    try store.commit(change, within: limits)
  }
}
