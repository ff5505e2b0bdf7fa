// SPDX-License-Identifier: MIT
// A guard that limits calls of the host's callbacks to the lifetime of the application.

import CLibrary
import TesseraEngine
import TesseraPlatform

/// A guard of the host's callbacks.
///
/// After it is closed, no callback is called.
///
/// Non-blocking calls may continue on threads of the library after the application was freed. The host's callbacks and
/// their `user_data` are invalid by then.
final class CallbackGuard: Sendable {
  private struct State {
    /// Whether no thread may enter any more, apart from those that are inside.
    var isClosing = false
    var isClosed = false
    /// The threads that are inside a callback, or that hold a lock of the host.
    ///
    /// They exist in `process` only, not in a child of fork().
    var threads: [pthread_t] = []
    var process = getpid()

    mutating func add(_ thread: pthread_t) {
      if process != getpid() { (process, threads) = (getpid(), []) }
      threads.append(thread)
    }

    /// Whether a thread may call a callback.
    func admits(_ thread: pthread_t) -> Bool {
      guard isClosing else { return true }
      return !isClosed && process == getpid()
        && threads.contains { pthread_equal($0, thread) != 0 }
    }

    mutating func remove(_ thread: pthread_t) {
      guard let index = threads.firstIndex(where: { pthread_equal($0, thread) != 0 }) else {
        return
      }
      threads.remove(at: index)
    }
  }

  private let state = SpinLock(State())

  /// Whether the guard is closed, or waits for the callbacks that are running.
  var isClosed: Bool { state.withLock { $0.isClosing } }

  /// Calls a callback of the host, or returns nil without calling it if the guard is closed.
  func enter<Value>(_ function: () -> Value) -> Value? {
    let own = pthread_self()
    let isOpen = state.withLock { state in
      guard state.admits(own) else { return false }
      state.add(own)
      return true
    }
    guard isOpen else { return nil }
    defer { state.withLock { $0.remove(own) } }
    return function()
  }

  /// Lets the calling thread call callbacks until ``leave()``, also while the guard is being closed.
  ///
  /// A thread that holds a lock of the host must be able to store its token and to release the lock.
  func stay() {
    state.withLock { $0.add(pthread_self()) }
  }

  /// Ends the effect of ``stay()``.
  func leave() {
    state.withLock { $0.remove(pthread_self()) }
  }

  /// Closes the guard, and waits for callbacks that other threads are running, and for the locks that they hold.
  ///
  /// - Parameter milliseconds: The maximum wait. It must be limited, because a callback may wait for a lock that the
  ///   caller holds.
  func close(waiting milliseconds: Int64) {
    let own = pthread_self()
    // Not the clock of the host, which is not called any more.
    SystemTime().poll(atMost: milliseconds) {
      state.withLock { state in
        state.isClosing = true
        return state.process != getpid() || state.threads.allSatisfy { pthread_equal($0, own) != 0 }
      }
    }
    state.withLock { $0.isClosed = true }
  }
}
