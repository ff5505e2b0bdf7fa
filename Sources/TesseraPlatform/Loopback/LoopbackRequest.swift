// SPDX-License-Identifier: MIT
// A parsed HTTP request of a local client.

import TesseraWire

/// A request to the redirect URI, from a browser or any other program on this machine.
package struct LoopbackRequest: Sendable, Equatable {
  /// The method, such as `GET`.
  package var method: String
  /// The path as sent, which begins with a slash.
  package var path: String
  /// The query, after the first question mark; nil without one.
  package var query: String?
  /// The value of the `Host` field, in lower case.
  package var host: String
  /// The media type of the body, in lower case and without parameters; empty without one.
  package var mediaType = ""
  /// The body.
  package var body: [UInt8] = []
}

/// The head of a request: the request line and the header fields.
struct LoopbackRequestHead {
  /// The request, without its body.
  var request: LoopbackRequest
  /// The length of the body in bytes.
  var bodyLength: Int

  /// The maximum number of lines in a head.
  private static let maximumFieldCount = 100

  /// Parses the lines of a head, without the empty line at its end (RFC 9112 sections 3 and 5).
  ///
  /// - Throws: The status with which to reject the request.
  init(_ bytes: [UInt8]) throws(LoopbackRequestError) {
    // A field may contain bytes outside ASCII (RFC 9110 section 5.5), but not one that is used here.
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n" as Character, omittingEmptySubsequences: false)
    guard let first = lines.first, lines.count <= LoopbackRequestHead.maximumFieldCount else {
      throw .tooLarge
    }
    request = try LoopbackRequestHead.request(first)
    bodyLength = 0
    var fields = LoopbackFields()
    for line in lines.dropFirst() { try fields.parseField(line) }
    guard let host = fields.host else { throw .malformed }
    request.host = host
    request.mediaType = fields.mediaType ?? ""
    if fields.hasTransferCoding { throw .unsupported }
    bodyLength = fields.bodyLength ?? 0
    if request.method == "POST", fields.bodyLength == nil { throw .lengthRequired }
  }

  /// Parses the request line.
  private static func request(_ line: Substring) throws(LoopbackRequestError) -> LoopbackRequest {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let method = parts.first, let version = parts.last,
      line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { throw .malformed }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .unsupportedVersion }
    let target = parts.dropFirst().first ?? ""
    guard target.hasPrefix("/") else { throw .malformed }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return LoopbackRequest(
      method: String(method), path: String(halves.first ?? "/"),
      query: halves.count > 1 ? halves.last.map(String.init) : nil, host: "")
  }
}

/// The header fields that are used.
private struct LoopbackFields {
  var host: String?
  var mediaType: String?
  var bodyLength: Int?
  var hasTransferCoding = false

  /// Parses one field line.
  ///
  /// Ambiguous fields are rejected (RFC 9112 section 11.2).
  mutating func parseField(_ line: Substring) throws(LoopbackRequestError) {
    guard let colon = line.firstIndex(of: ":") else { throw .malformed }
    let name = line[..<colon].lowercased()
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .malformed
    }
    let value = String(line[line.index(after: colon)...]).trimmed.lowercased()
    switch name {
    case "host":
      guard host == nil, !value.isEmpty else { throw .malformed }
      host = value
    case "content-length":
      guard bodyLength == nil, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { throw .malformed }
      bodyLength = Int(value) ?? .max
    case "content-type":
      guard mediaType == nil else { throw .malformed }
      mediaType = value.split(separator: ";").first.map { String($0).trimmed } ?? ""
    case "transfer-encoding": hasTransferCoding = true
    default: break
    }
  }
}
