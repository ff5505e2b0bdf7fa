// SPDX-License-Identifier: MIT
// The lock of a cache file, against holders as every other library is one.

import Foundation
import Synchronization
import TesseraEngine
import Testing

@testable import TesseraPlatform

@Suite struct PeerLockTests {
  private let directory: TemporaryDirectory
  private let time = SystemTime()
  private var path: String { directory.path + "/cache.json.lockfile" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var lock: PeerLock {
    let turns = LockFiles(
      locks: directory.path + "/turns.lock", turns: directory.path + "/turns.turn")
    return PeerLock(path, turns: turns, StoreLocks(), time)
  }

  /// What a try to take the lock comes to: nil if it is had, or the error.
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

  /// A number that no process has.
  private func deadNumber() throws -> Int32 {
    let process = try Peer(["true"])
    process.wait()
    return process.number
  }

  @Test func `a holder has the file, both locks of the kernel, and says who it is`() throws {
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

  @Test(arguments: [Peer.existence, Peer.flock, Peer.record])
  func `a holder as other libraries are one is waited for, and named`(_ kind: String) throws {
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
  func `a killed holder whom the kernel knew is followed when its file is old`(
    _ kind: String
  ) throws {
    let peer = try Peer(holding: kind, path)
    peer.kill()
    #expect(attempt()?.code == .storeBusy)
    var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, path, &times, 0)
    #expect(attempt() == nil)
  }

  @Test func `a file of a process that lives is believed for five minutes`() throws {
    // The first process began before anything of these tests.
    try leave("1 python", age: 11)
    #expect(attempt()?.holderProcessID == 1)
    try leave("1 python", age: 301)
    #expect(attempt() == nil)
  }

  @Test func `a process that began after the file only has the number of who wrote it`() throws {
    let later = try Peer(["cat"])
    defer { later.kill() }
    try leave("\(later.number) python", age: 9)
    #expect(attempt()?.holderProcessID == Int64(later.number))
    try leave("\(later.number) python", age: 60)
    #expect(attempt() == nil)
  }

  @Test func `a file that names this process is believed for a while`() throws {
    try leave("\(getpid()) python")
    #expect(attempt()?.holderProcessID == Int64(getpid()))
    try leave("\(getpid()) python", age: 11)
    #expect(attempt() == nil)
  }

  @Test func `a file of a dead process is believed for a while`() throws {
    let dead = try deadNumber()
    try leave("{\(dead) /usr/bin/az}")
    #expect(attempt()?.holderProcessID == Int64(dead))
    try leave("{\(dead) /usr/bin/az}", age: 11)
    #expect(attempt() == nil)
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a file that names nobody is believed for a while`() throws {
    try leave("")
    #expect(attempt()?.code == .storeBusy)
    try leave("nobody", age: 11)
    #expect(attempt() == nil)
  }

  @Test func `a file from the future is as old as one from the past`() throws {
    try leave("\(try deadNumber()) python", age: -3600)
    #expect(attempt() == nil)
  }

  @Test func `what a killed program of ours left behind is taken over at once`() throws {
    let dead = try deadNumber()
    try leave("\(dead) tessera-lock 1 \(ProcessIdentity.namespace)\n")
    #expect(attempt() == nil)
    // In another container its number means nothing, and need not: the kernel's locks are free.
    try leave("1 tessera-lock 1 4242\n")
    #expect(attempt() == nil)
    // It had not come to writing anything.
    try leave("", mode: 0o1600)
    #expect(attempt() == nil)
  }

  @Test func `a child that a killed program of ours forked does not keep the lock alive`() throws {
    let child = try Peer(holding: Peer.flock, path)
    defer { child.kill() }
    #expect(attempt()?.holderProcessID == Int64(child.number))
    // What its parent wrote, whose descriptors it has.
    try leave("\(try deadNumber()) tessera-lock 1 \(ProcessIdentity.namespace)\n")
    #expect(attempt(milliseconds: 5000) == nil)
    // In another container that cannot be told.
    let other = try Peer(holding: Peer.flock, path)
    defer { other.kill() }
    try leave("\(try deadNumber()) tessera-lock 1 4242\n")
    #expect(attempt()?.code == .storeBusy)
  }

  @Test func `a lock file that the kernel cannot lock is not left behind`() throws {
    let turns = LockFiles(
      locks: directory.path + "/turns.lock", turns: directory.path + "/turns.turn")
    let lock = PeerLock(path, turns: turns, StoreLocks(), time) { file throws(FileProblem) in
      throw .failed(verb: "lock", path: file.path, code: ENOLCK)
    }
    #expect(throws: TesseraError.self) { try lock.withLock(within: .none) { _ in } }
    #expect(access(path, F_OK) != 0)
    try leave("1 python")
    #expect(throws: TesseraError.self) { try lock.withLock(within: .none) { _ in } }
    #expect(access(path, F_OK) == 0)
  }

  @Test func `a peer that has locked a dead file and not yet said so keeps it`() throws {
    let number = try deadNumber()
    let dead = PeerLockMark("\(number) tessera-lock 1 \(ProcessIdentity.namespace)\n".utf8)
    #expect(dead.isOwnAndHasEnded)
    let looks = Atomic(0)
    let turns = LockFiles(
      locks: directory.path + "/turns.lock", turns: directory.path + "/turns.turn")
    let lock = PeerLock(path, turns: turns, StoreLocks(), time) { file throws(FileProblem) in
      // First the mark of the one that died; then the peer has written its own, and then another dies.
      let look = looks.add(1, ordering: .relaxed).newValue
      #expect(!file.isNew)
      let seen: [PeerLockMark?] = [dead, .peer(1), dead, .peer(1)]
      return look <= seen.count ? seen[look - 1] : nil
    }
    try leave("", mode: 0o1600)
    try lock.withLock(within: CallLimits(timeoutMilliseconds: 5000, time: time)) { _ in
      #expect(looks.load(ordering: .relaxed) == 5)
    }
  }

  @Test func `a lock file with a second name is refused`() throws {
    try leave("precious", age: 1000)
    let other = directory.path + "/other"
    #expect(link(path, other) == 0)
    #expect(attempt()?.code == .storeUnsafe)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
  }

  @Test func `a link in the place of the lock file is refused`() throws {
    let other = directory.path + "/other"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: other))
    symlink(other, path)
    #expect(attempt()?.code == .storeUnsafe)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
    unlink(path)
    mkfifo(path, 0o600)
    #expect(attempt()?.code == .storeUnsafe)
  }

  @Test func `a lock file that somebody removed meanwhile is not another one's`() throws {
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

  @Test func `threads take turns`() throws {
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    let entries = Atomic(0)
    let lock = lock
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<50 {
        try? lock.withLock(within: .none) { _ in
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
