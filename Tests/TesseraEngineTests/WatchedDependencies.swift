// SPDX-License-Identifier: MIT
// A store, a transport and a clock that notify a test before an operation.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport

/// A store that calls a hook before a lock is taken, and records the held locks.
final class WatchedStore: WrappingStore {
  let store: any CredentialStore
  private let isLocking: Bool
  private let held = Mutex<[String]>([])
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  /// Wraps a store, with its locks or without any.
  init(_ store: any CredentialStore, isLocking: Bool = true) {
    self.store = store
    self.isLocking = isLocking
  }

  /// The names of the held locks.
  var locks: [String] { held.withLock { $0 } }

  /// Sets a hook that runs once, before the next lock is taken.
  func beforeNextLock(_ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = body }
  }

  func withLock<Value>(
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

/// A transport that calls a hook before each token request.
struct WatchedTransport: Transport {
  let network: LocalTransport
  let beforeTokens: @Sendable (HTTPRequest) -> Void

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    if !request.body.isEmpty { beforeTokens(request) }
    return try network.send(request, within: limits)
  }
}

/// The system clock, with a hook that runs before each wait.
struct WatchedTime: TimeSource {
  let waits: @Sendable () -> Void

  var now: Instant { SystemTime().now }
  var monotonicNanoseconds: UInt64 { SystemTime().monotonicNanoseconds }
  var boot: String? { SystemTime().boot }

  func wait(nanoseconds: UInt64, within limits: CallLimits) throws(TesseraError) {
    waits()
    try SystemTime().wait(nanoseconds: nanoseconds, within: limits)
  }
}
