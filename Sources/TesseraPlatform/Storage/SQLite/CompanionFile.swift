// SPDX-License-Identifier: MIT
// A file that SQLite creates next to a database and that must not be replaced while the database is open.

import CLibrary
import Synchronization

/// The write-ahead log of a database, or its index (`-shm`).
///
/// If another process removes the file, open connections and later ones use different files. They do not see each
/// other's commits, and both write to one database. SQLite does not detect this.
final class CompanionFile: @unchecked Sendable {
  // A plain C string, because the check is on the path of every call. If its allocation fails, the file counts as replaced.
  private let path: UnsafePointer<CChar>?
  private let inode = Atomic<UInt>(0)

  init(_ path: String) {
    self.path = UnsafePointer(strdup(path))
  }

  deinit {
    free(UnsafeMutableRawPointer(mutating: path))
  }

  /// Whether the path still refers to the recorded file; also true if no file is recorded.
  var isInPlace: Bool {
    guard let path else { return false }
    let known = inode.load(ordering: .acquiring)
    return known == 0 || FileIdentity(at: path)?.inode == known
  }

  /// Records the inode of the file that a connection has just opened.
  ///
  /// - Returns: Whether it is the file recorded before, if any.
  func recordInode() -> Bool {
    guard let path, let found = FileIdentity(at: path)?.inode else { return isInPlace }
    let known = inode.compareExchange(
      expected: 0, desired: found, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == found
  }
}
