// SPDX-License-Identifier: MIT
// A request of HTTP/1.1, put together from whatever pieces it arrives in.

/// Reads one request (RFC 9112) from the bytes of a connection, up to its limits.
///
/// Every sequence of bytes leads to a request, to a refusal, or waits for more.
package struct LoopbackRequestReader: Sendable {
  /// What the bytes so far are.
  package enum State: Sendable, Equatable {
    /// There must be more.
    case incomplete
    /// They are a request; what follows it is ignored.
    case complete(LoopbackRequest)
    /// They are none.
    case refused(LoopbackRefusal)
  }

  /// A code can be long, and so can the cookies that other programs set on this machine; nothing is as long as this.
  package static let headLimit = 65_536
  /// An answer that is posted has a code, a state and a few words.
  package static let bodyLimit = 65_536

  /// What the bytes so far are.
  package private(set) var state = State.incomplete

  private var head: [UInt8] = []
  /// How many bytes of the end of a head (CR LF CR LF) have come one after the other.
  private var matched = 0
  private var request: LoopbackRequestHead?

  /// Nothing yet.
  package init() {}

  /// Takes the next bytes.
  package mutating func take(_ bytes: some Collection<UInt8>) {
    var rest = bytes[...]
    while request == nil, case .incomplete = state, let byte = rest.popFirst() {
      do throws(LoopbackRefusal) {
        try take(byte)
      } catch {
        state = .refused(error)
      }
    }
    if case .incomplete = state, request != nil { take(body: rest) }
  }

  private mutating func take(_ byte: UInt8) throws(LoopbackRefusal) {
    // RFC 9112 section 2.2: an empty line before a request is somebody's old habit.
    if head.isEmpty, byte == 0x0D || byte == 0x0A { return }
    let isControl = byte < 0x20 && byte != 0x0D && byte != 0x0A && byte != 0x09 || byte == 0x7F
    let belongsToEnd = byte == (matched % 2 == 0 ? 0x0D : 0x0A)
    // A line that ends with one of the two alone is read in different ways.
    let isBroken = !belongsToEnd && (byte == 0x0D || byte == 0x0A || matched % 2 == 1)
    if isControl || isBroken { throw .malformed }
    matched = belongsToEnd ? matched + 1 : 0
    head.append(byte)
    if head.count > LoopbackRequestReader.headLimit { throw .tooLarge }
    guard matched == 4 else { return }
    let read = try LoopbackRequestHead(head.dropLast(4))
    head = []
    if read.bodyCount > LoopbackRequestReader.bodyLimit { throw .bodyTooLarge }
    request = read
  }

  private mutating func take(body bytes: some Collection<UInt8>) {
    guard var read = request else { return }
    let missing = read.bodyCount - read.request.body.count
    read.request.body += bytes.prefix(max(missing, 0))
    request = read
    if read.request.body.count >= read.bodyCount { state = .complete(read.request) }
  }
}
