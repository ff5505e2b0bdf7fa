// SPDX-License-Identifier: MIT
// Outages, throttling and failures that a test asked for.

import TesseraWire

/// Outages, throttling and failures that a test asked for.
struct Trouble: Sendable {
  private struct Failure {
    var requestsLeft: Int
    let response: HTTPResponse
  }

  private var isOut = false
  private var failures: [Failure] = []
  private var tokenFailures: [Failure] = []

  /// Fails some requests, or all until ``recover()``.
  mutating func fail(requests: Int?) {
    guard let requests else { return isOut = true }
    failures.append(Failure(requestsLeft: requests, response: Trouble.unavailable))
  }

  /// Sends some requests away for a while.
  mutating func throttle(requests: Int, retryAfterSeconds: Int64) {
    let body: JSONValue = [
      "error": "temporarily_unavailable", "error_description": "Too many requests.",
    ]
    let response = HTTPResponse.json(
      body, status: 429, headers: [HTTPHeader("Retry-After", String(retryAfterSeconds))])
    failures.append(Failure(requestsLeft: requests, response: response))
  }

  /// Answers some token requests with a status and a body.
  mutating func failTokens(requests: Int, status: Int, body: String) {
    let response = HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(body.utf8))
    tokenFailures.append(Failure(requestsLeft: requests, response: response))
  }

  /// Ends all of it.
  mutating func recover() {
    self = Trouble()
  }

  /// The answer to a request of any kind; nil if it goes through.
  mutating func nextResponse() -> HTTPResponse? {
    isOut ? Trouble.unavailable : Trouble.next(&failures)
  }

  /// The answer to a token request; nil if it goes through.
  mutating func nextTokenResponse() -> HTTPResponse? {
    Trouble.next(&tokenFailures)
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
