// SPDX-License-Identifier: MIT
// A temporary directory that is removed after the test.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A new, private directory in the system's temporary directory.
package final class TemporaryDirectory: Sendable {
  /// The path of the directory.
  package let path: String

  /// Creates the directory.
  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/tessera-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
