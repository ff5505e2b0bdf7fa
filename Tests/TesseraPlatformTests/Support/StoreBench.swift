// SPDX-License-Identifier: MIT
// A store in a temporary directory, with helpers for tests.

import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraWire
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A temporary directory with a store.
final class StoreBench: Sendable {
  let directory: TemporaryDirectory
  let key = FixedKey()

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The path of the database.
  var database: String { directory.path + "/group.db" }

  /// Creates a store as another application would.
  func store(
    _ protection: (any KeyProtection)? = nil, limitBytes: Int64? = nil, log: TesseraLog = .silent
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

  /// Returns a copy of the files of a store with three accounts, taken while it is open.
  func copyWhileOpen() throws -> StoreBench {
    let (store, copy) = (store(), try StoreBench())
    for number in 0..<3 { try commit(store, "\(number)", owner: "home \(number)") }
    for file in ["group.db", "group.db-wal", "group.fresh"] {
      try FileManager.default.copyItem(
        atPath: "\(directory.path)/\(file)", toPath: "\(copy.directory.path)/\(file)")
    }
    return copy
  }

  /// Returns a refresh token.
  static func token(_ secret: String, _ owner: String = "home") -> CredentialRecord {
    var token = CredentialRecord(type: .refreshToken, secret: Secret(secret))
    token.homeAccountID = owner
    token.environment = "issuer.example"
    token.clientID = "client"
    return token
  }

  /// Returns the secrets of an account.
  func secrets(_ store: SQLiteStore, owner: String = "home") throws -> Set<String> {
    Set(try snapshot(store, owner: owner).credentials.map { $0.secret.reveal() })
  }

  /// Returns the snapshot of an account.
  func snapshot(_ store: SQLiteStore, owner: String = "home") throws -> CacheSnapshot {
    var selection = SnapshotSelection()
    selection.owner = owner
    return try store.snapshot(selection, within: .none)
  }

  /// Whether any file of the directory contains a text.
  func filesHold(_ text: String) throws -> Bool {
    try files().contains { name in
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/\(name)"))
      return String(decoding: data, as: UTF8.self).contains(text)
    }
  }

  /// Returns the names of the files.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// Runs SQL on the database, as another process would.
  func run(_ sql: String) throws {
    try DatabaseEditor.run(sql, on: database)
  }

  /// Returns the first column of the first row as text.
  func value(_ sql: String) throws -> String? {
    try DatabaseEditor.value(sql, of: database)
  }
}
