// SPDX-License-Identifier: MIT
// The locks of one store: POSIX locks between processes, OFD locks between threads.

import CLibrary
import TesseraEngine

/// The locks of a store's credentials, and of the store itself.
///
/// A lock belongs to the process. It ends with the process, even if a child is still running, and the kernel reports
/// its holder. OFD locks in a second file serialize the threads of a process. docs/store.md documents the protocol.
final class StoreLocks: Sendable {
  private let opened = SpinLock<OpenLockFile?>(nil)

  init() {}

  /// Runs `body` while holding a lock, which excludes all threads and processes.
  ///
  /// - Throws: The error of `body`, or `storeBusy` with the holder if the lock is not acquired by the deadline.
  func withLock<Value>(
    on key: LockKey, in files: LockFiles, _ time: any TimeSource, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let threadLock = try ThreadLock(files, key)
    defer { threadLock.end() }
    var pause = Backoff()
    while true {
      let holder: Int32?
      switch try attempt(threadLock, key, files) {
      case .held(let file):
        defer {
          threadLock.unmark()
          // Release it before the thread lock. Otherwise this would release the lock of the next thread.
          _ = FileLock.process.set(F_UNLCK, file.descriptor, key.offset)
        }
        return try body()
      case .busy(let process): holder = process
      }
      threadLock.releaseAll()
      do throws(TesseraError) {
        try pause.wait(time, within: limits)
      } catch {
        throw error.withHolder(holder)
      }
    }
  }

  private enum Attempt {
    case held(OpenLockFile)
    /// Another holder has the lock: a process, if it is known.
    case busy(Int32?)
  }

  private func attempt(
    _ threadLock: ThreadLock, _ key: LockKey, _ files: LockFiles
  ) throws(TesseraError) -> Attempt {
    guard try threadLock.acquire() else { return .busy(getpid()) }
    let file = try openedFile(files)
    guard FileLock.process.set(F_WRLCK, file.descriptor, key.offset) else {
      guard [EAGAIN, EACCES, EINTR].contains(errno) else {
        throw .failed("lock", files.locks, errno)
      }
      return .busy(FileLock.process.conflict(file.descriptor, key.offset)?.process)
    }
    // The file may have been removed before it was locked, and other processes use a new one.
    var other: ProcessIdentity?
    if file.isCurrent(files) {
      other = try threadLock.mark()
      if other == nil { return .held(file) }
    }
    _ = FileLock.process.set(F_UNLCK, file.descriptor, key.offset)
    return .busy(other?.number)
  }

  private func openedFile(_ files: LockFiles) throws(TesseraError) -> OpenLockFile {
    let known = opened.withLock { $0 }
    if let known, known.isCurrent(files) { return known }
    let new = try OpenLockFile(files)
    return opened.withLock { opened in
      // Another thread may have opened it in the meantime. The unused object closes its file when it is deallocated.
      if let opened, opened !== known { return opened }
      opened = new
      return new
    }
  }
}

extension TesseraError {
  /// Returns the same error, with the process that held the lock.
  fileprivate func withHolder(_ holder: Int32?) -> TesseraError {
    guard code == .storeBusy, let holder else { return self }
    var error = self
    error.holderProcessID = Int64(holder)
    error.message =
      holder == getpid()
      ? "Timed out waiting for another thread of this process that holds the credential lock: try again."
      : "Timed out waiting for process \(holder), which holds the credential lock: try again."
    return error
  }
}
