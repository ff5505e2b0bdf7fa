// SPDX-License-Identifier: MIT
// The two lock files of a store, and their descriptors in a process.

import CLibrary
import TesseraEngine

/// The paths of a store's lock files.
///
/// Both are empty and never removed.
struct LockFiles: Sendable, Equatable {
  /// The file with the locks between processes, one per byte.
  let locks: String
  /// The file with the locks that serialize the threads of each process.
  let threadLocks: String

  /// Opens a lock file, creating it if it is missing.
  fileprivate static func open(_ path: String) throws(TesseraError) -> Int32 {
    let descriptor = openFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw .failed("open", path, errno) }
    return descriptor
  }
}

/// The file with the locks between processes, open as long as this object lives.
///
/// Closing any of its descriptors releases every lock of the process on this file. It is therefore closed only if no
/// thread of the process, in any copy of the library, holds or is acquiring a lock. Otherwise it stays open.
final class OpenLockFile: Sendable {
  /// The descriptor for the locks.
  let descriptor: Int32
  private let identity: FileIdentity?
  private let files: LockFiles

  init(_ files: LockFiles) throws(TesseraError) {
    self.files = files
    descriptor = try LockFiles.open(files.locks)
    identity = FileIdentity(of: descriptor)
  }

  deinit {
    // A host application that closes all descriptors may have reused this number.
    guard let identity, identity == FileIdentity(of: descriptor) else { return }
    // No other thread can open an unlinked file. A thread that acquires a lock on it releases that lock at once.
    guard !isUnlinked else {
      close(descriptor)
      return
    }
    guard let threadLock = try? ThreadLock(files, LockKey.store)
    else { return }
    if threadLock.isLast { close(descriptor) }
    threadLock.end()
  }

  private var isUnlinked: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }

  /// Whether the descriptor still refers to the file at its path.
  func isCurrent(_ files: LockFiles) -> Bool {
    guard let identity, files == self.files else { return false }
    return identity == FileIdentity(of: descriptor) && identity == FileIdentity(at: files.locks)
  }
}

/// A thread's locks in the second file, for one lock of the store.
struct ThreadLock {
  private let descriptor: Int32
  private let key: LockKey
  private let path: String
  private let process = ProcessIdentity.current
  /// The owner of the in-memory locks, which exclude threads even where the system refuses locks on the file.
  private let owner = ProcessLocks.Owner()

  init(_ files: LockFiles, _ key: LockKey) throws(TesseraError) {
    descriptor = try LockFiles.open(files.threadLocks)
    path = files.threadLocks
    self.key = key
  }

  /// Excludes the other threads of this process; false if another thread holds or is acquiring the lock.
  func acquire() throws(TesseraError) -> Bool {
    guard try lock(F_WRLCK, .thread) else { return false }
    return try lock(F_RDLCK, .use)
  }

  /// Marks this process as the holder of the lock.
  ///
  /// - Returns: Another live process that is marked as the holder; nil if there is none. It closed a descriptor of the
  ///   lock file and thereby lost its lock.
  func mark() throws(TesseraError) -> ProcessIdentity? {
    if isInMemory { return nil }
    if let other = othersMark() { return other }
    _ = try lock(F_WRLCK, .mark)
    return nil
  }

  /// Whether no other thread of this process holds or is acquiring a lock.
  ///
  /// Until ``end()``, no other thread can start to acquire one.
  var isLast: Bool { (try? lock(F_WRLCK, .use)) == true }

  /// Releases the mark, before the lock itself.
  func unmark() {
    _ = FileLock.description.set(F_UNLCK, descriptor, ThreadLockKey(.mark, key, process).offset)
  }

  /// Releases all locks explicitly, because a child forked in the meantime shares the open file description.
  func releaseAll() {
    _ = FileLock.description.set(F_UNLCK, descriptor, 0, 0)
    ProcessLocks.releaseAll(owner)
  }

  /// Releases all locks and closes the file.
  func end() {
    releaseAll()
    close(descriptor)
  }

  private func lock(
    _ type: some BinaryInteger, _ kind: ThreadLockKey.Kind
  ) throws(TesseraError) -> Bool {
    let offset = ThreadLockKey(kind, key, process).offset
    guard let file = FileIdentity(of: descriptor) else {
      throw .failed("examine", path, errno)
    }
    // Take the in-memory lock in any case: the system may begin to refuse locks while another thread holds one.
    let byte = ProcessLocks.Byte(device: file.device, inode: file.inode, offset: offset)
    guard ProcessLocks.acquire(byte, exclusive: Int32(type) == Int32(F_WRLCK), for: owner) else {
      return false
    }
    if FileLock.description.set(type, descriptor, offset) { return true }
    if ProcessLocks.isUnsupported(errno) {
      try ProcessLocks.claim(file, path: path)
      return true
    }
    guard [EAGAIN, EACCES, EINTR].contains(errno) else {
      throw .failed("lock", path, errno)
    }
    return false
  }

  private var isInMemory: Bool { !FileLock.hasDescriptionLocks(descriptor) }

  /// Returns another live process that is marked as the holder; nil if there is none.
  ///
  /// The mark of a dead process remains while a child shares its open file description.
  private func othersMark() -> ProcessIdentity? {
    var ranges = [ThreadLockKey.range(.mark, key)]
    while let range = ranges.popLast() {
      let length = range.upperBound - range.lowerBound
      guard length > 0,
        let found = FileLock.description.conflict(descriptor, range.lowerBound, length),
        range.contains(found.start)
      else { continue }
      let process = ThreadLockKey.process(at: found.start)
      guard process.hasEnded else { return process }
      // The kernel reports any one of the marks, not the first one.
      ranges += [range.lowerBound..<found.start, found.start + 1..<range.upperBound]
    }
    return nil
  }
}
