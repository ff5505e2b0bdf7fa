// SPDX-License-Identifier: MIT
// A connection to SQLite.

import CLibrary
import CSQLite
import CTesseraStore
import TesseraEngine
import TesseraWire

/// A SQLite connection.
///
/// Not thread-safe.
final class SQLiteConnection {
  private let database: OpaquePointer
  /// The prepared statements, keyed by the address of their static SQL text.
  private var statements = SmallDictionary<UnsafePointer<UInt8>, OpaquePointer>()
  /// Whether the database is opened as immutable.
  ///
  /// Such a connection must be used for one read only.
  let isImmutable: Bool
  /// The VFS.
  ///
  /// It outlives the connection, which uses it until it is closed.
  private let files: SQLiteVFS
  private let process = getpid()
  /// The guard that detects closed descriptors; nil for a connection that is used for one call only.
  var descriptors: DescriptorGuard?
  /// Whether a check before a commit found that the store has a key that the policy accepts.
  var hasVerifiedKey = false
  /// The layout that the statements match, as of the latest transaction; nil before the first one.
  var layout: SQLiteLayout?
  /// The persistent identity of the database file; nil until it is first needed.
  var file: PersistentFileID?
  /// The keys that have decrypted rows of this database, by key ID.
  var ciphers = SmallDictionary<Int64, RowCipher>()

  /// Opens a database file.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the database.
  ///   - modeFrom: A file with the permissions for a new database, independent of the umask; nil if it exists.
  ///   - isImmutable: Whether to read the database without its log and without locks.
  init(path: String, modeFrom: String?, isImmutable: Bool = false) throws(SQLiteFailure) {
    let files = try SQLiteVFS()
    var handle: OpaquePointer?
    // Add an empty authority. Otherwise two slashes at the start of the path would begin one (RFC 3986 section 3).
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
    // Avoid temporary files: their directory could come from SQLITE_TMPDIR or TMPDIR, even in a setuid program.
    sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil)
    database = handle
    self.files = files
    self.isImmutable = isImmutable
    try claimFile(path)
  }

  /// Keeps the log and its index when the last connection is closed.
  ///
  /// The log is truncated anyway.
  ///
  /// The files keep their disk space, so a store can be read when the disk is full. Also, a connection to a replaced
  /// database does not delete the files of the new database, which have the same names.
  func keepLogFiles() throws(SQLiteFailure) {
    var keeps: Int32 = 1
    try check(sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps))
  }

  /// Reserves disk space for a commit.
  ///
  /// Call it inside a write transaction.
  ///
  /// - Throws: `SQLITE_FULL` if the disk has no space left.
  func reserveLog(pages: Int32) throws(SQLiteFailure) {
    guard ctessera_reserve_log(database, pages) == SQLITE_OK else {
      throw SQLiteFailure(code: SQLITE_FULL, message: "no space for a commit")
    }
  }

  /// Sets whether closing this connection, as the last one, checkpoints the log into the database.
  func setCheckpointsOnClose(_ writesBack: Bool) throws(SQLiteFailure) {
    try check(tessera_sqlite_set(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, writesBack ? 0 : 1))
  }

  /// Leaves the log unchanged when this connection is closed.
  ///
  /// Does nothing if this process no longer owns the connection.
  func disableCheckpointOnClose() {
    guard isOwned else { return }
    SQLiteForkGuard.tryWith { try? setCheckpointsOnClose(false) }
  }

  /// Whether this process opened the files and the host application has not closed them.
  private var isOwned: Bool { process == getpid() && descriptors?.areOpen != false }

  deinit {
    // After fork(), the connection belongs to the parent. Closing it in the child would release the parent's locks. If
    // the host application has closed the descriptors, their numbers may now refer to its own files.
    guard isOwned else { return files.abandon() }
    SQLiteForkGuard.tryWith {
      for statement in statements.values { sqlite3_finalize(statement) }
      sqlite3_exec(database, "PRAGMA journal_size_limit = 0", nil, nil, nil)
      sqlite3_close_v2(database)
    }
  }

  /// Configures a new database to store a checksum in each page.
  ///
  /// Call it before anything is written, because the file header records the reserved space per page.
  func reserveChecksums() {
    guard files.name != nil else { return }
    var bytes: Int32 = 8
    sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
  }

  /// Returns the first bytes of the database, as of its latest transaction.
  func contents(_ count: Int) throws(SQLiteFailure) -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = sqlite3_serialize(database, "main", &size, 0) else {
      throw failure(SQLITE_NOMEM)
    }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: min(count, Int(clamping: size))))
  }

  /// Calls a C function with the database handle.
  func withDatabase<Value>(_ body: (OpaquePointer) -> Value) -> Value { body(database) }

  /// The number of rows changed by this connection so far, which may wrap around.
  var changes: Int32 { sqlite3_total_changes(database) }

  /// Runs SQL statements that return no rows.
  func execute(_ sql: String) throws(SQLiteFailure) {
    try check(sqlite3_exec(database, sql, nil, nil, nil))
  }

  /// Runs a prepared statement and passes each row to `row`, until it returns false.
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

  /// Returns the first column of the first row; nil if there is no row.
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

  /// Escapes a path for a URI: everything but plain characters and slashes (SQLite, "URI Filenames" 3.1).
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
  /// Runs `body` in a transaction, which is rolled back if it throws.
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

/// A value to bind to a parameter.
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
      // SQLITE_TRANSIENT, as below.
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

/// A result row, valid until the next step of the statement.
struct SQLiteRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) {
    self.statement = statement
  }

  /// Returns an integer column.
  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(statement, column)
  }

  /// Returns a text column; an empty string if the column is NULL.
  func text(_ column: Int32) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  /// Whether a column is NULL.
  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// Returns an integer column, or nil for NULL.
  func optionalInteger(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : integer(column)
  }

  /// Returns a column that is an integer or NULL, to be bound again.
  func value(_ column: Int32) -> SQLiteValue {
    optionalInteger(column).map(SQLiteValue.integer) ?? .null
  }

  /// Passes the bytes of a column to `body`.
  ///
  /// They are valid only during that call.
  func withBytes<Value, Failure: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let start = sqlite3_column_blob(statement, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(statement, column))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns the bytes of a column; empty for NULL.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension SQLiteConnection {
  /// The maximum size of a database that is rewritten as a whole, in pages: 256 MiB.
  private static let maximumVacuumPages: Int64 = 65_536

  /// Removes deleted data from the write-ahead log, where it remains until the log restarts.
  ///
  /// Never waits for other processes.
  ///
  /// A database of the first layout is rewritten, so that it can shrink from then on.
  func wipeDeletedData() {
    if (try? integer("PRAGMA auto_vacuum")) == 0,
      let pages = try? integer("PRAGMA page_count"), pages <= SQLiteConnection.maximumVacuumPages
    {
      try? execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
    }
    try? execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Returns the value of a note; nil if there is none.
  func note(_ name: String) throws(SQLiteFailure) -> String? {
    var value: String?
    try query("SELECT value FROM note WHERE name = ?", [.text(name)]) { row in
      value = row.text(0)
      return false
    }
    return value
  }

  /// Stores a note, replacing an older one; nil removes it.
  func note(_ name: String, _ value: String?) throws(SQLiteFailure) {
    guard let value else { return try query("DELETE FROM note WHERE name = ?", [.text(name)]) }
    try query(
      "INSERT INTO note (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(name), .text(value)])
  }
}

extension SQLiteConnection {
  /// Whether the file system does not support shared memory between processes, so that the log index cannot be written.
  var cannotShareMemory: Bool { withDatabase { ctessera_index_errno($0) == ENODEV } }

  /// Runs `body`, ignoring a failure if the log index was refused with the given `errno` value.
  func ignoringIndexErrno(
    _ reason: Int32, _ body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    do throws(SQLiteFailure) {
      try body()
    } catch {
      guard withDatabase({ ctessera_index_errno($0) }) == reason else { throw error }
    }
  }

  /// Excludes other copies of the library in this process if the database is protected only by POSIX locks.
  ///
  /// - Throws: An error if another copy in this process may be using the database.
  func claimFile(_ path: String) throws(SQLiteFailure) {
    guard withDatabase({ ctessera_has_process_locks($0) }), let file = FileIdentity(at: path)
    else { return }
    try SQLiteFailure.wrapping { () throws(TesseraError) in
      try ProcessLocks.claim(file, path: path)
    }
  }

  /// Switches a database from a write-ahead log to a rollback journal, because no process can write the log without
  /// shared memory.
  ///
  /// With exclusive locking from the start, SQLite keeps the log index in its own heap memory.
  static func removeLog(of path: String) throws(SQLiteFailure) {
    let connection = try SQLiteConnection(path: path, modeFrom: nil)
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;")
  }
}

/// An error of SQLite, or of code that runs inside a transaction.
struct SQLiteFailure: Error {
  /// The primary result code.
  let code: Int32
  /// SQLite's error message, which contains names of tables and files, but no values.
  let message: String
  /// The `errno` value of the underlying system call; 0 if there is none.
  var systemCode: Int32 = 0
  /// An error from outside SQLite, which is more specific than a result code.
  var problem: TesseraError?
}

extension SQLiteFailure {
  /// Creates an error from the latest call of a connection.
  init(_ code: Int32, _ database: OpaquePointer?) {
    if code & 0xFF == SQLITE_IOERR, let database,
      sqlite3_extended_errcode(database) == SQLiteFailure.damagedPage
    {
      self = .damaged("a page has an incorrect checksum")
      return
    }
    let isBeingCreated =
      database.map { sqlite3_extended_errcode($0) } == SQLiteFailure.indexBeingCreated
    self.init(
      code: isBeingCreated ? SQLITE_BUSY : code & 0xFF,
      message: database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory",
      systemCode: database.map { SQLiteFailure.systemCode(code & 0xFF, $0) } ?? 0)
  }

  /// Returns the `errno` value behind an error.
  ///
  /// For a read-only database, it is the reason why its log index is not writable.
  private static func systemCode(_ code: Int32, _ database: OpaquePointer) -> Int32 {
    code == SQLITE_READONLY ? ctessera_index_errno(database) : sqlite3_system_errno(database)
  }

  /// Wraps an error from outside SQLite that ends a transaction.
  init(_ problem: TesseraError) {
    self.init(code: SQLITE_ABORT, message: problem.message, problem: problem)
  }

  /// Returns the error for invalid database contents.
  static func damaged(_ message: String) -> SQLiteFailure {
    SQLiteFailure(code: SQLITE_CORRUPT, message: message)
  }

  /// `SQLITE_IOERR_DATA`: the checksum of a page does not match.
  private static let damagedPage = SQLITE_IOERR | 32 << 8

  /// `SQLITE_READONLY_RECOVERY`: another process is creating the log index, and this connection is not able to.
  private static let indexBeingCreated = SQLITE_READONLY | 1 << 8

  /// A newer version of Tessera wrote the database.
  static let tooNew = SQLiteFailure(code: SQLITE_SCHEMA, message: "the layout is newer")

  /// Runs `body` and wraps its error.
  static func wrapping<Value>(
    _ body: () throws(TesseraError) -> Value
  ) throws(SQLiteFailure) -> Value {
    do throws(TesseraError) {
      return try body()
    } catch {
      throw SQLiteFailure(error)
    }
  }

  /// Whether the database contents are invalid.
  ///
  /// The SQL statements are constant. If one does not match the tables (`SQLITE_ERROR`), the tables are damaged.
  var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].contains(code) && problem == nil
  }

  /// Whether there was no disk space, quota or file size left.
  fileprivate var isFull: Bool {
    code == SQLITE_FULL
      || [ENOSPC, EDQUOT, EFBIG].contains(systemCode)
        && [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY].contains(code)
  }
}

extension TesseraError {
  /// Creates an error with a remedy from a SQLite error.
  init(_ failure: SQLiteFailure, _ path: String) {
    if let problem = failure.problem {
      self = problem
      return
    }
    self = TesseraError(advising: failure, path)
    if failure.systemCode != 0 { self = caused(by: .system(failure.systemCode)) }
    self = caused(by: TesseraError.Cause(.sqlite, Int64(failure.code), failure.message))
  }

  private init(advising failure: SQLiteFailure, _ path: String) {
    switch failure.code {
    case _ where TesseraError.isDescriptorLimit(failure.systemCode):
      self = .tooManyFiles(path)
    case SQLITE_NOMEM:
      self.init(
        .retryLater, .storeBusy,
        "\(path) cannot be used: the process is out of memory. Free memory, and try again.")
    case _ where failure.isFull:
      self.init(
        .fixStorage, .storeFull, "No space left to write \(path). Free disk space.")
    case SQLITE_SCHEMA:
      self.init(
        .fixStorage, .storeTooNew,
        "\(path) was written by a newer version of Tessera. Update this application. Nothing was changed."
      )
    case _ where failure.isDamage:
      self.init(
        .signIn, .cacheDamaged,
        "\(path) is damaged (\(failure.message)). Sign in again: a sign-in quarantines it and creates a new store. Nothing was overwritten."
      )
    default:
      self.init(
        .fixStorage, .storeUnavailable,
        "\(path) cannot be used (\(failure.message)). Correct its permissions or choose another store.directory."
      )
    }
  }
}

/// A custom SQLite VFS, registered as long as this object lives.
final class SQLiteVFS: @unchecked Sendable {
  private let vfs: OpaquePointer?

  /// Registers the VFS.
  ///
  /// - Throws: `SQLITE_NOMEM` if memory is exhausted. SQLite's default VFS is not used instead: it would write pages
  ///   without checksums, which other processes report as damaged.
  init() throws(SQLiteFailure) {
    var made: OpaquePointer?
    let isMade = ctessera_vfs_create(&made)
    vfs = made
    guard isMade else { throw SQLiteFailure(code: SQLITE_NOMEM, message: "out of memory") }
  }

  deinit {
    ctessera_vfs_free(vfs)
  }

  /// Keeps the VFS registered forever, because a connection that is never closed continues to use it.
  func abandon() {
    _ = Unmanaged.passRetained(self)
  }

  /// The VFS name to open a database with; nil to use SQLite's default VFS on systems without such locks.
  var name: UnsafePointer<CChar>? {
    vfs.map { ctessera_vfs_name($0) }
  }
}
