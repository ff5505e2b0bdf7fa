// SPDX-License-Identifier: MIT
// Collects the header fields and the body of a response, with size limits.

import TesseraWire

/// The receiver of a response from libcurl.
final class ResponseReader {
  /// The maximum number of header fields and of their bytes, about twenty times what servers send.
  private static let headerLimit = (fields: 200, bytes: 1 << 16)

  private(set) var headers: [HTTPHeader] = []
  private(set) var body: [UInt8] = []
  /// Whether the response exceeded a limit.
  private(set) var isTooLarge = false
  /// Whether the final response has begun.
  ///
  /// An interim response (1xx) does not count.
  private(set) var hasBegun = false
  private var headerBytes = 0

  /// Receives a header line.
  ///
  /// Returns false if a limit is exceeded.
  func take(header line: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes = headerBytes.addingReportingOverflow(line.count).partialValue
    isTooLarge =
      headerBytes > ResponseReader.headerLimit.bytes
      || headers.count >= ResponseReader.headerLimit.fields
    guard !isTooLarge else { return false }
    // A status line starts a new header. Fields before it belong to an interim response (RFC 9110 section 15.2).
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      let status = line.drop { $0 != UInt8(ascii: " ") }.dropFirst()
      hasBegun = status.first != UInt8(ascii: "1")
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let value = line[(colon + 1)...].drop(while: ResponseReader.isSpace)
    let end = value.lastIndex { !ResponseReader.isSpace($0) }.map { $0 + 1 } ?? value.startIndex
    headers.append(
      HTTPHeader(
        String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: value[..<end], as: UTF8.self)))
    return true
  }

  /// Receives a piece of the decompressed body.
  ///
  /// Returns false if the limit is exceeded.
  func take(body piece: UnsafeBufferPointer<UInt8>) -> Bool {
    isTooLarge = piece.count > HTTPResponse.bodyLimit - body.count
    guard !isTooLarge else { return false }
    body.append(contentsOf: piece)
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }
}
