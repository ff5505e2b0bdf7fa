// SPDX-License-Identifier: MIT
// Calls that do not block: which are under way, and what has come of the others.

import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls that do not block, and what came of them, in the order in which it came.
final class CallGroup: Sendable {
  /// What came of a call.
  struct News: Sendable {
    let call: Int64
    let kind: Int32
    let status: tessera_status
    let document: [UInt8]
  }

  /// What a thread of the library's own does for a call.
  typealias Work = @Sendable (Progress) throws(TesseraError) -> [UInt8]

  private struct State {
    var lastCall: Int64 = 0
    var underWay: [Int64: Cancellation] = [:]
    var news: [News] = []
    /// How many of the news were taken.
    var taken = 0
    /// How many calls have work that a thread still does, or will do.
    var unfinished = 0
  }

  private let state = SpinLock(State())
  /// Readable while there is news.
  private let bell: WakePipe
  private let process = getpid()
  private static let longestWait: UInt64 = 500_000_000

  /// A group without calls; nil when the process has no descriptor left.
  init?() {
    guard let bell = WakePipe() else { return nil }
    self.bell = bell
  }

  /// Readable while there is news.
  var descriptor: Int32 { bell.descriptor }

  /// Whether the calls belong to this process; a fork() leaves them, and the other end of the bell, with the parent.
  var isOfThisProcess: Bool { process == getpid() }

  /// Begins a call on one of the library's own threads; work of one turn runs one after another.
  func start(
    on workers: any Workers, inTurnOf turn: String, _ work: @escaping Work
  ) -> Int64 {
    let cancellation = Cancellation()
    let call = state.withLock { state in
      state.lastCall += 1
      state.underWay[state.lastCall] = cancellation
      state.unfinished += 1
      return state.lastCall
    }
    let progress = Progress(group: self, call: call, cancellation: cancellation)
    // The pool keeps what it runs for a moment longer; the work has been let go when it counts as finished.
    let held = HeldWork(work)
    workers.run(inTurnOf: turn) {
      self.run(held.take(), progress)
      self.state.withLock { $0.unfinished -= 1 }
    } orElse: {
      _ = held.take()
      self.fail(call, .noThreadLeft)
      self.state.withLock { $0.unfinished -= 1 }
    }
    return call
  }

  private func run(_ work: consuming Work?, _ progress: Progress) {
    do throws(TesseraError) {
      guard let work else { return }
      let document = try work(progress)
      end(progress.call, tessera_status(TESSERA_OK), document)
    } catch {
      fail(progress.call, error)
    }
  }

  /// Cancels all calls, and waits until no thread is at work for them; a thread of the library's own does not wait.
  ///
  /// - Parameter milliseconds: how long at most: the work may wait for what the caller holds.
  func finish(waiting milliseconds: Int) {
    cancel(nil)
    guard !WorkerPool.isOnItsThread else { return }
    for _ in 0..<milliseconds {
      guard state.withLock({ $0.unfinished }) > 0 else { return }
      usleep(1_000)
    }
  }

  /// Cancels a call, or all of them for nil; what waits for its turn ends now, too.
  func cancel(_ call: Int64?) {
    let cancelled = state.withLock { state in
      state.underWay.filter { call == nil || $0.key == call }
    }
    let error = TesseraError.cancelled()
    for (call, cancellation) in cancelled {
      cancellation.cancel()
      fail(call, error)
    }
  }

  /// The oldest news; nil if there is none within some milliseconds, or nothing under way that could bring some.
  ///
  /// - Parameter milliseconds: below zero for no limit.
  func next(within milliseconds: Int64) -> News? {
    let time = SystemTime()
    let limits = CallLimits(timeoutMilliseconds: milliseconds < 0 ? nil : milliseconds, time: time)
    while true {
      let (news, isIdle) = take()
      if news != nil || isIdle { return news }
      // Another thread may take what comes, and the rest of what is under way with it.
      let span = limits.pollMilliseconds(atMost: CallGroup.longestWait, time)
      if span == 0 { return nil }
      bell.wait(milliseconds: span)
    }
  }

  private func take() -> (News?, isIdle: Bool) {
    state.withLock { state in
      guard state.taken < state.news.count else { return (nil, state.underWay.isEmpty) }
      let news = state.news[state.taken]
      state.taken += 1
      if state.taken == state.news.count {
        state.news.removeAll()
        state.taken = 0
        bell.quieten()
      }
      return (news, false)
    }
  }

  private func fail(_ call: Int64, _ error: TesseraError) {
    end(call, tessera_status(error.remedy.rawValue), error.json.bytes)
  }

  private func end(_ call: Int64, _ status: tessera_status, _ document: [UInt8]) {
    add(News(call: call, kind: Int32(TESSERA_ANSWER), status: status, document: document)) {
      // A call that was cancelled has been answered.
      $0.underWay.removeValue(forKey: call) != nil
    }
  }

  fileprivate func tell(_ call: Int64, _ prompt: [UInt8]) {
    let status = tessera_status(TESSERA_OK)
    add(News(call: call, kind: Int32(TESSERA_PROMPT), status: status, document: prompt)) {
      $0.underWay[call] != nil
    }
  }

  private func add(_ news: News, if isWanted: (inout State) -> Bool) {
    state.withLock { state in
      guard isWanted(&state) else { return }
      if state.news.isEmpty { bell.wake() }
      state.news.append(news)
    }
  }

  /// What the work of a call sees of it.
  struct Progress: Sendable {
    fileprivate let group: CallGroup
    fileprivate let call: Int64
    /// Ends the work.
    let cancellation: Cancellation

    /// Says something to the host while the call goes on.
    func tell(_ prompt: [UInt8]) {
      group.tell(call, prompt)
    }
  }
}

/// Work on its way to the thread that does it, and lets go of it.
private final class HeldWork: @unchecked Sendable {
  /// Only touched by that thread.
  private var work: CallGroup.Work?

  init(_ work: @escaping CallGroup.Work) {
    self.work = work
  }

  /// The work, once.
  func take() -> CallGroup.Work? {
    work.take()
  }
}
