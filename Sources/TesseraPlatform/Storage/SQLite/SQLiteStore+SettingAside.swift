// SPDX-License-Identifier: MIT
// How the SQLite store sets a damaged database aside, and begins a new one with what could be saved.

import CSQLite
import TesseraCache
package import TesseraEngine

extension SQLiteStore {
  /// Stores a change although the database is damaged.
  ///
  /// One process at a time, under the lock of the store: it tries again with nothing open from before, since somebody
  /// else may have set the database aside meanwhile. Only what fails again is set aside.
  func commitBesideDamage(
    _ change: CacheChange, _ location: StoreLocation, _ limits: CallLimits
  ) throws(TesseraError) {
    try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
      () throws(TesseraError) in
      try finishSettingAside(location)
      _ = try openState(location).use(.writing, time, within: limits) {
        slot throws(TesseraError) in slot = nil
      }
      do throws(TesseraError) {
        return try commitOnce(change, location, limits, isAlone: true)
      } catch {
        guard error.code == .cacheDamaged else { throw error }
      }
      try setAside(location, limits)
      try commitOnce(change, location, limits, isAlone: true)
    }
  }

  /// Puts the new database into its place, for a call that does not write.
  func finishAlone(_ location: StoreLocation, _ limits: CallLimits) throws(TesseraError) {
    try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
      () throws(TesseraError) in try finishSettingAside(location)
    }
  }

  package var neighbours: [String] {
    guard let location = try? StoreLocation(group: group, directory: directory) else { return [] }
    let own = QuarantinedFiles(location).names + ["\(group).db"]
    return location.databases.filter { !own.contains($0) }.sorted()
      .map { "\(location.directory)/\($0)" }
  }

  package func removeSetAside(within limits: CallLimits) throws(TesseraError) -> Bool {
    let location = try StoreLocation(group: group, directory: directory)
    let files = QuarantinedFiles(location)
    guard !files.names.isEmpty else { return true }
    let limits = limits.bounded(milliseconds: SQLiteStore.patience, time)
    try locks.withLock(on: .store, in: location.lockFiles, time, within: limits) {
      files.removeAll()
    }
    return files.names.isEmpty
  }

  /// Puts the new database into its place if whoever made it has died between the two renames.
  private func finishSettingAside(_ location: StoreLocation) throws(TesseraError) {
    guard location.isBetween else { return }
    let files = QuarantinedFiles(location)
    try files.finish(files.names.last ?? files.newName(at: time.now))
  }

  private func setAside(_ location: StoreLocation, _ limits: CallLimits) throws(TesseraError) {
    let files = QuarantinedFiles(location)
    let name = files.newName(at: time.now)
    let saved = try SQLitePresence.with { () throws(TesseraError) in
      do throws(SQLiteFailure) {
        return try replace(location, name, files, limits)
      } catch {
        // Once the old one is gone, the new one is all there is.
        if !location.isBetween { files.removeNew() }
        throw TesseraError(error, location.database)
      }
    }
    log.write(
      .warning,
      "The token store was damaged. It lies in \(location.directory)/\(name) now; \(saved) records were saved."
    )
  }

  /// Makes a new database of what can be read, and puts it in place of the damaged one.
  ///
  /// Writers are kept out of the old one until it is gone, where it is sound enough for that.
  private func replace(
    _ location: StoreLocation, _ name: String, _ files: QuarantinedFiles, _ limits: CallLimits
  ) throws(SQLiteFailure) -> Int {
    files.removeNew()
    let old = try damagedConnection(location, limits)
    defer { try? old?.execute("ROLLBACK") }
    let saved = try makeNext(location, name, from: old, limits)
    try SQLiteFailure.wrapping { () throws(TesseraError) in try files.exchange(name) }
    return saved
  }

  /// The damaged database, in a transaction; nil when its damage does not let even that happen.
  private func damagedConnection(
    _ location: StoreLocation, _ limits: CallLimits
  ) throws(SQLiteFailure) -> SQLiteConnection? {
    // SQLite removes the log of an empty database.
    guard let identity = FileIdentity(at: location.database), identity.size > 0 else { return nil }
    let old = try SQLiteConnection(path: location.resolved().database, modeFrom: nil)
    // The evidence stays as it is, and the new database has a log of the same name.
    try? old.keepLog()
    try? old.setWritesBack(false)
    var pause = Backoff()
    while true {
      do throws(SQLiteFailure) {
        try old.execute("BEGIN IMMEDIATE")
        return old
      } catch {
        guard error.code == SQLITE_BUSY else {
          // Any other failure says nothing of what is in there: it is not given up for that.
          guard error.isDamage else { throw error }
          break
        }
      }
      try SQLiteFailure.wrapping { () throws(TesseraError) in try pause.wait(time, within: limits) }
    }
    return (try? old.execute("BEGIN")) == nil ? nil : old
  }

  /// Copies what can be read, also where the first page cannot.
  private func save(
    _ location: StoreLocation, from old: SQLiteConnection?, to next: SQLiteConnection,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> Int {
    let checkLimits = { [time] () throws(TesseraError) in try limits.check(time) }
    guard let old else { return 0 }
    let hasTables = try? old.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0
    let source =
      hasTables == true
      ? old : try RepairedCopy(of: location, checkLimits: checkLimits).opened(like: next)
    return try Recovery(from: source, to: next, checkLimits: checkLimits).run()
  }

  /// Makes the new database beside the damaged one, complete and on disk, without a log.
  private func makeNext(
    _ location: StoreLocation, _ name: String, from old: SQLiteConnection?, _ limits: CallLimits
  ) throws(SQLiteFailure) -> Int {
    let mode = try SQLiteFailure.wrapping { () throws(TesseraError) in
      try location.makeModeFile()
    }
    let next = try SQLiteConnection(path: location.resolved().unfinished, modeFrom: mode)
    try next.execute(SQLiteSchema.settings)
    try SQLiteSchema.begin(next, isRemote: location.isRemote)
    let saved = try next.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.bringUp(next)
      let saved = try save(location, from: old, to: next, limits)
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
  /// Whether it stores something that is worth a new database; what servers say of themselves can be asked again.
  var replacesDamage: Bool {
    steps.contains { if case .put(.discovery) = $0 { false } else { true } }
  }
}
