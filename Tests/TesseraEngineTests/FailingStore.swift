// SPDX-License-Identifier: MIT
// A store that fails where a test wants it.

import TesseraCache
import TesseraEngine

/// Another store, in which some calls fail.
struct FailingStore: WrappingStore {
  /// What is asked of a store.
  enum Call {
    case snapshot, prove, commit, removeSetAside
  }

  let store: any CredentialStore
  private let fail: @Sendable (Call) throws(TesseraError) -> Void

  /// A store around another one.
  ///
  /// - Parameter fail: throws what a call is to fail with.
  init(
    _ store: any CredentialStore,
    _ fail: @escaping @Sendable (Call) throws(TesseraError) -> Void
  ) {
    self.store = store
    self.fail = fail
  }

  func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    try fail(.snapshot)
    return try store.snapshot(selection, within: limits)
  }

  func prove(within limits: CallLimits) throws(TesseraError) {
    try fail(.prove)
    try store.prove(within: limits)
  }

  func commit(_ change: CacheChange, within limits: CallLimits) throws(TesseraError) {
    try fail(.commit)
    try store.commit(change, within: limits)
  }

  func removeSetAside(within limits: CallLimits) throws(TesseraError) -> Bool {
    try fail(.removeSetAside)
    return try store.removeSetAside(within: limits)
  }
}
