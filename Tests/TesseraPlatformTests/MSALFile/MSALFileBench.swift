// SPDX-License-Identifier: MIT
// A cache file in a directory of a test's own, with what tests do to it.

import Foundation
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire

/// A directory for one cache file, used by stores and written to as other libraries do.
final class MSALFileBench: Sendable {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The cache file.
  var path: String { directory.path + "/cache.json" }

  /// A store as another program would open it; waits pass at once, unless it has the system's time.
  func store(
    at path: String? = nil, policy: StoragePolicy = .preferEncrypted, limitBytes: Int64? = nil,
    time: any TimeSource = VirtualClock()
  ) -> MSALFileStore {
    MSALFileStore(.file(path ?? self.path), policy: policy, limitBytes: limitBytes, time: time)
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
  func commit(_ secret: String, to store: MSALFileStore) throws(TesseraError) {
    try store.commit(CacheChange([.put(.credential(StoreBench.token(secret)))]), within: .none)
  }

  /// The tokens that a store finds.
  func secrets(_ store: MSALFileStore) throws -> Set<String> {
    Set(try store.snapshot(person, within: .none).credentials.map { $0.secret.reveal() })
  }

  /// What a call failed with; nil if it did not.
  func error(_ body: () throws(TesseraError) -> Void) -> TesseraError? {
    do throws(TesseraError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// What a program's calls fail with: reading, looking for room, storing.
  func failures(_ store: MSALFileStore) -> [TesseraError?] {
    let reading = error { () throws(TesseraError) in _ = try store.snapshot(person, within: .none) }
    let proving = error { () throws(TesseraError) in try store.prove(within: .none) }
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

  /// What is in the file.
  func text() throws -> String { try text(at: path) }

  /// The same of another file; a byte order mark is part of it.
  func text(at path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  /// The names of the files in the directory.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }
}
