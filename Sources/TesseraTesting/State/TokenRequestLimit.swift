// SPDX-License-Identifier: MIT
// A limit of token requests in a period, as servers that throttle have it.

import TesseraWire

/// A limit of the token requests of each client and tenant in a period.
struct TokenRequestLimit: Sendable {
  /// A rejected request.
  struct Rejection {
    /// The seconds until the end of the period.
    let retryAfterSeconds: Int64
    /// Whether an earlier request was rejected in the same period, so that the client did not wait.
    let isEarly: Bool
  }

  private struct Period {
    let end: Instant
    var requests = 0
    var hasRejected = false
  }

  /// The limited grant type; nil for all.
  let grantType: String?
  /// The number of requests in a period that are processed.
  let requests: Int
  /// The length of a period, in seconds.
  let seconds: Int64
  private var periods: [TokenRequestSource: Period] = [:]

  init(grantType: String?, requests: Int, seconds: Int64) {
    self.grantType = grantType
    self.requests = requests
    self.seconds = seconds
  }

  /// Counts a request; returns its rejection if it exceeds the limit.
  ///
  /// A period starts with the first request after the end of the one before.
  mutating func rejection(of source: TokenRequestSource, at now: Instant) -> Rejection? {
    guard grantType == nil || source.grantType == grantType else { return nil }
    let current = periods[source].flatMap { $0.end > now ? $0 : nil }
    var period = current ?? Period(end: now.adding(seconds: seconds))
    defer { periods[source] = period }
    period.requests += 1
    guard period.requests > requests else { return nil }
    defer { period.hasRejected = true }
    return Rejection(
      retryAfterSeconds: max(period.end.seconds(since: now), 1), isEarly: period.hasRejected)
  }
}
