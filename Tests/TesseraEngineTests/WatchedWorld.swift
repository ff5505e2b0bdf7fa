// SPDX-License-Identifier: MIT
// A store and a network that tell a test when something is about to happen.

import Synchronization
import TesseraCache
import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire

/// A store that says which locks are wanted, and remembers which are held.
final class WatchedStore: WrappingStore {
  let store: any CredentialStore
  private let isLocking: Bool
  private let held = Mutex<[String]>([])
  private let hook = Mutex<(@Sendable () -> Void)?>(nil)

  /// A store on another one; with locks, or as a program has it that takes none.
  init(_ store: any CredentialStore, isLocking: Bool = true) {
    self.store = store
    self.isLocking = isLocking
  }

  /// The names of the locks that are held.
  var locks: [String] { held.withLock { $0 } }

  /// Does something once, when the next lock is wanted, before it is taken.
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

/// A network that does something before each request for tokens leaves, and looks at it.
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

/// The system's clocks, which say when somebody waits.
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
