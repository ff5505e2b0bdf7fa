// SPDX-License-Identifier: MIT
// A decorator of a transport that measures the time of its requests.

import Synchronization
import TesseraWire

/// Measures the total time of the HTTP requests of one call.
final class Stopwatch: Transport {
  private let transport: any Transport
  private let time: any TimeSource
  private let nanoseconds = Atomic<UInt64>(0)

  init(_ transport: any Transport, _ time: any TimeSource) {
    self.transport = transport
    self.time = time
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let start = time.monotonicNanoseconds
    defer { nanoseconds.wrappingAdd(time.monotonicNanoseconds &- start, ordering: .relaxed) }
    return try transport.send(request, within: limits)
  }

  /// The total time of all requests, in microseconds.
  var microseconds: Int64 { Int64(clamping: nanoseconds.load(ordering: .relaxed) / 1000) }

  /// Returns the microseconds since a reading of the monotonic clock.
  static func microseconds(since start: UInt64, _ time: any TimeSource) -> Int64 {
    Int64(clamping: (time.monotonicNanoseconds &- start) / 1000)
  }
}
