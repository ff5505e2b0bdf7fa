// SPDX-License-Identifier: MIT
// The lock file of a cache, opened and locked so that it excludes all libraries that share the cache.

import CLibrary
import CTesseraStore
import CTesseraSystem
import TesseraPlatform

/// An open lock file.
///
/// For MSAL for Python and Node the existence of the file is the lock; .NET and Go use `flock`, Java a record lock. A process
/// that has created the file and holds both kernel locks excludes all of them.
struct PeerLockFile {
  /// The mode of Tessera's lock files.
  ///
  /// The sticky bit has no effect on a file. It identifies a lock file of Tessera that has no content yet.
  private static let ownMode = mode_t(S_ISVTX) | 0o600

  let path: String
  let descriptor: Int32
  /// Whether the initializer created the file.
  let isNew: Bool
  /// The type of record lock that the system supports.
  ///
  /// Threads of this process exclude each other before they lock the file.
  private let recordLock: FileLock
  private let registration: FileLock.Registration

  /// Opens the file, or creates it if it is missing.
  ///
  /// - Returns: `nil` if the file was removed in the meantime.
  init?(_ path: String) throws(FileError) {
    let flags = O_RDWR | O_NOFOLLOW | O_CREAT | O_EXCL
    let opened = openFile(path, flags, mode: UInt32(PeerLockFile.ownMode))
    guard opened >= 0 else {
      guard errno == EEXIST else { throw .failed(verb: "open", path: path, code: errno) }
      try self.init(existing: path)
      return
    }
    try self.init(path, opened, isNew: true)
  }

  /// Opens an existing file; `nil` if it is missing.
  init?(existing path: String) throws(FileError) {
    // Opening a FIFO would block.
    let opened = openFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
    guard opened >= 0 else {
      if errno == ENOENT { return nil }
      guard errno == ELOOP else { throw .failed(verb: "open", path: path, code: errno) }
      throw .unsafe(path: path, reason: "is a symbolic link")
    }
    try self.init(path, opened, isNew: false)
  }

  private init(_ path: String, _ descriptor: Int32, isNew: Bool) throws(FileError) {
    self.path = path
    self.descriptor = descriptor
    self.isNew = isNew
    recordLock = FileLock(for: descriptor)
    if let reason = PeerLockFile.objection(to: descriptor) {
      ctessera_close_keeping_locks(descriptor)
      throw .unsafe(path: path, reason: reason)
    }
    guard let registration = recordLock.register(descriptor) else {
      ctessera_close_keeping_locks(descriptor)
      throw .failed(verb: "lock", path: path, code: ENOMEM)
    }
    self.registration = registration
  }

  /// Creates an unnamed file in the directory of a lock file.
  ///
  /// - Returns: `nil` if the system or the file system does not support unnamed files.
  init?(unnamedFor path: String) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let opened = ctessera_open_unnamed(directory, UInt32(PeerLockFile.ownMode))
    guard opened >= 0 else { return nil }
    let lock = FileLock(for: opened)
    guard let registration = lock.register(opened) else {
      ctessera_close_keeping_locks(opened)
      return nil
    }
    self.path = path
    self.registration = registration
    descriptor = opened
    isNew = true
    recordLock = lock
  }

  /// Links an unnamed file to the path of the lock file.
  ///
  /// - Returns: Whether the file was linked. False if a lock file exists, or if the system does not support linking.
  func link() -> Bool { ctessera_name_file(descriptor, path) == 0 }

  /// Returns the reason why the file is not usable; `nil` for none.
  ///
  /// The mode does not matter: the file contains no secret, and other libraries create it with the mode of their umask.
  private static func objection(to descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return "has attributes that cannot be read" }
    guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { return "is not a regular file" }
    guard status.st_uid == geteuid() else { return "is owned by another user" }
    // A write would also change the other path.
    return status.st_nlink > 1 ? "has more than one hard link" : nil
  }

  /// Acquires both kernel locks, without waiting.
  ///
  /// - Returns: The owner of one of them, as far as it is known; `nil` if both were acquired.
  func lock() throws(FileError) -> PeerLockOwner? {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard [EWOULDBLOCK, EINTR].contains(errno) else { throw failure("lock") }
      return owner
    }
    guard recordLock.set(F_WRLCK, descriptor, 0, 0) else {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw failure("lock") }
      // Java writes nothing into the file. Query the kernel for the holder of the record lock.
      let process = recordLock.conflict(descriptor, 0, 0)?.process
      return process.map(PeerLockOwner.peer) ?? owner
    }
    return nil
  }

  /// The owner that is recorded in the file.
  var owner: PeerLockOwner { PeerLockOwner(of: descriptor) }

  /// Whether no process relies on the existence of the file to hold the lock.
  ///
  /// The caller must hold both kernel locks.
  var isStale: Bool {
    if isNew { return true }
    // A running process with Tessera would hold the kernel locks.
    if isFromTessera { return true }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    guard case .peer(let number) = owner else {
      return PeerLockStaleness.isStale(.notRunning, age: PeerLockFile.age(status))
    }
    return PeerLockFile.isStale(.process(number), number, status)
  }

  /// Whether Tessera created the file: it has the signature of Tessera, or is empty and has the mode of Tessera's files.
  var isFromTessera: Bool {
    switch owner {
    case .own: return true
    case .peer: return false
    case .none:
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_size == 0
        && status.st_mode & mode_t(S_ISVTX) != 0
    }
  }

  /// Whether a file with the process ID of another library is stale.
  static func isStale(_ holder: PeerLockStaleness.Holder, _ number: Int32, _ status: stat) -> Bool {
    PeerLockStaleness.isStale(holder, age: age(status), isMine: number == getpid())
  }

  /// Returns the time since the file was written, in nanoseconds.
  ///
  /// For a time in the future, returns the distance to it.
  private static func age(_ status: stat) -> UInt64 {
    let modified = CacheStamp(status).modified
    let now = nanoseconds(of: CLOCK_REALTIME)
    return now > modified ? now - modified : modified - now
  }

  /// Whether the file is still the one at the path.
  ///
  /// Holders with Go, .NET and Java remove it when they release the lock, and a host application may have closed the descriptor.
  var isCurrent: Bool {
    guard let identity else { return false }
    return identity == FileIdentity(at: path)
  }

  /// The identity of the file.
  var identity: FileIdentity? { FileIdentity(of: descriptor) }

  /// Records this process as the owner.
  ///
  /// Ignores write errors.
  func writeOwner() {
    if !isNew {
      fchmod(descriptor, PeerLockFile.ownMode)
      _ = ftruncate(descriptor, 0)
    }
    var text = PeerLockOwner.contentOfThisProcess
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Removes the file if it is still the one at the path.
  func remove() {
    if isCurrent { unlink(path) }
  }

  /// Releases the locks explicitly, because a child forked in the meantime shares the open file description.
  func end() {
    flock(descriptor, LOCK_UN)
    _ = recordLock.set(F_UNLCK, descriptor, 0, 0)
    registration.end()
    // Another thread may have locked the file in the meantime.
    ctessera_close_keeping_locks(descriptor)
  }

  private func failure(_ verb: String) -> FileError {
    .failed(verb: verb, path: path, code: errno)
  }
}

extension PeerLockStaleness.Holder {
  /// Returns the state of a process.
  static func process(_ number: Int32) -> PeerLockStaleness.Holder {
    guard !ProcessIdentity.isFree(number) else { return .notRunning }
    return .running(nanoseconds: ProcessIdentity.nanosecondsSinceStart(of: number))
  }
}
