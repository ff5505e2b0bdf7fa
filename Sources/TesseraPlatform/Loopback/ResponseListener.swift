// SPDX-License-Identifier: MIT
// Interfaces for receiving an authorization response on the loopback interface or on a Unix socket of the user.

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
  /// The authorization response; nil until it is received.
  var response: RawAuthorizationResponse? { get }
  /// Whether the client that delivered the authorization response needs no further reply.
  var isOver: Bool { get }

  /// Returns the serialized reply to a request.
  mutating func reply(to request: LoopbackRequest) -> [UInt8]
  /// Returns the serialized reply to bytes that are not a valid request.
  func reply(to error: LoopbackRequestError) -> [UInt8]
}
