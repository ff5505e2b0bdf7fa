// SPDX-License-Identifier: MIT
// A refusal as it is sent: the standard's members from plain issuers, Entra's many from the Entra face.

import TesseraWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The names under which one exchange is known to the server's support.
struct SupportIDs: Sendable {
  /// Made by the server.
  let traceID: String
  /// Sent by the client, or made by the server.
  let correlationID: String

  /// The names for a request; a `client-request-id` that is no UUID is not repeated.
  init(_ request: IncomingRequest, randomBytes: (Int) -> [UInt8]) {
    traceID = UUIDText.make(randomBytes(16))
    let sent = request.headers["client-request-id"]?.trimmed
    let isUUID = sent.map { UUID(uuidString: $0) != nil } ?? false
    correlationID = isUUID ? sent ?? traceID : UUIDText.make(randomBytes(16))
  }

  /// The header fields that Entra answers with.
  var headers: [HTTPHeader] {
    [HTTPHeader("x-ms-request-id", traceID), HTTPHeader("client-request-id", correlationID)]
  }
}

extension Refusal {
  /// The answer of a plain issuer.
  var plainResponse: HTTPResponse {
    let body: JSONValue = ["error": .string(plainError), "error_description": .string(description)]
    return .json(body, status: status, headers: HTTPHeader.neverStored)
  }

  /// The answer of the Entra face.
  func entraResponse(_ ids: SupportIDs, at now: Instant) -> HTTPResponse {
    let time = Date(timeIntervalSince1970: TimeInterval(now.secondsSince1970))
      .formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    let text =
      "AADSTS\(serverCode): \(description) Trace ID: \(ids.traceID) "
      + "Correlation ID: \(ids.correlationID) Timestamp: \(time)"
    var body: JSONObject = [
      "error": .string(error), "error_description": .string(text),
      "error_codes": [.integer(serverCode)], "timestamp": .string(time),
      "trace_id": .string(ids.traceID), "correlation_id": .string(ids.correlationID),
    ]
    body.append("suberror", suberror)
    return .json(.object(body), status: status, headers: HTTPHeader.neverStored + ids.headers)
  }
}

extension HTTPHeader {
  /// RFC 6749 section 5.1: answers with tokens or codes are not stored.
  static let neverStored = [
    HTTPHeader("Cache-Control", "no-store"), HTTPHeader("Pragma", "no-cache"),
  ]
}
