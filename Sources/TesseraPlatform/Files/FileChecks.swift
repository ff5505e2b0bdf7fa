// SPDX-License-Identifier: MIT
// Files and directories: creation, owners, modes and changes.

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
