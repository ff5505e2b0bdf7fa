// SPDX-License-Identifier: MIT
// The store as an application sees it: with what could not be written yet laid over it.

internal import Synchronization
package import TesseraCache

/// The store, and the changes that it could not take yet.
///
/// A server that rotates refresh tokens has forgotten the old one when a commit fails. The new one stays here, is used, and
/// is written again at each later call.
package final class CredentialCache: Sendable {
  /// How long a call without a deadline waits for another process that refreshes the same credential.
  private static let patience: Int64 = 60_000

  private let store: any CredentialStore
  private let time: any TimeSource
  private let log: Log
  private let unstored = Mutex<[CacheChange.Step]>([])

  /// The cache of an application.
  package init(store: any CredentialStore, time: any TimeSource, log: Log) {
    self.store = store
    self.time = time
    self.log = log
  }

  /// The current state; nil when answers must not be remembered.
  package var version: StoreVersion? { store.version }

  /// The records that a call needs.
  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    let waiting = unstored.withLock { $0 }
    guard !waiting.isEmpty, commit(CacheChange(), within: limits) != nil else {
      return try store.snapshot(selection, within: limits)
    }
    // A store that cannot even be read has nothing to lay the tokens over; they are good all the same.
    let stored = try? store.snapshot(selection, within: limits)
    var table = MemoryTable()
    for record in stored?.records ?? [] { table.put(record) }
    CacheChange(waiting).apply(to: &table)
    return CacheSnapshot(records: table.records(selection), version: nil)
  }

  /// Commits a change, with what is still waiting.
  ///
  /// - Returns: nil, or why it is not on disk.
  package func commit(_ change: CacheChange, within limits: CallLimits) -> TesseraError? {
    do throws(TesseraError) {
      try commitOrThrow(change, within: limits)
      return nil
    } catch {
      unstored.withLock { $0 += change.steps }
      log.write(.warning, "Tokens could not be stored, they are kept in memory: \(error)")
      return error
    }
  }

  /// Commits a change that is of no use in memory, after what is still waiting.
  package func commitOrThrow(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) {
    let waiting = unstored.withLock { $0 }
    try store.commit(CacheChange(waiting + change.steps), within: limits)
    unstored.withLock { $0.removeFirst(min(waiting.count, $0.count)) }
  }

  /// Does something while nobody else refreshes the same credential.
  ///
  /// A store that has no room even for a lock is no reason to leave the caller without a token.
  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var hasRun = false
    do throws(TesseraError) {
      let limits = limits.bounded(milliseconds: CredentialCache.patience, time)
      return try store.withLock(on: credential, within: limits) { () throws(TesseraError) in
        hasRun = true
        return try body()
      }
    } catch {
      guard !hasRun, [.storeFull, .storeUnavailable].contains(error.code) else { throw error }
      log.write(.warning, "The refresh is not guarded against other processes: \(error)")
      return try body()
    }
  }
}
