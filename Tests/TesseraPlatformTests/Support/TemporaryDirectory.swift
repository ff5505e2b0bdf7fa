// SPDX-License-Identifier: MIT
// A directory of a test's own, gone when the test is over.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A new, private directory below the system's temporary one.
final class TemporaryDirectory: Sendable {
  /// Where it lies.
  let path: String

  /// Makes it.
  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/tessera-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
