// SPDX-License-Identifier: MIT
// What is said to a program that hands an address over: it is the answer that is awaited, or it is not.

package import TesseraEngine
package import TesseraWire

/// What is said to those who hand addresses over, until the one answer has come.
///
/// No socket, no clock. It is HTTP, so that what reads it is what reads everything else that comes from this machine.
package struct HandoverConversation: AnswerConversation {
  /// Where addresses are posted to.
  static let path = "/redirect"

  /// The answer, once it has come.
  package private(set) var answer: AuthorizationAnswer?
  private let verdict: @Sendable (AuthorizationAnswer) -> AnswerVerdict

  package init(verdict: @escaping @Sendable (AuthorizationAnswer) -> AnswerVerdict) {
    self.verdict = verdict
  }

  /// Whoever has handed the answer over needs nothing more.
  package var isOver: Bool { answer != nil }

  /// The bytes with which a request is answered.
  package mutating func reply(to request: LoopbackRequest) -> [UInt8] {
    LoopbackReply(status: decide(request)).bytes
  }

  /// The bytes with which something that is no request is answered.
  package func reply(to refusal: LoopbackRefusal) -> [UInt8] {
    LoopbackReply(status: refusal.rawValue).bytes
  }

  private mutating func decide(_ request: LoopbackRequest) -> Int {
    guard request.method == "POST" else { return 405 }
    guard request.path == HandoverConversation.path else { return 404 }
    guard let text = String(validating: request.body, as: UTF8.self) else { return 400 }
    let received = AuthorizationAnswer.address(Secret(text))
    if case .foreign = verdict(received) { return HandoverConversation.foreign }
    if answer == nil { answer = received }
    return HandoverConversation.taken
  }

  /// The status for an address that is the answer.
  package static let taken = 200
  /// The status for one that is the answer to another sign-in, or to none.
  static let foreign = 421

  /// The request with which an address is handed over.
  static func request(_ address: HandoverAddress) -> [UInt8] {
    let body = Array(address.text.utf8)
    let head = [
      "POST \(path) HTTP/1.1", "Host: tessera", "Content-Type: text/plain; charset=utf-8",
      "Content-Length: \(body.count)",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// The status of an answer; nil while there is none, 0 for something else.
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
