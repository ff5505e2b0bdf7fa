// SPDX-License-Identifier: MIT
// A file that SQLite keeps beside a database, and that must stay the same one while the database is open.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The write-ahead log of a database, or the index of it.
///
/// Whoever removes one parts those who have it open from those who come later: what one of them commits the others never
/// see, and both write into one database. SQLite does not look.
final class CompanionFile: @unchecked Sendable {
  // A plain C string, because every call passes here.
  private let path: UnsafePointer<CChar>?
  private let inode = Atomic<UInt>(0)

  init(_ path: String) {
    self.path = UnsafePointer(strdup(path))
  }

  deinit {
    free(UnsafeMutableRawPointer(mutating: path))
  }

  /// Whether it is still the one that was remembered; also as long as there was none.
  var isInPlace: Bool {
    let known = inode.load(ordering: .acquiring)
    guard known != 0, let path else { return true }
    return FileIdentity(at: path)?.inode == known
  }

  /// Remembers which one a connection has just opened; false if it was another one before.
  func remember() -> Bool {
    guard let path, let found = FileIdentity(at: path)?.inode else { return isInPlace }
    let known = inode.compareExchange(
      expected: 0, desired: found, ordering: .acquiringAndReleasing)
    return known.exchanged || known.original == found
  }
}
