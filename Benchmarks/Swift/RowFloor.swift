// SPDX-License-Identifier: MIT
// The minimum cost of an account list and of a first call: reads the rows with SQLite only and decrypts them with the same
// cipher.

internal import CSQLite
internal import Crypto
internal import Tessera
internal import TesseraCache
internal import TesseraEngine
internal import TesseraPlatform

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Executes `warm`, `list`, `first-median`, `first-p99` and `quit`: reads and decrypts the rows of a first list or of
/// first calls, and does nothing else.
///
/// No page checksums are verified, and nothing is parsed or sorted. docs/store.md describes the encryption of rows.
struct RowFloor {
  private struct Failure: Error {}

  private let database: OpaquePointer
  private let rows: OpaquePointer
  private let ofAccount: OpaquePointer
  private let ofToken: OpaquePointer
  private let keys: [Int64: SymmetricKey]
  private let requests: [SilentRequest]

  init(_ place: MeasuredStore, requests path: String) throws {
    requests = try Hits.requests(in: path)
    var database: OpaquePointer?
    let path = "\(place.directory)/\(place.group).db"
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      let database
    else { throw Failure() }
    self.database = database
    // Keeps the WAL files that other processes use.
    var keeps: Int32 = 1
    sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
    rows = try RowFloor.prepare(
      database,
      """
      SELECT name, type, key_id, body FROM record
      WHERE (type BETWEEN 1000 AND 1999 OR type IN (2002, 2003, 2005, 2008, 2009, 5001))
        AND type NOT BETWEEN 2000 AND 2999
      """)
    ofAccount = try RowFloor.prepare(
      database,
      """
      SELECT name, type, key_id, body FROM record
      WHERE key BETWEEN ? AND ? AND owner = ? AND type NOT IN (2001, 2002, 2005, 2007, 2008, 2009)
      """)
    ofToken = try RowFloor.prepare(
      database,
      """
      SELECT record.name, record.type, record.key_id, record.body
      FROM scope JOIN record ON record.key = scope.record WHERE scope.name = ?
      """)
    keys = try RowFloor.keys(database, place.protection)
  }

  /// Executes commands from standard input.
  func serve() throws {
    printResult("ready")
    while let line = readLine(), line != "quit" {
      let words = line.split(separator: " ")
      guard words.count == 3, let first = Int(words[1]), let count = Int(words[2]) else {
        let start = Stopwatch.now
        try read(rows, most: line == "list" ? .max : 1)
        printResult(Stopwatch.now - start)
        continue
      }
      let times = try requests[first..<first + count].map(time)
      printResult(
        words[0] == "first-p99" ? Stopwatch.percentile99(times) : Stopwatch.median(times))
    }
  }

  /// Returns the time to read and decrypt the rows of a first call, in nanoseconds.
  private func time(of request: SilentRequest) throws -> Double {
    let start = Stopwatch.now
    let account = request.homeAccountID
    let owner = RecordKey.number(of: account)
    // The first 20 bits of a key are those of its owner. The next one is set for access tokens.
    let first = owner & (Int64(-1) << 44)
    sqlite3_bind_int64(ofAccount, 1, first)
    sqlite3_bind_int64(ofAccount, 2, first + (Int64(1) << 43) - 1)
    sqlite3_bind_int64(ofAccount, 3, owner)
    try read(ofAccount)
    sqlite3_bind_int64(ofToken, 1, RecordKey.number(of: account + "\n" + request.scopes[0]))
    try read(ofToken)
    return Double(Stopwatch.now - start)
  }

  private func read(_ rows: OpaquePointer, most: Int = .max) throws {
    defer { sqlite3_reset(rows) }
    var count = 0
    while count < most, sqlite3_step(rows) == SQLITE_ROW {
      count += 1
      let body = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(rows, 3), count: Int(sqlite3_column_bytes(rows, 3)))
      var place = Array("tessera record 2".utf8)
      for column in [0, 1, 2] as [Int32] {
        withUnsafeBytes(of: sqlite3_column_int64(rows, column).bigEndian) { place += $0 }
      }
      guard let key = keys[sqlite3_column_int64(rows, 2)] else { throw Failure() }
      let box = try AES.GCM.SealedBox(combined: body)
      guard try AES.GCM.open(box, using: key, authenticating: place).count > 0 else {
        throw Failure()
      }
    }
  }

  private static func keys(
    _ database: OpaquePointer, _ protection: KeyProvider
  ) throws -> [Int64: SymmetricKey] {
    let seals = try prepare(database, "SELECT id, name, salt FROM seal")
    defer { sqlite3_finalize(seals) }
    var keys: [Int64: SymmetricKey] = [:]
    while sqlite3_step(seals) == SQLITE_ROW {
      let name = sqlite3_column_text(seals, 1).map { String(cString: $0) } ?? ""
      let material = try protection.key(
        at: KeyLocation(source: .keyFile, name: name), within: .none)
      let salt = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(seals, 2), count: Int(sqlite3_column_bytes(seals, 2)))
      keys[sqlite3_column_int64(seals, 0)] = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: material.withBytes { SymmetricKey(data: $0) }, salt: Array(salt),
        info: Array("tessera row key 2".utf8), outputByteCount: 32)
    }
    return keys
  }

  private static func prepare(_ database: OpaquePointer, _ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement
    else { throw Failure() }
    return statement
  }
}
