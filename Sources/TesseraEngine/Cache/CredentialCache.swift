// SPDX-License-Identifier: MIT
// The credential store of an application, with changes that could not be written yet.

import Synchronization
package import TesseraCache
import TesseraWire

/// The credential store, and the changes that it could not commit yet.
///
/// If a commit fails after the server has rotated a refresh token, only the new token is valid. It is kept in memory, used
/// from there, and written again at each later call.
package final class CredentialCache: Sendable {
  /// The result of a commit.
  package enum CommitResult: Sendable {
    case committed(CommitOutcome)
    /// The change is in memory only, for this reason.
    case queued(TesseraError)
  }

  /// A change that has not been committed to the store yet.
  private struct QueuedChange {
    let number: Int
    let change: CacheChange
  }

  private struct State {
    var queued: [QueuedChange] = []
    var nextNumber = 0

    /// Queues a change for later.
    ///
    /// It is merged with the latest queued change that it can absorb.
    mutating func enqueue(_ change: CacheChange) {
      var change = change
      for index in queued.indices.reversed() {
        guard let both = change.mergingPending(queued[index].change) else { continue }
        change = both
        queued.remove(at: index)
        break
      }
      nextNumber &+= 1
      queued.append(QueuedChange(number: nextNumber, change: change))
    }
  }

  /// The time that a call without a deadline waits for another process that refreshes the same credential, in milliseconds.
  private static let lockTimeoutMilliseconds: Int64 = 60_000

  private let store: any CredentialStore
  private let time: any TimeSource
  private let log: TesseraLog
  private let metrics: MetricsRecorder
  private let state = SpinLock(State())
  /// Whether changes are queued.
  ///
  /// It can be read without the lock.
  private let hasQueuedChanges = Atomic(false)
  /// The store version in which no cache of an older library had been imported.
  private let versionWithoutImports = SpinLock(StoreVersion?.none)

  /// Creates the credential cache of an application.
  package init(
    store: any CredentialStore, time: any TimeSource, log: TesseraLog, metrics: MetricsRecorder
  ) {
    self.store = store
    self.time = time
    self.log = log
    self.metrics = metrics
  }

  /// The current time of both clocks, for the validation of cached responses.
  package var clockReading: ClockReading { time.reading }

  /// Whether data of a store version is current.
  package func isCurrent(_ version: StoreVersion) -> Bool {
    !hasQueuedChanges.load(ordering: .acquiring) && store.isCurrent(version)
  }

  /// Whether data of a store version is current, or may be revalidated.
  package func isRetained(_ version: StoreVersion) -> Bool {
    store.mayRevalidate(version) || isCurrent(version)
  }

  /// Returns the present store version if data of an older one is still valid; `nil` otherwise.
  package func revalidated(_ version: StoreVersion) -> StoreVersion? {
    hasQueuedChanges.load(ordering: .acquiring) ? nil : store.revalidated(version)
  }

  /// Returns the selected records, including queued changes.
  ///
  /// Tries to commit the queued changes first.
  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    guard hasQueuedChanges.load(ordering: .acquiring),
      case .queued(let problem) = commit(CacheChange(), within: limits)
    else { return try storeSnapshot(selection, within: limits) }
    var table = MemoryTable()
    var stored: [CacheRecord] = []
    do throws(TesseraError) {
      // A queued change may make a token visible that the selection would exclude.
      var whole = selection
      whole.clientID = nil
      whole.since = nil
      whole.isSufficient = nil
      whole.keys += queued.flatMap(\.change.legacyKeys)
      stored = try storeSnapshot(whole, within: limits).records
      for record in stored { table.put(record) }
    } catch {
      // If the store cannot be opened, the queued tokens are still valid.
      guard [.storeFull, .storeUnavailable].contains(error.code) else { throw error }
    }
    for queued in queued { queued.change.apply(to: &table) }
    var snapshot = CacheSnapshot(records: selection.records(in: table), version: nil)
    snapshot.unstored = (Set(snapshot.records).subtracting(stored), problem.message)
    return snapshot
  }

  private func storeSnapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    try metrics.measureRead { () throws(TesseraError) in
      try store.snapshot(selection, within: limits)
    }
  }

  /// Whether a cache of an older library was imported.
  ///
  /// A negative result is cached until the store changes.
  package func hasImports(within limits: CallLimits) throws(TesseraError) -> Bool {
    if let version = versionWithoutImports.withLock({ $0 }), isCurrent(version) { return false }
    var selection = SnapshotSelection()
    selection.keys = [LegacySourcesRecord.key]
    let snapshot = try snapshot(selection, within: limits)
    guard snapshot.records.isEmpty else { return true }
    versionWithoutImports.withLock { $0 = snapshot.version }
    return false
  }

  /// Commits the queued changes and a new one.
  ///
  /// If that fails, the new one is queued too.
  package func commit(_ change: CacheChange, within limits: CallLimits) -> CommitResult {
    do throws(TesseraError) {
      return .committed(try commitOrThrow(change, within: limits))
    } catch {
      guard !change.steps.isEmpty else { return .queued(error) }
      let later = guarded(change)
      changeState { $0.enqueue(later) }
      metrics.count(.commitsQueued)
      log.write(
        .warning, "Tokens could not be stored and are kept in memory: \(log.text(of: error))")
      return .queued(error)
    }
  }

  /// Commits the queued changes and a new one.
  ///
  /// If that fails, the new one is not queued.
  ///
  /// - Returns: The outcome of the new one.
  @discardableResult
  package func commitOrThrow(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    let queued = queued
    let steps = queued.flatMap(\.change.steps) + change.steps
    let outcome = try metrics.measureWrite { () throws(TesseraError) in
      try store.commit(CacheChange(steps), within: limits)
    }
    if case .superseded = outcome { metrics.count(.commitsSuperseded) }
    if !queued.isEmpty {
      // Compare by number: another thread may have written or added changes in the meantime.
      let written = Set(queued.map(\.number))
      changeState { state in state.queued.removeAll { written.contains($0.number) } }
    }
    // Otherwise it is the outcome of a queued redemption.
    return change.hasOutcome ? outcome : .applied
  }

  /// Checks that the store is not busy, damaged or unsafe.
  ///
  /// A full or read-only store passes the check: the caller then gets a token with a warning.
  private func checkWritable(within limits: CallLimits) throws(TesseraError) {
    do throws(TesseraError) {
      try store.checkWritable(within: limits)
    } catch {
      guard [.storeFull, .storeUnavailable].contains(error.code) else { throw error }
    }
  }

  /// Checks the store before a sign-in.
  ///
  /// A full or read-only store passes the check, as for a refresh. A damaged store passes it too, because storing the
  /// sign-in quarantines it.
  package func checkWritableForSignIn(within limits: CallLimits) throws(TesseraError) {
    do throws(TesseraError) {
      try checkWritable(within: limits)
    } catch {
      guard error.code == .cacheDamaged else { throw error }
    }
  }

  /// Checks the store before a two-step sign-in, whose completion must be recorded.
  ///
  /// A full or read-only store fails the check. A damaged store passes it, because storing the sign-in quarantines it.
  package func checkWritableForTwoStepSignIn(within limits: CallLimits) throws(TesseraError) {
    do throws(TesseraError) {
      try store.checkWritable(within: limits)
    } catch {
      guard error.code == .cacheDamaged else { throw error }
    }
  }

  /// Runs `body` with an exclusive lock on a credential.
  ///
  /// If the store is full or unavailable, `body` runs without the lock, so that the caller still gets a token.
  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    var hasRun = false
    let start = time.monotonicNanoseconds
    do throws(TesseraError) {
      let bounded = limits.bounded(milliseconds: CredentialCache.lockTimeoutMilliseconds, time)
      return try store.withLock(on: credential, within: bounded) { () throws(TesseraError) in
        hasRun = true
        metrics.recordLockWait(within: limits, since: start)
        return try body()
      }
    } catch {
      if !hasRun { metrics.recordLockWait(within: limits, since: start, error) }
      guard !hasRun, [.storeFull, .storeUnavailable].contains(error.code) else { throw error }
      log.write(.warning, "The refresh runs without the credential lock: \(log.text(of: error))")
      return try body()
    }
  }

  /// Runs `body` with the exclusive lock of a refresh token and a reservation for the tokens that replace it.
  ///
  /// - Parameters:
  ///   - lockLimits: The limits of waiting for the lock.
  ///   - limits: The limits of making the reservation.
  ///   - body: Receives the reservation. It fails if the store is busy, damaged or unsafe, and the token must then not be
  ///     redeemed. It succeeds if the store is full or read-only: the caller then gets a token with a warning.
  package func withRefreshLock<Value>(
    on credential: CredentialLock, within lockLimits: CallLimits,
    reservingWithin limits: CallLimits,
    _ body: (Result<Void, TesseraError>) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try withLock(on: credential, within: lockLimits) { () throws(TesseraError) in
      try body(Result { () throws(TesseraError) in try checkWritable(within: limits) })
    }
  }

  /// Returns a change that can be written later without overwriting what other processes store until then.
  ///
  /// Queued changes count as stored: of two queued sign-ins, the later one wins. If the store cannot be read now, the
  /// change is returned as it is and wins over the contents of the store.
  private func guarded(_ change: CacheChange) -> CacheChange {
    var selection = SnapshotSelection()
    selection.keys = change.contestedKeys
    let limits = CallLimits(timeoutMilliseconds: CallLimits.rereadMilliseconds, time: time)
    guard !selection.keys.isEmpty, let snapshot = try? snapshot(selection, within: limits) else {
      return change
    }
    var seen: [RecordKey: Secret] = [:]
    for record in snapshot.credentials { seen[record.key] = record.secret }
    return change.guarded(against: seen)
  }

  private var queued: [QueuedChange] {
    hasQueuedChanges.load(ordering: .acquiring) ? state.withLock { $0.queued } : []
  }

  private func changeState(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      hasQueuedChanges.store(!state.queued.isEmpty, ordering: .releasing)
    }
  }
}
