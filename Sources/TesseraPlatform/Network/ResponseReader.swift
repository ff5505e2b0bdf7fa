// SPDX-License-Identifier: MIT
// A response as it arrives: header lines and pieces of a body, up to what is bearable.

import TesseraWire

/// Collects what libcurl hands over.
final class ResponseReader {
  /// The most header fields and the most bytes of them; what servers send is a twentieth of it.
  private static let headerLimit = (fields: 200, bytes: 1 << 16)

  private(set) var headers: [HTTPHeader] = []
  private(set) var body: [UInt8] = []
  /// Whether the response was larger than anything that is expected here.
  private(set) var isTooLarge = false
  private var headerBytes = 0

  /// Takes a line of a header; false when it is too much.
  func take(header line: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes = headerBytes.addingReportingOverflow(line.count).partialValue
    isTooLarge =
      headerBytes > ResponseReader.headerLimit.bytes
      || headers.count >= ResponseReader.headerLimit.fields
    guard !isTooLarge else { return false }
    // A status line begins a new header: what came before was an interim response (RFC 9110 section 15.2).
    if line.starts(with: "HTTP/".utf8) {
      headers = []
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

  /// Takes a piece of the body, unpacked; false when it is too much.
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
