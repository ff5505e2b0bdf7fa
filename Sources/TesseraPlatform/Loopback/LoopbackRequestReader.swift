// SPDX-License-Identifier: MIT
// An incremental parser for one HTTP/1.1 request.

/// An incremental parser for one request (RFC 9112), with size limits.
///
/// Every sequence of bytes is a complete request, an error, or incomplete.
package struct LoopbackRequestReader: Sendable {
  /// The state of the parser.
  package enum State: Sendable, Equatable {
    /// More bytes are needed.
    case incomplete
    /// The request is complete.
    ///
    /// Bytes after it are ignored.
    case complete(LoopbackRequest)
    /// The bytes are not an acceptable request.
    case refused(LoopbackRequestError)
  }

  /// The maximum size of a head in bytes.
  ///
  /// Codes can be long, and so can the cookies that other programs set for this machine.
  package static let headLimit = 65_536
  /// The maximum size of a body in bytes.
  ///
  /// A posted response contains a code, a state and a few short fields.
  package static let bodyLimit = 65_536

  /// The state after the bytes so far.
  package private(set) var state = State.incomplete

  private var head: [UInt8] = []
  /// The number of consecutive bytes of the terminator CR LF CR LF that matched.
  private var matched = 0
  private var request: LoopbackRequestHead?

  /// Creates a parser without input.
  package init() {}

  /// Parses the next bytes.
  package mutating func take(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    while request == nil, case .incomplete = state, let byte = rest.popFirst() {
      do throws(LoopbackRequestError) {
        try take(byte)
      } catch {
        state = .refused(error)
      }
    }
    if case .incomplete = state, request != nil { take(body: rest) }
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
    head = []
    if read.bodyLength > LoopbackRequestReader.bodyLimit { throw .bodyTooLarge }
    request = read
  }

  private mutating func take(body bytes: some Collection<UInt8>) {
    guard var read = request else { return }
    let missing = read.bodyLength - read.request.body.count
    read.request.body += bytes.prefix(max(missing, 0))
    request = read
    if read.request.body.count >= read.bodyLength { state = .complete(read.request) }
  }
}
