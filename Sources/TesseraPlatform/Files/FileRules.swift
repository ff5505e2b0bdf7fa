// SPDX-License-Identifier: MIT
// Requirements for files and directories with secrets, and for their parent directories.

import CLibrary

/// The reason why a file or directory was rejected.
enum FileError: Error {
  /// It is owned by another user, or accessible to others.
  case unsafe(path: String, reason: String)
  /// A system call failed, with its `errno` value.
  case failed(verb: String, path: String, code: Int32)
}

/// The requirements for files and directories with secrets.
enum FileRules {
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

  /// Checks that no other user can write to a parent directory and replace the directory.
  ///
  /// Symbolic links are followed, because the user may have created them. The directories above their targets are
  /// checked.
  static func checkParents(of directory: String) throws(FileError) {
    guard let path = resolved(directory) else { return }
    try checkParents(ofResolved: path)
  }

  /// Checks the parent directories of a path without symbolic links.
  static func checkParents(ofResolved target: String) throws(FileError) {
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
  static func resolved(_ path: String) -> String? {
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
