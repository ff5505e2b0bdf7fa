// SPDX-License-Identifier: MIT
// Damaged stores: the mark, the files set aside and the recovery.

import CLibrary
import CSQLite
import CTesseraStore
package import TesseraEngine
package import TesseraWire

/// The last 64-bit word of the change counter file; nonzero if damage was found since the last full check of the
/// database.
///
/// A reader does not change the database, and a later writer may not access the damaged part. If the file is not
/// writable, other processes are not informed.
struct DamageFlag {
  private static let offset = off_t(ChangeCounterFile.size - 8)

  /// The path, as a C string to avoid a conversion.
  let path: UnsafePointer<CChar>

  /// Whether the flag is set.
  var isSet: Bool {
    withFile(O_RDONLY, DamageFlag.isSet)
  }

  /// Whether the flag is set in an open file.
  static func isSet(_ descriptor: Int32) -> Bool {
    var value: UInt64 = 0
    return pread(descriptor, &value, 8, offset) == 8 && value != 0
  }

  /// Sets or clears the flag.
  ///
  /// Does nothing if the file is not writable.
  func set(_ isSet: Bool) {
    _ = withFile(O_RDWR) { descriptor in
      var status = stat()
      var value: UInt64 = isSet ? 1 : 0
      return fstat(descriptor, &status) == 0 && status.st_size >= ChangeCounterFile.size
        && pwrite(descriptor, &value, 8, DamageFlag.offset) == 8
    }
  }

  private func withFile(_ flags: Int32, _ body: (Int32) -> Bool) -> Bool {
    let descriptor = openFile(path, flags | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return body(descriptor)
  }
}

/// The quarantined databases of a store.
///
/// The caller must hold the store lock.
///
/// At any time there is either the old database, or the complete new one at ``StoreLocation/next``. A process that
/// finds no database can therefore complete the replacement.
package struct QuarantinedFiles {
  /// The number of quarantined databases to keep.
  ///
  /// Older ones are deleted.
  package static let maximumCount = 5

  private let location: StoreLocation

  init(_ location: StoreLocation) {
    self.location = location
  }

  /// The names of the quarantined databases, oldest first.
  package var names: [String] {
    location.databases.filter { $0.hasPrefix(prefix) }
      .sorted { QuarantinedFiles.order($0) < QuarantinedFiles.order($1) }
  }

  /// Returns a name that sorts after all others, such as `default.damaged-2026-11-21T08-15-00Z.db`.
  func newName(at now: Instant) -> String {
    let base = prefix + QuarantinedFiles.text(now)
    let last = names.last { $0.hasPrefix(base) }
    guard let last else { return base + ".db" }
    return "\(base).\(QuarantinedFiles.order(last).1 + 1).db"
  }

  /// Moves the damaged files to a new name, and the complete new database to their path.
  package func exchange(_ name: String) throws(TesseraError) {
    try move(location.unfinished, to: location.next)
    try move(location.database, to: path(name))
    try finish(name)
    for old in names.dropLast(QuarantinedFiles.maximumCount) { remove(old) }
  }

  /// Deletes all quarantined databases.
  package func removeAll() {
    for name in names { remove(name) }
  }

  private func remove(_ name: String) {
    for suffix in QuarantinedFiles.suffixes { unlink(path(name) + suffix) }
  }

  /// Completes the replacement: moves the companion files of the old database, then the new database to its path.
  package func finish(_ name: String) throws(TesseraError) {
    for suffix in QuarantinedFiles.suffixes.dropFirst() {
      try move(location.database + suffix, to: path(name) + suffix)
    }
    try move(location.next, to: location.database)
    // In rollback mode, the journal file remains after the last transaction.
    deleteUnfinished()
    // Make the renames durable before anything is committed to the new database.
    let directory = openFile(location.directory, O_RDONLY | O_DIRECTORY)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// Deletes an unfinished new database and the files it was created from.
  func deleteUnfinished() {
    for path in [location.next, location.unfinished, location.repair] {
      for suffix in QuarantinedFiles.suffixes { unlink(path + suffix) }
    }
  }

  /// The suffixes of a database file, its log, the log's index, and the rollback journal.
  ///
  /// All must move with the database.
  fileprivate static let suffixes = ["", "-wal", "-shm", "-journal"]
  private var prefix: String { location.group + ".damaged-" }

  private func path(_ name: String) -> String { "\(location.directory)/\(name)" }

  /// Returns the date in a name, and its number among the names with that date.
  private static func order(_ name: String) -> (Substring, Int) {
    let parts = name.split(separator: ".")
    guard let date = parts.last(where: { $0.hasPrefix("damaged-") }) else { return ("", 0) }
    return (date, parts.dropLast().last.flatMap { Int($0) } ?? 1)
  }

  private func move(_ old: String, to new: String) throws(TesseraError) {
    guard rename(old, new) != 0, errno != ENOENT else { return }
    throw .failed("move", old, errno)
  }

  /// Formats a UTC time for a file name: ISO 8601, with hyphens instead of colons.
  package static func text(_ now: Instant) -> String {
    var seconds = time_t(now.secondsSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y-%m-%dT%H-%M-%SZ", &parts)
    return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension StoreLocation {
  /// The names of all databases in the directory, of all groups.
  var databases: [String] {
    guard let directory = openDirectory(directory) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".db") { names.append(name) }
    }
    return names
  }

  /// The path of the new database while it is being created.
  var unfinished: String { "\(directory)/\(group).db-unfinished" }

  /// The path of the complete new database until it is moved to its final path.
  var next: String { "\(directory)/\(group).db-next" }

  /// The path of a copy of a damaged database; see ``RepairedCopy``.
  var repair: String { "\(directory)/\(group).db-repair" }

  /// Whether the damaged database was moved away and the new one is not at its path yet.
  var isReplacing: Bool { FileIdentity(at: next) != nil && FileIdentity(at: database) == nil }
}

/// A readable copy of a damaged database, with the first page of a new database.
///
/// The first page records where each table starts, so no row can be read without it. The tables of all databases with the
/// same ``SQLiteSchema/histories`` start at the same pages. With another history, the copy contains no rows, or only rows
/// that are rejected.
struct RepairedCopy {
  private let location: StoreLocation
  /// Throws if the call was cancelled or reached its deadline.
  private let checkLimits: () throws(TesseraError) -> Void

  init(of location: StoreLocation, checkLimits: @escaping () throws(TesseraError) -> Void) {
    self.location = location
    self.checkLimits = checkLimits
  }

  /// Copies all readable records with each history, until one of them finds some, and returns their number.
  func recover(to next: SQLiteConnection) throws(SQLiteFailure) -> Int {
    for history in SQLiteSchema.histories {
      try next.execute("SAVEPOINT recovery")
      let saved = try Recovery(from: opened(after: history), to: next, checkLimits: checkLimits)
        .run()
      if saved > 0 { return saved }
      try next.execute("ROLLBACK TO recovery")
    }
    return 0
  }

  /// Creates the copy and opens it.
  ///
  /// It replaces an earlier copy. ``QuarantinedFiles/deleteUnfinished()`` deletes it.
  ///
  /// - Parameter history: The statements that created the tables of the damaged database.
  /// - Throws: A failure of a system call. If the disk is full, no data is discarded.
  func opened(after history: String) throws(SQLiteFailure) -> SQLiteConnection {
    delete()
    let page = try firstPage(after: history)
    delete()
    try SQLiteFailure.wrapping { () throws(TesseraError) in
      try copy("", beginning: page)
      for suffix in ["-wal", "-journal"] { try copy(suffix) }
    }
    return try SQLiteConnection(path: location.resolved().repair, modeFrom: nil)
  }

  /// Returns the first page of a new database, which is created at the path of the copy.
  private func firstPage(after history: String) throws(SQLiteFailure) -> [UInt8] {
    let mode = try SQLiteFailure.wrapping { () throws(TesseraError) in
      try location.createModeFile()
    }
    let new = try SQLiteConnection(path: location.resolved().repair, modeFrom: mode)
    try SQLiteSchema.begin(new, isRemote: location.isRemote)
    try new.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try new.execute(history)
    }
    return try RepairedCopy.firstPage(new)
  }

  private func delete() {
    for suffix in QuarantinedFiles.suffixes { unlink(location.repair + suffix) }
  }

  /// Returns the first page of a database, without the header values that are specific to it.
  private static func firstPage(_ connection: SQLiteConnection) throws(SQLiteFailure) -> [UInt8] {
    let size = Int(clamping: try connection.integer("PRAGMA page_size") ?? 0)
    var page = try connection.contents(size)
    guard page.count == size, size > Header.size else {
      throw .damaged("its first page is missing")
    }
    // SQLite derives the page count from the file size if these two values differ ("The Database Header", 1.3.7).
    for index in Header.validFor {
      page[index] = ~page[index - Header.validFor.lowerBound + Header.changes]
    }
    for index in Header.freePages { page[index] = 0 }
    return page
  }

  /// The offsets of header values that are specific to a database.
  private enum Header {
    static let size = 100
    static let changes = 24
    static let freePages = 32..<40
    static let validFor = 92..<96
  }

  /// Copies a file, and overwrites its beginning.
  private func copy(_ suffix: String, beginning: [UInt8] = []) throws(TesseraError) {
    let path = location.database + suffix
    let source = openFile(path, O_RDONLY | O_NOFOLLOW)
    guard source >= 0 else {
      if errno == ENOENT { return }
      throw .failed("open", path, errno)
    }
    // If only POSIX locks protect the database, closing it would drop those of every connection of the process.
    defer { ctessera_close_keeping_locks(source) }
    let copy = location.repair + suffix
    let target = openFile(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    guard target >= 0 else { throw .failed("make", copy, errno) }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset: off_t = 0
    while true {
      try checkLimits()
      let count = pread(source, &buffer, buffer.count, offset)
      guard count >= 0 else { throw .failed("read", path, errno) }
      guard count > 0 else { break }
      guard pwrite(target, buffer, count, offset) == count else {
        throw .failed("write", copy, errno)
      }
      offset += off_t(count)
    }
    guard pwrite(target, beginning, beginning.count, 0) == beginning.count else {
      throw .failed("write", copy, errno)
    }
  }
}

/// The recovery of every readable row of a database into another one.
///
/// Bodies stay encrypted, with the same key IDs, so no key is needed. Rows with a damaged body are copied as well, and
/// reported when they are read.
final class Recovery {
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  /// Throws if the call was cancelled or reached its deadline.
  ///
  /// Nothing is replaced then, and the next call starts over.
  private let checkLimits: () throws(TesseraError) -> Void
  /// The keys of the recovered records, by the number of their row in the damaged database.
  private var saved: [Int64: Int64] = [:]
  /// The first error of the new database or of `checkLimits`.
  ///
  /// Errors of the damaged database only end one read.
  private var problem: SQLiteFailure?
  /// The IDs of intact keys.
  ///
  /// Rows with other keys cannot be decrypted any more.
  private var keyIDs: Set<Int64> = [0]

  /// Creates a recovery.
  ///
  /// Both databases must be in a transaction, and the caller must hold the store lock.
  init(
    from source: SQLiteConnection, to target: SQLiteConnection,
    checkLimits: @escaping () throws(TesseraError) -> Void
  ) {
    self.source = source
    self.target = target
    self.checkLimits = checkLimits
  }

  /// Copies all readable rows.
  ///
  /// - Returns: The number of records.
  /// - Throws: An error of the new database or of `checkLimits`.
  func run() throws(SQLiteFailure) -> Int {
    _ = try? SQLiteLayout.detect(source)
    copyKeys()
    if !copyRecords(ascending, .min ... .max) {
      copyAroundDamage()
      copyListedRecords()
    }
    copyScopes()
    copyQuarantinedRows()
    if let problem { throw problem }
    return saved.count
  }

  private func copyKeys() {
    var rows: [KeyRow] = []
    read("SELECT id, source, name, salt, proof FROM seal") { row in
      let keyRow = KeyRow(row)
      if keyRow.isIntact { rows.append(keyRow) }
    }
    for row in rows {
      keyIDs.insert(row.id)
      write { () throws(SQLiteFailure) in try target.insert(row) }
    }
    guard let attempts = try? source.attempts() else { return }
    write { () throws(SQLiteFailure) in try target.storeAttempts(attempts) }
  }

  /// Copies the records with keys in a range, until a page is unreadable.
  ///
  /// - Returns: Whether the end of the range was reached.
  private func copyRecords(_ statement: StaticString, _ keys: ClosedRange<Int64>) -> Bool {
    read(statement, [.integer(keys.lowerBound), .integer(keys.upperBound)]) { self.copy($0) }
  }

  /// Copies the records around unreadable pages.
  ///
  /// The hashes of owners are uniformly distributed. Each range covers about a quarter of a page, or one owner.
  private func copyAroundDamage() {
    let pages = UInt64(clamping: (try? source.integer("PRAGMA page_count")) ?? 0)
    let width = Int64(clamping: UInt64.max / min(max(pages &* 4, 256), 262_144))
    var first = Int64.min
    while problem == nil {
      let (sum, overflow) = first.addingReportingOverflow(width)
      let last = overflow ? Int64.max : sum
      if !copyRecords(ascending, first...last) { _ = copyRecords(descending, first...last) }
      guard last < .max else { return }
      first = last + 1
      // If nothing is readable, nothing is written either: check the limits of the call here too.
      unlessFailed { () throws(SQLiteFailure) in try SQLiteFailure.wrapping(checkLimits) }
    }
  }

  /// Copies the records between two unreadable pages of one owner, if an index has their keys.
  private func copyListedRecords() {
    guard !isOlder else { return }
    var keys: Set<Int64> = []
    for statement in Recovery.listed { read(statement) { keys.insert($0.integer(0)) } }
    for key in keys where saved[key] == nil { _ = copyRecords(ascending, key...key) }
  }

  private func copy(_ row: SQLiteRow) {
    let (key, name) = (row.integer(0), row.integer(1))
    let rowKey = RowKey(
      owner: row.optionalInteger(4), identity: RowIdentity(name: name, type: row.integer(3)))
    let number = isOlder ? name : key
    guard rowKey.number == key, keyIDs.contains(row.integer(5)), saved[number] == nil else {
      return
    }
    write { () throws(SQLiteFailure) in
      try target.query(
        """
        INSERT INTO record (
          key, name, partition, type, owner, key_id, expires, generation, extra, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(key), .integer(name), row.value(2), .integer(row.integer(3)), row.value(4),
          .integer(row.integer(5)), row.value(6), .integer(row.integer(7)), row.value(8),
          .blob(row.bytes(9)),
        ])
      saved[number] = key
    }
  }

  private func copyScopes() {
    read("SELECT name, record FROM scope") { row in
      guard let key = self.saved[row.integer(1)] else { return }
      self.write { () throws(SQLiteFailure) in
        try self.target.query(
          "INSERT OR IGNORE INTO scope (name, record) VALUES (?, ?)",
          [.integer(row.integer(0)), .integer(key)])
      }
    }
  }

  private func copyQuarantinedRows() {
    read("SELECT key, type, owner, key_id, since, body FROM aside") { row in
      self.write { () throws(SQLiteFailure) in
        try self.target.query(
          "INSERT INTO aside (key, type, owner, key_id, since, body) VALUES (?, ?, ?, ?, ?, ?)",
          [
            .integer(row.integer(0)), .integer(row.integer(1)), row.value(2),
            .integer(row.integer(3)), .integer(row.integer(4)), .blob(row.bytes(5)),
          ])
      }
    }
  }

  @discardableResult
  private func read(
    _ statement: StaticString, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) -> Void
  ) -> Bool {
    do throws(SQLiteFailure) {
      try source.query(statement, values) { row in
        body(row)
        return problem == nil
      }
      return true
    } catch {
      return false
    }
  }

  private func write(_ body: () throws(SQLiteFailure) -> Void) {
    unlessFailed { () throws(SQLiteFailure) in
      try SQLiteFailure.wrapping(checkLimits)
      do throws(SQLiteFailure) {
        try body()
      } catch {
        // A row that violates a constraint was not written by Tessera: skip it.
        guard error.code == SQLITE_CONSTRAINT else { throw error }
      }
    }
  }

  /// Runs `body`, unless an error occurred before.
  private func unlessFailed(_ body: () throws(SQLiteFailure) -> Void) {
    guard problem == nil else { return }
    do throws(SQLiteFailure) { try body() } catch { problem = error }
  }

  /// Whether the rows of the damaged database are ordered by the names of their records.
  private var isOlder: Bool { source.layout?.isOlder == true }

  private var ascending: StaticString {
    isOlder
      ? """
      SELECT key, name, partition, type, owner, key_id, expires, generation, extra, body
      FROM record WHERE name BETWEEN ? AND ? ORDER BY name
      """
      : """
      SELECT key, name, partition, type, owner, key_id, expires, generation, extra, body
      FROM record WHERE key BETWEEN ? AND ? ORDER BY key
      """
  }

  private var descending: StaticString {
    isOlder
      ? """
      SELECT key, name, partition, type, owner, key_id, expires, generation, extra, body
      FROM record WHERE name BETWEEN ? AND ? ORDER BY name DESC
      """
      : """
      SELECT key, name, partition, type, owner, key_id, expires, generation, extra, body
      FROM record WHERE key BETWEEN ? AND ? ORDER BY key DESC
      """
  }

  /// The keys of accounts and tokens in an index, and those of access tokens in the table of the scopes.
  private static let listed: [StaticString] = [
    """
    SELECT key FROM record
    WHERE type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001)
    """,
    "SELECT record FROM scope",
  ]
}
