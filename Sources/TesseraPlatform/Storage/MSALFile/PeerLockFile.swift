// SPDX-License-Identifier: MIT
// The lock file of a cache, opened and locked in all the ways in which the libraries that share the cache do it.

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

  /// Opens the file, which is made if there is none.
  ///
  /// - Returns: nil if it went away meanwhile.
  init?(_ path: String) throws(FileError) {
    self.path = path
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
    var opened = openFile(path, flags | O_CREAT | O_EXCL, mode: UInt32(PeerLockFile.ownMode))
    isNew = opened >= 0
    if !isNew, errno == EEXIST {
      // A pipe would keep us waiting.
      opened = openFile(path, flags | O_NONBLOCK)
      if opened < 0, errno == ENOENT { return nil }
    }
    descriptor = opened
    guard opened >= 0 else {
      guard errno == ELOOP else { throw .failed(verb: "open", path: path, code: errno) }
      throw .unsafe(path: path, reason: "is a symbolic link")
    }
    if let reason = objection {
      close(descriptor)
      throw .unsafe(path: path, reason: reason)
    }
  }

  /// What others may do with it does not matter: it holds no secret, and peers make it as their umask says.
  private var objection: String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return "cannot be examined" }
    guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else { return "is not a regular file" }
    guard status.st_uid == geteuid() else { return "is owned by another user" }
    // What is written here would be written there.
    return status.st_nlink > 1 ? "has more than one hard link" : nil
  }

  /// Takes both locks of the kernel, without waiting.
  ///
  /// - Returns: who has one of them, as far as that is known; nil when both are ours.
  func lock() throws(FileError) -> PeerLockOwner? {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard [EWOULDBLOCK, EINTR].contains(errno) else { throw failure("lock") }
      return owner
    }
    let lock = recordLock
    guard lock.set(F_WRLCK, descriptor, 0, 0) else {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw failure("lock") }
      // Java's holder writes nothing; the kernel knows it.
      let process = lock.conflict(descriptor, 0, 0)?.process
      return process.map(PeerLockOwner.peer) ?? owner
    }
    return nil
  }

  /// Who says in the file that it holds the lock.
  var owner: PeerLockOwner { PeerLockOwner(of: descriptor) }

  /// Whether nobody holds the lock by the file alone, now that its kernel locks are ours.
  var isStale: Bool {
    if isNew { return true }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    switch owner {
    // A holder of ours has the kernel's locks as long as it lives.
    case .own: return true
    case .none where status.st_size == 0 && status.st_mode & mode_t(S_ISVTX) != 0: return true
    case .peer(let number): return PeerLockFile.isStale(.process(number), number, status)
    case .none: return PeerLockStaleness.isStale(.gone, age: PeerLockFile.age(status))
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
    close(descriptor)
  }

  /// The kind of record lock that the system has; threads of this process take turns before they lock the file.
  private var recordLock: FileLock {
    FileLock.hasDescriptionLocks(descriptor) ? .description : .process
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
