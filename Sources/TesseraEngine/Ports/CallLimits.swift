// SPDX-License-Identifier: MIT
// The limits of a call: deadline and cancellation; and the worker threads of non-blocking calls.

import CLibrary
import Synchronization
package import TesseraWire

/// The deadline and the cancellation of one call.
///
/// Every function that can block has a parameter of this type.
package struct CallLimits: Sendable {
  /// The deadline on the monotonic clock, in nanoseconds; `nil` for none.
  package var deadlineNanoseconds: UInt64?
  /// The cancellation of the call.
  package var cancellation: Cancellation?

  /// Creates the limits of a call that starts now.
  package init(
    timeout: Duration? = nil, cancellation: Cancellation? = nil, time: any TimeSource
  ) {
    deadlineNanoseconds = timeout.map { timeout in
      let wait = UInt64(max(timeout.wholeNanoseconds, 0))
      let end = time.monotonicNanoseconds.addingReportingOverflow(wait)
      return end.overflow ? .max : end.partialValue
    }
    self.cancellation = cancellation
  }

  /// Creates the limits of a call that starts now, with a timeout in milliseconds.
  package init(
    timeoutMilliseconds: Int64?, cancellation: Cancellation? = nil, time: any TimeSource
  ) {
    self.init(
      timeout: timeoutMilliseconds.map { .milliseconds($0) }, cancellation: cancellation, time: time
    )
  }

  /// Creates limits without a deadline or cancellation.
  private init() {}

  /// The time to receive the rest of a response that has begun at the limits, in milliseconds.
  ///
  /// It applies to requests that spend a credential. With ``commitMilliseconds`` and ``rereadMilliseconds``, a call ends within
  /// five seconds of its limits.
  package static let responseMilliseconds: Int64 = 2_000
  /// The time to store a response, in milliseconds.
  package static let commitMilliseconds: Int64 = 2_500
  /// The time to read the store again after a commit has failed, in milliseconds.
  package static let rereadMilliseconds: Int64 = 500

  /// No deadline and no cancellation.
  package static let none = CallLimits()

  /// Returns these limits, with a deadline added if there is none, so that every wait ends.
  package func bounded(milliseconds: Int64, _ time: any TimeSource) -> CallLimits {
    guard deadlineNanoseconds == nil else { return self }
    return CallLimits(timeoutMilliseconds: milliseconds, cancellation: cancellation, time: time)
  }

  /// Returns these limits with a deadline of at most some milliseconds from now.
  package func atMost(milliseconds: Int64, _ time: any TimeSource) -> CallLimits {
    var limits = CallLimits(
      timeoutMilliseconds: milliseconds, cancellation: cancellation, time: time)
    if let own = deadlineNanoseconds, own < limits.deadlineNanoseconds ?? .max {
      limits.deadlineNanoseconds = own
    }
    return limits
  }

  /// Returns limits with half of the remaining time, to reserve the rest for the next step; `nil` without a deadline.
  package func half(_ time: any TimeSource) -> CallLimits? {
    nanosecondsLeft(time).map { left in
      atMost(milliseconds: Int64(clamping: left / 2_000_000), time)
    }
  }

  /// Returns the nanoseconds until the deadline: zero if it has passed, `nil` without one.
  package func nanosecondsLeft(_ time: any TimeSource) -> UInt64? {
    guard let deadlineNanoseconds else { return nil }
    let now = time.monotonicNanoseconds
    return deadlineNanoseconds > now ? deadlineNanoseconds - now : 0
  }

  /// Returns the time until the deadline: zero if it has passed, `nil` without one.
  package func timeLeft(_ time: any TimeSource) -> Duration? {
    nanosecondsLeft(time).map { .nanoseconds(Int64(clamping: $0)) }
  }

  /// Throws if the call was cancelled or its deadline has passed.
  package func check(_ time: any TimeSource) throws(TesseraError) {
    if cancellation?.isCancelled == true { throw .cancelled() }
    if nanosecondsLeft(time) == 0 { throw .deadlineExceeded() }
  }
}

/// Cancels all current and later calls to which it was passed.
///
/// Thread-safe.
public final class Cancellation: Sendable {
  private struct State {
    var nextID = 0
    var wakers: [Int: @Sendable () -> Void] = [:]
  }

  private let state = SpinLock(State())
  /// Written under the lock, and read without it by cache hits.
  private let wasCancelled = Atomic<Bool>(false)

  /// Creates a cancellation.
  public init() {}

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

  /// Cancels every call to which this cancellation was passed, within 100 ms.
  ///
  /// A token response that has begun is still received and stored, for at most five seconds.
  ///
  /// Further calls have no effect.
  public func cancel() {
    // The wakers run under the lock, so that no thread removes one, and frees the object it uses, while it runs.
    state.withLock { state in
      guard !wasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
      for waker in state.wakers.values { waker() }
    }
  }

  /// Runs a blocking operation, with a function that ends the wait early.
  ///
  /// The function is called at most once, on the thread that calls ``cancel()``, and never after `body` has ended. If the
  /// cancellation was triggered before, it is called immediately. It must neither block nor use this object.
  package func waking<Value, Failure: Error>(
    with waker: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let id = state.withLock { state in
      if isCancelled { waker() }
      state.nextID &+= 1
      state.wakers[state.nextID] = waker
      return state.nextID
    }
    defer { state.withLock { _ = $0.wakers.removeValue(forKey: id) } }
    return try body()
  }
}

/// Provides the time, and waits.
package protocol TimeSource: Sendable {
  /// The wall clock, which users can set and which can be wrong after a suspend.
  var now: Instant { get }

  /// The monotonic clock in nanoseconds, with an arbitrary origin.
  var monotonicNanoseconds: UInt64 { get }

  /// An identifier of the current boot; `nil` if the system provides none, or if the monotonic clock stops during sleep.
  ///
  /// Together with ``monotonicNanoseconds`` it yields a timestamp that other processes can compare with theirs.
  var boot: String? { get }

  /// Blocks the calling thread for a time, at most until the limits are reached.
  func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError)
}

/// The time of both clocks, for the validation of cached responses.
package struct ClockReading: Sendable {
  /// The wall clock.
  package let now: Instant
  /// The monotonic clock.
  package let monotonicNanoseconds: UInt64

  package init(now: Instant, monotonicNanoseconds: UInt64) {
    self.now = now
    self.monotonicNanoseconds = monotonicNanoseconds
  }
}

extension TimeSource {
  /// The current time of both clocks.
  package var reading: ClockReading {
    ClockReading(now: now, monotonicNanoseconds: monotonicNanoseconds)
  }

  /// The current time on the boot-time clock, comparable across processes; `nil` if it is unavailable.
  package var bootTime: BootTime? {
    boot.map { BootTime(boot: $0, nanoseconds: monotonicNanoseconds) }
  }

  /// The current time of both clocks, for records.
  package var clocks: Clocks { Clocks(now: now, bootTime: bootTime) }

  /// Checks a condition every millisecond until it holds, or until a time has passed.
  package func poll(atMost milliseconds: Int64, until condition: () -> Bool) {
    let limits = CallLimits(timeoutMilliseconds: milliseconds, time: self)
    while !condition(), limits.nanosecondsLeft(self) != 0 {
      try? wait(nanoseconds: 1_000_000, within: limits)
    }
  }

  /// Returns the monotonic clock some seconds from now, at most one year.
  package func monotonicNanoseconds(inSeconds seconds: Int64) -> UInt64 {
    let (sum, overflow) = monotonicNanoseconds.addingReportingOverflow(.nanoseconds(in: seconds))
    return overflow ? .max : sum
  }
}

extension UInt64 {
  /// Converts seconds to nanoseconds, at most one year, so that no value from a server can cause an overflow.
  static func nanoseconds(in seconds: Int64) -> UInt64 {
    UInt64(clamping: Swift.min(seconds, 31_536_000)) * 1_000_000_000
  }
}

/// Runs blocking work for the asynchronous calls.
package protocol Workers: Sendable {
  /// Runs work on a thread of the pool, never on the calling thread.
  ///
  /// Work with the same serial key runs one after another. Queued work occupies no thread.
  ///
  /// - Parameters:
  ///   - name: The serial key.
  ///   - refuse: Called instead if there is no thread and none can be started. It must not block.
  func run(
    serialKey name: String, _ work: @escaping @Sendable () -> Void,
    orElse refuse: @escaping @Sendable () -> Void)
}

extension Workers {
  /// Runs blocking work of a task on a thread of the pool.
  ///
  /// Queued work occupies no thread.
  ///
  /// Cancelling the task cancels the work, and ends the wait for it at once.
  ///
  /// - Parameter serialKey: The serial key. Work with the same key runs one after another.
  /// - Returns: The result of the work.
  /// - Throws: ``TesseraError``; `CancellationError` if the task was cancelled.
  func result<Value: Sendable>(
    serialKey: String,
    of work: @escaping @Sendable (Cancellation) throws(TesseraError) -> Value
  ) async throws -> Value {
    if Task.isCancelled { throw CancellationError() }
    let cancellation = Cancellation()
    let delivery = SingleResumption<Value>()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        delivery.expect(continuation)
        run(serialKey: serialKey) {
          do throws(TesseraError) {
            delivery.deliver(.success(try work(cancellation)))
          } catch {
            delivery.deliver(.failure(error))
          }
        } orElse: {
          delivery.deliver(.failure(.tooManyThreads))
        }
      }
    } onCancel: {
      cancellation.cancel()
      // Queued work ends now for the caller. It checks the cancellation when it is dequeued.
      delivery.deliver(.failure(.cancelled()))
    }
    switch result {
    case .success(let value): return value
    // Task groups and the tasks of SwiftUI expect this error from a cancelled task.
    case .failure(let error) where error.code == .cancelled && Task.isCancelled:
      throw CancellationError()
    case .failure(let error): throw error
    }
  }
}

/// Resumes a continuation with the first of several outcomes, delivered from any thread.
private final class SingleResumption<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, TesseraError>

  private enum State {
    case idle
    case expected(CheckedContinuation<Outcome, Never>)
    case delivered(Outcome)
    case done
  }

  private let state = SpinLock(State.idle)

  func expect(_ continuation: CheckedContinuation<Outcome, Never>) {
    let early: Outcome? = state.withLock { state in
      guard case .delivered(let outcome) = state else {
        state = .expected(continuation)
        return nil
      }
      state = .done
      return outcome
    }
    if let early { continuation.resume(returning: early) }
  }

  func deliver(_ outcome: Outcome) {
    let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      switch state {
      case .idle:
        state = .delivered(outcome)
        return nil
      case .expected(let continuation):
        state = .done
        return continuation
      case .delivered, .done:
        return nil
      }
    }
    waiting?.resume(returning: outcome)
  }
}

/// A value protected by a spin lock, for critical sections that never block.
///
/// `Mutex` is unsuitable for a library, because the host application may fork. On Linux it identifies its owner by thread
/// ID, which changes in the child, and contention then terminates the child. This lock identifies its owner by process ID.
/// If a thread of the parent held the lock during the fork, the child starts with a new value, because the old one may be
/// partly modified.
package final class SpinLock<Value>: @unchecked Sendable {
  private let holder = Atomic<Int32>(0)
  private let makeValue: @Sendable () -> Value
  /// Accessed only by the lock holder.
  private var value: UnsafeMutablePointer<Value>

  /// Creates a lock.
  ///
  /// `makeValue` creates the initial value, and a new one in a child process if the inherited value is unusable.
  package init(_ makeValue: @escaping @autoclosure @Sendable () -> Value) {
    self.makeValue = makeValue
    value = SpinLock.stored(makeValue())
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  ///
  /// `body` must neither block nor use the same lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    acquire()
    defer { holder.store(0, ordering: .releasing) }
    return try body(&value.pointee)
  }

  private func acquire() {
    let process = getpid()
    while true {
      let (isAcquired, other) = holder.compareExchange(
        expected: 0, desired: process, ordering: .acquiring)
      if isAcquired { return }
      guard other != process else {
        sched_yield()
        continue
      }
      let (isTakenOver, _) = holder.compareExchange(
        expected: other, desired: process, ordering: .acquiring)
      guard isTakenOver else { continue }
      // The old value is leaked, because it may be partly modified.
      value = SpinLock.stored(makeValue())
      return
    }
  }

  private static func stored(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
  }
}

/// The bytes of stack that a call needs, counted from the function that checks it.
///
/// `Tests/Stacks/run --measure` prints what each call uses, with the first use of every type in a process. The rest is a margin.
package enum StackRequirement: Int, Sendable {
  /// A call that redeems no credential, from its first function: 30 KiB were measured.
  case call = 40_960
  /// A token request, with the check and the commit of its response: 27 KiB were measured.
  case credential = 49_152
  /// A sign-in before the user sees the page, so that the token request passes its own check later.
  case signIn = 73_728
}

/// The remaining stack of the calling thread.
package struct StackSpace: Sendable {
  /// Returns the number of bytes that are left; `nil` if it is unknown.
  package let bytesLeft: @Sendable () -> Int?

  /// Creates a value from a function that measures the remaining stack.
  package init(bytesLeft: @escaping @Sendable () -> Int?) {
    self.bytesLeft = bytesLeft
  }

  /// A stack of unknown size, for which every check passes.
  package static let unknown = StackSpace { nil }

  /// Throws `stack_too_small` if less is left than the work needs.
  ///
  /// Coroutines and fibers have stacks of unknown size, for which the check passes.
  package func check(_ need: StackRequirement) throws(TesseraError) {
    guard let left = bytesLeft(), left < need.rawValue else { return }
    throw TesseraError(
      .fixRequest, .stackTooSmall,
      "The stack of this thread has \(left / 1024) KiB left, but the call needs \(need.rawValue / 1024) KiB: "
        + "make the call on a thread with at least 128 KiB of stack. No credential was sent.")
  }
}
