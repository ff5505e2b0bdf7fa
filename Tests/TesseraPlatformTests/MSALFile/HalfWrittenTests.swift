// SPDX-License-Identifier: MIT
// A cache file that another library is writing in place, stopped in the middle, or killed there.

import Foundation
import TesseraEngine
import TesseraTesting
import Testing

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

  /// How much of the file is there when its writer is stopped: nothing, or a half.
  private static let halves = [0, 60]

  /// What reading came to.
  private func failure(_ store: MSALFileStore, _ limits: CallLimits = .none) -> TesseraError? {
    bench.error { () throws(TesseraError) in _ = try store.snapshot(bench.person, within: limits) }
  }

  /// Seconds that pass while something happens.
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let begin = clock.monotonicNanoseconds
    try body()
    return Double(clock.monotonicNanoseconds - begin) / 1e9
  }

  @Test(arguments: halves, [Peer.existence, Peer.flock])
  func `one who writes for longer than a second is waited for`(_ half: Int, kind: String) throws {
    let peer = try Peer(holding: kind, lockPath)
    defer { peer.leave() }
    try bench.write(String(whole.prefix(half)))
    clock.schedule(afterSeconds: 6) { [bench, whole] in try? bench.write(whole) }
    #expect(try bench.secrets(bench.store(time: clock)) == ["whole"])
  }

  @Test(arguments: halves)
  func `a deadline ends that, and nothing is damaged`(_ half: Int) throws {
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
  func `one who is killed in the middle has left damage`(_ half: Int) throws {
    let peer = try Peer(holding: Peer.existence, lockPath)
    try bench.write(String(whole.prefix(half)))
    clock.schedule(afterSeconds: 3) { [number = peer.number] in
      kill(number, SIGKILL)
      // The clock of this test does not wait for it.
      while !ProcessIdentity.isFree(number) { sched_yield() }
    }
    let store = bench.store(time: clock)
    var error: TesseraError?
    let span = seconds { error = failure(store) }
    #expect(error?.code == .cacheDamaged && span >= 4 && span < 4.5)
    // The lock file of a dead process is believed for a while.
    var times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, lockPath, &times, 0)
    try bench.commit("new", to: store)
    #expect(try bench.secrets(bench.store()) == ["new"])
    let copy = try #require(store.info(.preferEncrypted, within: .none).setAside.first)
    #expect(try bench.text(at: copy) == String(whole.prefix(half)))
    #expect(access(lockPath, F_OK) != 0)
  }

  @Test func `one who goes on when the damage is known already is waited for`() throws {
    try bench.write("{")
    let store = bench.store(time: clock)
    #expect(failure(store)?.code == .cacheDamaged)
    let peer = try Peer(holding: Peer.existence, lockPath)
    defer { peer.leave() }
    clock.schedule(afterSeconds: 3) { [bench, whole] in try? bench.write(whole) }
    #expect(try bench.secrets(store) == ["whole"])
  }

  @Test func `a holder of ours writes nothing in place, and need not be waited for`() throws {
    try bench.write("{")
    let lock = try #require(try PeerLockFile(lockPath))
    defer { lock.end() }
    #expect(try lock.lock() == nil)
    lock.sign()
    var error: TesseraError?
    let span = seconds { error = failure(bench.store(time: clock)) }
    #expect(error?.code == .cacheDamaged && span < 1.5)
  }

  @Test(arguments: ["", "nobody", "0", "99999999 python"])
  func `a lock file that names nobody who lives is no reason to wait`(_ mark: String) throws {
    try bench.write("{")
    try Data(mark.utf8).write(to: URL(fileURLWithPath: lockPath))
    #expect(seconds { _ = failure(bench.store(time: clock)) } < 1.5)
    #expect(try bench.text(at: lockPath) == mark)
  }

  @Test func `nobody is turned away by one who looks`() throws {
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
