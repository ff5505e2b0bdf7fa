// SPDX-License-Identifier: MIT
// HTTP responses as libcurl delivers them: header lines, body chunks and the resulting error.

import TesseraEngine
import TesseraWire

@testable import TesseraPlatform

/// Fuzzes a response.
///
/// The first line is the header, with `|` between its lines; the rest is the body.
func fuzzHTTP(_ input: FuzzInput) {
  let (head, body) = input.lines
  let reader = ResponseReader()
  for line in head.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
    let isContinued = Array(line).withUnsafeBufferPointer { reader.take(header: $0) }
    if !isContinued { return }
  }
  // Two chunks, so that the body is assembled.
  for piece in [body.prefix(body.count / 2), body.dropFirst(body.count / 2)] {
    _ = Array(piece).withUnsafeBufferPointer { reader.take(body: $0) }
  }
  let statuses = [200, 400, 401, 403, 429, 500, 503, 302, 204, 0]
  let response = HTTPResponse(
    status: statuses[Int(input.choice) % statuses.count], headers: reader.headers,
    body: reader.body)
  require((0...3600).contains(response.retryAfterSeconds ?? 0), "the backoff is at most an hour")
  let responseTime = ResponseTime(
    of: response, at: Instant(secondsSince1970: 1_800_000_000), bootTime: nil)
  require(responseTime.serverAheadSeconds.magnitude < 3_153_600_000, "no server is a century ahead")
  guard let errorResponse = ServerError(response) else { return }
  let error = TesseraError(errorResponse, correlationID: "correlation")
  let document = try? JSONValue(parsing: error.json.bytes)
  require(document?.object?["error"] != nil, "a refusal becomes a document")
  let words = [error.message, error.oauthError, error.suberror, error.correlationID, error.traceID]
  let isPlain = words.allSatisfy { word in
    word?.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ?? true
  }
  require(isPlain && !error.message.isEmpty, "an error has a message without control characters")
}
