// SPDX-License-Identifier: MIT
// The lock of a cache file between Tessera's programs and those of every other library that keeps the file.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The lock of one cache file.
///
/// Tessera's own programs and threads take turns first, by a lock of the kernel's that a fork() does not confuse. Then the
/// one whose turn it is takes the lock file, as all peers understand it.
struct PeerLock: Sendable {
  /// The lock file, `<cache>.lockfile`.
  let path: String
  /// The lock of Tessera's own programs.
  let turns: LockFiles
  private let locks: StoreLocks
  private let time: any TimeSource
  /// Takes the kernel's locks of the file, or says who has them.
  private let kernel: @Sendable (PeerLockFile) throws(FileError) -> PeerLockOwner?

  init(
    _ path: String, turns: LockFiles, _ locks: StoreLocks, _ time: any TimeSource,
    kernel: @escaping @Sendable (PeerLockFile) throws(FileError) -> PeerLockOwner? = {
      file throws(FileError) in try file.lock()
    }
  ) {
    self.path = path
    self.turns = turns
    self.locks = locks
    self.time = time
    self.kernel = kernel
  }

  /// Does something while no other program, of whatever library, changes the cache.
  ///
  /// - Throws: what the body throws; `storeBusy` with the holder's process when somebody else holds the lock until the
  ///   deadline; `fixStorage` when the lock file cannot be used.
  func withLock<Value>(
    within limits: CallLimits, _ body: (PeerLockFile) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try locks.withLock(on: .store, in: turns, time, within: limits) { () throws(TesseraError) in
      let file = try take(within: limits)
      defer {
        file.remove()
        file.end()
      }
      return try body(file)
    }
  }

  private func take(within limits: CallLimits) throws(TesseraError) -> PeerLockFile {
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
        throw StoreLocation.error(error, setting: "msal_cache")
      }
      do throws(TesseraError) {
        try pause.wait(time, within: limits)
      } catch {
        throw naming(holder, in: error)
      }
    }
  }

  private enum Attempt {
    case held(PeerLockFile)
    /// Somebody has it: a process, if that is known.
    case busy(Int32?)
  }

  /// A holder of ours that has ended, in a file whose kernel locks somebody has.
  private struct TerminatedOwner: Equatable {
    let file: FileIdentity?
    let owner: PeerLockOwner
  }

  /// - Parameter dead: what the last attempt saw.
  private func attempt(_ dead: inout TerminatedOwner?) throws(FileError) -> Attempt {
    guard let file = try PeerLockFile(path) else { return .busy(nil) }
    var isHeld = false
    defer { if !isHeld { file.end() } }
    if let other = try locked(file) {
      let seen =
        other.isTerminatedProcess ? TerminatedOwner(file: file.identity, owner: other) : nil
      // It has died, and a child that it forked keeps its descriptors: nobody else of ours is here to remove the file. But
      // a peer that has just locked it writes its name next: only what stays so for a pause is dead.
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

  /// Who has the kernel's locks; nil for this process.
  ///
  /// A file that cannot be locked is not left behind.
  private func locked(_ file: PeerLockFile) throws(FileError) -> PeerLockOwner? {
    do throws(FileError) {
      return try kernel(file)
    } catch {
      // Others would take it for a holder's.
      if file.isNew { file.remove() }
      throw error
    }
  }

  /// The same error, with the process that held the lock.
  private func naming(_ holder: Int32?, in error: TesseraError) -> TesseraError {
    guard error.code == .storeBusy else { return error }
    var error = error
    error.holderProcessID = holder.map(Int64.init)
    let owner = holder.map { "process \($0)" } ?? "another process"
    error.message = "Timed out waiting for \(owner), which holds \(path): try again."
    return error
  }
}
