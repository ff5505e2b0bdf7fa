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
///
/// The lock file of a killed process blocks Python and Node until another program of Tessera's removes it. A writer
/// therefore prepares the new cache during its turn, and takes the lock file for the moment of the replacement only.
struct PeerLock: Sendable {
  /// The lock file, `<cache>.lockfile`.
  let path: String
  /// The lock of Tessera's own programs.
  let turns: LockFiles
  private let locks: StoreLocks
  private let time: any TimeSource
  /// Takes the kernel's locks of the file, or says who has them.
  private let kernel: @Sendable (PeerLockFile) throws(FileError) -> PeerLockOwner?
  /// Creates a lock file without a name.
  private let unnamed: @Sendable (String) -> PeerLockFile?
  /// The lock file that this process holds for a body of ``holding(within:_:)``.
  private var held: PeerLockFile?

  init(
    _ path: String, turns: LockFiles, _ locks: StoreLocks, _ time: any TimeSource,
    kernel: @escaping @Sendable (PeerLockFile) throws(FileError) -> PeerLockOwner? = {
      file throws(FileError) in try file.lock()
    },
    unnamed: @escaping @Sendable (String) -> PeerLockFile? = { PeerLockFile(unnamedFor: $0) }
  ) {
    self.path = path
    self.turns = turns
    self.locks = locks
    self.time = time
    self.kernel = kernel
    self.unnamed = unnamed
  }

  /// Runs the body while no other thread or process of Tessera's writes the cache.
  ///
  /// - Throws: what the body throws; `storeBusy` with the process that has the turn until the deadline.
  func withTurn<Value>(
    within limits: CallLimits, _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    try locks.withLock(on: .store, in: turns, time, within: limits, body)
  }

  /// Runs the body while no program of any library writes the cache.
  ///
  /// The lock file is taken for the body, unless it is held already. Call this within ``withTurn(within:_:)``.
  ///
  /// - Throws: what the body throws; `storeBusy` with the holder's process when another program holds the lock until the
  ///   deadline; `fixStorage` when the lock file cannot be used.
  func withLock<Value>(
    within limits: CallLimits, _ body: (PeerLockFile) throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    if let held { return try body(held) }
    let file = try take(within: limits)
    defer {
      file.remove()
      file.end()
    }
    return try body(file)
  }

  /// Runs the body with the lock held for all of it.
  ///
  /// - Throws: the same as ``withLock(within:_:)``.
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

  /// Whether there is no lock file.
  var isFree: Bool { FileIdentity(at: path) == nil }

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
    if let file = try created() { return .held(file) }
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

  /// Creates the lock file, which has its locks and its mark before it has its name.
  ///
  /// Peers therefore never find one that is not locked, and a process that is killed leaves one with its mark.
  ///
  /// - Returns: nil if there is a lock file, or if the file system cannot do that.
  private func created() throws(FileError) -> PeerLockFile? {
    guard FileIdentity(at: path) == nil, let file = unnamed(path) else { return nil }
    var isHeld = false
    defer { if !isHeld { file.end() } }
    guard try kernel(file) == nil else { return nil }
    file.writeOwner()
    isHeld = file.name()
    return isHeld ? file : nil
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
    let who = holder.map { "Process \($0)" } ?? "Another program"
    error.message = "\(who) held \(path) until the deadline: try again."
    return error
  }
}
