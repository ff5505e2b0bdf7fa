// SPDX-License-Identifier: MIT
// Which file a path leads to, so that one in place of another is noticed.

import CTesseraStore

/// A file, whatever its name.
struct FileIdentity: Equatable {
  let device: UInt
  let inode: UInt
  /// How many bytes were in it.
  let size: Int

  init(device: UInt, inode: UInt) {
    self.device = device
    self.inode = inode
    size = 0
  }

  /// Whether it is the same file, whatever is in it.
  static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.inode == right.inode
  }

  /// The file at a path; nil if there is none, or if the system does not tell: then `errno` says why.
  ///
  /// It is never opened for that: closing it would drop the locks of every other connection that locks as SQLite does.
  init?(at path: UnsafePointer<CChar>) {
    var identity = ctessera_identity()
    guard ctessera_path_identity(path, &identity) else { return nil }
    self.init(identity)
  }

  /// The file that a descriptor has open.
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
