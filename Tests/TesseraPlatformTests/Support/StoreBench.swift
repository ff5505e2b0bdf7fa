// SPDX-License-Identifier: MIT
// A store in a directory of a test's own, with what tests do to it.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A directory with a store in it, used and looked into.
final class StoreBench: Sendable {
  let directory: TemporaryDirectory
  let key = FixedKey()

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The database file.
  var database: String { directory.path + "/group.db" }

  /// A store as another program would open it.
  func store(
    _ protection: (any KeyProtection)? = nil, limitBytes: Int64? = nil, log: Log = .silent
  ) -> SQLiteStore {
    SQLiteStore(
      group: "group", directory: directory.path, protection: protection ?? key,
      limitBytes: limitBytes, time: SystemTime(), log: log)
  }

  /// Commits a refresh token of an account.
  func commit(_ store: SQLiteStore, _ secret: String, owner: String = "home") throws {
    try store.commit(
      CacheChange([.put(.credential(StoreBench.token(secret, owner)))]), within: .none)
  }

  /// Copies of the files as they are while a program has the store open, with three accounts, in another directory.
  func copyWhileOpen() throws -> StoreBench {
    let (store, copy) = (store(), try StoreBench())
    for number in 0..<3 { try commit(store, "\(number)", owner: "home \(number)") }
    for file in ["group.db", "group.db-wal", "group.fresh"] {
      try FileManager.default.copyItem(
        atPath: "\(directory.path)/\(file)", toPath: "\(copy.directory.path)/\(file)")
    }
    return copy
  }

  /// A refresh token.
  static func token(_ secret: String, _ owner: String = "home") -> CredentialRecord {
    var token = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    token.homeAccountID = owner
    token.environment = "issuer.example"
    token.clientID = "client"
    return token
  }

  /// The secrets of an account.
  func secrets(_ store: SQLiteStore, owner: String = "home") throws -> Set<String> {
    Set(try snapshot(store, owner: owner).credentials.map { $0.secret.reveal() })
  }

  /// What a call sees of an account.
  func snapshot(_ store: SQLiteStore, owner: String = "home") throws -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.owner = owner
    return try store.snapshot(selection, within: .none)
  }

  /// Whether any file of the directory holds a text.
  func filesHold(_ text: String) throws -> Bool {
    try files().contains { name in
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(name)"))
      return String(decoding: data, as: UTF8.self).contains(text)
    }
  }

  /// The names of the files.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// Runs SQL on the database, as another program would.
  func run(_ sql: String) throws {
    try DatabaseEditor.run(sql, on: database)
  }

  /// The first column of the first row, as text.
  func value(_ sql: String) throws -> String? {
    try DatabaseEditor.value(sql, of: database)
  }
}
