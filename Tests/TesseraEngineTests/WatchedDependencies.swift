// SPDX-License-Identifier: MIT
// A transport and a clock that notify a test before an operation.

import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire
import TestSupport

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
