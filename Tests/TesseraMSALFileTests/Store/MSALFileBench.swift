// SPDX-License-Identifier: MIT
// A cache file in a temporary directory, with helpers for tests.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport

@testable import TesseraMSALFile
@testable import TesseraPlatform

/// A temporary directory for one cache file, with the effects of other libraries.
final class MSALFileBench: Sendable {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The path of the cache file.
  var path: String { directory.path + "/cache.json" }

  /// Creates a store as another application would.
  ///
  /// By default its waits end at once.
  func store(
    at path: String? = nil, policy: StoragePolicy = .preferEncrypted, limitBytes: Int64? = nil,
    time: any TimeSource = VirtualClock()
  ) -> MSALFileStore {
    MSALFileStore(.file(path ?? self.path), policy: policy, limitBytes: limitBytes, time: time)
  }

  /// Returns the lock of a cache file.
  ///
  /// - Parameter whenTaken: A closure that runs each time before the lock is acquired.
  func lock(
    of path: String? = nil, whenTaken: @escaping @Sendable () -> Void = {}
  ) -> PeerLock {
    let turns = directory.path + "/turns"
    return PeerLock(
      (path ?? self.path) + ".lockfile",
      lockFiles: LockFiles(locks: turns + ".lock", threadLocks: turns + ".turn"), StoreLocks(),
      SystemTime(),
      kernel: { file throws(FileError) in
        whenTaken()
        return try file.lock()
      })
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
  func commit(_ secret: String, to store: MSALFileStore) throws(TesseraError) {
    try store.commit(CacheChange([.put(.credential(SampleToken.refresh(secret)))]), within: .none)
  }

  /// Commits an access token with a scope.
  func commit(
    _ secret: String, for scope: String, to store: MSALFileStore
  ) throws(TesseraError) {
    var token = CredentialRecord(type: .accessToken, secret: Secret(secret))
    token.homeAccountID = "home"
    token.environment = "e"
    token.clientID = "c"
    token.realm = "r"
    token.target = scope
    try store.commit(CacheChange([.put(.credential(token))]), within: .none)
  }

  /// Adds a member to the document as MSAL for Python does it: under a lock file that it creates, and in place.
  func addAsPeer(_ member: String) {
    let lockPath = path + ".lockfile"
    var lock: Int32 = -1
    repeat {
      lock = open(lockPath, O_WRONLY | O_CREAT | O_EXCL, 0o644)
      if lock < 0 { usleep(500) }
    } while lock < 0
    let mark = "\(getpid()) peer"
    _ = Foundation.write(lock, mark, mark.utf8.count)
    close(lock)
    if let text = try? text(), let end = text.lastIndex(of: "}") {
      let isEmpty = text.count == 2
      try? write(text[..<end] + (isEmpty ? "" : ",") + "\"\(member)\":{}}")
    }
    unlink(lockPath)
  }

  /// Returns the secrets in a store.
  func secrets(_ store: MSALFileStore) throws -> Set<String> {
    Set(try store.snapshot(ownerSelection, within: .none).credentials.map { $0.secret.reveal() })
  }

  /// Returns the error of a call; nil if it succeeds.
  func error(_ body: () throws(TesseraError) -> Void) -> TesseraError? {
    do throws(TesseraError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Returns the errors of a read, of `checkWritable` and of a commit.
  func failures(_ store: MSALFileStore) -> [TesseraError?] {
    let reading = error { () throws(TesseraError) in
      _ = try store.snapshot(ownerSelection, within: .none)
    }
    let proving = error { () throws(TesseraError) in try store.checkWritable(within: .none) }
    let storing = error { () throws(TesseraError) in try commit("secret", to: store) }
    return [reading, proving, storing]
  }

  /// Writes the file in place, as most libraries do.
  func write(_ text: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    guard Foundation.write(file, text, text.utf8.count) == text.utf8.count else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Returns the contents of the file.
  func text() throws -> String { try text(at: path) }

  /// Returns the contents of another file, including a byte order mark.
  func text(at path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// Returns the names of the files in the directory.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }
}
