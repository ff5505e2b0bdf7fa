// SPDX-License-Identifier: MIT
// An HTTP request of a local client, and its incremental parser.

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
  package var host = ""
  /// The media type of the body, in lower case and without parameters; empty without one.
  package var mediaType = ""
  /// The body.
  package var body: [UInt8] = []
}

/// The reason for which a request is rejected.
///
/// The raw value is the HTTP status of the reply.
package enum LoopbackRequestError: Int, Error, Sendable {
  /// The request is not valid HTTP, or is ambiguous.
  case malformed = 400
  /// The request timed out.
  case timedOut = 408
  /// The body has no length.
  case lengthRequired = 411
  /// The body is larger than any authorization response.
  case bodyTooLarge = 413
  /// The head is larger than any authorization response.
  case tooLarge = 431
  /// The body has a transfer coding, which browsers do not use for forms.
  case unsupported = 501
  /// The HTTP version is not supported.
  case unsupportedVersion = 505
}

/// An incremental parser for one request (RFC 9112), with size limits.
package struct LoopbackRequestReader: Sendable {
  /// The maximum size of a head in bytes.
  ///
  /// Codes can be long, and so can the cookies that other programs set for this machine.
  private static let headLimit = 65_536
  /// The maximum size of a body in bytes.
  ///
  /// A posted response contains a code, a state and a few short fields.
  private static let bodyLimit = 65_536

  private var head: [UInt8] = []
  /// The number of consecutive bytes of the terminator CR LF CR LF that matched.
  private var matched = 0
  /// The request without a part of its body; nil before the end of the head.
  private var request: LoopbackRequest?
  private var bodyLength = 0

  /// Creates a parser without input.
  package init() {}

  /// Parses the next bytes.
  ///
  /// - Returns: The complete request, or nil if more bytes are needed. Bytes after the request are ignored.
  /// - Throws: The reason for which the bytes are not an acceptable request.
  package mutating func take(
    _ bytes: some Collection<UInt8>
  ) throws(LoopbackRequestError) -> LoopbackRequest? {
    var rest = bytes[...]
    while request == nil, let byte = rest.popFirst() { try take(byte) }
    let missing = bodyLength - (request?.body.count ?? 0)
    request?.body += rest.prefix(missing)
    return request.flatMap { $0.body.count == bodyLength ? $0 : nil }
  }

  private mutating func take(_ byte: UInt8) throws(LoopbackRequestError) {
    // Some clients send an empty line before the request: ignore it (RFC 9112 section 2.2).
    if head.isEmpty, byte == 0x0D || byte == 0x0A { return }
    let isControl = byte < 0x20 && byte != 0x0D && byte != 0x0A && byte != 0x09 || byte == 0x7F
    let belongsToEnd = byte == (matched % 2 == 0 ? 0x0D : 0x0A)
    // A lone CR or LF is interpreted differently by different parsers.
    let isBroken = !belongsToEnd && (byte == 0x0D || byte == 0x0A || matched % 2 == 1)
    if isControl || isBroken { throw .malformed }
    matched = belongsToEnd ? matched + 1 : 0
    head.append(byte)
    if head.count > LoopbackRequestReader.headLimit { throw .tooLarge }
    guard matched == 4 else { return }
    let read = try LoopbackRequestHead(head.dropLast(4))
    if read.bodyLength > LoopbackRequestReader.bodyLimit { throw .bodyTooLarge }
    (request, bodyLength) = (read.request, read.bodyLength)
  }
}

/// The head of a request: the request line and the header fields.
private struct LoopbackRequestHead {
  /// The request, without its body.
  var request: LoopbackRequest
  /// The length of the body in bytes.
  var bodyLength: Int

  /// The maximum number of lines in a head.
  private static let maximumFieldCount = 100

  /// Parses the lines of a head, without the empty line at its end (RFC 9112 sections 3 and 5).
  init(_ bytes: ArraySlice<UInt8>) throws(LoopbackRequestError) {
    // A field may contain bytes outside ASCII (RFC 9110 section 5.5), but not one that is used here.
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n" as Character, omittingEmptySubsequences: false)
    guard let first = lines.first, lines.count <= LoopbackRequestHead.maximumFieldCount else {
      throw .tooLarge
    }
    request = try LoopbackRequestHead.request(first)
    var fields: [String: String] = [:]
    for line in lines.dropFirst() { try LoopbackRequestHead.parseField(line, &fields) }
    request.host = fields["host"] ?? ""
    request.mediaType =
      fields["content-type"]?.split(separator: ";").first.map { String($0).trimmed } ?? ""
    let length = fields["content-length"]
    guard !request.host.isEmpty, length?.isEmpty != true,
      length?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) != false
    else { throw .malformed }
    if fields["transfer-encoding"] != nil { throw .unsupported }
    if request.method == "POST", length == nil { throw .lengthRequired }
    bodyLength = length.map { Int($0) ?? .max } ?? 0
  }

  /// Parses the request line.
  private static func request(_ line: Substring) throws(LoopbackRequestError) -> LoopbackRequest {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let method = parts.first, let version = parts.last,
      line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { throw .malformed }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .unsupportedVersion }
    let target = parts[1]
    guard target.hasPrefix("/") else { throw .malformed }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return LoopbackRequest(
      method: String(method), path: String(halves[0]),
      query: halves.count > 1 ? String(halves[1]) : nil)
  }

  /// Parses one field line into a lower-case name and value.
  ///
  /// A repeated field that is used here is ambiguous, and rejected (RFC 9112 section 11.2).
  private static func parseField(
    _ line: Substring, _ fields: inout [String: String]
  ) throws(LoopbackRequestError) {
    guard let colon = line.firstIndex(of: ":") else { throw .malformed }
    let name = line[..<colon].lowercased()
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .malformed
    }
    let isUnique = ["host", "content-length", "content-type"].contains(name)
    guard !isUnique || fields[name] == nil else { throw .malformed }
    fields[name] = String(line[line.index(after: colon)...]).trimmed.lowercased()
  }
}
