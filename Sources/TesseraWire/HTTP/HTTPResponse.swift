// SPDX-License-Identifier: MIT
// A response as a value: what a transport gives back, before anything in it is believed.

/// An HTTP response.
public struct HTTPResponse: Sendable, Equatable {
  /// The status code.
  public var status: Int
  /// Header fields in the order in which they came.
  public var headers: [HTTPHeader]
  /// The body.
  public var body: [UInt8]

  /// A response.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension HTTPResponse {
  /// The largest body that is read.
  ///
  /// Discovery documents and token responses are a hundred times smaller.
  package static let bodyLimit = 1 << 20

  /// A response whose body is JSON.
  package static func json(
    _ body: JSONValue, status: Int = 200, headers: [HTTPHeader] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
      body: body.bytes)
  }

  /// The body as a JSON object; nil if it is anything else.
  package var json: JSONObject? {
    (try? JSONValue(parsing: body, limits: .init(bytes: HTTPResponse.bodyLimit)))?.object
  }

  /// How long the server asks callers to stay away, in seconds (RFC 9110 section 10.2.3).
  ///
  /// A date is read by the server's own clock, and means nothing without it. What is over already counts as absent,
  /// values above an hour count as an hour (MSAL).
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
