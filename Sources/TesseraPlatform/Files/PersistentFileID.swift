// SPDX-License-Identifier: MIT
// Persistent identity of a file, which survives a rename, a remount or a reboot.

import CTesseraStore

/// The persistent identity of a file, which differs from that of a later file with the same inode number.
struct PersistentFileID: Equatable {
  /// The inode number.
  let number: UInt64
  /// The birth time, in nanoseconds since 1970; 0 if the file system does not record it.
  let birth: UInt64

  init(number: UInt64, birth: UInt64) {
    self.number = number
    self.birth = birth
  }

  /// Reads the identity of the file at a path; nil if there is none.
  init?(at path: String) {
    var (number, birth) = (UInt64(0), UInt64(0))
    guard ctessera_path_persistent_id(path, &number, &birth) else { return nil }
    self.init(number: number, birth: birth)
  }

  /// Reads the identity of an open file; nil if the descriptor is invalid.
  init?(of descriptor: Int32) {
    var (number, birth) = (UInt64(0), UInt64(0))
    guard ctessera_descriptor_persistent_id(descriptor, &number, &birth) else { return nil }
    self.init(number: number, birth: birth)
  }
}
