// SPDX-License-Identifier: MIT
// The cancellation of calls from another thread.

/// Cancels all current and later calls to which it was passed.
///
/// Thread-safe.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var nextID = 0
    var wakers: [Int: @Sendable () -> Void] = [:]
  }

  private let state = SpinLock(State())

  /// Creates a cancellation.
  public init() {}

  /// Whether ``cancel()`` was called.
  public var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  /// Cancels every call to which this cancellation was passed, within 100 ms.
  ///
  /// A token response that has begun is still received and stored, for at most five seconds.
  ///
  /// Further calls have no effect.
  public func cancel() {
    // The wakers run under the lock, so that no thread removes one, and frees the object it uses, while it runs.
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.isCancelled = true
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
      if state.isCancelled { waker() }
      state.nextID &+= 1
      state.wakers[state.nextID] = waker
      return state.nextID
    }
    defer { state.withLock { _ = $0.wakers.removeValue(forKey: id) } }
    return try body()
  }
}
