// SPDX-License-Identifier: MIT
// A store that notifies a test before a lock is taken.

import Synchronization
package import TesseraEngine

/// A store that calls a hook before a lock is taken, and records the held locks.
package final class WatchedStore: WrappingStore {
  package let store: any CredentialStore
  private let isLocking: Bool
  private let held = Mutex<[String]>([])
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  /// Wraps a store, with its locks or without any.
  package init(_ store: any CredentialStore, isLocking: Bool = true) {
    self.store = store
    self.isLocking = isLocking
  }

  /// The names of the held locks.
  package var locks: [String] { held.withLock { $0 } }

  /// Sets a hook that runs once, before the next lock is taken.
  package func beforeNextLock(_ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = body }
  }

  package func withLock<Value>(
    on credential: CredentialLock, within limits: CallLimits,
    _ body: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    let before = hook.withLock { hook in
      defer { hook = nil }
      return hook
    }
    before?()
    guard isLocking else { return try body() }
    return try store.withLock(on: credential, within: limits) { () throws(TesseraError) in
      held.withLock { $0.append(credential.name) }
      defer { held.withLock { $0.removeAll { $0 == credential.name } } }
      return try body()
    }
  }
}
