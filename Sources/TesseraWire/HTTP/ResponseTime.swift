// SPDX-License-Identifier: MIT
// The time at which a response arrived, on this machine's clocks and on the server's.

/// The time at which a response arrived.
package struct ResponseTime: Sendable, Hashable {
  /// The wall-clock time of this machine.
  package let at: Instant
  /// The boot-time clock, which users cannot set; nil if the system has none that keeps running during sleep.
  package let bootTime: BootTime?
  /// The seconds by which the server's clock is ahead of this machine's; 0 if they agree or the server sent no time.
  package let serverAheadSeconds: Int64

  /// Creates an arrival time with a known clock difference.
  package init(at now: Instant, bootTime: BootTime? = nil, serverAheadSeconds: Int64 = 0) {
    at = now
    self.bootTime = bootTime
    self.serverAheadSeconds = serverAheadSeconds
  }

  /// Computes the arrival time of a response, with the clock difference from its `Date` header field.
  package init(of response: HTTPResponse, at now: Instant, bootTime: BootTime?) {
    let ahead = response.date?.seconds(since: now) ?? 0
    // Ignore small differences, which come from rounding and latency, and those of 100 years or more.
    let isPlausible = (10..<3_153_600_000).contains(ahead.magnitude)
    self.init(at: now, bootTime: bootTime, serverAheadSeconds: isPlausible ? ahead : 0)
  }

  /// The wall-clock time of the server.
  package var atServer: Instant { at.adding(seconds: serverAheadSeconds) }
}

extension HTTPResponse {
  /// The time at which the server created the response (RFC 9110 section 6.6.1); nil if it came from an HTTP cache.
  package var date: Instant? {
    guard headers["Age"].flatMap({ Int64($0.trimmed) }) ?? 0 == 0 else { return nil }
    return headers["Date"].flatMap { HTTPDate.instant($0.trimmed) }
  }
}
