// SPDX-License-Identifier: MIT
// A group of non-blocking calls: the running calls, and the queue of their events.

import CLibrary
import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform

/// A group of non-blocking calls with a queue of their events, oldest first.
final class CallGroup: Sendable {
  /// An event: the result of a call, or a prompt that the host must show.
  struct CallEvent: Sendable {
    let call: Int64
    let kind: Int32
    let status: tessera_status
    let userData: UserData
    let document: [UInt8]

    /// The size of the first version of `tessera_event`.
    ///
    /// Programs compiled with that version have no later members.
    static let firstSize = MemoryLayout<(Int, Int64, Int32, Int32, Int, Int)>.size
  }

  /// A pointer of the host, which is returned with each event of a call and never accessed.
  struct UserData: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
  }

  /// A call that has not ended.
  private struct RunningCall {
    let cancellation: Cancellation
    let userData: UserData
  }

  /// The work of a call, which runs on a thread of the library.
  typealias Work = @Sendable (Progress) throws(TesseraError) -> CallResponse

  private struct State {
    var lastCall: Int64 = 0
    var running: [Int64: RunningCall] = [:]
    var events: [CallEvent] = []
    /// The number of events at the start of `events` that were already removed from the queue.
    var removedCount = 0
    /// The number of calls that are queued or running.
    var unfinishedCount = 0
  }

  private let state = SpinLock(State())
  /// A pipe that is readable while the queue has events.
  private let wakePipe: WakePipe
  private let process = getpid()
  /// The clock of the waits for events.
  private let time: any TimeSource
  private static let maximumWaitNanoseconds: UInt64 = 500_000_000

  /// Creates a group without calls.
  ///
  /// Returns nil if no file descriptor is available.
  ///
  /// - Parameter time: The clock of the waits for events. A group can have calls of applications with different clocks.
  init?(time: any TimeSource = SystemTime()) {
    guard let wakePipe = WakePipe() else { return nil }
    self.wakePipe = wakePipe
    self.time = time
  }

  /// A file descriptor that is readable while the queue has events.
  var descriptor: Int32 { wakePipe.descriptor }

  /// Whether the group was created by this process.
  ///
  /// After fork(), the calls and the write end of the pipe stay with the parent.
  var isOfThisProcess: Bool { process == getpid() }

  /// Starts a call on a thread of the library.
  ///
  /// - Parameters:
  ///   - serialKey: The serial key. Calls with the same key run one after another.
  ///   - userData: The pointer of the host that each event of the call returns.
  /// - Returns: The ID of the call.
  func start(
    on workers: any Workers, serialKey: String, userData: UnsafeMutableRawPointer?,
    _ work: @escaping Work
  ) -> Int64 {
    let cancellation = Cancellation()
    let running = RunningCall(cancellation: cancellation, userData: UserData(pointer: userData))
    let call = state.withLock { state in
      state.lastCall += 1
      state.running[state.lastCall] = running
      state.unfinishedCount += 1
      return state.lastCall
    }
    let progress = Progress(group: self, call: call, cancellation: cancellation)
    // The pool may retain the closure after it ran. Release the work before the call is counted as finished.
    let held = OneTimeWork(work)
    workers.run(serialKey: serialKey) {
      self.run(held.take(), progress)
      self.state.withLock { $0.unfinishedCount -= 1 }
    } orElse: {
      _ = held.take()
      self.fail(call, .tooManyThreads)
      self.state.withLock { $0.unfinishedCount -= 1 }
    }
    return call
  }

  private func run(_ work: consuming Work?, _ progress: Progress) {
    do throws(TesseraError) {
      guard let work else { return }
      let response = try work(progress)
      end(progress.call, response.status, response.document)
    } catch {
      fail(progress.call, error)
    }
  }

  /// Cancels all calls, and waits until no thread runs their work.
  ///
  /// Does not wait on a thread of the library.
  ///
  /// - Parameter milliseconds: The maximum wait. It must be limited, because the work may wait for a lock that the
  ///   caller holds.
  func finish(waiting milliseconds: Int64) {
    cancel(nil)
    guard !WorkerPool.isOnPoolThread else { return }
    time.poll(atMost: milliseconds) { state.withLock { $0.unfinishedCount == 0 } }
  }

  /// Cancels a call, or all calls for nil.
  ///
  /// Queued calls end at once as well.
  func cancel(_ call: Int64?) {
    let cancelled = state.withLock { state in
      state.running.filter { call == nil || $0.key == call }
    }
    let error = TesseraError.cancelled()
    for (call, running) in cancelled {
      running.cancellation.cancel()
      fail(call, error)
    }
  }

  /// Removes and returns the oldest event.
  ///
  /// Waits for one while calls are running.
  ///
  /// - Parameter milliseconds: The maximum wait; a negative value is unlimited.
  /// - Returns: The event, or nil after a timeout or if no call is running.
  func next(within milliseconds: Int64) -> CallEvent? {
    let limits = CallLimits(timeoutMilliseconds: milliseconds < 0 ? nil : milliseconds, time: time)
    while true {
      let (event, isIdle) = take()
      if event != nil || isIdle { return event }
      // Another thread may take the event and finish the remaining calls. Therefore the wait is limited.
      let span = limits.pollMilliseconds(atMost: CallGroup.maximumWaitNanoseconds, time)
      if span == 0 { return nil }
      wakePipe.wait(milliseconds: span)
    }
  }

  private func take() -> (CallEvent?, isIdle: Bool) {
    state.withLock { state in
      guard state.removedCount < state.events.count else { return (nil, state.running.isEmpty) }
      let event = state.events[state.removedCount]
      state.removedCount += 1
      if state.removedCount == state.events.count {
        state.events.removeAll()
        state.removedCount = 0
        wakePipe.reset()
      }
      return (event, false)
    }
  }

  private func fail(_ call: Int64, _ error: TesseraError) {
    end(call, tessera_status(error.remedy.rawValue), error.json.bytes)
  }

  private func end(_ call: Int64, _ status: tessera_status, _ document: [UInt8]) {
    add(call, Int32(TESSERA_EVENT_RESULT), status, document) {
      // A cancelled call already has its final event.
      $0.running.removeValue(forKey: call)
    }
  }

  fileprivate func sendPrompt(_ call: Int64, _ prompt: [UInt8]) {
    let status = tessera_status(TESSERA_STATUS_OK)
    add(call, Int32(TESSERA_EVENT_PROMPT), status, prompt) { $0.running[call] }
  }

  /// Adds an event to the queue.
  ///
  /// Does nothing if `find` returns nil, because the call has ended.
  private func add(
    _ call: Int64, _ kind: Int32, _ status: tessera_status, _ document: [UInt8],
    _ find: (inout State) -> RunningCall?
  ) {
    state.withLock { state in
      guard let running = find(&state) else { return }
      if state.events.isEmpty { wakePipe.wake() }
      state.events.append(
        CallEvent(
          call: call, kind: kind, status: status, userData: running.userData, document: document))
    }
  }

  /// The connection of running work to its call.
  struct Progress: Sendable {
    fileprivate let group: CallGroup
    fileprivate let call: Int64
    /// Cancels the work.
    let cancellation: Cancellation

    /// Adds a prompt for the host to the queue.
    ///
    /// The call continues.
    func sendPrompt(_ prompt: [UInt8]) {
      group.sendPrompt(call, prompt)
    }
  }
}

/// A container that releases the work of a call on the thread that runs it.
private final class OneTimeWork: @unchecked Sendable {
  /// Accessed only by that thread.
  private var work: CallGroup.Work?

  init(_ work: @escaping CallGroup.Work) {
    self.work = work
  }

  /// Removes and returns the work; nil after the first call.
  func take() -> CallGroup.Work? {
    work.take()
  }
}
