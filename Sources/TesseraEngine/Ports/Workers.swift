// SPDX-License-Identifier: MIT
// Threads for calls that do not block, and locks for short times.

import CLibrary
import Synchronization

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
