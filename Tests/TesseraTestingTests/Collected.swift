// SPDX-License-Identifier: MIT
// Values that closures collect, from whatever thread.

import Synchronization

/// Values that closures collect.
final class Collected<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock { $0 } }

  func append(_ value: Value) {
    state.withLock { $0.append(value) }
  }
}
