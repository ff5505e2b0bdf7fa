// SPDX-License-Identifier: MIT
// A store wrapper for tests that override single methods.

import TesseraCache
import TesseraEngine

/// A store that forwards all calls to another store by default.
protocol WrappingStore: CredentialStore {
  var store: any CredentialStore { get }
}

extension WrappingStore {
  func isCurrent(_ version: StoreVersion) -> Bool { store.isCurrent(version) }

  func mayRevalidate(_ version: StoreVersion) -> Bool { store.mayRevalidate(version) }

  func revalidated(_ version: StoreVersion) -> StoreVersion? { store.revalidated(version) }

  func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    try store.snapshot(selection, within: limits)
  }

  func checkWritable(within limits: CallLimits) throws(TesseraError) {
    try store.checkWritable(within: limits)
  }

  func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    try store.commit(change, within: limits)
  }

  func info(_ policy: StoragePolicy, within limits: CallLimits) -> StoreInfo {
    store.info(policy, within: limits)
  }

  func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try store.withLock(on: credential, within: limits, body)
  }
}
