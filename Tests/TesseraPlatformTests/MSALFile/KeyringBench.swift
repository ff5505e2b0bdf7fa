// SPDX-License-Identifier: MIT
// Stores in a keyring of a test's own, with what tests do to them.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting

@testable import TesseraPlatform

/// A home and a keyring, used by stores and written to as other libraries do.
final class KeyringBench: Sendable {
  let keyring = TestKeyring()
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A store as another program would open it; waits pass at once, unless it has the system's time.
  func store(
    _ cache: KnownCache, policy: StoragePolicy = .allowPlaintext,
    time: any TimeSource = VirtualClock()
  ) -> MSALFileStore {
    let home = directory.path
    let finder = MSALFileFinder(
      .known(cache), keyring, time: time,
      folders: { () throws(TesseraError) in
        try CacheFolders { $0 == "HOME" ? home : nil }
      })
    return MSALFileStore(finder, policy: policy, time: time)
  }

  /// The item of a cache, and the file that is touched for it.
  func item(_ cache: KnownCache) throws -> (item: KeyringItem, signal: String) {
    let home = directory.path
    let places = cache.places(try CacheFolders { $0 == "HOME" ? home : nil })
    guard let first = places.items.first else { throw CocoaError(.fileNoSuchFile) }
    return first
  }

  /// Touches a file as other libraries do.
  func touch(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    guard file >= 0, futimens(file, nil) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// The names of the files in a file's directory.
  func files(beside path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: (path as NSString).deletingLastPathComponent
    ).sorted()
  }

  /// What a call for a person's tokens asks for.
  func person(_ owner: String) -> SnapshotSelection {
    var selection = SnapshotSelection()
    selection.owner = owner
    return selection
  }

  /// The same for the person whose tokens are committed.
  var person: SnapshotSelection { person("home") }

  /// Commits a refresh token.
  func commit(
    _ secret: String, owner: String = "home", to store: MSALFileStore
  ) throws(TesseraError) {
    let token = StoreBench.token(secret, owner)
    try store.commit(CacheChange([.put(.credential(token))]), within: .none)
  }

  /// The tokens that a store finds.
  func secrets(_ store: MSALFileStore, owner: String = "home") throws -> Set<String> {
    Set(try store.snapshot(person(owner), within: .none).credentials.map { $0.secret.reveal() })
  }

  /// What reading fails with; nil if it does not.
  func readError(_ store: MSALFileStore) -> TesseraError? {
    error { () throws(TesseraError) in _ = try store.snapshot(person, within: .none) }
  }

  /// What storing fails with; nil if it does not.
  func commitError(_ store: MSALFileStore) -> TesseraError? {
    error { () throws(TesseraError) in try commit("secret", to: store) }
  }

  /// What looking for room fails with; nil if it does not.
  func proveError(_ store: MSALFileStore) -> TesseraError? {
    error { () throws(TesseraError) in try store.prove(within: .none) }
  }

  private func error(_ body: () throws(TesseraError) -> Void) -> TesseraError? {
    do throws(TesseraError) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
