// SPDX-License-Identifier: MIT
// HTTP responses as values, before their content is validated.

/// An HTTP response.
package struct HTTPResponse: Sendable, Equatable {
  /// The status code.
  package var status: Int
  /// The header fields, in the order in which they were received.
  package var headers: [HTTPHeader]
  /// The body.
  package var body: [UInt8]

  /// Creates a response.
  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension HTTPResponse {
  /// The maximum size of a body, in bytes.
  ///
  /// Discovery documents and token responses are a hundred times smaller.
  package static let bodyLimit = 1 << 20

  /// Creates a response with a JSON body.
  package static func json(
    _ body: JSONValue, status: Int = 200, headers: [HTTPHeader] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
      body: body.bytes)
  }

  /// The body as a JSON object; nil if it is not one, or exceeds ``bodyLimit``.
  package var json: JSONObject? {
    (try? JSONValue(parsing: body, limits: .init(bytes: HTTPResponse.bodyLimit)))?.object
  }

  /// The delay that the server requests in `Retry-After`, in seconds (RFC 9110 section 10.2.3); nil if it requests none.
  ///
  /// A date is compared with the server's own `Date` and ignored without it. A delay that has passed counts as absent.
  /// The maximum is one hour (MSAL).
  package var retryAfterSeconds: Int64? {
    guard let text = headers["Retry-After"]?.trimmed else { return nil }
    let seconds: Int64?
    if let end = HTTPDate.instant(text) {
      seconds = date.map { end.seconds(since: $0) }
    } else {
      seconds = Int64(text)
    }
    guard let seconds, seconds > 0 else { return nil }
    return min(seconds, 3600)
  }
}
