// SPDX-License-Identifier: MIT
// Interfaces for receiving an authorization response on the loopback interface or on a Unix socket of the user.

package import TesseraEngine
package import TesseraWire

/// The sockets on which an authorization response is awaited.
protocol ResponseListener {
  /// The listening descriptors, to be polled for connections.
  var descriptors: [Int32] { get }

  /// Accepts the next connection; nil if there is none, with the reason in `errno`.
  func accept(from descriptor: Int32) -> Int32?
}

/// A handler that decides on the reply to each request, without sockets or clock.
package protocol RedirectHandler {
  /// Whether the client that delivered the authorization response needs no further reply.
  var isOver: Bool { get }

  /// Handles a request.
  mutating func handle(_ request: LoopbackRequest) -> HandledRequest
  /// Returns the serialized reply to a redirect.
  mutating func reply(_ reply: BrowserReply, to redirect: RawAuthorizationResponse) -> [UInt8]
  /// Returns the serialized reply to bytes that are not a valid request.
  func reply(to error: LoopbackRequestError) -> [UInt8]
}

/// The result of a request.
package enum HandledRequest {
  /// The request delivers a redirect, which has no reply yet.
  case redirect(RawAuthorizationResponse)
  /// The serialized reply to another request.
  case reply([UInt8])
}
