// SPDX-License-Identifier: MIT
// Blocking work of a task on a thread of the library, with its result for the task.

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
