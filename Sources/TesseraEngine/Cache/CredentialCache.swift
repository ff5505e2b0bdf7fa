// SPDX-License-Identifier: MIT
// The store as an application sees it: with what could not be written yet laid over it.

import Synchronization
package import TesseraCache
import TesseraWire

/// The store, and the changes that it could not take yet.
///
/// A server that rotates refresh tokens has forgotten the old one when a commit fails. The new one stays here, is used, and
/// is written again at each later call.
package final class CredentialCache: Sendable {
  /// A change that is not on disk yet.
  private struct Waiting {
    let number: Int
    let change: CacheChange
  }

  private struct State {
    var waiting: [Waiting] = []
    var nextNumber = 0

    /// Keeps a change for later, together with the last one that it can absorb.
    mutating func keep(_ change: CacheChange) {
      var change = change
      for index in waiting.indices.reversed() {
        guard let both = change.absorbing(waiting[index].change) else { continue }
        change = both
        waiting.remove(at: index)
        break
      }
      nextNumber &+= 1
      waiting.append(Waiting(number: nextNumber, change: change))
    }
  }

  /// How long a call without a deadline waits for another process that refreshes the same credential.
  private static let patience: Int64 = 60_000

  private let store: any CredentialStore
  private let time: any TimeSource
  private let log: Log
  private let state = SpinLock(State())
  /// Whether something is waiting, told without the lock.
  private let isWaiting = Atomic(false)
  /// Where no cache of an older library had been imported yet.
  private let withoutImports = SpinLock(StoreVersion?.none)

  /// The cache of an application.
  package init(store: any CredentialStore, time: any TimeSource, log: Log) {
    self.store = store
    self.time = time
    self.log = log
  }

  /// Whether what was made from a version of the store is still true.
  package func isCurrent(_ version: StoreVersion) -> Bool {
    !isWaiting.load(ordering: .acquiring) && store.isCurrent(version)
  }

  /// Whether what was made from a version of the store is true, or may be again.
  package func isOfUse(_ version: StoreVersion) -> Bool {
    store.isRenewable(version) || isCurrent(version)
  }

  /// The version of what is there now, if what was made from an older one is still true.
  package func renewed(_ version: StoreVersion) -> StoreVersion? {
    isWaiting.load(ordering: .acquiring) ? nil : store.renewed(version)
  }

  /// The records that a call needs.
  package func snapshot(
    _ selection: SnapshotSelection, within limits: CallLimits
  ) throws(TesseraError) -> CacheSnapshot {
    guard isWaiting.load(ordering: .acquiring),
      let problem = commit(CacheChange(), within: limits)
    else { return try store.snapshot(selection, within: limits) }
    var table = MemoryTable()
    var stored: [CacheRecord] = []
    do throws(TesseraError) {
      // What is laid over may undo what left a token out.
      var whole = selection
      whole.clientID = nil
      whole.since = nil
      whole.keys += waiting.flatMap(\.change.legacyKeys)
      stored = try store.snapshot(whole, within: limits).records
      for record in stored { table.put(record) }
    } catch {
      // A store that nobody can open has nothing to lay the tokens over; they are good all the same.
      guard [.storeFull, .storeUnavailable].contains(error.code) else { throw error }
    }
    for waiting in waiting { waiting.change.apply(to: &table) }
    var snapshot = CacheSnapshot(records: table.records(selection), version: nil)
    snapshot.unstored = (Set(snapshot.records).subtracting(stored), problem.message)
    return snapshot
  }

  /// Whether a cache of an older library was imported; mostly none was, and that is remembered until it may have changed.
  package func hasImports(within limits: CallLimits) throws(TesseraError) -> Bool {
    if let version = withoutImports.withLock({ $0 }), isCurrent(version) { return false }
    var selection = SnapshotSelection()
    selection.keys = [LegacySourcesRecord.key]
    let snapshot = try snapshot(selection, within: limits)
    guard snapshot.records.isEmpty else { return true }
    withoutImports.withLock { $0 = snapshot.version }
    return false
  }

  /// Commits a change, with what is still waiting.
  ///
  /// - Returns: nil, or why it is not on disk.
  package func commit(_ change: CacheChange, within limits: CallLimits) -> TesseraError? {
    do throws(TesseraError) {
      try commitOrThrow(change, within: limits)
      return nil
    } catch {
      guard !change.steps.isEmpty else { return error }
      let later = guarded(change)
      changeState { $0.keep(later) }
      log.write(.warning, "Tokens could not be stored, they are kept in memory: \(error)")
      return error
    }
  }

  /// Commits a change that is of no use in memory, after what is still waiting.
  package func commitOrThrow(
    _ change: CacheChange, within limits: CallLimits
  ) throws(TesseraError) {
    let waiting = waiting
    let steps = waiting.flatMap(\.change.steps) + change.steps
    try store.commit(CacheChange(steps), within: limits)
    guard !waiting.isEmpty else { return }
    // By number: another thread may have written some of them, or added one, meanwhile.
    let written = Set(waiting.map(\.number))
    changeState { state in state.waiting.removeAll { written.contains($0.number) } }
  }

  /// Throws when the store is busy, damaged or not safe, before a refresh token is spent for it.
  ///
  /// One that is full or can't be written is no reason: the caller gets a token all the same, and a warning.
  package func prove(within limits: CallLimits) throws(TesseraError) {
    do throws(TesseraError) {
      try store.prove(within: limits)
    } catch {
      guard [.storeFull, .storeUnavailable].contains(error.code) else { throw error }
    }
  }

  /// Throws when somebody would sign in in vain: as ``prove(within:)``, but for a damaged store, which is set aside when
  /// the sign-in is stored.
  package func proveForSignIn(within limits: CallLimits) throws(TesseraError) {
    do throws(TesseraError) {
      try prove(within: limits)
    } catch {
      guard error.code == .cacheDamaged else { throw error }
    }
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

  /// A change that is written later, without overwriting what somebody else stores until then.
  ///
  /// What waits already counts as stored: of two sign-ins that wait, the later one wins. A store that can't be read now
  /// cannot be compared with: then what waits wins.
  private func guarded(_ change: CacheChange) -> CacheChange {
    var selection = SnapshotSelection()
    selection.keys = change.contestedKeys
    let limits = CallLimits(timeoutMilliseconds: 1000, time: time)
    guard !selection.keys.isEmpty, let snapshot = try? snapshot(selection, within: limits) else {
      return change
    }
    var seen: [RecordKey: Secret] = [:]
    for record in snapshot.credentials { seen[record.key] = record.secret }
    return change.guarded(against: seen)
  }

  private var waiting: [Waiting] {
    isWaiting.load(ordering: .acquiring) ? state.withLock { $0.waiting } : []
  }

  private func changeState(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      isWaiting.store(!state.waiting.isEmpty, ordering: .releasing)
    }
  }
}
