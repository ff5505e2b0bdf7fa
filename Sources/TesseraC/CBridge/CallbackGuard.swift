// SPDX-License-Identifier: MIT
// How long the host's functions may be called: until the application is freed, on whichever thread.

import TesseraEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The way to the functions of a host, which ends with the application.
///
/// Calls that do not block may go on after that on the library's own threads. The host's functions and their contexts
/// are good no longer.
final class CallbackGuard: Sendable {
  private struct State {
    var isClosed = false
    /// The threads that are in a function of the host, and their process: a child of fork() has none of them.
    var threads: [pthread_t] = []
    var process = getpid()

    mutating func add(_ thread: pthread_t) {
      if process != getpid() { (process, threads) = (getpid(), []) }
      threads.append(thread)
    }

    mutating func remove(_ thread: pthread_t) {
      guard let place = threads.firstIndex(where: { pthread_equal($0, thread) != 0 }) else {
        return
      }
      threads.remove(at: place)
    }
  }

  private let state = SpinLock(State())

  /// Calls a function of the host; nil, and it is not called, once the way is closed.
  func enter<Value>(_ function: () -> Value) -> Value? {
    let own = pthread_self()
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.add(own)
      return true
    }
    guard isOpen else { return nil }
    defer { state.withLock { $0.remove(own) } }
    return function()
  }

  /// Closes the way, and waits for functions that other threads are in.
  ///
  /// - Parameter milliseconds: how long at most: such a function may wait for what the caller holds.
  func close(waiting milliseconds: Int) {
    let own = pthread_self()
    for _ in 0..<milliseconds {
      let isEmpty = state.withLock { state in
        state.isClosed = true
        return state.process != getpid() || state.threads.allSatisfy { pthread_equal($0, own) != 0 }
      }
      guard !isEmpty else { return }
      usleep(1_000)
    }
  }
}
