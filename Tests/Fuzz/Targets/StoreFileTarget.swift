// SPDX-License-Identifier: MIT
// What lies beside and inside the database: rows, and the file of the freshness word.

import CSQLite
import Glibc
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// A store in a directory of its own, one of whose parts is replaced by the input.
final class StoreFiles {
  private let directory: String
  private let time = SystemTime()
  private let owner = "person.home"
  private var database: OpaquePointer?

  init() {
    // In memory: what is on a disk waits for it at each commit.
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
    sqlite3_open(directory + "/default.db", &database)
  }

  func fuzz(_ input: FuzzInput) {
    if input.choice == 0 {
      replaceFreshness(input.bytes)
    } else {
      replaceRow(input)
    }
    var selection = SnapshotSelection()
    selection.owner = owner
    selection.everyAccount = true
    // A new object, which opens the files anew, as another process would.
    let store = store
    let limits = CallLimits(timeoutMilliseconds: 5_000, time: time)
    do throws(TesseraError) {
      _ = try store.snapshot(selection, within: limits)
    } catch {
      require(error.code == .cacheDamaged, "a bad row is damage, not \(error.code.rawValue)")
    }
    if input.choice == 0 {
      require((try? store.prove(within: limits)) != nil, "a bad freshness file is repaired")
      require(store.version != nil, "a repaired freshness file tells the version")
    }
  }

  private var store: SQLiteStore {
    SQLiteStore(group: "default", directory: directory, time: time)
  }

  /// A new file under the old name: truncating one that is mapped is the host's crash.
  private func replaceFreshness(_ bytes: [UInt8]) {
    let path = directory + "/default.fresh"
    unlink(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    _ = write(descriptor, bytes, bytes.count)
    if bytes.count > 512 { _ = ftruncate(descriptor, 4096) }
    close(descriptor)
  }

  private func replaceRow(_ input: FuzzInput) {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(database, "UPDATE record SET body = ?", -1, &statement, nil)
    input.bytes.withUnsafeBufferPointer { bytes in
      let length = Int32(clamping: bytes.count)
      // SQLITE_STATIC: the bytes stay until the statement has run.
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, 1, 0)
      } else {
        sqlite3_bind_blob(statement, 1, bytes.baseAddress, length, nil)
      }
      sqlite3_step(statement)
    }
    sqlite3_finalize(statement)
  }
}
