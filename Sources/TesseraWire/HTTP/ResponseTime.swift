// SPDX-License-Identifier: MIT
// When a response arrived, by every clock that can tell.

/// The moment at which a response arrived.
package struct ResponseTime: Sendable, Hashable {
  /// The wall clock of this machine.
  package let at: Instant
  /// The clock that nobody can set; nil where the system has none that survives a sleep.
  package let moment: BootTime?
  /// By how many seconds the server's clock is ahead of this machine's; zero if they agree, or if the server did not say.
  package let serverAheadSeconds: Int64

  /// A moment, with what the server's clock said.
  package init(at now: Instant, moment: BootTime? = nil, serverAheadSeconds: Int64 = 0) {
    at = now
    self.moment = moment
    self.serverAheadSeconds = serverAheadSeconds
  }

  /// The moment at which a response arrived.
  package init(of response: HTTPResponse, at now: Instant, moment: BootTime?) {
    let ahead = response.date?.seconds(since: now) ?? 0
    // Whole seconds, and the way here: a small difference is none. One of many years is no clock either.
    let isClock = (10..<3_153_600_000).contains(ahead.magnitude)
    self.init(at: now, moment: moment, serverAheadSeconds: isClock ? ahead : 0)
  }

  /// The wall clock of the server.
  package var atServer: Instant { at.adding(seconds: serverAheadSeconds) }
}

extension HTTPResponse {
  /// When the server made the response, by its own clock (RFC 9110 section 6.6.1); nil for one out of a cache.
  package var date: Instant? {
    guard headers["Age"].flatMap({ Int64($0.trimmed) }) ?? 0 == 0 else { return nil }
    return headers["Date"].flatMap { HTTPDate.instant($0.trimmed) }
  }
}
