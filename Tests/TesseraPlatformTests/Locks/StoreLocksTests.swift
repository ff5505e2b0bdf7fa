// SPDX-License-Identifier: MIT
// Locks inside one process; make test-locks has those between processes.

import Foundation
import Synchronization
import TesseraEngine
import Testing

@testable import TesseraPlatform

@Suite struct StoreLocksTests {
  private let directory: TemporaryDirectory
  private let files: LockFiles
  private let time = SystemTime()

  init() throws {
    directory = try TemporaryDirectory()
    files = LockFiles(locks: directory.path + "/a.lock", turns: directory.path + "/a.turn")
  }

  private func place(_ account: String) -> LockPlace {
    LockPlace(CredentialLock(environment: "e", owner: "c", homeAccountID: account))
  }

  /// Whether a lock can be had at once.
  private func isFree(_ place: LockPlace, _ locks: StoreLocks = StoreLocks()) -> Bool {
    let limits = CallLimits(timeoutMilliseconds: 0, time: time)
    return (try? locks.withLock(on: place, in: files, time, within: limits) {}) != nil
  }

  /// Whether the kernel has a lock of this process there, which keeps other processes out.
  private func isHeld(_ place: LockPlace) throws -> Bool {
    // A lock of an open file description meets those of its own process.
    let file = try OpenLockFile(files)
    defer { withExtendedLifetime(file) {} }
    return FileLock.description.conflict(file.descriptor, place.offset)?.process == getpid()
  }

  @Test func `threads take turns, whichever copy of the locks they use`() throws {
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    let copies = [StoreLocks(), StoreLocks()]
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for _ in 0..<50 {
        try? copies[index % 2].withLock(on: place("a"), in: files, time, within: .none) {
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

  @Test func `another copy that ends does not give back the lock`() throws {
    try StoreLocks().withLock(on: place("a"), in: files, time, within: .none) {
      #expect(isFree(place("b")))
      #expect((try? isHeld(place("a"))) == true)
      #expect(!isFree(place("a")))
    }
    #expect(try !isHeld(place("a")))
    #expect(isFree(place("a")))
  }

  @Test func `a lock that is waited for in vain names its holder`() throws {
    let locks = StoreLocks()
    try locks.withLock(on: place("a"), in: files, time, within: .none) { () throws(TesseraError) in
      let error = #expect(throws: TesseraError.self) {
        try locks.withLock(
          on: place("a"), in: files, time, within: CallLimits(timeoutMilliseconds: 1, time: time)
        ) {}
      }
      #expect(error?.code == .storeBusy)
      #expect(error?.holderProcessID == Int64(getpid()))
    }
  }

  @Test func `the lock of the store is nobody's credential`() throws {
    try StoreLocks().withLock(on: .store, in: files, time, within: .none) {
      #expect(isFree(place("a")))
      #expect(!isFree(.store))
    }
  }

  @Test func `a file of locks that was removed is made anew`() throws {
    let locks = StoreLocks()
    #expect(isFree(place("a"), locks))
    unlink(files.locks)
    try locks.withLock(on: place("a"), in: files, time, within: .none) {
      #expect(FileIdentity(at: files.locks) != nil)
      #expect((try? isHeld(place("a"))) == true)
    }
  }

  @Test func `a number that the host took for a file of its own is left alone`() throws {
    let locks = StoreLocks()
    #expect(isFree(place("a"), locks))
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
  func `a mark's place tells its process`(_ process: ProcessIdentity) {
    for place in [place("a"), .store] {
      let mark = TurnPlace(.mark, place, process)
      #expect(TurnPlace.range(.mark, place).contains(mark.offset))
      #expect(TurnPlace.process(at: mark.offset) == process)
      #expect(mark.offset != TurnPlace(.turn, place, process).offset)
    }
  }

  @Test func `a process with the number of another one has not its start`() {
    let current = ProcessIdentity.current
    #expect(!current.hasEnded)
    #expect(ProcessIdentity(number: current.number, start: current.start ^ 1).hasEnded)
    #expect(ProcessIdentity(number: 4_194_303, start: 0).hasEnded)
  }
}
