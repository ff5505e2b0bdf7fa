// SPDX-License-Identifier: MIT
// A store wrapper for tests that override single methods.

package import TesseraCache
package import TesseraEngine

/// A store that forwards all calls to another store by default.
package protocol WrappingStore: CredentialStore {
  var store: any CredentialStore { get }
}

extension WrappingStore {
  package func isCurrent(_ version: StoreVersion) -> Bool { store.isCurrent(version) }

  package func mayRevalidate(_ version: StoreVersion) -> Bool { store.mayRevalidate(version) }

  package func revalidated(_ version: StoreVersion) -> StoreVersion? { store.revalidated(version) }

  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    try store.snapshot(selection, within: limits)
  }

  package func checkWritable(within limits: CallLimits) throws(TesseraError) {
    try store.checkWritable(within: limits)
  }

  package func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    try store.commit(change, within: limits)
  }

  package func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    store.info(policy, within: limits)
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try store.withLock(on: credential, within: limits, body)
  }
}
