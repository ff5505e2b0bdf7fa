// SPDX-License-Identifier: MIT
// Store files: database rows, and the file with the change counter segment.

import CSQLite
import CTesseraStore
import Glibc
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire

/// An encrypted and an unencrypted store.
///
/// The input replaces one value or file.
final class StoreFiles {
  private let encryptedStore = StoreFile(FuzzKey())
  private let plaintextStore = StoreFile(PlaintextProtection())

  /// Fuzzes the part selected by the first byte: counter file, unencrypted row, encrypted row or key record.
  func fuzz(_ input: FuzzInput) {
    switch input.choice {
    case 0: encryptedStore.useChangeCounters(input.bytes)
    case 1: plaintextStore.use("UPDATE record SET body = ?", input.bytes)
    case 2: encryptedStore.use("UPDATE record SET body = ?", input.bytes)
    case 3: encryptedStore.use("UPDATE seal SET name = CAST(? AS TEXT)", input.bytes)
    case 4: encryptedStore.use("UPDATE seal SET salt = ?", input.bytes)
    default: encryptedStore.use("UPDATE seal SET proof = ?", input.bytes)
    }
  }
}

/// A store with one refresh token.
private final class StoreFile {
  private let directory: String
  private let protection: any KeyProtection
  private let time = SystemTime()
  private let owner = "person.home"
  private var database: OpaquePointer?

  init(_ protection: any KeyProtection) {
    self.protection = protection
    // Use a memory file system, because a disk would delay each commit.
    var template = Array("/dev/shm/tessera-fuzz-XXXXXX".utf8CString)
    directory = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/tmp"
    }
    var token = CredentialRecord(type: .refreshToken, secret: Secret("refresh"))
    token.homeAccountID = owner
    token.environment = "login.example"
    token.clientID = "app"
    let change = CacheChange([.put(.credential(token))])
    require((try? store.commit(change, within: .none)) != nil, "a store can be made")
    // A connection without the custom VFS would not update the page checksums.
    var files: OpaquePointer?
    require(ctessera_vfs_create(&files), "there is memory")
    sqlite3_open_v2(
      directory + "/default.db", &database, SQLITE_OPEN_READWRITE,
      files.map { ctessera_vfs_name($0) })
    execute("CREATE TEMP TABLE row AS SELECT * FROM record")
    execute("CREATE TEMP TABLE key AS SELECT * FROM seal")
  }

  /// Replaces a value for one read, which must detect damage or succeed.
  func use(_ sql: String, _ bytes: [UInt8]) {
    execute(sql, bytes)
    readAll()
    execute("UPDATE record SET body = (SELECT body FROM temp.row)")
    execute("INSERT OR REPLACE INTO seal SELECT * FROM temp.key")
  }

  /// Replaces the counter file, which the next commit must repair before it is trusted.
  ///
  /// The file is replaced by a new one, so that processes with the old file are not affected.
  func useChangeCounters(_ bytes: [UInt8]) {
    let path = directory + "/default.fresh"
    unlink(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    _ = write(descriptor, bytes, bytes.count)
    if bytes.count > 512 { _ = ftruncate(descriptor, 4096) }
    close(descriptor)
    readAll()
    let store = store
    require((try? store.checkWritable(within: limits)) != nil, "a bad freshness file is repaired")
    let version = (try? store.snapshot(SnapshotSelection(), within: limits))?.version
    require(version.map(store.isCurrent) == true, "a repaired change counter file has the version")
  }

  /// A new store object, which opens the files like another process.
  private var store: SQLiteStore {
    SQLiteStore(group: "default", directory: directory, protection: protection, time: time)
  }

  private var limits: CallLimits { CallLimits(timeoutMilliseconds: 5_000, time: time) }

  private func readAll() {
    var selection = SnapshotSelection()
    selection.owner = owner
    selection.allAccounts = true
    do throws(TesseraError) {
      _ = try store.snapshot(selection, within: limits)
    } catch {
      require(error.code == .cacheDamaged, "what was changed is damage, not \(error.code.rawValue)")
    }
  }

  private func execute(_ sql: String, _ bytes: [UInt8] = []) {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(database, sql, -1, &statement, nil)
    bytes.withUnsafeBufferPointer { buffer in
      // SQLITE_STATIC: the bytes outlive the statement. An empty buffer would bind NULL.
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, 1, 0)
      } else {
        sqlite3_bind_blob(statement, 1, buffer.baseAddress, Int32(clamping: bytes.count), nil)
      }
      sqlite3_step(statement)
    }
    sqlite3_finalize(statement)
  }
}

/// Key protection with one key in memory.
private struct FuzzKey: KeyProtection {
  func createKey(within limits: CallLimits) throws(TesseraError) -> CreatedKey {
    let location = KeyLocation(source: .caller, name: "fuzz")
    return CreatedKey(key: (location, FuzzKey.material), attempts: [])
  }

  func key(
    at location: KeyLocation, within limits: CallLimits
  ) throws(TesseraError) -> KeyMaterial {
    FuzzKey.material
  }

  func check(_ location: KeyLocation?) throws(TesseraError) {}

  private static var material: KeyMaterial { KeyMaterial([UInt8](repeating: 7, count: 32)) }
}
