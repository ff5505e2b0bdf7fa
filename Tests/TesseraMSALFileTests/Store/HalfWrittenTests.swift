// SPDX-License-Identifier: MIT
// A cache file that another library writes in place, stopped or killed in the middle.

import Foundation
import TesseraEngine
import TesseraTesting
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct HalfWrittenTests {
  private let bench: MSALFileBench
  private let clock = VirtualClock()
  private let whole: String
  private var lockPath: String { bench.path + ".lockfile" }

  init() throws {
    bench = try MSALFileBench()
    try bench.commit("whole", to: bench.store())
    whole = try bench.text()
  }

  /// The sizes of the partial file when its writer is stopped: nothing, or a half.
  private static let halves = [0, 60]

  /// Returns the error of a read; nil if it succeeds.
  private func failure(_ store: MSALFileStore, _ limits: CallLimits = .none) -> TesseraError? {
    bench.error { () throws(TesseraError) in
      _ = try store.snapshot(bench.ownerSelection, within: limits)
    }
  }

  /// Returns the seconds that pass during a call.
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let begin = clock.monotonicNanoseconds
    try body()
    return Double(clock.monotonicNanoseconds - begin) / 1e9
  }

  @Test(arguments: halves, [Peer.existence, Peer.flock])
  func `a writer that takes longer than a second is waited for`(_ half: Int, kind: String) throws {
    let peer = try Peer(holding: kind, lockPath)
    defer { peer.leave() }
    try bench.write(String(whole.prefix(half)))
    clock.schedule(after: .seconds(6)) { [bench, whole] in try? bench.write(whole) }
    #expect(try bench.secrets(bench.store(time: clock)) == ["whole"])
  }

  @Test(arguments: halves)
  func `a deadline ends the wait without damage`(_ half: Int) throws {
    let peer = try Peer(holding: Peer.existence, lockPath)
    defer { peer.leave() }
    try bench.write(String(whole.prefix(half)))
    let store = bench.store(time: clock)
    let short = CallLimits(timeoutMilliseconds: 2500, time: clock)
    for (limits, least) in [
      (short, 2.5), (.none, 10), (CallLimits(timeoutMilliseconds: 60_000, time: clock), 10),
    ] {
      var error: TesseraError?
      let span = seconds { error = failure(store, limits) }
      #expect(span >= least && span < least + 0.5)
      #expect(error?.code == .storeBusy && error?.remedy == .retryLater)
      #expect(error?.holderProcessID == Int64(peer.number))
    }
    #expect(store.info(.preferEncrypted, within: short).state == .busy)
    #expect(try bench.text() == String(whole.prefix(half)))
    #expect(try bench.files() == ["cache.json", "cache.json.lockfile"])
  }

  @Test(arguments: halves)
  func `a writer that is killed in the middle leaves damage`(_ half: Int) throws {
    let peer = try Peer(holding: Peer.existence, lockPath)
    try bench.write(String(whole.prefix(half)))
    clock.schedule(after: .seconds(3)) { [number = peer.number] in
      kill(number, SIGKILL)
      // The virtual clock does not wait for the process to end.
      while !ProcessIdentity.isFree(number) { sched_yield() }
    }
    let store = bench.store(time: clock)
    var error: TesseraError?
    let span = seconds { error = failure(store) }
    #expect(error?.code == .cacheDamaged && span >= 4 && span < 4.5)
    // The lock file of a dead process is honoured for ten seconds.
    var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, lockPath, &times, 0)
    try bench.commit("new", to: store)
    #expect(try bench.secrets(bench.store()) == ["new"])
    let copy = try #require(store.info(.preferEncrypted, within: .none).setAside.first)
    #expect(try bench.text(at: copy) == String(whole.prefix(half)))
    #expect(access(lockPath, F_OK) != 0)
  }

  @Test func `a writer that continues after the damage was reported is waited for`() throws {
    try bench.write("{")
    let store = bench.store(time: clock)
    #expect(failure(store)?.code == .cacheDamaged)
    let peer = try Peer(holding: Peer.existence, lockPath)
    defer { peer.leave() }
    clock.schedule(after: .seconds(3)) { [bench, whole] in try? bench.write(whole) }
    #expect(try bench.secrets(store) == ["whole"])
  }

  @Test func `a lock held by Tessera does not delay the report, because it never writes in place`()
    throws
  {
    try bench.write("{")
    let lock = try #require(try PeerLockFile(lockPath))
    defer { lock.end() }
    #expect(try lock.lock() == nil)
    lock.writeOwner()
    var error: TesseraError?
    let span = seconds { error = failure(bench.store(time: clock)) }
    #expect(error?.code == .cacheDamaged && span < 1.5)
  }

  @Test(arguments: ["", "nobody", "0", "99999999 python"])
  func `a lock file without a live process does not delay the report`(_ mark: String) throws {
    try bench.write("{")
    try Data(mark.utf8).write(to: URL(fileURLWithPath: lockPath))
    #expect(seconds { _ = failure(bench.store(time: clock)) } < 1.5)
    #expect(try bench.text(at: lockPath) == mark)
  }

  @Test func `checking for a writer does not disturb it`() throws {
    let kinds = [Peer.existence, Peer.flock, Peer.record]
    for kind in kinds {
      let peer = try Peer(holding: kind, lockPath)
      #expect(PeerWriter.process(holding: lockPath) == peer.number)
      peer.leave()
      #expect(PeerWriter.process(holding: lockPath) == nil)
      #expect(access(lockPath, F_OK) != 0)
    }
  }
}
