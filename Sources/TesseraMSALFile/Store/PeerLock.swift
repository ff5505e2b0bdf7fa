// SPDX-License-Identifier: MIT
// The lock of a cache file, shared with all other libraries that use the file.

import CLibrary
import TesseraEngine
import TesseraPlatform

/// The lock of one cache file.
///
/// Threads and processes with Tessera first exclude each other with a kernel lock that is safe with fork(). Its holder then
/// acquires the lock file in a way that excludes all other libraries.
///
/// The lock file of a killed process blocks Python and Node until a Tessera process removes it. A writer therefore
/// prepares the new cache under the kernel lock, and holds the lock file only while it replaces the cache file.
struct PeerLock: Sendable {
  /// The lock file, `<cache>.lockfile`.
  let path: String
  /// The files of the lock between threads and processes with Tessera.
  let lockFiles: LockFiles
  private let locks: StoreLocks
  private let time: any TimeSource
  /// Acquires the kernel locks of the lock file, or returns their owner.
  private let kernel: @Sendable (PeerLockFile) throws(FileError) -> PeerLockOwner?
  /// Creates an unnamed lock file.
  private let unnamed: @Sendable (String) -> PeerLockFile?
  /// The lock file that this process holds for a body of ``holding(within:_:)``.
  private var held: PeerLockFile?

  init(
    _ path: String, lockFiles: LockFiles, _ locks: StoreLocks, _ time: any TimeSource,
    kernel: @escaping @Sendable (PeerLockFile) throws(FileError) -> PeerLockOwner? = {
      file throws(FileError) in try file.lock()
    },
    unnamed: @escaping @Sendable (String) -> PeerLockFile? = { PeerLockFile(unnamedFor: $0) }
  ) {
    self.path = path
    self.lockFiles = lockFiles
    self.locks = locks
    self.time = time
    self.kernel = kernel
    self.unnamed = unnamed
  }

  /// Runs the body while no other thread or process with Tessera writes the cache.
  ///
  /// - Throws: The error of the body; `storeBusy` with the process ID of the holder at the deadline.
  func withTesseraLock<Value>(
    within limits: CallLimits, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try locks.withLock(on: .store, in: lockFiles, time, within: limits, body)
  }

  /// Runs the body while no process with any library writes the cache.
  ///
  /// The lock file is acquired for the body, unless it is already held. Call this within ``withTesseraLock(within:_:)``.
  ///
  /// - Throws: The error of the body; `storeBusy` with the process ID of the holder at the deadline; `fixStorage` if the lock
  ///   file cannot be used.
  func withLock<Value>(
    within limits: CallLimits, _ body: (PeerLockFile) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    if let held { return try body(held) }
    let file = try acquire(within: limits)
    defer {
      file.remove()
      file.end()
    }
    return try body(file)
  }

  /// Runs the body while the lock is held.
  ///
  /// - Throws: The same errors as ``withLock(within:_:)``.
  func holding<Value>(
    within limits: CallLimits, _ body: (PeerLock) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try withLock(within: limits) { file throws(TesseraError) in
      var lock = self
      lock.held = file
      return try body(lock)
    }
  }

  /// Whether the lock is held for a body of ``holding(within:_:)``.
  var isHeld: Bool { held != nil }

  /// Whether no lock file exists.
  var isFree: Bool { FileIdentity(at: path) == nil }

  private func acquire(within limits: CallLimits) throws(TesseraError) -> PeerLockFile {
    var pause = Backoff()
    var dead: TerminatedOwner?
    while true {
      let holder: Int32?
      do throws(FileError) {
        switch try attempt(&dead) {
        case .held(let file): return file
        case .busy(let process): holder = process
        }
      } catch {
        throw TesseraError(error, setting: "store.msal_cache")
      }
      do throws(TesseraError) {
        try pause.wait(time, within: limits)
      } catch {
        throw addingHolder(holder, in: error)
      }
    }
  }

  private enum Attempt {
    case held(PeerLockFile)
    /// Another process has the lock. Its ID is `nil` if it is unknown.
    case busy(Int32?)
  }

  /// A dead Tessera process as the owner of a file whose kernel locks are held.
  private struct TerminatedOwner: Equatable {
    let file: FileIdentity?
    let owner: PeerLockOwner
  }

  /// Tries to acquire the lock file, without waiting.
  ///
  /// - Parameter dead: The dead owner that the previous attempt found.
  private func attempt(_ dead: inout TerminatedOwner?) throws(FileError) -> Attempt {
    if let file = try createLockFile() { return .held(file) }
    guard let file = try PeerLockFile(path) else { return .busy(nil) }
    var isHeld = false
    defer { if !isHeld { file.end() } }
    if let other = try acquireKernelLocks(file) {
      let seen =
        other.isTerminatedProcess ? TerminatedOwner(file: file.identity, owner: other) : nil
      // The recorded owner is dead, but a child that it forked may still hold the locks. Another library that has just
      // locked the file may not have written its process ID yet. The file is therefore removed only if it is unchanged
      // at the next attempt.
      if let seen, seen == dead { file.remove() }
      dead = seen
      return .busy(other.process)
    }
    dead = nil
    guard file.isCurrent else { return .busy(nil) }
    guard file.isStale else { return .busy(file.owner.process) }
    file.writeOwner()
    isHeld = true
    return .held(file)
  }

  /// Creates the lock file, which is locked and written before it is linked to its path.
  ///
  /// Other libraries therefore never find an unlocked lock file, and the lock file of a killed process contains its
  /// process ID.
  ///
  /// - Returns: The file, or `nil` if a lock file exists or the file system does not support unnamed files.
  private func createLockFile() throws(FileError) -> PeerLockFile? {
    guard FileIdentity(at: path) == nil, let file = unnamed(path) else { return nil }
    var isHeld = false
    defer { if !isHeld { file.end() } }
    guard try kernel(file) == nil else { return nil }
    file.writeOwner()
    isHeld = file.link()
    return isHeld ? file : nil
  }

  /// Acquires the kernel locks.
  ///
  /// A new file that cannot be locked is deleted.
  ///
  /// - Returns: The owner of the locks; `nil` if they were acquired.
  private func acquireKernelLocks(_ file: PeerLockFile) throws(FileError) -> PeerLockOwner? {
    do throws(FileError) {
      return try kernel(file)
    } catch {
      // Other libraries would consider the lock held.
      if file.isNew { file.remove() }
      throw error
    }
  }

  /// Returns the error with the process ID of the holder.
  private func addingHolder(_ holder: Int32?, in error: TesseraError) -> TesseraError {
    guard error.code == .storeBusy else { return error }
    var error = error
    error.holderProcessID = holder.map(Int64.init)
    let owner =
      holder.map { $0 == getpid() ? "another thread of this process" : "process \($0)" }
      ?? "another thread or process"
    error.message = "Timed out waiting for \(owner), which holds \(path): try again."
    return error
  }
}
