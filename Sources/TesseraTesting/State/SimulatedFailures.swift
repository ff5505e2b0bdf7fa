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

  /// Fails a number of requests, or all requests until ``recover()``.
  mutating func fail(requests: Int?) {
    guard let requests else { return isOutage = true }
    failures.append(Failure(requestsLeft: requests, response: SimulatedFailures.unavailable))
  }

  /// Throttles a number of requests.
  mutating func throttle(requests: Int, retryAfterSeconds: Int64) {
    let body: JSONValue = [
      "error": "temporarily_unavailable", "error_description": "Too many requests.",
    ]
    let response = HTTPResponse.json(
      body, status: 429, headers: [HTTPHeader("Retry-After", String(retryAfterSeconds))])
    failures.append(Failure(requestsLeft: requests, response: response))
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
  mutating func nextTokenResponse() -> HTTPResponse? {
    SimulatedFailures.next(&tokenFailures)
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
