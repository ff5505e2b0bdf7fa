// SPDX-License-Identifier: MIT
// What the SQLite store has open: connections, opened at the first call, and the freshness words.

import CSQLite
import TesseraCache
import TesseraEngine

extension SQLiteStore {
  /// How long a call waits for other processes if it has no deadline.
  static let patience: Int64 = 10_000

  /// What this process has open; after a fork(), or when another file took the place of the old one, nothing yet.
  func openState(_ location: StoreLocation) -> SQLiteState {
    let known = state.borrowed { $0 }
    if let known, known.isCurrent { return known }
    if known != nil { log.write(.warning, "The store's files are opened anew.") }
    return state.replace(known, with: SQLiteState(location))
  }

  /// The connection of a slot, opened if there is none.
  func connection(
    _ slot: inout SQLiteConnection?, _ state: SQLiteState, _ location: StoreLocation,
    _ limits: CallLimits, isWriter: Bool
  ) throws(TesseraError) -> SQLiteConnection {
    if let connection = slot {
      _ = try? words(state, connection, location)
      return connection
    }
    try location.checkSafety()
    // A database that exists has its mode; a new one takes over that of a file of the locks.
    let isNew = try location.identity() == nil
    let modeFrom = isNew ? try location.makeModeFile() : nil
    let connection = try retrying(location, limits) { () throws(SQLiteFailure) in
      let file = location.resolved()
      return try SQLiteConnection(path: file.database, modeFrom: modeFrom)
    }
    // A new database has a page before it has tables and freshness words; looked at before, so that it cannot be one.
    let wasEmptied =
      !isNew && location.hasFreshness && FileIdentity(at: location.database)?.size == 0
    let contents = try retrying(location, limits) { () throws(SQLiteFailure) in
      try SQLiteSchema.contents(connection)
    }
    try contents.check(location.database, wasEmptied: wasEmptied)
    try retrying(location, limits) { () throws(SQLiteFailure) in
      try connection.execute(SQLiteSchema.settings)
      if contents.tables == 0, isWriter {
        connection.reserveSums()
        try connection.execute(SQLiteSchema.beginning)
      }
    }
    if contents.tables > 0 { _ = try? self.words(state, connection, location) }
    state.belongs(to: try location.identity())
    slot = connection
    return connection
  }

  /// The state of what a call sees, if it can be told.
  func version(of selection: SnapshotSelection, _ state: SQLiteState) -> StoreVersion? {
    guard let part = StoreParts.part(seenBy: selection) else { return nil }
    return state.words.borrowed { $0?.version(of: part) }
  }

  /// The freshness words, to read.
  private func words(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = state.words.borrowed { $0 }
    // Words whose file says nothing any more are told again by the next writer.
    guard known == nil || known?.isReplaced == true else { return }
    known?.retire()
    guard let identity = try connection.integer("SELECT identity FROM store") else { return }
    // Where they can't be reached, every call reads the database.
    let words = try? FreshnessWords(
      path: location.freshness, identity: UInt64(bitPattern: identity), repairs: false)
    if let words { _ = state.words.replace(known, with: words) }
  }

  /// The freshness words, to write: only inside a write transaction.
  ///
  /// Without them other processes would go on believing what they remember.
  func wordsToWrite(
    _ state: SQLiteState, _ connection: SQLiteConnection, _ location: StoreLocation,
    _ limits: CallLimits
  ) throws(SQLiteFailure) -> FreshnessWords {
    let known = state.words.borrowed { $0 }
    if let known, known.isOurs || known.restore() { return known }
    known?.retire()
    let identity = UInt64(bitPattern: try connection.integer("SELECT identity FROM store") ?? 0)
    do throws(FreshnessProblem) {
      let words = try FreshnessWords(path: location.freshness, identity: identity, repairs: true)
      return state.words.replace(known, with: words)
    } catch {
      let message = "\(location.freshness) can't be used"
      throw SQLiteFailure(code: error == .busy ? SQLITE_BUSY : SQLITE_CANTOPEN, message: message)
    }
  }

  /// Tries again while another process writes, until the deadline.
  func retrying<Value>(
    _ location: StoreLocation, _ limits: CallLimits, _ body: () throws(SQLiteFailure) -> Value
  ) throws(TesseraError) -> Value {
    var pause = Backoff()
    while true {
      do throws(SQLiteFailure) {
        return try body()
      } catch {
        guard error.code == SQLITE_BUSY || error.code == SQLITE_LOCKED else {
          throw TesseraError(error, location.database)
        }
      }
      try pause.wait(time, within: limits)
    }
  }
}
