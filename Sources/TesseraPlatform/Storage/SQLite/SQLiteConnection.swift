// SPDX-License-Identifier: MIT
// A thin binding of SQLite: a connection, and statements that are prepared once.

import CSQLite
import CTesseraStore
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection; one thread at a time.
final class SQLiteConnection {
  private let database: OpaquePointer
  /// By where the text of a statement lies in the program.
  private var statements: [UnsafePointer<UInt8>: OpaquePointer] = [:]
  /// Whether it reads a database that nobody can be writing; good for one look.
  let isImmutable: Bool
  /// Outlives the connection, which uses it until it is closed.
  private let files: SQLiteFiles
  private let process = getpid()
  /// Says whether the host has closed its files; nil for a connection that lasts no longer than one call.
  var descriptors: OpenDescriptors?
  /// Whether the store had a key that the policy accepts, when it was looked at before a commit.
  var hasSeenKey = false
  /// The layout that its statements fit, as of the latest transaction; nil before the first one.
  var layout: SQLiteLayout?
  /// Its database file, once somebody has looked.
  var file: FileStamp?
  /// The keys that have opened rows of its database, by their numbers.
  var seals: [Int64: RowCipher] = [:]

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: where it lies; an absolute path.
  ///   - modeFrom: the file whose permissions a new database gets, whatever the umask; nil for one that exists.
  ///   - isImmutable: whether it is read without a look at its log, and without locks.
  init(path: String, modeFrom: String?, isImmutable: Bool = false) throws(SQLiteFailure) {
    let files = SQLiteFiles()
    var handle: OpaquePointer?
    // With an authority, which is empty: two slashes at the beginning of a path would begin one (RFC 3986 section 3).
    var uri = "file://" + SQLiteConnection.escape(path)
    if let modeFrom { uri += "?modeof=" + SQLiteConnection.escape(modeFrom) }
    if isImmutable { uri += "?immutable=1" }
    let create = modeFrom == nil ? 0 : SQLITE_OPEN_CREATE
    let flags =
      SQLITE_OPEN_READWRITE | create | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    let code = sqlite3_open_v2(uri, &handle, flags, files.name)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteFailure(code, handle)
    }
    // No temporary files: their directory would be that of SQLITE_TMPDIR or TMPDIR, also in a setuid program.
    sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil)
    database = handle
    self.files = files
    self.isImmutable = isImmutable
    try claimFile(path)
  }

  /// Leaves the log and its index where they are when the last connection is closed.
  ///
  /// They keep their room, so that a store can be read on a full disk; and a connection whose database was replaced
  /// does not remove those of the new one, which have the same names. The log is emptied all the same.
  func keepLog() throws(SQLiteFailure) {
    var keeps: Int32 = 1
    try check(sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps))
  }

  /// Takes room for a commit from the disk, inside a write transaction.
  ///
  /// - Throws: `SQLITE_FULL` where there is none.
  func reserveLog(pages: Int32) throws(SQLiteFailure) {
    guard ctessera_reserve_log(database, pages) == SQLITE_OK else {
      throw SQLiteFailure(code: SQLITE_FULL, message: "there is no room for a commit")
    }
  }

  /// Whether closing this connection, as the last one, writes the log back into the database.
  func setWritesBack(_ writesBack: Bool) throws(SQLiteFailure) {
    try check(tessera_sqlite_set(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, writesBack ? 0 : 1))
  }

  /// Closing this connection leaves the log as it is, unless it is not this process's to close.
  func leaveLog() {
    guard isOurs else { return }
    SQLitePresence.tryWith { try? setWritesBack(false) }
  }

  /// Whether its files are those that this process has opened.
  private var isOurs: Bool { process == getpid() && descriptors?.areOpen != false }

  deinit {
    // In a child of fork() it is the parent's: closing it here would give back the parent's locks.
    // After the host has closed it, its numbers may be those of the host's own files.
    guard isOurs else { return files.abandon() }
    SQLitePresence.tryWith {
      for statement in statements.values { sqlite3_finalize(statement) }
      sqlite3_exec(database, "PRAGMA journal_size_limit = 0", nil, nil, nil)
      sqlite3_close_v2(database)
    }
  }

  /// Has a new database keep a sum in each page, by which damage is recognised.
  ///
  /// Before anything is in it: the room for the sum is reserved in the head of the file.
  func reserveSums() {
    guard files.name != nil else { return }
    var bytes: Int32 = 8
    sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
  }

  /// The first bytes of the database, as its latest transaction left them.
  func contents(_ count: Int) throws(SQLiteFailure) -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = sqlite3_serialize(database, "main", &size, 0) else {
      throw failure(SQLITE_NOMEM)
    }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: min(count, Int(clamping: size))))
  }

  /// Runs a function of the store's C code with the connection.
  func withDatabase<Value>(_ body: (OpaquePointer) -> Value) -> Value { body(database) }

  /// How many rows its statements have changed so far; it may wrap around.
  var changes: Int32 { sqlite3_total_changes(database) }

  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(SQLiteFailure) {
    try check(sqlite3_exec(database, sql, nil, nil, nil))
  }

  /// Runs one prepared statement and hands over its rows, until the function returns false.
  func query(
    _ sql: StaticString, _ values: [SQLiteValue] = [],
    row: (SQLiteRow) throws(SQLiteFailure) -> Bool = { _ in true }
  ) throws(SQLiteFailure) {
    let statement = try statement(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(index + 1)))
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: if try !row(SQLiteRow(statement)) { return }
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  /// The first column of the first row.
  func integer(_ sql: StaticString) throws(SQLiteFailure) -> Int64? {
    var result: Int64?
    try query(sql) { row in
      result = row.integer(0)
      return false
    }
    return result
  }

  private func statement(_ sql: StaticString) throws(SQLiteFailure) -> OpaquePointer {
    if let statement = statements[sql.utf8Start] { return statement }
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(
        database, sql.description, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw failure(SQLITE_MISUSE) }
    statements[sql.utf8Start] = statement
    return statement
  }

  private func check(_ code: Int32) throws(SQLiteFailure) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code, database)
  }

  /// A path inside a URI: everything but plain characters and slashes is escaped (SQLite, "URI Filenames" 3.1).
  private static func escape(_ path: String) -> String {
    path.utf8.map { byte in
      let plain = UInt8(ascii: "-")...UInt8(ascii: "9")
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (plain.contains(byte) || character.isLetter || character == "_")
        ? String(character) : "%" + Hexadecimal.text([byte])
    }.joined()
  }
}

extension SQLiteConnection {
  /// Runs a transaction: all of it or nothing.
  func transaction<Value>(
    _ begin: StaticString, _ body: () throws(SQLiteFailure) -> Value
  ) throws(SQLiteFailure) -> Value {
    try query(begin)
    do throws(SQLiteFailure) {
      let value = try body()
      try query("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }
}

/// A value for a parameter.
enum SQLiteValue {
  case integer(Int64)
  case null
  case blob([UInt8])
  case text(String)

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .null: sqlite3_bind_null(statement, index)
    case .text(let text):
      // As for bytes below: SQLite copies them.
      sqlite3_bind_text(
        statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    case .blob(let bytes):
      // SQLITE_TRANSIENT: SQLite copies the bytes before this returns.
      sqlite3_bind_blob64(
        statement, index, bytes, UInt64(bytes.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }
}

/// A row, valid until the next one.
struct SQLiteRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  /// A column that holds an integer.
  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(statement, column)
  }

  /// A column that holds text; empty for what is no text.
  func text(_ column: Int32) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  /// Whether a column holds nothing.
  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// A column that holds an integer or NULL.
  func optionalInteger(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : integer(column)
  }

  /// A column that holds an integer or NULL, to be written again.
  func value(_ column: Int32) -> SQLiteValue {
    optionalInteger(column).map(SQLiteValue.integer) ?? .null
  }

  /// Hands over the bytes of a column, valid during the call.
  func withBytes<Value, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let start = sqlite3_column_blob(statement, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A column that holds bytes.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
