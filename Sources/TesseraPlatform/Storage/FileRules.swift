// SPDX-License-Identifier: MIT
// What is demanded of files and directories that hold secrets, and of the directories above them.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why a file or directory was not used.
enum FileProblem: Error {
  /// It is not the user's own, or not the user's alone.
  case unsafe(path: String, reason: String)
  /// What the system said, as `errno` has it.
  case failed(verb: String, path: String, code: Int32)
}

/// What is demanded of files and directories that hold secrets.
enum FileRules {
  /// The user's own, plain, without a second name, writable by nobody else.
  ///
  /// What is not there is no problem.
  ///
  /// - Parameter tightens: whether a mode by which others can read is corrected.
  static func check(
    _ path: String, kind: mode_t, tightens: Bool
  ) throws(FileProblem) {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return }
      throw .failed(verb: "look at", path: path, code: errno)
    }
    if let reason = objection(to: status, kind: kind) {
      throw .unsafe(path: path, reason: reason)
    }
    guard status.st_mode & 0o077 != 0, tightens else { return }
    // Readable by others: a secret is not. What the user made for other things as well stays as it is.
    if fchmodat(AT_FDCWD, path, status.st_mode & 0o700, 0) != 0 {
      throw .failed(verb: "tighten the mode of", path: path, code: errno)
    }
  }

  /// What speaks against a file or directory; nil for nothing.
  static func objection(to status: stat, kind: mode_t) -> String? {
    guard status.st_mode & mode_t(S_IFMT) == kind else {
      return "is not a plain \(kind == mode_t(S_IFDIR) ? "directory" : "file")"
    }
    // Also the case of a program run with sudo: it would leave files that their owner cannot use.
    guard status.st_uid == geteuid() else { return "belongs to another user" }
    guard status.st_mode & 0o022 == 0 else { return "can be written by others" }
    // One that was replaced while it was looked at has none at all.
    guard kind == mode_t(S_IFDIR) || status.st_nlink <= 1 else {
      return "has a second name (a hard link)"
    }
    return nil
  }

  /// Whoever can write a directory above can put another one in the place of ours.
  ///
  /// Links are followed: the user's own arrangement is fine, as long as the directories it leads to are.
  static func checkParents(of directory: String) throws(FileProblem) {
    guard let path = resolved(directory) else { return }
    try checkParents(ofResolved: path)
  }

  /// The same for a path without symbolic links.
  static func checkParents(ofResolved target: String) throws(FileProblem) {
    var path = target
    while let slash = path.lastIndex(of: "/"), path != "/" {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
      var status = stat()
      guard lstat(path, &status) == 0 else {
        if errno == ENOENT { continue }
        throw .failed(verb: "look at", path: path, code: errno)
      }
      if let reason = objection(toParent: status) { throw .unsafe(path: path, reason: reason) }
    }
  }

  /// What speaks against a directory above; nil for nothing.
  static func objection(toParent status: stat, own: uid_t = geteuid()) -> String? {
    guard status.st_uid == own || status.st_uid == 0 || isUnmapped(status.st_uid) else {
      return "belongs to another user"
    }
    if status.st_mode & mode_t(S_ISVTX) != 0 { return nil }
    guard status.st_mode & 0o002 == 0 else { return "can be written by everybody" }
    // Many systems give each user a group of the same number, and a umask that lets it write.
    let isPrivateGroup = status.st_gid == status.st_uid && status.st_uid == own
    return status.st_mode & 0o020 == 0 || isPrivateGroup ? nil : "can be written by its group"
  }

  /// In a container of the user's own, the owners outside have no number and show as this one.
  private static func isUnmapped(_ user: uid_t) -> Bool {
    guard user == 65_534 else { return false }
    let descriptor = openFile("/proc/self/uid_map", O_RDONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    let words = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    // The machine's own map has one line, and maps every number to itself.
    return count > 0 && words != ["0", "0", "4294967295"]
  }

  /// A path without symbolic links; what is not there yet stays as it is written.
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
