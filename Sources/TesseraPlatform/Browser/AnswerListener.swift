// SPDX-License-Identifier: MIT
// What an answer may come through, and what is said there: the loopback interface, or a socket of the user's.

package import TesseraWire

/// Sockets at which an answer is awaited.
protocol AnswerListener {
  /// What can be polled for connections.
  var descriptors: [Int32] { get }

  /// The next connection; nil when there is none, `errno` says why.
  func accept(from descriptor: Int32) -> Int32?
}

/// The decision about each request that arrives meanwhile: no socket, no clock.
package protocol AnswerConversation {
  /// The answer, once it has come.
  var answer: AuthorizationAnswer? { get }
  /// Whether whoever brought it needs nothing more.
  var isOver: Bool { get }

  /// The bytes with which a request is answered.
  mutating func reply(to request: LoopbackRequest) -> [UInt8]
  /// The bytes with which something that is no request is answered.
  func reply(to refusal: LoopbackRefusal) -> [UInt8]
}
