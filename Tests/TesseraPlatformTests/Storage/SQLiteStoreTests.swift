// SPDX-License-Identifier: MIT
// The SQLite store: groups, files and their modes, and stores that it must not change.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct SQLiteStoreTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func store(_ group: String = "group", in path: String? = nil) -> SQLiteStore {
    SQLiteStore(
      group: group, directory: path ?? directory.path, protection: PlaintextProtection(),
      time: SystemTime())
  }

  private func commit(_ store: SQLiteStore, _ secret: String = "secret") throws {
    var token = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    token.homeAccountID = "home"
    token.environment = "issuer.example"
    token.clientID = "client"
    try store.commit(CacheChange([.put(.credential(token))]), within: .none)
  }

  private func secrets(_ store: SQLiteStore) throws -> [String] {
    var selection = SnapshotSelection()
    selection.owner = "home"
    return try store.snapshot(selection, within: .none).credentials.map { $0.secret.reveal() }
  }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(name)")
    return (attributes[.posixPermissions] as? Int) ?? -1
  }

  private func sqlite(_ sql: String) throws {
    // Use the same VFS, so that no lock is released under another connection.
    try DatabaseEditor.run(sql, on: "\(directory.path)/group.db")
  }

  @Test func `stores with the same group share records, those of other groups do not`() throws {
    try commit(store("a"))
    #expect(try secrets(store("a")) == ["secret"])
    #expect(try secrets(store("b")).isEmpty)
  }

  @Test(arguments: ["/", "//", "/./"])
  func `additional slashes in store_directory are ignored`(_ slashes: String) throws {
    let path = slashes + directory.path.dropFirst() + slashes
    try commit(store(in: path))
    #expect(try secrets(store(in: path)) == ["secret"])
    #expect(try secrets(store()) == ["secret"])
  }

  @Test func `reading a store that does not exist creates nothing`() throws {
    #expect(try secrets(store()).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test func `files are private whatever the umask`() throws {
    let nested = directory.path + "/a/b"
    let lock = CredentialLock(environment: "e", owner: "c", homeAccountID: "h")
    try UserMask.cleared {
      let store = store(in: nested)
      try commit(store)
      try store.withLock(on: lock, within: .none) {}
    }
    for suffix in ["db", "lock", "turn", "fresh", "db-wal"] {
      let file = "a/b/group.\(suffix)"
      let path = "\(directory.path)/\(file)"
      if file.hasSuffix("-wal"), !FileManager.default.fileExists(atPath: path) { continue }
      #expect(try mode(file) & 0o077 == 0, "\(file)")
    }
    #expect(try mode("a/b") == 0o700)
  }

  @Test func `readable files get mode 0600, and files that others can write are rejected`() throws {
    try commit(store())
    let database = directory.path + "/group.db"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: database)
    #expect(try secrets(store()) == ["secret"])
    #expect(try mode("group.db") == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: database)
    expect(.storeUnsafe) { _ = try secrets(store()) }
  }

  @Test func `symbolic links are rejected`() throws {
    try commit(store())
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: directory.path)
    expect(.storeUnsafe) { try commit(store(in: link)) }
    let database = directory.path + "/other.db"
    try FileManager.default.createSymbolicLink(
      atPath: database, withDestinationPath: directory.path + "/group.db")
    expect(.storeUnsafe) { try commit(store("other")) }
  }

  @Test func `a directory that cannot be created is store_unavailable`() throws {
    expect(.storeUnavailable) { try commit(store(in: "/proc/tessera")) }
    try Data().write(to: URL(fileURLWithPath: directory.path + "/file"))
    expect(.storeUnavailable) { try commit(store(in: directory.path + "/file/below")) }
  }

  @Test func `a store of a newer major layout is left unchanged`() throws {
    try commit(store())
    try sqlite("PRAGMA user_version = 4000")
    expect(.storeTooNew) { _ = try secrets(store()) }
    expect(.storeTooNew) { try commit(store(), "other") }
    try sqlite("PRAGMA user_version = 3000")
    #expect(try secrets(store()) == ["secret"])
  }

  @Test func `a database of another application is left unchanged`() throws {
    try sqlite("CREATE TABLE precious (x)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: directory.path + "/group.db")
    let path = URL(fileURLWithPath: directory.path + "/group.db")
    let before = try Data(contentsOf: path)
    expect(.storeUnavailable) { try commit(store()) }
    #expect(try Data(contentsOf: path) == before)
  }

  @Test func `a file that is not a database is reported as damaged and kept`() throws {
    let path = directory.path + "/group.db"
    let text = Data(String(repeating: "not a database ", count: 100).utf8)
    try text.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    expect(.cacheDamaged) { _ = try secrets(store()) }
    expect(.cacheDamaged) { try store().checkWritable(within: .none) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
  }

  @Test(arguments: ["R&D", "a b", "50%25", "what?", "#1", "x&vfs=none", "ü", "it's"])
  func `a directory name may contain any characters`(_ name: String) throws {
    let path = directory.path + "/" + name
    try commit(store(in: path))
    #expect(try secrets(store(in: path)) == ["secret"])
  }

  @Test func `a symbolic link above the directory is followed`() throws {
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path)
    try commit(store(in: link + "/below"))
    #expect(try secrets(store(in: directory.path + "/below")) == ["secret"])
  }

  @Test func `a directory passed as store_directory keeps its mode`() throws {
    let path = directory.path + "/open"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    try commit(store(in: path))
    #expect(try mode("open") == 0o755)
    #expect(try mode("open/group.db") == 0o600)
  }

  @Test func `a file in place of a parent directory is an error, not an empty store`() throws {
    try Data().write(to: URL(fileURLWithPath: directory.path + "/file"))
    expect(.storeUnavailable) { _ = try secrets(store(in: directory.path + "/file/below")) }
  }

  @Test func `an unreadable record is reported as damage, not as absence`() throws {
    try commit(store())
    try sqlite("UPDATE record SET body = CAST('{' AS BLOB)")
    var selection = SnapshotSelection()
    selection.owner = "home"
    let snapshot = try store().snapshot(selection, within: .none)
    #expect(snapshot.records.isEmpty)
    guard case .damaged(let what) = snapshot.condition else {
      Issue.record("the damage is not reported")
      return
    }
    #expect(what.contains("group.db"))
    // A new record can replace it, and the damaged one is kept.
    try commit(store(), "new")
    #expect(try secrets(store()) == ["new"])
    #expect(
      try DatabaseEditor.value("SELECT body FROM aside", of: "\(directory.path)/group.db") == "{")
  }

  @Test func `an emptied database is reported as damaged, not as new`() throws {
    try commit(store())
    try Data().write(to: URL(fileURLWithPath: directory.path + "/group.db"))
    for file in ["group.db-wal", "group.db-shm"] {
      try? FileManager.default.removeItem(atPath: "\(directory.path)/\(file)")
    }
    expect(.cacheDamaged) { _ = try secrets(store()) }
    try commit(store(), "new")
    #expect(try secrets(store()) == ["new"])
  }

  @Test func `emptying an open database is detected`() throws {
    let store = store()
    try commit(store)
    try Data().write(to: URL(fileURLWithPath: directory.path + "/group.db"), options: [])
    expect(.cacheDamaged) { _ = try secrets(store) }
  }

  @Test func `after a sign-out no file contains the token`() throws {
    let store = store()
    try commit(store, "canary-of-this-test")
    try store.commit(
      CacheChange([
        .signOut(
          CacheChange.SignOut(
            homeAccountID: "home", clientID: "client", environments: ["issuer.example"],
            isEntra: false))
      ]), within: .none)
    for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      let content = try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(file)"))
      let text = String(decoding: content, as: UTF8.self)
      #expect(!text.contains("canary-of-this-test"), "\(file)")
    }
  }

  @Test func `deleting an open store is detected`() throws {
    let store = store()
    try commit(store)
    #expect(try secrets(store) == ["secret"])
    for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      try FileManager.default.removeItem(atPath: "\(directory.path)/\(file)")
    }
    #expect(try secrets(store).isEmpty)
    try commit(store, "again")
    #expect(try secrets(store) == ["again"])
    #expect(try secrets(self.store()) == ["again"])
  }

  @Test func `deleting the log index does not separate open stores from later ones`() throws {
    let bench = try StoreBench()
    let old = bench.store()
    try bench.commit(old, "one", owner: "1")
    try FileManager.default.removeItem(atPath: bench.database + "-shm")
    let new = bench.store()
    try bench.commit(new, "two", owner: "2")
    try bench.commit(old, "three", owner: "3")
    try bench.commit(new, "four", owner: "4")
    for store in [old, new, bench.store()] {
      let found = try (1...4).map { try bench.secrets(store, owner: "\($0)") }
      #expect(found == [["one"], ["two"], ["three"], ["four"]])
    }
  }

  @Test func `concurrent writers and readers lose no records`() async throws {
    let store = store()
    let other = self.store()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for round in 0..<20 {
            var token = CredentialRecord(type: .refreshToken, secret: Secret("\(worker) \(round)"))
            token.homeAccountID = "home \(worker)"
            token.environment = "issuer.example"
            token.clientID = "client \(round)"
            let handle = (worker + round).isMultiple(of: 2) ? store : other
            try handle.commit(CacheChange([.put(.credential(token))]), within: .none)
          }
        }
      }
      try await group.waitForAll()
    }
    for worker in 0..<8 {
      var selection = SnapshotSelection()
      selection.owner = "home \(worker)"
      #expect(try other.snapshot(selection, within: .none).credentials.count == 20)
    }
  }
}
