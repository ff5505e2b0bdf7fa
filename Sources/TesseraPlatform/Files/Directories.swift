// SPDX-License-Identifier: MIT
// Private directories, paths and programs.

import CLibrary
import CTesseraSystem
package import TesseraEngine

/// A directory for secrets of one user.
package enum PrivateDirectory {
  /// Creates a directory and its missing parents, with mode 0700 from the start, independent of the umask.
  package static func make(_ directory: String) throws(FileError) {
    // The usual case: the directory exists.
    if directory.hasPrefix("/"), access(directory, F_OK) == 0 { return }
    var path = ""
    for part in directory.split(separator: "/") {
      let parent = path
      path += "/" + part
      let problem = create(path)
      if problem == 0 {
        sync(parent.isEmpty ? "/" : parent)
      } else if problem != EEXIST, access(path, F_OK) != 0 {
        // Existing directories may fail with EACCES or EROFS instead of EEXIST.
        throw .failed(verb: "create the directory", path: path, code: problem)
      }
    }
  }

  /// Creates one directory with mode 0700, independent of the umask.
  ///
  /// - Returns: 0, or the `errno` value of the failure.
  package static func create(_ path: String) -> Int32 {
    ctessera_make_directory(path, 0o700)
  }

  /// Syncs the entries of a directory to the disk.
  ///
  /// - Returns: 0, or the `errno` value of the failure.
  @discardableResult
  package static func sync(_ directory: String) -> Int32 {
    let descriptor = openFile(directory, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }
}

/// The directory for locks between the user's processes on this machine, which depends only on the user ID.
///
/// A cron job and a desktop application have different environments, but must find the same locks. So must processes
/// that start before login or continue after logout. `/run/user/UID` exists only during sessions, so temporary
/// directories are preferred.
package enum RuntimeDirectory {
  /// The possible paths, in order of preference.
  ///
  /// Other users cannot create the last one, but it does not always exist.
  static var candidates: [String] {
    let user = geteuid()
    return ["/tmp/tessera-\(user)", "/var/tmp/tessera-\(user)", "/run/user/\(user)"]
  }

  /// The selected path.
  package static var path: String { path(among: candidates) }

  /// Returns the first path that is owned by the user or can be created.
  ///
  /// Skips directories of other users.
  ///
  /// The result depends on the files only. The parent directories allow only the owner of an entry to remove it.
  package static func path(among candidates: [String]) -> String {
    let found = candidates.first { path in
      var status = stat()
      guard lstat(path, &status) == 0 else { return errno == ENOENT && isUsable(parentOf: path) }
      return status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) && status.st_uid == geteuid()
    }
    return found ?? candidates.first ?? "/tmp"
  }

  /// Creates the directory if it is missing, and rejects one that fails the checks of ``FileRules``.
  package static func make(_ path: String) throws(FileError) {
    let problem = PrivateDirectory.create(path)
    guard problem == 0 || problem == EEXIST else {
      throw .failed(verb: "create the directory", path: path, code: problem)
    }
    try FileRules.check(path, kind: mode_t(S_IFDIR), tightens: true)
  }

  private static func isUsable(parentOf path: String) -> Bool {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    return faccessat(AT_FDCWD, parent, W_OK | X_OK, AT_EACCESS) == 0
  }
}

/// The nearest existing directory above a file that does not exist yet.
package struct MissingDirectory {
  /// The nearest path above the file that exists.
  let nearest: String
  /// The error of writing to it (`errno`); 0 if a file or directory can be created there.
  package let code: Int32

  /// Finds the nearest existing path, starting at the directory of the file.
  package init(_ directory: String) {
    var path = directory
    while faccessat(AT_FDCWD, path, F_OK, AT_EACCESS) != 0, errno == ENOENT || errno == ENOTDIR,
      let slash = path.lastIndex(of: "/"), path != "/"
    {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    nearest = path
    var status = stat()
    if stat(path, &status) != 0 {
      code = errno
    } else if status.st_mode & mode_t(S_IFMT) != mode_t(S_IFDIR) {
      code = ENOTDIR
    } else {
      code = faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno
    }
  }

  /// Returns the error of a store that cannot be created there; nil if it can.
  ///
  /// - Parameters:
  ///   - file: The file of the store.
  ///   - setting: The option that chooses another location.
  package func problem(creating file: String, setting: String) -> TesseraError? {
    guard code != 0 else { return nil }
    return TesseraError(
      .fixStorage, .storeUnavailable,
      """
      \(file) cannot be created: \(nearest) \(reason). Correct its permissions or choose another \(setting).
      """
    ).caused(by: .system(code))
  }

  private var reason: String {
    switch code {
    case EROFS: "is on a read-only file system"
    case EACCES, EPERM: "is read-only for this user"
    default: "cannot be used: \(String(cString: strerror(code)))"
    }
  }
}

/// The resolved target of a path, and the permissions of its parent directories.
package struct ResolvedPath: Sendable {
  /// The result of checking the parent directories of a path without symbolic links.
  private enum ParentCheck {
    case valid
    case violation(FileError)
  }

  /// The path without symbolic links, also in its last component.
  package let target: String
  /// The result of the check; nil if there are symbolic links or missing components.
  private let parentCheck: ParentCheck?

  /// Resolves a path.
  package init(_ path: String) {
    parentCheck = ResolvedPath.parentCheck(path)
    target = parentCheck == nil ? FileRules.resolved(path) ?? path : path
  }

  /// Throws if other users can replace the file.
  package func checkParents() throws(FileError) {
    switch parentCheck {
    case .violation(let problem): throw problem
    case .valid: return
    case nil: try FileRules.checkParents(ofResolved: target)
    }
  }

  /// Checks each component of a path; nil if one is not a directory, or the last one is not a regular file.
  private static func parentCheck(_ path: String) -> ParentCheck? {
    var bytes = Array(path.utf8CString)
    guard bytes.first == slash else { return nil }
    let own = geteuid()
    var parentCheck = ParentCheck.valid
    var status = stat()
    func checkParent(_ parent: @autoclosure () -> String) {
      guard case .valid = parentCheck,
        let reason = FileRules.violation(toParent: status, own: own)
      else { return }
      parentCheck = .violation(.unsafe(path: parent(), reason: reason))
    }
    guard lstat("/", &status) == 0 else { return nil }
    checkParent("/")
    var start = 1
    for end in 1..<bytes.count where bytes[end] == slash || bytes[end] == 0 {
      // Leave empty components and those of dots to `realpath(3)`.
      guard !isEmptyOrDots(bytes[start..<end]) else { return nil }
      let isLast = bytes[end] == 0
      bytes[end] = 0
      guard lstat(bytes, &status) == 0,
        status.st_mode & mode_t(S_IFMT) == (isLast ? mode_t(S_IFREG) : mode_t(S_IFDIR))
      else { return nil }
      guard !isLast else { break }
      checkParent(String(decoding: path.utf8.prefix(end), as: UTF8.self))
      bytes[end] = slash
      start = end + 1
    }
    return parentCheck
  }

  /// Whether a component is empty or consists of dots.
  private static func isEmptyOrDots(_ part: ArraySlice<CChar>) -> Bool {
    part.allSatisfy { $0 == CChar(UInt8(ascii: ".")) }
  }

  private static let slash = CChar(UInt8(ascii: "/"))
}

/// A search for executable files.
enum ExecutableSearch {
  /// Returns the path of a program, given its absolute path, or its name in one of the folders; nil if it is not found.
  ///
  /// Relative folders are skipped, because their content depends on the current directory.
  static func path(of name: String, in folders: [String]) -> String? {
    if name.hasPrefix("/") { return isExecutable(name) ? name : nil }
    guard !name.contains("/") else { return nil }
    return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: isExecutable)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0
      && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG)
  }
}
