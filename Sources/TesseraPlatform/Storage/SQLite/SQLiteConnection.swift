// SPDX-License-Identifier: MIT
// A connection to SQLite: statements, schema and tables.

import CLibrary
import CSQLite
import CTesseraStore
import TesseraCache
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
  /// Whether views were created that make an older layout readable.
  var hasViews = false
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
      // This may restore the views of an older layout.
      layout = nil
      throw error
    }
  }
}

extension SQLiteConnection {
  /// Runs `body`, and interrupts its statements when the call is cancelled or reaches its deadline.
  ///
  /// SQLite then rolls back the transaction.
  func interruptible(
    within limits: CallLimits, _ time: any TimeSource, _ body: () throws(SQLiteFailure) -> Void
  ) throws(SQLiteFailure) {
    let interruption = StatementInterruption(limits, time)
    let result = withExtendedLifetime(interruption) { () -> Result<Void, SQLiteFailure> in
      sqlite3_progress_handler(
        database, StatementInterruption.interval,
        { context in
          guard let context else { return 0 }
          let interruption = Unmanaged<StatementInterruption>.fromOpaque(context)
          return interruption.takeUnretainedValue().isDue() ? 1 : 0
        }, Unmanaged.passUnretained(interruption).toOpaque())
      defer { sqlite3_progress_handler(database, 0, nil, nil) }
      return Result(catching: body)
    }
    if let problem = interruption.problem { throw SQLiteFailure(problem) }
    try result.get()
  }
}

/// The reason to interrupt a statement.
private final class StatementInterruption {
  /// The number of SQLite's instructions between two checks, which store a few dozen rows.
  static let interval: Int32 = 1000

  private let limits: CallLimits
  private let time: any TimeSource
  /// The error of the call; nil if its limits are not reached.
  private(set) var problem: TesseraError?

  init(_ limits: CallLimits, _ time: any TimeSource) {
    self.limits = limits
    self.time = time
  }

  /// Whether the call was cancelled or has reached its deadline.
  func isDue() -> Bool {
    do throws(TesseraError) {
      try limits.check(time)
      return false
    } catch {
      problem = error
      return true
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

/// The schema of a store's database.
enum SQLiteSchema {
  /// "TESS", which distinguishes a store from databases of other applications.
  static let applicationID: Int64 = 0x5445_5353

  /// The settings of every connection.
  ///
  /// `synchronous = FULL` makes each commit durable, so that a rotated refresh token survives a power failure. SQLite
  /// checkpoints the log after 1,000 pages. The log file then keeps up to 8 MiB, because extending it would make a
  /// commit a third slower.
  static let settings = """
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 8388608;
    """

  /// Prepares a new database, before its tables are created.
  static func begin(_ connection: SQLiteConnection, isRemote: Bool) throws(SQLiteFailure) {
    connection.reserveChecksums()
    try connection.execute(isRemote ? remoteBeginning : beginning)
  }

  /// The settings of a new database: a write-ahead log, and free pages that can be returned to the file system.
  private static let beginning = """
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    """

  /// The settings of a new database on another machine, where a write-ahead log would need shared memory.
  private static let remoteBeginning = """
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = TRUNCATE;
    """

  /// The tables of a new database.
  static let tables = beginningOfTables + records + recordIndexes + additions + version

  private static let beginningOfTables = """
    CREATE TABLE store (
      identity INTEGER NOT NULL, commits INTEGER NOT NULL DEFAULT 0) STRICT;
    INSERT INTO store (identity) VALUES (random());
    PRAGMA application_id = 1413829459;
    """

  /// The tables of the records and of their scopes.
  ///
  /// The primary key of a record is its ``RowKey``. The columns `generation` and `extra` are reserved.
  private static let records = """

    CREATE TABLE record (
      key INTEGER PRIMARY KEY, name INTEGER NOT NULL, partition INTEGER, type INTEGER NOT NULL,
      owner INTEGER, key_id INTEGER NOT NULL DEFAULT 0, expires INTEGER,
      generation INTEGER NOT NULL DEFAULT 0, extra INTEGER, body BLOB NOT NULL) STRICT;
    CREATE TABLE scope (
      name INTEGER, record INTEGER, PRIMARY KEY (name, record)) STRICT, WITHOUT ROWID;
    """

  private static let recordIndexes = """

    CREATE INDEX record_list ON record (owner)
      WHERE owner IS NOT NULL AND type NOT BETWEEN 2000 AND 2999;
    CREATE INDEX record_account ON record (type)
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001);
    CREATE INDEX record_expires ON record (expires) WHERE expires IS NOT NULL;
    CREATE INDEX scope_record ON scope (record);
    """

  /// The tables that layout 2 added to layout 1.
  ///
  /// The table `aside` keeps damaged rows that were replaced.
  private static let additions = """

    CREATE TABLE seal (
      id INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, salt BLOB NOT NULL,
      proof BLOB NOT NULL) STRICT;
    CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE aside (
      key INTEGER NOT NULL, type INTEGER NOT NULL, owner INTEGER, key_id INTEGER NOT NULL,
      since INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    CREATE INDEX aside_owner ON aside (owner);
    CREATE INDEX aside_key ON aside (key);
    """

  private static let version = """

    PRAGMA user_version = 3000;
    """

  /// The conversion of layout 1: its records are unencrypted and have no expiry column.
  static let upgradeFromFirst =
    dropViews + """

      ALTER TABLE store ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE record ADD COLUMN key_id INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE record ADD COLUMN expires INTEGER;
      UPDATE record SET expires = max(
          ifnull(CAST(json_extract(CAST(body AS TEXT), '$.expires_on') AS INTEGER), 0),
          ifnull(CAST(json_extract(CAST(body AS TEXT), '$.extended_expires_on') AS INTEGER), 0))
        WHERE type IN (2001, 2007) AND json_valid(CAST(body AS TEXT));
      """ + additions + "\n" + upgradeFromSecond

  /// The conversion of layout 2 to layout 3: every row gets its key.
  ///
  /// The bodies are not decrypted, because the authenticated attributes remain the same. A scope row keeps the number of a
  /// missing record, which is damage. Only the keys are sorted, because the bodies would take memory.
  static let upgradeFromSecond =
    dropViews + """

      DROP INDEX IF EXISTS record_owner;
      DROP INDEX IF EXISTS record_account;
      DROP INDEX IF EXISTS record_expires;
      DROP INDEX IF EXISTS scope_record;
      ALTER TABLE record RENAME TO record_2;
      ALTER TABLE scope RENAME TO scope_2;
      """ + records + """

      INSERT OR IGNORE INTO record (key, name, type, owner, key_id, expires, body)
        SELECT row_key.number, key, type, owner, key_id, expires, body
        FROM (SELECT key AS name, \(rowKey) AS number FROM record_2 ORDER BY 2 LIMIT -1) AS row_key
        CROSS JOIN record_2 ON key = row_key.name;
      INSERT OR IGNORE INTO scope (name, record)
        SELECT name, ifnull((SELECT \(rowKey) FROM record_2 WHERE key = scope_2.record), record)
        FROM scope_2;
      DROP TABLE scope_2;
      DROP TABLE record_2;
      """ + recordIndexes + version

  /// The statements by which a database may have got its tables: created in layout 2, converted from it, or created in
  /// layout 3.
  ///
  /// They determine at which pages the tables start.
  static let histories = [tablesOfSecond, tablesOfSecond + upgradeFromSecond, tables]

  /// The tables of layout 2, in the order in which its versions created them.
  private static let tablesOfSecond =
    beginningOfTables + """

      CREATE TABLE record (
        key INTEGER PRIMARY KEY, type INTEGER NOT NULL, owner INTEGER,
        key_id INTEGER NOT NULL DEFAULT 0, expires INTEGER, body BLOB NOT NULL) STRICT;
      CREATE INDEX record_owner ON record (owner)
        WHERE owner IS NOT NULL AND type NOT IN (2001, 2007);
      CREATE INDEX record_account ON record (type)
        WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001);
      CREATE TABLE scope (
        name INTEGER, record INTEGER, PRIMARY KEY (name, record)) STRICT, WITHOUT ROWID;
      CREATE INDEX scope_record ON scope (record);
      CREATE TABLE seal (
        id INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, salt BLOB NOT NULL,
        proof BLOB NOT NULL) STRICT;
      CREATE INDEX record_expires ON record (expires) WHERE expires IS NOT NULL;
      CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE aside (
        key INTEGER NOT NULL, type INTEGER NOT NULL, owner INTEGER, key_id INTEGER NOT NULL,
        since INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
      CREATE INDEX aside_owner ON aside (owner);
      CREATE INDEX aside_key ON aside (key);
      PRAGMA user_version = 2000;

      """

  /// The number of a ``RowKey``, as an expression of the columns of layout 2.
  private static let rowKey = """
    ((ifnull(owner, 0) & \(RowKey.ownerMask))
      | CASE WHEN type IN (2001, 2007) THEN \(RowKey.accessTokenBit) ELSE 0 END
      | (key & \(RowKey.nameMask)))
    """

  /// Deletes the views that make an older layout readable.
  ///
  /// A temporary view hides the table with the same name, and is stored in memory.
  static let dropViews = ["record", "seal", "note", "aside", "store"]
    .map { "DROP VIEW IF EXISTS temp.\($0);" }.joined(separator: "\n")

  /// The view that makes the records of layout 2 readable.
  static let viewOfSecond = view(keyID: "key_id", expires: "expires")

  /// The views that make layout 1 readable.
  static let viewsOfFirst =
    view(keyID: "0", expires: "NULL") + """

      CREATE TEMP VIEW seal AS
        SELECT 0 AS id, '' AS source, '' AS name, x'' AS salt, x'' AS proof WHERE 0;
      CREATE TEMP VIEW note AS SELECT '' AS name, '' AS value WHERE 0;
      CREATE TEMP VIEW aside AS
        SELECT 0 AS key, 0 AS type, 0 AS owner, 0 AS key_id, 0 AS since, x'' AS body WHERE 0;
      CREATE TEMP VIEW store AS SELECT identity, 0 AS commits FROM main.store;
      """

  private static func view(keyID: String, expires: String) -> String {
    """
    CREATE TEMP VIEW record AS
      SELECT \(rowKey) AS key, key AS name, NULL AS partition, type, owner, \(keyID) AS key_id,
        \(expires) AS expires, 0 AS generation, NULL AS extra, body
      FROM main.record;
    """
  }

  /// Reads the identifying values of a database file, without changing it.
  static func contents(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Contents {
    // Use one transaction, because another process may be creating the tables.
    try connection.transaction("BEGIN") { () throws(SQLiteFailure) in
      Contents(
        tables: try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0,
        applicationID: try connection.integer("PRAGMA application_id") ?? 0,
        version: try connection.integer("PRAGMA user_version") ?? 0)
    }
  }

  /// The identifying values of a database file.
  struct Contents {
    let tables: Int64
    let applicationID: Int64
    let version: Int64

    /// Checks that the database is empty or a store that this version can use.
    ///
    /// - Throws: An error for a database of another application, or of a newer layout.
    func check(_ path: String) throws(TesseraError) {
      if tables == 0, applicationID == 0 { return }
      guard applicationID == SQLiteSchema.applicationID else {
        throw TesseraError(
          .fixStorage, .storeUnavailable,
          "\(path) is a database of another program. Choose another store.group or store.directory."
        )
      }
      guard !SQLiteLayout(number: version).isTooNew else { throw TesseraError(.tooNew, path) }
    }
  }
}

/// The version of a layout, stored as the database's `user_version`: 1000 times the major version, plus the minor one.
///
/// A minor version may add tables, record types, and columns that are nullable or have a default. A version that does
/// not know them ignores and keeps them. The first layout had the number 1.
struct SQLiteLayout: Equatable {
  /// The value of `user_version`; 0 before the tables are created.
  let number: Int64

  /// The layout that this version writes.
  static let current = SQLiteLayout(number: 3000)
  /// The layout without encryption, and without the columns for keys and expiry times.
  static let first = SQLiteLayout(number: 1)
  /// A database without tables.
  static let none = SQLiteLayout(number: 0)

  /// Whether the layout requires a newer version of Tessera.
  var isTooNew: Bool { (SQLiteLayout.current.number / 1000 + 1) * 1000..<1_000_000 ~= number }

  /// Whether this version can use the layout, possibly after a conversion.
  ///
  /// A number that no version writes is damage.
  var isKnown: Bool { self == .none || self == .first || 2000..<4000 ~= number }

  /// Whether a commit converts the layout.
  var isOlder: Bool { self == .first || isSecond }
  /// Whether the rows are ordered by a hash of all attributes of a record, regardless of its owner.
  var isSecond: Bool { number / 1000 == 2 }
}

extension SQLiteLayout {
  /// Returns the layout in the current transaction, and makes an older one readable as if it were the current one.
  ///
  /// Another process may have upgraded the database since the last transaction.
  @discardableResult
  static func detect(_ connection: SQLiteConnection) throws(SQLiteFailure) -> SQLiteLayout {
    let layout = SQLiteLayout(number: try connection.integer("PRAGMA user_version") ?? 0)
    guard layout != connection.layout else { return layout }
    guard !layout.isTooNew else { throw SQLiteFailure.tooNew }
    guard layout.isKnown else { throw SQLiteFailure.damaged("its version is not valid") }
    if connection.hasViews { try connection.execute(SQLiteSchema.dropViews) }
    if layout.isOlder { connection.hasViews = true }
    if layout == .first { try connection.execute(SQLiteSchema.viewsOfFirst) }
    if layout.isSecond { try connection.execute(SQLiteSchema.viewOfSecond) }
    connection.layout = layout
    return layout
  }

  /// Creates the tables or converts them to the current layout, inside a write transaction.
  ///
  /// A conversion takes longer the more records the store has. It ends at the limits of the call, without a change.
  static func upgrade(
    _ connection: SQLiteConnection, within limits: CallLimits, _ time: any TimeSource
  ) throws(SQLiteFailure) {
    let layout = try detect(connection)
    let statements: String
    switch layout {
    case .none: statements = SQLiteSchema.tables
    case .first: statements = SQLiteSchema.upgradeFromFirst
    case _ where layout.isSecond: statements = SQLiteSchema.upgradeFromSecond
    default: return
    }
    try connection.interruptible(within: limits, time) { () throws(SQLiteFailure) in
      try connection.execute(statements)
    }
    try detect(connection)
  }
}

/// The number of one commit.
struct CommitNumber {
  private let number: UInt64
  private let database: PersistentFileID?
  private let counters: ChangeCounters

  /// Increments the commit count of the database, inside the transaction of the commit.
  ///
  /// - Throws: Damage if the database has lost earlier commits.
  init(
    next connection: SQLiteConnection, _ counters: ChangeCounters, _ location: StoreLocation
  ) throws(SQLiteFailure) {
    let known = counters.commitCount
    let before = try connection.commits()
    database = connection.persistentID(location)
    guard !counters.hasLostCommits(before, of: database, since: known) else {
      throw SQLiteFailure.lostCommits
    }
    try connection.query("UPDATE store SET commits = commits + 1")
    number = before &+ 1
    self.counters = counters
  }

  /// Records in the change counter file that the commit is durable.
  ///
  /// Call it after the transaction has ended.
  func markDurable() { counters.count(number, of: database) }
}

/// The number of durable commits, read before the transaction of a reader starts.
struct RecordedCommits {
  private let count: CommitCount
  private let counters: ChangeCounters

  /// Creates a value from the change counter file; nil if the file contains no valid count.
  init?(_ counters: ChangeCounters) {
    guard let count = counters.commitCount else { return nil }
    self.count = count
    self.counters = counters
  }

  /// Whether the database had commits.
  ///
  /// A database without tables has then lost all of them.
  func hadCommits(_ location: StoreLocation) -> Bool {
    counters.hasLostCommits(0, of: PersistentFileID(at: location.database), since: count)
  }

  /// Whether the database has lost commits.
  ///
  /// Call it inside the transaction.
  func hasLostCommits(
    in connection: SQLiteConnection, _ location: StoreLocation
  ) throws(SQLiteFailure) -> Bool {
    counters.hasLostCommits(
      try connection.commits(), of: connection.persistentID(location), since: count)
  }
}

extension SQLiteFailure {
  /// The write-ahead log was truncated or removed, or the checksum of its last frames does not match.
  static let lostCommits = SQLiteFailure.damaged("the latest commits are missing")
}

extension SQLiteConnection {
  /// The persistent identity of the open database file.
  ///
  /// It is read only once: no other file can get the same inode number while this file is open.
  fileprivate func persistentID(_ location: StoreLocation) -> PersistentFileID? {
    if file == nil { file = PersistentFileID(at: location.database) }
    return file
  }

  /// Returns the commit count stored in the database.
  fileprivate func commits() throws(SQLiteFailure) -> UInt64 {
    UInt64(clamping: try integer("SELECT commits FROM store") ?? 0)
  }
}

/// The records of a database, inside a transaction.
struct SQLiteTable: CacheTable {
  let connection: SQLiteConnection
  let codec: SQLiteRowCodec
  private let damage: DamagedRows
  /// The shards that were changed.
  var changedShards = StoreShards()
  /// The keys of stored access tokens, which must not be evicted by the same transaction.
  var written: Set<Int64> = []
  /// The cache of decrypted records and hashes; nil for a table that is only read.
  let memory: RowMemory?
  /// The values that a reading call has computed or counted; nil for a table that is written.
  private let reading: ReadMemory?

  init(
    _ connection: SQLiteConnection, _ codec: SQLiteRowCodec, _ damage: DamagedRows,
    _ memory: RowMemory? = nil, reading: ReadMemory? = nil
  ) {
    self.connection = connection
    self.codec = codec
    self.damage = damage
    self.memory = memory
    self.reading = reading
  }

  func record(at key: RecordKey) throws(SQLiteFailure) -> CacheRecord? {
    // Hash collisions become likely at 2^32 records. The later record then replaces the row.
    try record(at: rowKey(of: key)).flatMap { $0.key == key ? $0 : nil }
  }

  /// Returns the record with a row key; nil if there is none.
  private func record(at rowKey: RowKey) throws(SQLiteFailure) -> CacheRecord? {
    try records(
      isOlder ? RecordStatements.withName : RecordStatements.withKey,
      [.integer(isOlder ? rowKey.identity.name : rowKey.number)]
    ).first
  }

  func records(of owner: String) throws(SQLiteFailure) -> [CacheRecord] {
    try records(of: owner) { _ in true }
  }

  func refreshTokens(of owner: String) throws(SQLiteFailure) -> [CacheRecord] {
    try records(of: owner, where: SQLiteTable.isRefreshToken)
  }

  /// Returns the records of an owner except access tokens that have one of some types.
  private func records(
    of owner: String, where isRead: (Int64) -> Bool
  ) throws(SQLiteFailure) -> [CacheRecord] {
    try records(RecordStatements.ofOwner, rowKeys(of: owner), isRead: isRead)
      .filter { $0.owner == owner }
  }

  func recordsWithoutRefreshTokens(
    of owner: String, having scope: String?
  ) throws(SQLiteFailure) -> (records: [CacheRecord], hasOthers: Bool) {
    var count = 0
    let isRead = { (type: Int64) in
      let isRead = !SQLiteTable.isRefreshToken(type)
      count += isRead ? 0 : 1
      return isRead
    }
    let found =
      if isOlder {
        try accessTokens(of: owner, having: scope).map(CacheRecord.credential)
          + records(of: owner, where: isRead)
      } else {
        try records(
          RecordStatements.withScopeAndOfOwner,
          [.integer(number(of: SQLiteTable.scopeText(owner, scope)))] + rowKeys(of: owner),
          isRead: isRead
        ).filter { record in
          record.owner == owner && (record.accessToken.map { $0.hasIndexName(scope) } ?? true)
        }
      }
    reading?.refreshTokenCount = count
    return (found, count > 0)
  }

  private static func isRefreshToken(_ type: Int64) -> Bool {
    CredentialType(rawValue: Int(clamping: type) &- 2000)?.isRefreshToken == true
  }

  func accessTokens(
    of owner: String, having scope: String?
  ) throws(SQLiteFailure) -> [CredentialRecord] {
    try records(
      isOlder ? RecordStatements.withScopeInOlderLayouts : RecordStatements.withScope,
      [.integer(number(of: SQLiteTable.scopeText(owner, scope)))]
    ).compactMap(\.accessToken).filter { $0.homeAccountID == owner && $0.hasIndexName(scope) }
  }

  /// Returns the access token in a row; nil if there is none or it cannot be decrypted.
  func accessToken(_ key: Int64) throws(SQLiteFailure) -> CredentialRecord? {
    var found: CredentialRecord?
    try connection.query(
      "SELECT type, body, key_id, name FROM record WHERE key = ?", [.integer(key)]
    ) { row throws(SQLiteFailure) in
      let identity = RowIdentity(name: row.integer(3), type: row.integer(0))
      let members = try codec.members(of: row, 1, at: identity, keyID: row.integer(2))
      found =
        members.flatMap { CacheRecord(typeNumber: Int(identity.type), members: $0) }?.accessToken
      return false
    }
    return found
  }

  func allAccounts() throws(SQLiteFailure) -> [CacheRecord] {
    try records(
      """
      SELECT key, type, key_id, body, owner, name FROM record
      WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001)
      """, [])
  }

  func everything() throws(SQLiteFailure) -> [CacheRecord] {
    try records("SELECT key, type, key_id, body, owner, name FROM record", [])
  }

  func allAccounts(visibleTo clientID: String) throws(SQLiteFailure) -> [CacheRecord] {
    var needingTokens = AccountsNeedingTokens(clientID)
    // The first condition selects the partial index. No refresh token or ID token is read.
    let records = try records(
      """
      SELECT key, type, key_id, body, owner, name FROM record
      WHERE (type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001))
        AND type NOT BETWEEN 2000 AND 2999
      """, []
    ) { row, record in needingTokens.add(record, of: row.integer(4)) }
    let undecided = needingTokens.accounts
    guard undecided.count <= SQLiteTable.maximumIndividualReads else {
      return try allAccounts()
    }
    return records + (try tokens(of: undecided))
  }

  func allAccounts(
    in ranges: [Int], visibleTo clientID: String?
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var needingTokens = AccountsNeedingTokens(clientID ?? "")
    var records: [CacheRecord] = []
    for range in ranges {
      let hashes = AccountListVersion.hashes(in: range)
      records += try self.records(
        """
        SELECT key, type, key_id, body, owner, name FROM record
        WHERE owner BETWEEN ? AND ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
          AND type NOT BETWEEN 2000 AND 2999
        """, [.integer(hashes.lowerBound), .integer(hashes.upperBound)]
      ) { row, record in needingTokens.add(record, of: row.integer(4)) }
    }
    return records + (try tokens(of: needingTokens.accounts))
  }

  /// Returns the refresh tokens and ID tokens of some accounts.
  private func tokens(of owners: Set<ExactString>) throws(SQLiteFailure) -> [CacheRecord] {
    var tokens: [CacheRecord] = []
    for owner in owners.texts {
      tokens += try records(of: owner).filter {
        if case .credential = $0 { true } else { false }
      }
    }
    return tokens
  }

  private func records(
    _ sql: StaticString, _ values: [SQLiteValue],
    onRecord: (SQLiteRow, CacheRecord) -> Void = { _, _ in },
    isRead: (Int64) -> Bool = { _ in true }
  ) throws(SQLiteFailure) -> [CacheRecord] {
    var records: [CacheRecord] = []
    var damaged: [Int64] = []
    try connection.query(sql, values) { row throws(SQLiteFailure) in
      let (key, type) = (row.integer(0), row.integer(1))
      guard isRead(type) else { return true }
      if let known = memory?[key] {
        records.append(known)
        onRecord(row, known)
        return true
      }
      guard let members = try members(of: row) else {
        damaged.append(key)
        return true
      }
      // A record that cannot be loaded, such as one of a later version, is kept but not used.
      let record = CacheRecord(typeNumber: Int(type), members: members)
      memory?[key] = record
      if let record {
        records.append(record)
        onRecord(row, record)
      }
      return true
    }
    for key in damaged { try damage.add(key) }
    return records
  }

  /// Returns the members of a record; nil if the row is missing, damaged, or has the wrong key.
  private func members(of row: SQLiteRow) throws(SQLiteFailure) -> JSONObject? {
    let rowKey = row.rowKey
    guard !row.isNull(1), isOlder || rowKey.number == row.integer(0) else { return nil }
    return try codec.members(of: row, 3, at: rowKey.identity, keyID: row.integer(2))
  }

  /// Whether the database has an older layout, in which rows have other keys.
  private var isOlder: Bool { connection.layout?.isOlder == true }

  /// Returns the row key of a record.
  private func rowKey(of key: RecordKey) -> RowKey {
    RowKey(
      owner: key.owner.map(number),
      identity: RowIdentity(name: number(of: key.text), type: Int64(key.type)))
  }

  /// Returns the parameters of a statement for the records of an owner: the first and the last key, and the owner.
  private func rowKeys(of owner: String) -> [SQLiteValue] {
    let number = number(of: owner)
    let rowKeys = RowKey.numbers(of: number)
    return [.integer(rowKeys.lowerBound), .integer(rowKeys.upperBound), .integer(number)]
  }

  /// Returns the hash of a text, as stored in columns.
  func number(of text: String) -> Int64 {
    memory?.number(of: text) ?? reading?.number(of: text) ?? RecordKey.number(of: text)
  }

  /// Returns the parsed scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes { memory?.scopes(of: token) ?? token.scopes }

  static func scopeText(_ owner: String, _ scope: String?) -> String {
    owner + "\n" + (scope ?? "")
  }
}

extension SQLiteTable {
  /// The number of accounts up to which reading them one by one is faster.
  private static let maximumIndividualReads = 100
}

/// The statements that read records.
///
/// Their columns are those of ``SQLiteTable``: key, type, key ID, body, owner and name.
private enum RecordStatements {
  static let withKey: StaticString =
    "SELECT key, type, key_id, body, owner, name FROM record WHERE key = ?"

  static let withName: StaticString =
    "SELECT key, type, key_id, body, owner, name FROM record WHERE name = ?"

  // The last conditions select the index of an older layout.
  static let ofOwner: StaticString = """
    SELECT key, type, key_id, body, owner, name FROM record
    WHERE key BETWEEN ? AND ? AND owner = ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
    """

  // A scope row without its record is damage: the key of the record was altered, so the join does not find the record.
  static let withScope: StaticString = """
    SELECT scope.record, record.type, record.key_id, record.body, record.owner, record.name
    FROM scope LEFT JOIN record ON record.key = scope.record WHERE scope.name = ?
    """

  static let withScopeAndOfOwner: StaticString = """
    SELECT scope.record, record.type, record.key_id, record.body, record.owner, record.name
    FROM scope LEFT JOIN record ON record.key = scope.record WHERE scope.name = ?
    UNION ALL
    SELECT key, type, key_id, body, owner, name FROM record
    WHERE key BETWEEN ? AND ? AND owner = ? AND owner IS NOT NULL AND type NOT IN (2001, 2007)
    """

  static let withScopeInOlderLayouts: StaticString = """
    SELECT scope.record, record.type, record.key_id, record.body, record.owner, record.name
    FROM scope LEFT JOIN record ON record.name = scope.record WHERE scope.name = ?
    """
}

extension SQLiteRow {
  /// The key of a row that was selected with the columns of `SQLiteTable`.
  fileprivate var rowKey: RowKey {
    RowKey(
      owner: optionalInteger(4), identity: RowIdentity(name: integer(5), type: integer(1)))
  }
}

extension SQLiteTable {
  mutating func put(_ record: CacheRecord) throws(SQLiteFailure) {
    let key = record.key
    let rowKey = rowKey(of: key)
    // Reading quarantines a damaged row before it is replaced. An identical record is not written again.
    let older = try self.record(at: rowKey).flatMap { $0.hasSameKey(as: record) ? $0 : nil }
    if older == record, try hasCurrentKey(rowKey) { return }
    if record.accessToken == nil {
      changedShards.insert(
        owner: rowKey.owner, key: rowKey.identity.name, type: key.type,
        changesList: record.changesAccountList(replacing: older))
    }
    memory?[rowKey.number] = nil
    let body = try codec.body(of: record.members, at: rowKey.identity)
    if let older {
      try rewrite(rowKey, body, record, older)
    } else {
      try insert(rowKey, body, record)
    }
    guard let token = record.accessToken else { return }
    written.insert(rowKey.number)
    try setScopes(of: token, at: rowKey.number)
  }

  private func insert(
    _ rowKey: RowKey, _ body: [UInt8], _ record: CacheRecord
  ) throws(SQLiteFailure) {
    // Columns that this version does not know are left unchanged.
    try connection.query(
      """
      INSERT INTO record (key, name, partition, type, owner, key_id, expires, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET name = excluded.name, partition = excluded.partition,
        type = excluded.type, owner = excluded.owner, key_id = excluded.key_id,
        expires = excluded.expires, body = excluded.body
      """,
      [
        .integer(rowKey.number), .integer(rowKey.identity.name), partition(of: record),
        .integer(rowKey.identity.type), rowKey.owner.map(SQLiteValue.integer) ?? .null,
        .integer(codec.keyID), record.expiryTime.map(SQLiteValue.integer) ?? .null, .blob(body),
      ])
  }

  /// Returns the hash of a record's partition; null for records of all applications.
  private func partition(of record: CacheRecord) -> SQLiteValue {
    record.partition.map { .integer(number(of: $0)) } ?? .null
  }

  /// Updates a row for a record with the same key, and so with the same owner and type.
  ///
  /// An indexed column is only named if it changes: otherwise SQLite would also write the pages of the index.
  private func rewrite(
    _ rowKey: RowKey, _ body: [UInt8], _ record: CacheRecord, _ older: CacheRecord
  ) throws(SQLiteFailure) {
    if record.expiryTime == older.expiryTime {
      try connection.query(
        "UPDATE record SET key_id = ?, body = ?, partition = ? WHERE key = ?",
        [
          .integer(codec.keyID), .blob(body), partition(of: record), .integer(rowKey.number),
        ])
    } else {
      try connection.query(
        "UPDATE record SET key_id = ?, body = ?, partition = ?, expires = ? WHERE key = ?",
        [
          .integer(codec.keyID), .blob(body), partition(of: record),
          record.expiryTime.map(SQLiteValue.integer) ?? .null, .integer(rowKey.number),
        ])
    }
  }

  /// Updates the scope rows of a token, including the one without a scope.
  ///
  /// Existing rows are not written again.
  private mutating func setScopes(of token: CredentialRecord, at key: Int64) throws(SQLiteFailure) {
    let wanted = Set(
      (token.indexNames(scopes(of: token).significant.texts).map(Optional.some) + [nil]).map {
        scope in
        number(of: SQLiteTable.scopeText(token.homeAccountID, scope))
      })
    var found: Set<Int64> = []
    try connection.query("SELECT name FROM scope WHERE record = ?", [.integer(key)]) { row in
      found.insert(row.integer(0))
      return true
    }
    for name in found.union(wanted) { changedShards.insert(scope: name) }
    for name in found.subtracting(wanted) {
      try connection.query(
        "DELETE FROM scope WHERE name = ? AND record = ?", [.integer(name), .integer(key)])
    }
    for name in wanted.subtracting(found) {
      try connection.query(
        "INSERT INTO scope (name, record) VALUES (?, ?)", [.integer(name), .integer(key)])
    }
  }

  mutating func remove(_ key: RecordKey) throws(SQLiteFailure) {
    let rowKey = rowKey(of: key)
    memory?[rowKey.number] = nil
    var removed = StoreShards()
    try connection.query(
      "DELETE FROM record WHERE key = ? RETURNING owner", [.integer(rowKey.number)]
    ) { row in
      if !rowKey.identity.isAccessToken {
        removed.insert(
          owner: row.optionalInteger(0), key: rowKey.identity.name, type: key.type,
          changesList: true)
      }
      return true
    }
    changedShards.formUnion(removed)
    try connection.query("DELETE FROM aside WHERE key = ?", [.integer(rowKey.identity.name)])
    try removeScopes(of: rowKey.number)
  }

  mutating func removeEverything() throws(SQLiteFailure) {
    changedShards.insertAll()
    memory?.evictRecords()
    for sql in ["DELETE FROM record", "DELETE FROM scope", "DELETE FROM aside"] as [StaticString] {
      try connection.query(sql) { _ in true }
    }
  }

  /// Deletes quarantined rows of accounts that sign out, which may contain their tokens.
  func deleteQuarantinedRows(_ change: CacheChange) throws(SQLiteFailure) {
    for case .signOut(let signOut) in change.steps {
      try connection.query(
        "DELETE FROM aside WHERE owner = ?",
        [.integer(number(of: signOut.homeAccountID))])
    }
  }

  /// Whether a row is encrypted with the current key.
  private func hasCurrentKey(_ rowKey: RowKey) throws(SQLiteFailure) -> Bool {
    var keyID: Int64?
    try connection.query(
      "SELECT key_id FROM record WHERE key = ?", [.integer(rowKey.number)]
    ) { row in
      keyID = row.integer(0)
      return false
    }
    return keyID == codec.keyID
  }

  private mutating func removeScopes(of number: Int64) throws(SQLiteFailure) {
    var names: [Int64] = []
    try connection.query(
      "DELETE FROM scope WHERE record = ? RETURNING name", [.integer(number)]
    ) { row in
      names.append(row.integer(0))
      return true
    }
    for name in names { changedShards.insert(scope: name) }
  }
}

/// An encoder and decoder of row bodies, for one transaction.
final class SQLiteRowCodec {
  /// The limits for parsing.
  ///
  /// Server responses are smaller, even after escaping.
  private static let limits = JSONValue.Limits(bytes: 16 << 20, depth: 128)

  private let connection: SQLiteConnection
  private let keys: StoreKeys
  private let callLimits: CallLimits
  /// The key that encrypts new rows; nil if they are stored unencrypted.
  private let current: RowCipher?
  private var ciphers = SmallDictionary<Int64, RowCipher>()
  private var isUnencrypted: Bool?
  private var nonces = NonceSupply()

  /// Creates a codec for reading.
  init(reading connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = nil
  }

  /// Creates a codec for reading and writing, inside a write transaction.
  init(
    writing connection: SQLiteConnection, _ keys: StoreKeys, _ limits: CallLimits
  ) throws(SQLiteFailure) {
    self.connection = connection
    self.keys = keys
    callLimits = limits
    current = try keys.current(connection, within: limits)
  }

  /// The ID of the key that encrypts new rows; 0 if they are stored unencrypted.
  var keyID: Int64 { current?.id ?? 0 }

  /// Returns the members of the record in a column; nil for a damaged body.
  ///
  /// - Throws: An error if the key is unavailable, because damage cannot be detected without it.
  func members(
    of row: SQLiteRow, _ column: Int32, at identity: RowIdentity, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    try row.withBytes(column) { body throws(SQLiteFailure) in
      try members(body, at: identity, keyID: keyID)
    }
  }

  private func members(
    _ body: UnsafeRawBufferPointer, at identity: RowIdentity, keyID: Int64
  ) throws(SQLiteFailure) -> JSONObject? {
    guard keyID != 0 else {
      // In an encrypted store, an unencrypted row is treated as damaged: it may come from an attacker without the key.
      return try storeIsUnencrypted() ? SQLiteRowCodec.parsed(body) : nil
    }
    // A key that decrypts the body is the right one. Its row in the database need not be checked.
    if let known = connection.ciphers[keyID],
      let members = known.withDecrypted(body, at: identity, SQLiteRowCodec.parsed)
    {
      return members
    }
    return try cipher(keyID)?.withDecrypted(body, at: identity, SQLiteRowCodec.parsed) ?? nil
  }

  /// Returns the body of a record in the form in which it is stored.
  func body(of members: JSONObject, at identity: RowIdentity) throws(SQLiteFailure) -> [UInt8] {
    var bytes = JSONValue.object(members).bytes
    guard let current else { return bytes }
    guard let encrypted = current.encrypt(&bytes, at: identity, &nonces) else {
      throw SQLiteFailure.damaged("a record cannot be encrypted")
    }
    return encrypted
  }

  private static func parsed(_ bytes: UnsafeRawBufferPointer) -> JSONObject? {
    (try? JSONValue(parsing: bytes, limits: limits))?.object
  }

  /// Returns the key with an ID; nil if the database has no such key.
  private func cipher(_ id: Int64) throws(SQLiteFailure) -> RowCipher? {
    if let current, current.id == id { return current }
    if let cipher = ciphers[id] { return cipher }
    guard let row = try connection.keyRow(id) else { return nil }
    let cipher = try keys.obtain(row, within: callLimits)
    ciphers[id] = cipher
    connection.ciphers[id] = cipher
    return cipher
  }

  private func storeIsUnencrypted() throws(SQLiteFailure) -> Bool {
    if let isUnencrypted { return isUnencrypted }
    let isUnencrypted = try connection.currentKeyRow() == nil
    if isUnencrypted { try keys.checkUnencryptedAllowed() }
    self.isUnencrypted = isUnencrypted
    return isUnencrypted
  }
}

/// A cache for the duration of a write transaction, because a commit accesses the same rows and names several times.
final class RowMemory {
  private var records: [Int64: CacheRecord] = [:]
  private var numbers: [ExactString: Int64] = [:]
  private var scopes: [ExactString: Scopes] = [:]

  /// The cached record of a row; nil if the row was not read yet.
  subscript(row: Int64) -> CacheRecord? {
    get { records[row] }
    set { records[row] = newValue }
  }

  /// Evicts all records, because their rows were deleted.
  func evictRecords() { records = [:] }

  /// Returns the hash of a text.
  func number(of text: String) -> Int64 {
    if let number = numbers[text] { return number }
    let number = RecordKey.number(of: text)
    numbers[text] = number
    return number
  }

  /// Returns the parsed scopes of an access token.
  func scopes(of token: CredentialRecord) -> Scopes {
    let target = token.target ?? ""
    if let known = scopes[target] { return known }
    let parsed = token.scopes
    scopes[target] = parsed
    return parsed
  }
}

/// The values of one reading call: the few hashes, each of which is needed several times, and a count.
final class ReadMemory {
  /// The shards that the call reads; nil if they are more than two.
  private(set) var shards: ShardPair?
  private var known: [(text: String, number: Int64)] = []
  /// The number of refresh tokens that were found and not decrypted at first.
  var refreshTokenCount = 0

  init(_ selection: SnapshotSelection) {
    shards = StoreShards.shards(readBy: selection) { number(of: $0) }
  }

  /// Whether the account has a refresh token, in the records or only in the store.
  func hasRefreshToken(_ records: [CacheRecord]) -> Bool {
    refreshTokenCount > 0 || records.contains(where: \.isRefreshToken)
  }

  /// Whether the account has a token, in the records or only in the store.
  func hasCredential(_ records: [CacheRecord]) -> Bool {
    refreshTokenCount > 0
      || records.contains { if case .credential = $0 { true } else { false } }
  }

  /// Returns the hash of a text.
  func number(of text: String) -> Int64 {
    if let found = known.first(where: { $0.text.hasBytes(of: text) }) { return found.number }
    let number = RecordKey.number(of: text)
    known.append((text, number))
    return number
  }
}

/// The damaged rows that a transaction has found.
final class DamagedRows {
  private let connection: SQLiteConnection
  /// The current time for a writer, which quarantines damaged rows; nil for a reader, which changes nothing.
  private let now: Instant?
  /// The number of damaged rows.
  private(set) var count = 0

  init(_ connection: SQLiteConnection, now: Instant?) {
    self.connection = connection
    self.now = now
  }

  /// Counts a damaged row.
  ///
  /// A writer moves it to the table `aside`, so that its bytes are kept and its key becomes free.
  func add(_ key: Int64) throws(SQLiteFailure) {
    count += 1
    guard let now else { return }
    try connection.query(
      """
      INSERT INTO aside (key, type, owner, key_id, since, body)
      SELECT name, type, owner, key_id, ?, body FROM record WHERE key = ?
      """, [.integer(now.secondsSince1970), .integer(key)])
    try connection.query("DELETE FROM record WHERE key = ?", [.integer(key)])
    try connection.query("DELETE FROM scope WHERE record = ?", [.integer(key)])
  }
}

/// The key of a record in the table: the records of an owner are in adjacent rows.
///
/// The primary key consists of 20 bits of the owner's hash, a bit that separates the access tokens from the other records,
/// and 43 bits of the hash of the record's attributes. All records that a call reads are therefore in a few pages. Integer
/// keys are used because a lookup by integer takes a fifth of the time of a lookup by text.
struct RowKey {
  /// The bits of the owner's hash.
  static let ownerMask = Int64(-1) << 44
  /// The bit that is set for access tokens.
  static let accessTokenBit = Int64(1) << 43
  /// The bits of the hash of the record's attributes.
  static let nameMask = accessTokenBit - 1

  /// The hash of the record's owner; nil for a record without an account.
  let owner: Int64?
  /// The attributes that are authenticated with the body.
  let identity: RowIdentity

  /// The primary key of the row.
  var number: Int64 {
    (owner ?? 0) & RowKey.ownerMask
      | (identity.isAccessToken ? RowKey.accessTokenBit : 0)
      | identity.name & RowKey.nameMask
  }

  /// Returns the primary keys of an owner's records other than access tokens.
  ///
  /// Records of other owners may be in the same range.
  static func numbers(of owner: Int64) -> ClosedRange<Int64> {
    let first = owner & ownerMask
    return first...first | nameMask
  }
}
