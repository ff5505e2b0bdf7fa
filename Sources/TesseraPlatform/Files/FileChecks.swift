// SPDX-License-Identifier: MIT
// The rules and identities of files, and the errors of file operations.

package import CLibrary
import CTesseraStore
import CTesseraSystem
import Synchronization
package import TesseraEngine

/// The reason why a file or directory was rejected.
package enum FileError: Error {
  /// It is owned by another user, or accessible to others.
  case unsafe(path: String, reason: String)
  /// A system call failed, with its `errno` value.
  case failed(verb: String, path: String, code: Int32)
}

/// The requirements for files and directories with secrets.
package enum FileRules {
  /// Checks that a file or directory is owned by the user, not writable by others, and has no further hard links.
  ///
  /// A missing file is accepted.
  ///
  /// - Parameters:
  ///   - kind: The required file type, `S_IFREG` or `S_IFDIR`.
  ///   - tightens: Whether to remove the permissions of others from the mode.
  static func check(
    _ path: String, kind: mode_t, tightens: Bool
  ) throws(FileError) {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return }
      throw .failed(verb: "examine", path: path, code: errno)
    }
    if let reason = violation(to: status, kind: kind) {
      throw .unsafe(path: path, reason: reason)
    }
    guard status.st_mode & 0o077 != 0, tightens else { return }
    // A secret must not be readable by others. A directory that the user created for other purposes too stays
    // unchanged.
    if fchmodat(AT_FDCWD, path, status.st_mode & 0o700, 0) != 0 {
      throw .failed(verb: "restrict the mode of", path: path, code: errno)
    }
  }

  /// Returns the reason for rejecting a file or directory; nil if it is accepted.
  static func violation(to status: stat, kind: mode_t) -> String? {
    guard status.st_mode & mode_t(S_IFMT) == kind else {
      return "is not a regular \(kind == mode_t(S_IFDIR) ? "directory" : "file")"
    }
    // Also applies to an application run with sudo, which would create files that their owner cannot use.
    guard status.st_uid == geteuid() else { return "is owned by another user" }
    guard status.st_mode & 0o022 == 0 else { return "is writable by others" }
    // A file that was replaced during the check has no link at all.
    guard kind == mode_t(S_IFDIR) || status.st_nlink <= 1 else {
      return "has more than one hard link"
    }
    return nil
  }

  /// Checks a file like ``check(_:kind:tightens:)``, without changing its mode.
  package static func checkFile(_ path: String) throws(FileError) {
    try check(path, kind: mode_t(S_IFREG), tightens: false)
  }

  /// Returns the reason for rejecting a file; nil if it is accepted.
  package static func violation(toFile status: stat) -> String? {
    violation(to: status, kind: mode_t(S_IFREG))
  }

  /// Checks that no other user can write to a parent directory and replace the directory.
  ///
  /// Symbolic links are followed, because the user may have created them. The directories above their targets are
  /// checked.
  package static func checkParents(of directory: String) throws(FileError) {
    guard let path = resolved(directory) else { return }
    try checkParents(ofResolved: path)
  }

  /// Checks the parent directories of a path without symbolic links.
  package static func checkParents(ofResolved target: String) throws(FileError) {
    var path = target
    while let slash = path.lastIndex(of: "/"), path != "/" {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
      var status = stat()
      guard lstat(path, &status) == 0 else {
        if errno == ENOENT { continue }
        throw .failed(verb: "examine", path: path, code: errno)
      }
      if let reason = violation(toParent: status) { throw .unsafe(path: path, reason: reason) }
    }
  }

  /// Returns the reason for rejecting a parent directory; nil if it is accepted.
  static func violation(toParent status: stat, own: uid_t = geteuid()) -> String? {
    guard status.st_uid == own || status.st_uid == 0 || isUnmapped(status.st_uid) else {
      return "is owned by another user"
    }
    if status.st_mode & mode_t(S_ISVTX) != 0 { return nil }
    guard status.st_mode & 0o002 == 0 else { return "is writable by all users" }
    // Many systems give each user a group with the same ID, and a umask that keeps it writable.
    let isPrivateGroup = status.st_gid == status.st_uid && status.st_uid == own
    return status.st_mode & 0o020 == 0 || isPrivateGroup ? nil : "is writable by its group"
  }

  /// Whether a user ID is the overflow ID that owns the files of unmapped users in a rootless container.
  private static func isUnmapped(_ user: uid_t) -> Bool {
    guard user == 65_534 else { return false }
    let descriptor = openFile("/proc/self/uid_map", O_RDONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    let fields = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    // Outside of containers, the map has one line, which maps every ID to itself.
    return count > 0 && fields != ["0", "0", "4294967295"]
  }

  /// Returns a path without symbolic links.
  ///
  /// Missing components are kept as they are.
  package static func resolved(_ path: String) -> String? {
    var existing = path
    var rest = ""
    while true {
      if let real = realpath(existing, nil) {
        defer { free(real) }
        let start = String(cString: real)
        return rest.isEmpty ? start : (start == "/" ? "" : start) + rest
      }
      guard let slash = existing.lastIndex(of: "/"), existing != "/" else { return nil }
      rest = existing[slash...] + rest
      existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
    }
  }
}

/// The identity of a file, independent of its path.
package struct FileIdentity: Equatable {
  package let device: UInt
  package let inode: UInt
  /// The size of the file, in bytes.
  package let size: Int

  package init(device: UInt, inode: UInt) {
    self.device = device
    self.inode = inode
    size = 0
  }

  /// Whether both refer to the same file.
  ///
  /// Ignores the size.
  package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.inode == right.inode
  }

  /// Reads the identity of the file at a path; nil with `errno` set if there is none or the system call fails.
  ///
  /// The file is not opened, because closing it would release the POSIX locks of every connection to it.
  package init?(at path: UnsafePointer<CChar>) {
    var identity = ctessera_identity()
    guard ctessera_path_identity(path, &identity) else { return nil }
    self.init(identity)
  }

  /// Reads the identity of an open file; nil if the descriptor is invalid.
  package init?(of descriptor: Int32) {
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

/// The persistent identity of a file, which differs from that of a later file with the same inode number.
package struct PersistentFileID: Equatable {
  /// The inode number.
  package let number: UInt64
  /// The birth time, in nanoseconds since 1970; 0 if the file system does not record it.
  let birth: UInt64

  package init(number: UInt64, birth: UInt64) {
    self.number = number
    self.birth = birth
  }

  /// Reads the identity of the file at a path; nil if there is none.
  package init?(at path: String) {
    var (number, birth) = (UInt64(0), UInt64(0))
    guard ctessera_path_persistent_id(path, &number, &birth) else { return nil }
    self.init(number: number, birth: birth)
  }

  /// Reads the identity of an open file; nil if the descriptor is invalid.
  package init?(of descriptor: Int32) {
    var (number, birth) = (UInt64(0), UInt64(0))
    guard ctessera_descriptor_persistent_id(descriptor, &number, &birth) else { return nil }
    self.init(number: number, birth: birth)
  }
}

/// A guard for descriptors opened later, which detects that the host application has closed all of them
/// (`closefrom(3)`).
///
/// It keeps one end of a pipe open, which has a unique identity. If its descriptor refers to another file, the other
/// descriptors may do so as well. They may refer to files of the host application, or to reopened files of the store.
final class DescriptorGuard: Sendable {
  private let descriptor: Int32
  private let identity: FileIdentity?
  private let hasEnded = Atomic(false)

  /// Creates a guard.
  ///
  /// If no descriptor is free, closing is never detected.
  init() {
    var pair: [Int32] = [-1, -1]
    guard ctessera_wake_pipe(&pair) == 0 else {
      descriptor = -1
      identity = nil
      return
    }
    close(pair[1])
    descriptor = pair[0]
    identity = FileIdentity(of: pair[0])
  }

  deinit {
    end()
  }

  /// Ends the guard and closes its own descriptor.
  func end() {
    guard identity != nil, areOpen, !hasEnded.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    close(descriptor)
  }

  /// Whether the descriptors still refer to the opened files.
  var areOpen: Bool {
    guard let identity else { return true }
    return !hasEnded.load(ordering: .acquiring) && FileIdentity(of: descriptor) == identity
  }
}

extension DescriptorGuard {
  /// Whether one more file can be opened.
  ///
  /// The dynamic linker does not report this cause of a failure.
  static var canOpenFile: Bool {
    let descriptor = openFile("/", O_RDONLY)
    guard descriptor >= 0 else { return !TesseraError.isDescriptorLimit(errno) }
    close(descriptor)
    return true
  }
}

extension TesseraError {
  /// Creates the error for a rejected file.
  ///
  /// - Parameter setting: The option that chooses another location.
  package init(_ problem: FileError, setting: String = "store.directory") {
    switch problem {
    case .failed(let verb, let path, let code):
      self = .failed(verb, path, code, setting: setting)
    case .unsafe(let path, let reason):
      self.init(
        .fixStorage, .storeUnsafe,
        "\(path) \(reason). Correct its owner and mode (chown, chmod go-w), or choose another \(setting)."
      )
    }
  }

  /// Returns the error for a failed system call.
  ///
  /// - Parameters:
  ///   - verb: The failed operation, such as "open".
  ///   - code: The `errno` value.
  ///   - setting: The option that chooses another location.
  package static func failed(
    _ verb: String, _ path: String, _ code: Int32, setting: String = "store.directory"
  ) -> TesseraError {
    advice(verb, path, code, setting).caused(by: .system(code))
  }

  private static func advice(
    _ verb: String, _ path: String, _ code: Int32, _ setting: String
  ) -> TesseraError {
    if isDescriptorLimit(code) { return .tooManyFiles(path) }
    let reason = String(cString: strerror(code))
    guard [ENOSPC, EDQUOT, EFBIG].contains(code) else {
      return TesseraError(
        .fixStorage, .storeUnavailable,
        "Could not \(verb) \(path): \(reason). Correct its permissions or choose another \(setting)."
      )
    }
    return TesseraError(
      .fixStorage, .storeFull, "Could not \(verb) \(path): \(reason). Free disk space.")
  }
}
