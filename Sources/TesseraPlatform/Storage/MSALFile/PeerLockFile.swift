// SPDX-License-Identifier: MIT
// The lock file of a cache, opened and locked in all the ways in which the libraries that share the cache do it.

import CTesseraStore
import CTesseraSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One opening of a lock file.
///
/// MSAL for Python and Node hold the lock by the file's existence alone, .NET and Go by `flock`, Java by a record lock.
/// Whoever has made the file and has both locks of the kernel keeps all of them out.
struct PeerLockFile {
  /// Means nothing on a file; tells from the first moment that Tessera made it, before anything is written.
  private static let ownMode = mode_t(S_ISVTX) | 0o600

  let path: String
  let descriptor: Int32
  /// Whether this opening made it.
  let isNew: Bool
  /// The kind of record lock that the system has; threads of this process take turns before they lock the file.
  private let recordLock: FileLock
  private let use: FileLock.Use

  /// Opens the file, which is made if there is none.
  ///
  /// - Returns: nil if it went away meanwhile.
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

  /// Opens the file; nil if there is none.
  init?(existing path: String) throws(FileError) {
    // A pipe would keep us waiting.
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
    guard let use = recordLock.use(descriptor) else {
      ctessera_close_keeping_locks(descriptor)
      throw .failed(verb: "lock", path: path, code: ENOMEM)
    }
    self.use = use
  }

  /// Creates a file without a name in the directory of a lock file.
  ///
  /// - Returns: nil if the system or the file system has no such files.
  init?(unnamedFor path: String) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let opened = ctessera_open_unnamed(directory, UInt32(PeerLockFile.ownMode))
    guard opened >= 0 else { return nil }
    let lock = FileLock(for: opened)
    guard let use = lock.use(opened) else {
      ctessera_close_keeping_locks(opened)
      return nil
    }
    self.path = path
    self.use = use
    descriptor = opened
    isNew = true
    recordLock = lock
  }

  /// Gives a file without a name the path of the lock file.
  ///
  /// - Returns: false if there is a lock file, or if the system cannot do that.
  func name() -> Bool { ctessera_name_file(descriptor, path) == 0 }

  /// What others may do with it does not matter: it holds no secret, and peers make it as their umask says.
  private static func objection(to descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return "cannot be looked at" }
    guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { return "is not a plain file" }
    guard status.st_uid == geteuid() else { return "belongs to another user" }
    // What is written here would be written there.
    return status.st_nlink > 1 ? "has a second name" : nil
  }

  /// Takes both locks of the kernel, without waiting.
  ///
  /// - Returns: who has one of them, as far as that is known; nil when both are ours.
  func lock() throws(FileError) -> PeerLockOwner? {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard [EWOULDBLOCK, EINTR].contains(errno) else { throw failure("lock") }
      return owner
    }
    guard recordLock.set(F_WRLCK, descriptor, 0, 0) else {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw failure("lock") }
      // Java's holder writes nothing; the kernel knows it.
      let process = recordLock.conflict(descriptor, 0, 0)?.process
      return process.map(PeerLockOwner.peer) ?? owner
    }
    return nil
  }

  /// Who says in the file that it holds the lock.
  var owner: PeerLockOwner { PeerLockOwner(of: descriptor) }

  /// Whether nobody holds the lock by the file alone, now that its kernel locks are ours.
  var isStale: Bool {
    if isNew { return true }
    // A holder of ours has the kernel's locks as long as it lives.
    if isOwn { return true }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    guard case .peer(let number) = owner else {
      return PeerLockStaleness.isStale(.gone, age: PeerLockFile.age(status))
    }
    return PeerLockFile.isStale(.process(number), number, status)
  }

  /// Whether Tessera created the file: it has Tessera's mark, or is empty and has the mode of Tessera's files.
  var isOwn: Bool {
    switch owner {
    case .own: return true
    case .peer: return false
    case .none:
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_size == 0
        && status.st_mode & mode_t(S_ISVTX) != 0
    }
  }

  /// The same of a file that names a process of another library.
  static func isStale(_ holder: PeerLockStaleness.Holder, _ number: Int32, _ status: stat) -> Bool {
    PeerLockStaleness.isStale(holder, age: age(status), isMine: number == getpid())
  }

  /// Nanoseconds since the file was written; one from the future was dated by another clock, and is as old.
  private static func age(_ status: stat) -> UInt64 {
    let modified = CacheStamp(status).modified
    let now = nanoseconds(of: CLOCK_REALTIME)
    return now > modified ? now - modified : modified - now
  }

  /// Whether it still is the file that everybody finds.
  ///
  /// Go's, .NET's and Java's holders remove it when they leave; and a host may have closed the descriptor.
  var isCurrent: Bool {
    guard let identity else { return false }
    return identity == FileIdentity(at: path)
  }

  /// Which file it is.
  var identity: FileIdentity? { FileIdentity(of: descriptor) }

  /// Says that this process holds the lock; what cannot be written is not missed.
  func writeOwner() {
    if !isNew {
      fchmod(descriptor, PeerLockFile.ownMode)
      _ = ftruncate(descriptor, 0)
    }
    var text = PeerLockOwner.mine
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Removes the file, if it still is the one that everybody finds.
  func remove() {
    if isCurrent { unlink(path) }
  }

  /// Gives the locks back; unlocking, not only closing, since a child that forked meanwhile has the description as well.
  func end() {
    flock(descriptor, LOCK_UN)
    _ = recordLock.set(F_UNLCK, descriptor, 0, 0)
    use.end()
    // Another thread may have locked the file in the meantime.
    ctessera_close_keeping_locks(descriptor)
  }

  private func failure(_ verb: String) -> FileError {
    .failed(verb: verb, path: path, code: errno)
  }
}

extension PeerLockStaleness.Holder {
  /// A process as the system knows it.
  static func process(_ number: Int32) -> PeerLockStaleness.Holder {
    guard !ProcessIdentity.isFree(number) else { return .gone }
    return .living(nanoseconds: ProcessIdentity.nanosecondsSinceStart(of: number))
  }
}
