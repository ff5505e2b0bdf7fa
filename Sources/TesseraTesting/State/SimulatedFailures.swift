// SPDX-License-Identifier: MIT
// Simulated outages, throttling and failures.

import TesseraWire

/// Simulated outages, throttling and failures.
struct SimulatedFailures: Sendable {
  private struct Failure {
    var requestsLeft: Int
    let response: HTTPResponse
  }

  private var isOutage = false
  private var failures: [Failure] = []
  private var tokenFailures: [Failure] = []
  private var tokenLimit: TokenRequestLimit?

  /// Fails a number of requests, or all requests until ``recover()``.
  mutating func fail(requests: Int?) {
    guard let requests else { return isOutage = true }
    failures.append(Failure(requestsLeft: requests, response: SimulatedFailures.unavailable))
  }

  /// Throttles a number of requests.
  mutating func throttle(requests: Int, retryAfterSeconds: Int64) {
    let response = SimulatedFailures.throttled(retryAfterSeconds)
    failures.append(Failure(requestsLeft: requests, response: response))
  }

  /// Limits the token requests of each client and tenant in a period of some seconds.
  mutating func limitTokens(grantType: String?, requests: Int, seconds: Int64) {
    tokenLimit = TokenRequestLimit(grantType: grantType, requests: requests, seconds: seconds)
  }

  /// Returns a status and a body to a number of token requests.
  mutating func failTokens(requests: Int, status: Int, body: String) {
    let response = HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(body.utf8))
    tokenFailures.append(Failure(requestsLeft: requests, response: response))
  }

  /// Ends all failures.
  mutating func recover() {
    self = SimulatedFailures()
  }

  /// Returns the simulated failure of a request; nil if it is processed.
  mutating func nextResponse() -> HTTPResponse? {
    isOutage ? SimulatedFailures.unavailable : SimulatedFailures.next(&failures)
  }

  /// Returns the simulated failure of a token request; nil if it is processed.
  mutating func nextTokenResponse(
    to source: TokenRequestSource, at now: Instant, _ counts: inout ProviderCounts
  ) -> HTTPResponse? {
    if let response = SimulatedFailures.next(&tokenFailures) { return response }
    guard let rejection = tokenLimit?.rejection(of: source, at: now) else { return nil }
    if rejection.isEarly { counts.earlyRetries += 1 }
    return SimulatedFailures.throttled(rejection.retryAfterSeconds)
  }

  private static func throttled(_ retryAfterSeconds: Int64) -> HTTPResponse {
    let body: JSONValue = [
      "error": "temporarily_unavailable", "error_description": "Too many requests.",
    ]
    return .json(
      body, status: 429, headers: [HTTPHeader("Retry-After", String(retryAfterSeconds))])
  }

  private static let unavailable = HTTPResponse(
    status: 503, headers: [HTTPHeader("Content-Type", "text/plain; charset=utf-8")],
    body: Array("The service is unavailable.\n".utf8))

  private static func next(_ failures: inout [Failure]) -> HTTPResponse? {
    failures.removeAll { $0.requestsLeft <= 0 }
    guard let failure = failures.first else { return nil }
    failures[0].requestsLeft -= 1
    return failure.response
  }
}
