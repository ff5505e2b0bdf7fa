// SPDX-License-Identifier: MIT
// Which file a path leads to, so that one in place of another is noticed.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.init(status)
  }

  /// The file that a descriptor has open.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt(truncatingIfNeeded: status.st_dev)
    inode = UInt(truncatingIfNeeded: status.st_ino)
    size = Int(clamping: status.st_size)
  }
}
