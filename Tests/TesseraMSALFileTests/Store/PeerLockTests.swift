// SPDX-License-Identifier: MIT
// The lock of a cache file, against the locks of all other libraries.

import Foundation
import Synchronization
import TesseraEngine
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct PeerLockTests {
  private let directory: TemporaryDirectory
  private let time = SystemTime()
  private var path: String { directory.path + "/cache.json.lockfile" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var lockFiles: LockFiles {
    LockFiles(locks: directory.path + "/turns.lock", threadLocks: directory.path + "/turns.turn")
  }

  private var lock: PeerLock { PeerLock(path, lockFiles: lockFiles, StoreLocks(), time) }

  /// The lock where the file system has no files without a name.
  private var lockOfNamedFiles: PeerLock {
    PeerLock(path, lockFiles: lockFiles, StoreLocks(), time, unnamed: { _ in nil })
  }

  /// Tries to acquire the lock.
  ///
  /// Returns nil on success, or the error.
  private func attempt(milliseconds: Int64 = 60) -> TesseraError? {
    do throws(TesseraError) {
      let limits = CallLimits(timeoutMilliseconds: milliseconds, time: time)
      try lock.withLock(within: limits) { _ in }
      return nil
    } catch {
      return error
    }
  }

  private func leave(_ content: String, mode: mode_t = 0o600, age: TimeInterval = 0) throws {
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, mode)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
  }

  /// Returns the ID of a process that has exited.
  private func deadNumber() throws -> Int32 {
    let process = try Peer(["true"])
    process.wait()
    return process.number
  }

  @Test(arguments: [true, false])
  func `the holder has a lock file with its process ID and both kernel locks`(
    _ hasUnnamedFiles: Bool
  ) throws {
    let lock = hasUnnamedFiles ? lock : lockOfNamedFiles
    try lock.withLock(within: .none) { _ in
      let content = try? String(contentsOfFile: path, encoding: .utf8)
      #expect(content?.hasPrefix("\(getpid()) tessera-lock ") == true)
      for peer in [Peer.existence, Peer.flock, Peer.record] {
        #expect((try? Peer.canEnter(peer, path)) == false)
      }
    }
    #expect(access(path, F_OK) != 0)
    for peer in [Peer.existence, Peer.flock, Peer.record] {
      #expect(try Peer.canEnter(peer, path))
    }
  }

  @Test func `a new lock file has its locks and its mark before its name`() throws {
    // Not every file system can do that.
    guard let unnamed = PeerLockFile(unnamedFor: path) else { return }
    unnamed.end()
    let path = path
    let lock = PeerLock(path, lockFiles: lockFiles, StoreLocks(), time) { file throws(FileError) in
      #expect(access(path, F_OK) != 0)
      return try file.lock()
    }
    try lock.withLock(within: .none) { file in
      #expect(
        PeerLockOwner(of: file.descriptor) == PeerLockOwner(PeerLockOwner.contentOfThisProcess.utf8)
      )
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o1600 && status.st_nlink == 1)
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a lock file that appears before the new one has its name is honoured`() throws {
    let path = path
    let lock = PeerLock(
      path, lockFiles: lockFiles, StoreLocks(), time,
      unnamed: { path in
        let file = PeerLockFile(unnamedFor: path)
        try? Data("1 python".utf8).write(to: URL(fileURLWithPath: path))
        return file
      })
    let limits = CallLimits(timeoutMilliseconds: 60, time: time)
    #expect(throws: TesseraError.self) { try lock.withLock(within: limits) { _ in } }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "1 python")
  }

  @Test(arguments: [Peer.existence, Peer.flock, Peer.record])
  func `a holder with the lock of another library is waited for and named`(_ kind: String) throws {
    let peer = try Peer(holding: kind, path)
    let error = try #require(attempt())
    #expect(error.code == .storeBusy && error.remedy == .retryLater)
    #expect(error.holderProcessID == Int64(peer.number))
    #expect(access(path, F_OK) == 0)
    peer.leave()
    #expect(attempt(milliseconds: 5000) == nil)
    #expect(access(path, F_OK) != 0)
  }

  @Test(arguments: [Peer.flock, Peer.record])
  func `the lock of a killed holder is acquired when its file is old`(
    _ kind: String
  ) throws {
    let peer = try Peer(holding: kind, path)
    peer.kill()
    #expect(attempt()?.code == .storeBusy)
    var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, path, &times, 0)
    #expect(attempt() == nil)
  }

  @Test func `the lock file of a live process is honoured for five minutes`() throws {
    // The init process started before any of these tests.
    try leave("1 python", age: 11)
    #expect(attempt()?.holderProcessID == 1)
    try leave("1 python", age: 301)
    #expect(attempt() == nil)
  }

  @Test func `a process that started after the file was written only reuses the process ID`() throws
  {
    let later = try Peer(["cat"])
    defer { later.kill() }
    try leave("\(later.number) python", age: 9)
    #expect(attempt()?.holderProcessID == Int64(later.number))
    try leave("\(later.number) python", age: 60)
    #expect(attempt() == nil)
  }

  @Test func `a lock file naming this process is honoured for ten seconds`() throws {
    try leave("\(getpid()) python")
    let error = attempt()
    #expect(error?.holderProcessID == Int64(getpid()))
    #expect(error?.message.contains("another thread of this process") == true)
    try leave("\(getpid()) python", age: 11)
    #expect(attempt() == nil)
  }

  @Test func `the lock file of a dead process is honoured for ten seconds`() throws {
    let dead = try deadNumber()
    try leave("{\(dead) /usr/bin/az}")
    #expect(attempt()?.holderProcessID == Int64(dead))
    try leave("{\(dead) /usr/bin/az}", age: 11)
    #expect(attempt() == nil)
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a lock file without a process ID is honoured for ten seconds`() throws {
    try leave("")
    let error = attempt()
    #expect(error?.code == .storeBusy)
    #expect(error?.message.contains("another thread or process") == true)
    try leave("nobody", age: 11)
    #expect(attempt() == nil)
  }

  @Test func `a lock file with a future modification time is stale as well`() throws {
    try leave("\(try deadNumber()) python", age: -3600)
    #expect(attempt() == nil)
  }

  @Test func `the lock file of a killed Tessera process is taken over at once`() throws {
    let dead = try deadNumber()
    try leave("\(dead) tessera-lock 1 \(ProcessIdentity.namespace)\n")
    #expect(attempt() == nil)
    // In another container the process ID is meaningless. It is not needed, because the kernel locks are free.
    try leave("1 tessera-lock 1 4242\n")
    #expect(attempt() == nil)
    // The process had not written its mark yet.
    try leave("", mode: 0o1600)
    #expect(attempt() == nil)
  }

  @Test func `a forked child of a killed Tessera process does not keep the lock`() throws {
    let child = try Peer(holding: Peer.flock, path)
    defer { child.kill() }
    #expect(attempt()?.holderProcessID == Int64(child.number))
    // Written by its parent, from which it inherited the descriptors.
    try leave("\(try deadNumber()) tessera-lock 1 \(ProcessIdentity.namespace)\n")
    #expect(attempt(milliseconds: 5000) == nil)
    // In another container the process cannot be identified.
    let other = try Peer(holding: Peer.flock, path)
    defer { other.kill() }
    try leave("\(try deadNumber()) tessera-lock 1 4242\n")
    #expect(attempt()?.code == .storeBusy)
  }

  @Test func `a lock file that the kernel cannot lock is deleted`() throws {
    let lock = PeerLock(path, lockFiles: lockFiles, StoreLocks(), time) { file throws(FileError) in
      throw .failed(verb: "lock", path: file.path, code: ENOLCK)
    }
    #expect(throws: TesseraError.self) { try lock.withLock(within: .none) { _ in } }
    #expect(access(path, F_OK) != 0)
    try leave("1 python")
    #expect(throws: TesseraError.self) { try lock.withLock(within: .none) { _ in } }
    #expect(access(path, F_OK) == 0)
  }

  @Test func `a peer that has locked a stale file but not marked it yet keeps it`() throws {
    let number = try deadNumber()
    let dead = PeerLockOwner("\(number) tessera-lock 1 \(ProcessIdentity.namespace)\n".utf8)
    #expect(dead.isTerminatedProcess)
    let looks = Atomic(0)
    let lock = PeerLock(path, lockFiles: lockFiles, StoreLocks(), time) { file throws(FileError) in
      // The mark of the dead process, then that of the peer, then that of another dead process.
      let look = looks.add(1, ordering: .relaxed).newValue
      #expect(!file.isNew)
      let seen: [PeerLockOwner?] = [dead, .peer(1), dead, .peer(1)]
      return look <= seen.count ? seen[look - 1] : nil
    }
    try leave("", mode: 0o1600)
    try lock.withLock(within: CallLimits(timeoutMilliseconds: 5000, time: time)) { _ in
      #expect(looks.load(ordering: .relaxed) == 5)
    }
  }

  @Test func `a lock file with a hard link is rejected`() throws {
    try leave("precious", age: 1000)
    let other = directory.path + "/other"
    #expect(link(path, other) == 0)
    #expect(attempt()?.code == .storeUnsafe)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
  }

  @Test func `a symbolic link in place of the lock file is rejected`() throws {
    let other = directory.path + "/other"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
    symlink(other, path)
    #expect(attempt()?.code == .storeUnsafe)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
    unlink(path)
    mkfifo(path, 0o600)
    #expect(attempt()?.code == .storeUnsafe)
  }

  @Test func `the lock file of a successor is not deleted on release`() throws {
    try lock.withLock(within: .none) { file in
      unlink(path)
      #expect(!file.isCurrent)
      try? Data("1 python".utf8).write(to: URL(fileURLWithPath: path))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "1 python")
  }

  @Test func `a cancelled call stops waiting`() throws {
    let peer = try Peer(holding: Peer.flock, path)
    defer { peer.leave() }
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TesseraError.self) {
      try lock.withLock(within: CallLimits(cancellation: cancellation, time: time)) { _ in }
    }
  }

  @Test func `threads exclude each other`() throws {
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    let entries = Atomic(0)
    let lock = lock
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        try? lock.withTesseraLock(within: .none) {
          entries.add(1, ordering: .relaxed)
          if inside.add(1, ordering: .relaxed).newValue != 1 {
            overlaps.add(1, ordering: .relaxed)
          }
          sched_yield()
          inside.subtract(1, ordering: .relaxed)
        }
      }
    }
    #expect(entries.load(ordering: .relaxed) == 200)
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }
}
