// SPDX-License-Identifier: MIT
// The receiving side of redirect delivery: decides about each delivered URL, without sockets or clock.

package import TesseraEngine
package import TesseraWire

/// The HTTP server logic for delivered redirects, until the authorization response is received.
///
/// The protocol is HTTP, so that the parser of the loopback redirect is reused.
package struct DeliveredRedirectHandler: RedirectHandler {
  /// The path to which URLs are posted.
  static let path = "/redirect"

  /// Whether the response was received.
  ///
  /// The program that delivered it needs no further reply.
  package private(set) var isOver = false

  package init() {}

  /// Handles a request.
  package mutating func handle(_ request: LoopbackRequest) -> HandledRequest {
    guard request.method == "POST" else { return status(405) }
    guard request.path == DeliveredRedirectHandler.path else { return status(404) }
    guard let text = String(validating: request.body, as: UTF8.self) else { return status(400) }
    return .redirect(.address(Secret(text)))
  }

  private func status(_ status: Int) -> HandledRequest {
    .reply(LoopbackReply(status: status))
  }

  /// Returns the reply to a redirect.
  package mutating func reply(
    _ reply: BrowserReply, to redirect: RawAuthorizationResponse
  ) -> LoopbackReply {
    if case .foreign = reply { return LoopbackReply(status: DeliveredRedirectHandler.foreign) }
    isOver = true
    return LoopbackReply(status: DeliveredRedirectHandler.accepted)
  }

  /// Returns the reply to bytes that are not a valid request.
  package func reply(to error: LoopbackRequestError) -> LoopbackReply {
    LoopbackReply(status: error.rawValue)
  }

  /// The status for a URL that is the response to this sign-in.
  package static let accepted = 200
  /// The status for a URL that is not the response to this sign-in.
  static let foreign = 421

  /// Returns the serialized request that delivers a URL.
  static func request(_ address: DeliveredRedirectURL) -> [UInt8] {
    let body = Array(address.text.utf8)
    let head = [
      "POST \(path) HTTP/1.1", "Host: tessera", "Content-Type: text/plain; charset=utf-8",
      "Content-Length: \(body.count)",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// Parses the status of a reply.
  ///
  /// - Returns: The status, nil while the reply is incomplete, or 0 if it is not an HTTP reply.
  package static func status(of bytes: [UInt8]) -> Int? {
    let start = Array("HTTP/1.1 ".utf8)
    guard bytes.count >= start.count + 4 else { return nil }
    let digits = bytes.dropFirst(start.count).prefix(3)
    guard bytes.starts(with: start), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return 0
    }
    return Int(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}
