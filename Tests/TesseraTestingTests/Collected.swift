// SPDX-License-Identifier: MIT
// Values collected by closures on any thread.

import Synchronization

/// A thread-safe list of values collected by closures.
final class Collected<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock { $0 } }

  func append(_ value: Value) {
    state.withLock { $0.append(value) }
  }
}
