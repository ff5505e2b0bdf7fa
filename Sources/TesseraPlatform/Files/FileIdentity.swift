// SPDX-License-Identifier: MIT
// Device and inode of a file, to detect that a path refers to another file.

import CTesseraStore

/// The identity of a file, independent of its path.
struct FileIdentity: Equatable {
  let device: UInt
  let inode: UInt
  /// The size of the file, in bytes.
  let size: Int

  init(device: UInt, inode: UInt) {
    self.device = device
    self.inode = inode
    size = 0
  }

  /// Whether both refer to the same file.
  ///
  /// Ignores the size.
  static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.inode == right.inode
  }

  /// Reads the identity of the file at a path; nil with `errno` set if there is none or the system call fails.
  ///
  /// The file is not opened, because closing it would release the POSIX locks of every connection to it.
  init?(at path: UnsafePointer<CChar>) {
    var identity = ctessera_identity()
    guard ctessera_path_identity(path, &identity) else { return nil }
    self.init(identity)
  }

  /// Reads the identity of an open file; nil if the descriptor is invalid.
  init?(of descriptor: Int32) {
    var identity = ctessera_identity()
    guard ctessera_descriptor_identity(descriptor, &identity) else { return nil }
    self.init(identity)
  }

  private init(_ identity: ctessera_identity) {
    device = UInt(truncatingIfNeeded: identity.device)
    inode = UInt(truncatingIfNeeded: identity.number)
    size = Int(clamping: identity.size)
  }
}
