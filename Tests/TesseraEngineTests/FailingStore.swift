// SPDX-License-Identifier: MIT
// A store double with configurable failures.

import TesseraCache
import TesseraEngine
import TestSupport

/// A store wrapper in which selected calls fail.
struct FailingStore: WrappingStore {
  /// The calls of a store that can fail.
  enum Call {
    case snapshot, checkWritable, commit, deleteQuarantined
  }

  let store: any CredentialStore
  private let fail: @Sendable (Call) throws(TesseraError) -> Void

  /// Wraps a store.
  ///
  /// - Parameter fail: Throws the error of a call that should fail.
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

  func checkWritable(within limits: CallLimits) throws(TesseraError) {
    try fail(.checkWritable)
    try store.checkWritable(within: limits)
  }

  func commit(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    try fail(.commit)
    return try store.commit(change, within: limits)
  }

  func deleteQuarantined(within limits: CallLimits) throws(TesseraError) -> Bool {
    try fail(.deleteQuarantined)
    return try store.deleteQuarantined(within: limits)
  }
}
