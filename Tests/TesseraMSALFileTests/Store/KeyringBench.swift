// SPDX-License-Identifier: MIT
// Stores in an in-memory keyring, with helpers for tests.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TestSupport

@testable import TesseraMSALFile
@testable import TesseraPlatform

/// A temporary home directory and a keyring, with the effects of other libraries.
final class KeyringBench: Sendable {
  let keyring = TestKeyring()
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Creates a store as another application would.
  ///
  /// By default its waits end at once.
  func store(
    _ cache: KnownCache, policy: StoragePolicy = .allowPlaintext,
    time: any TimeSource = VirtualClock()
  ) -> MSALFileStore {
    let home = directory.path
    let finder = MSALFileFinder(
      .known(cache), keyring, time: time,
      folders: { () throws(TesseraError) in
        try CacheDirectories { $0 == "HOME" ? home : nil }
      })
    return MSALFileStore(finder, policy: policy, time: time)
  }

  /// Returns the item of a cache, and the file that is touched for it.
  func item(_ cache: KnownCache) throws -> (item: KeyringItem, signal: String) {
    let home = directory.path
    let locations = cache.locations(try CacheDirectories { $0 == "HOME" ? home : nil })
    guard let first = locations.items.first else { throw CocoaError(.fileNoSuchFile) }
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

  /// Returns the names of the files in the directory of a file.
  func files(beside path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: (path as NSString).deletingLastPathComponent
    ).sorted()
  }

  /// Returns the selection for the tokens of an account.
  func ownerSelection(_ owner: String) -> SnapshotSelection {
    var selection = SnapshotSelection()
    selection.owner = owner
    return selection
  }

  /// The selection for the account with the committed tokens.
  var ownerSelection: SnapshotSelection { ownerSelection("home") }

  /// Commits a refresh token.
  func commit(
    _ secret: String, owner: String = "home", to store: MSALFileStore
  ) throws(TesseraError) {
    let token = SampleToken.refresh(secret, owner)
    try store.commit(CacheChange([.put(.credential(token))]), within: .none)
  }

  /// Returns the secrets in a store.
  func secrets(_ store: MSALFileStore, owner: String = "home") throws -> Set<String> {
    Set(
      try store.snapshot(ownerSelection(owner), within: .none).credentials.map {
        $0.secret.reveal()
      })
  }

  /// Returns the error of a read; nil if it succeeds.
  func readError(_ store: MSALFileStore) -> TesseraError? {
    error { () throws(TesseraError) in _ = try store.snapshot(ownerSelection, within: .none) }
  }

  /// Returns the error of a commit; nil if it succeeds.
  func commitError(_ store: MSALFileStore) -> TesseraError? {
    error { () throws(TesseraError) in try commit("secret", to: store) }
  }

  /// Returns the error of `checkWritable`; nil if it succeeds.
  func proveError(_ store: MSALFileStore) -> TesseraError? {
    error { () throws(TesseraError) in try store.checkWritable(within: .none) }
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
