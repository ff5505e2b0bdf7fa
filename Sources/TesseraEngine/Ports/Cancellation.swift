// SPDX-License-Identifier: MIT
// A way to stop calls from another thread.

/// Stops every call that was given it, now and later; any thread may trigger it.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var nextID = 0
    var wakers: [Int: @Sendable () -> Void] = [:]
  }

  private let state = SpinLock(State())

  /// A cancellation that nobody has triggered.
  public init() {}

  /// Whether it was triggered.
  public var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  /// Stops every call that was given this cancellation, within 100 ms.
  ///
  /// Calling it again does nothing.
  public func cancel() {
    // The wakers run under the lock, so that nobody removes one, and frees what it wakes, while it runs.
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.isCancelled = true
      for waker in state.wakers.values { waker() }
    }
  }

  /// Runs something that waits, with a function that ends the wait early.
  ///
  /// The function is called at most once, on the thread that cancels, never after the body has ended; at once if
  /// the cancellation was triggered before. It must neither block nor touch this object.
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
