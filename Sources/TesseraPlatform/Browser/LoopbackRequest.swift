// SPDX-License-Identifier: MIT
// A request of a local client, as far as a sign-in needs to know it.

import TesseraWire

/// What a browser, or anybody else on this machine, sent to the redirect URI.
package struct LoopbackRequest: Sendable, Equatable {
  /// The method, such as `GET`.
  package var method: String
  /// The path as it was sent, which begins with a slash.
  package var path: String
  /// What follows the first question mark; nil without one.
  package var query: String?
  /// The `Host` that was asked for, in lower case.
  package var host: String
  /// The media type of the body, in lower case and without parameters; empty without one.
  package var mediaType = ""
  /// The body.
  package var body: [UInt8] = []
}

/// The first part of a request: what is to be known before its body.
struct LoopbackRequestHead {
  /// The request, still without its body.
  var request: LoopbackRequest
  /// How many bytes follow.
  var bodyCount: Int

  /// More fields than any browser sends.
  private static let mostFields = 100

  /// Reads the lines of a head, without the empty one at its end (RFC 9112 sections 3 and 5).
  ///
  /// - Throws: the status with which to refuse it.
  init(_ bytes: [UInt8]) throws(LoopbackRefusal) {
    // Bytes beyond ASCII may stand in a field (RFC 9110 section 5.5), but in none that matters here.
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n" as Character, omittingEmptySubsequences: false)
    guard let first = lines.first, lines.count <= LoopbackRequestHead.mostFields else {
      throw .tooLarge
    }
    request = try LoopbackRequestHead.request(first)
    bodyCount = 0
    var fields = LoopbackFields()
    for line in lines.dropFirst() { try fields.take(line) }
    guard let host = fields.host else { throw .malformed }
    request.host = host
    request.mediaType = fields.mediaType ?? ""
    if fields.hasTransferCoding { throw .unsupported }
    bodyCount = fields.bodyCount ?? 0
    if request.method == "POST", fields.bodyCount == nil { throw .lengthRequired }
  }

  /// Reads the first line.
  private static func request(_ line: Substring) throws(LoopbackRefusal) -> LoopbackRequest {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let method = parts.first, let version = parts.last,
      line.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { throw .malformed }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .otherVersion }
    let target = parts.dropFirst().first ?? ""
    guard target.hasPrefix("/") else { throw .malformed }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return LoopbackRequest(
      method: String(method), path: String(halves.first ?? "/"),
      query: halves.count > 1 ? halves.last.map(String.init) : nil, host: "")
  }
}

/// The fields of a head that matter.
private struct LoopbackFields {
  var host: String?
  var mediaType: String?
  var bodyCount: Int?
  var hasTransferCoding = false

  /// Takes one line; what may be read in two ways is refused (RFC 9112 section 11.2).
  mutating func take(_ line: Substring) throws(LoopbackRefusal) {
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
      guard bodyCount == nil, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { throw .malformed }
      bodyCount = Int(value) ?? .max
    case "content-type":
      guard mediaType == nil else { throw .malformed }
      mediaType = value.split(separator: ";").first.map { String($0).trimmed } ?? ""
    case "transfer-encoding": hasTransferCoding = true
    default: break
    }
  }
}
