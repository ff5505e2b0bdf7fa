// SPDX-License-Identifier: MIT
// Quarantine of a damaged database, and the recovery of its records into a new one.

import CSQLite
import TesseraCache
package import TesseraEngine

extension SQLiteStore {
  /// Commits a change to a damaged store.
  ///
  /// Runs under the store lock, in one process at a time. It first retries with reopened files, because another process
  /// may have quarantined the database in the meantime. If the retry fails as well, the database is quarantined.
  func commitToDamagedStore(
    _ change: CacheChange, _ location: StoreLocation, _ limits: CallLimits
  ) throws(TesseraError) -> CommitOutcome {
    try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
      () throws(TesseraError) in
      try completeReplacement(location)
      _ = try openState(location).use(.writing, time, within: limits) {
        slot throws(TesseraError) in slot = nil
      }
      do throws(TesseraError) {
        return try commitOnce(change, location, limits, holdsStoreLock: true)
      } catch {
        guard error.code == .cacheDamaged else { throw error }
      }
      try quarantine(location, limits)
      return try commitOnce(change, location, limits, holdsStoreLock: true)
    }
  }

  /// Completes the replacement of a database, for a call that does not write.
  func completeReplacementLocked(_ location: StoreLocation, _ limits: CallLimits)
    throws(TesseraError)
  {
    try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
      () throws(TesseraError) in try completeReplacement(location)
    }
  }

  package var otherGroupDatabases: [String] {
    guard let location = try? StoreLocation(group: group, directory: directory) else { return [] }
    let own = QuarantinedFiles(location).names + ["\(group).db"]
    return location.databases.filter { !own.contains($0) }.sorted()
      .map { "\(location.directory)/\($0)" }
  }

  package func deleteQuarantined(within limits: CallLimits) throws(TesseraError) -> Bool {
    let location = try StoreLocation(group: group, directory: directory)
    let files = QuarantinedFiles(location)
    guard !files.names.isEmpty else { return true }
    let limits = limits.bounded(milliseconds: SQLiteStore.defaultTimeoutMilliseconds, time)
    try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
      files.removeAll()
    }
    return files.names.isEmpty
  }

  /// Moves the new database to its path if the replacing process died between the two renames.
  private func completeReplacement(_ location: StoreLocation) throws(TesseraError) {
    guard location.isReplacing else { return }
    let files = QuarantinedFiles(location)
    try files.finish(files.names.last ?? files.newName(at: time.now))
  }

  private func quarantine(_ location: StoreLocation, _ limits: CallLimits) throws(TesseraError) {
    let files = QuarantinedFiles(location)
    let name = files.newName(at: time.now)
    let saved = try SQLiteForkGuard.with { () throws(TesseraError) in
      do throws(SQLiteFailure) {
        return try replace(location, name, files, limits)
      } catch {
        // Once the old database has been moved, the new one must be kept.
        if !location.isReplacing { files.deleteUnfinished() }
        throw TesseraError(error, location.database)
      }
    }
    log.write(
      .warning,
      "The token store was damaged and moved to \(log.text(ofPath: "\(location.directory)/\(name)")). Recovered records: \(saved)."
    )
  }

  /// Creates a new database from all readable records, and replaces the damaged one with it.
  ///
  /// If possible, writers of the old database are blocked until it is replaced.
  private func replace(
    _ location: StoreLocation, _ name: String, _ files: QuarantinedFiles, _ limits: CallLimits
  ) throws(SQLiteFailure) -> Int {
    files.deleteUnfinished()
    let old = try damagedConnection(location, limits)
    defer { try? old?.execute("ROLLBACK") }
    let saved = try createReplacement(location, name, from: old, limits)
    try SQLiteFailure.wrapping { () throws(TesseraError) in try files.exchange(name) }
    return saved
  }

  /// Opens the damaged database in a transaction; nil if the damage prevents this.
  private func damagedConnection(
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) -> SQLiteConnection? {
    // SQLite removes the log of an empty database.
    guard let identity = FileIdentity(at: location.database), identity.size > 0 else { return nil }
    let old = try SQLiteConnection(path: location.resolved().database, modeFrom: nil)
    // Keep the evidence unchanged. The new database has a log of the same name.
    try? old.keepLogFiles()
    try? old.setCheckpointsOnClose(false)
    var pause = Backoff()
    while true {
      do throws(SQLiteFailure) {
        try old.execute("BEGIN IMMEDIATE")
        return old
      } catch {
        guard error.code == SQLITE_BUSY else {
          // Other failures do not mean damage. Do not discard the contents because of them.
          guard error.isDamage else { throw error }
          break
        }
      }
      try SQLiteFailure.wrapping { () throws(TesseraError) in try pause.wait(time, within: limits) }
    }
    return (try? old.execute("BEGIN")) == nil ? nil : old
  }

  /// Copies all readable records, even if the first page is damaged, and returns their number.
  private func recover(
    _ location: StoreLocation, from old: SQLiteConnection?, to next: SQLiteConnection,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> Int {
    let checkLimits = { [time] () throws(TesseraError) in try limits.check(time) }
    guard let old else { return 0 }
    let hasTables = try? old.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0
    guard hasTables != true else {
      return try Recovery(from: old, to: next, checkLimits: checkLimits).run()
    }
    return try RepairedCopy(of: location, checkLimits: checkLimits).recover(to: next)
  }

  /// Creates the new database next to the damaged one, complete, durable and without a log.
  private func createReplacement(
    _ location: StoreLocation, _ name: String, from old: SQLiteConnection?, _ limits: CallLimits
  ) throws(SQLiteFailure) -> Int {
    let mode = try SQLiteFailure.wrapping { () throws(TesseraError) in
      try location.createModeFile()
    }
    let next = try SQLiteConnection(path: location.resolved().unfinished, modeFrom: mode)
    try next.execute(SQLiteSchema.settings)
    try SQLiteSchema.begin(next, isRemote: location.isRemote)
    let saved = try next.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.upgrade(next, within: limits, time)
      let saved = try recover(location, from: old, to: next, limits)
      try next.note("damaged", name)
      return saved
    }
    guard try next.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
      throw SQLiteFailure(code: SQLITE_BUSY, message: "the new database is in use")
    }
    return saved
  }
}

extension CacheChange {
  /// Whether the change justifies a new database.
  ///
  /// Provider metadata alone does not, because it can be requested again.
  package var justifiesReplacement: Bool {
    steps.contains { if case .put(.discovery) = $0 { false } else { true } }
  }
}
