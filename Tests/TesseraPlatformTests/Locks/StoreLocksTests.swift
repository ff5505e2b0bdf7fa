// SPDX-License-Identifier: MIT
// Locks between the threads of one process. `make test-locks` tests those between processes.

import Foundation
import Synchronization
import TesseraEngine
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct StoreLocksTests {
  private let directory: TemporaryDirectory
  private let files: LockFiles
  private let time = SystemTime()

  init() throws {
    directory = try TemporaryDirectory()
    files = LockFiles(locks: directory.path + "/a.lock", threadLocks: directory.path + "/a.turn")
  }

  private func lockKey(_ account: String) -> LockKey {
    LockKey(CredentialLock(environment: "e", owner: "c", homeAccountID: account))
  }

  /// Whether a lock can be acquired at once.
  private func isFree(_ lockKey: LockKey, _ locks: StoreLocks = StoreLocks()) -> Bool {
    let limits = CallLimits(timeoutMilliseconds: 0, time: time)
    return (try? locks.withLock(on: lockKey, in: files, time, within: limits) {}) != nil
  }

  /// Whether the kernel reports a POSIX lock of this process, which excludes other processes.
  private func isHeld(_ lockKey: LockKey) throws -> Bool {
    // An open file description lock conflicts with POSIX locks of its own process.
    let file = try OpenLockFile(files)
    defer { withExtendedLifetime(file) {} }
    return FileLock.description.conflict(file.descriptor, lockKey.offset)?.process == getpid()
  }

  @Test func `threads exclude each other across copies of the library`() throws {
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    let copies = [StoreLocks(), StoreLocks()]
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for _ in 0..<50 {
        try? copies[index % 2].withLock(on: lockKey("a"), in: files, time, within: .none) {
          if inside.add(1, ordering: .relaxed).newValue != 1 {
            overlaps.add(1, ordering: .relaxed)
          }
          sched_yield()
          inside.subtract(1, ordering: .relaxed)
        }
      }
    }
    #expect(overlaps.load(ordering: .relaxed) == 0)
  }

  @Test func `closing the file in another copy does not release the lock`() throws {
    try StoreLocks().withLock(on: lockKey("a"), in: files, time, within: .none) {
      #expect(isFree(lockKey("b")))
      #expect((try? isHeld(lockKey("a"))) == true)
      #expect(!isFree(lockKey("a")))
    }
    #expect(try !isHeld(lockKey("a")))
    #expect(isFree(lockKey("a")))
  }

  @Test func `a timeout names the holder of the lock`() throws {
    let locks = StoreLocks()
    try locks.withLock(on: lockKey("a"), in: files, time, within: .none) {
      () throws(TesseraError) in
      let error = #expect(throws: TesseraError.self) {
        try locks.withLock(
          on: lockKey("a"), in: files, time, within: CallLimits(timeoutMilliseconds: 1, time: time)
        ) {}
      }
      #expect(error?.code == .storeBusy)
      #expect(error?.holderProcessID == Int64(getpid()))
    }
  }

  @Test func `the store lock does not conflict with credential locks`() throws {
    try StoreLocks().withLock(on: .store, in: files, time, within: .none) {
      #expect(isFree(lockKey("a")))
      #expect(!isFree(.store))
    }
  }

  @Test func `a deleted lock file is created again`() throws {
    let locks = StoreLocks()
    #expect(isFree(lockKey("a"), locks))
    unlink(files.locks)
    try locks.withLock(on: lockKey("a"), in: files, time, within: .none) {
      #expect(FileIdentity(at: files.locks) != nil)
      #expect((try? isHeld(lockKey("a"))) == true)
    }
  }

  @Test func `a descriptor number that the host application has reused is not closed`() throws {
    let locks = StoreLocks()
    #expect(isFree(lockKey("a"), locks))
    let file = try OpenLockFile(files)
    let own = open(directory.path + "/own", O_RDWR | O_CREAT, 0o600)
    defer { close(own) }
    dup2(own, file.descriptor)
    #expect(!file.isCurrent(files))
  }

  @Test(arguments: [
    ProcessIdentity(number: 1, start: 0), ProcessIdentity(number: 4_194_303, start: 8191),
    ProcessIdentity.current,
  ])
  func `the offset of a mark encodes its process`(_ process: ProcessIdentity) {
    for lockKey in [lockKey("a"), .store] {
      let mark = ThreadLockKey(.mark, lockKey, process)
      #expect(ThreadLockKey.range(.mark, lockKey).contains(mark.offset))
      #expect(ThreadLockKey.process(at: mark.offset) == process)
      #expect(mark.offset != ThreadLockKey(.thread, lockKey, process).offset)
    }
  }

  @Test func `a process ID with another start time is a process that has ended`() {
    let current = ProcessIdentity.current
    #expect(!current.hasEnded)
    #expect(ProcessIdentity(number: current.number, start: current.start ^ 1).hasEnded)
    #expect(ProcessIdentity(number: 4_194_303, start: 0).hasEnded)
  }
}
