// SPDX-License-Identifier: MIT
// The decision about each request that arrives while an answer is awaited: no socket, no clock.

package import TesseraEngine
package import TesseraWire

/// What is said to local clients, until the one answer has come and the browser has its page.
///
/// The answer is not answered with a page but with the way to one (RFC 9110 section 15.4.4), so that the code leaves the
/// address bar and the history, and a page that is loaded again posts nothing again.
package struct LoopbackConversation: AnswerConversation {
  /// The path of the page after the answer.
  package static let pagePath = "/signed-in"

  /// The answer, once it has come.
  package private(set) var answer: AuthorizationAnswer?
  /// Whether the browser has been given the page after the answer.
  package private(set) var isOver = false

  private let address: LoopbackAddress
  private let port: UInt16
  private let pages: LoopbackPages
  private let verdict: @Sendable (AuthorizationAnswer) -> AnswerVerdict
  private var page: LoopbackReply?

  /// A conversation at an address.
  package init(
    _ address: LoopbackAddress, port: UInt16, preferences: BrowserPreferences,
    verdict: @escaping @Sendable (AuthorizationAnswer) -> AnswerVerdict
  ) {
    self.address = address
    self.port = port
    self.verdict = verdict
    pages = LoopbackPages(preferences: preferences)
  }

  /// The bytes with which a request is answered.
  package mutating func reply(to request: LoopbackRequest) -> [UInt8] {
    decide(request).bytes
  }

  /// The bytes with which something that is no request is answered.
  package func reply(to refusal: LoopbackRefusal) -> [UInt8] {
    LoopbackPages.unusable(refusal.rawValue).bytes
  }

  private mutating func decide(_ request: LoopbackRequest) -> LoopbackReply {
    guard address.isNamed(request.host, port: port) else { return LoopbackPages.unusable(421) }
    guard request.method == "GET" || request.method == "POST" else {
      return LoopbackPages.unusable(405)
    }
    if let page, request.path == LoopbackConversation.pagePath, request.query == nil {
      isOver = true
      return page
    }
    guard request.path == address.path else { return LoopbackPages.missing }
    guard request.method == "GET" || request.mediaType == "application/x-www-form-urlencoded" else {
      return LoopbackPages.unusable(415)
    }
    return judge(request.answer(at: address.text(port: port)))
  }

  private mutating func judge(_ received: AuthorizationAnswer) -> LoopbackReply {
    switch verdict(received) {
    case .foreign: return LoopbackPages.foreign
    case .success: take(received, pages.success)
    case .failure(let error): take(received, pages.failure(error))
    }
    return LoopbackReply(status: 303, location: LoopbackConversation.pagePath)
  }

  /// The first answer is the answer; a browser that sends it again is shown the same page.
  private mutating func take(_ received: AuthorizationAnswer, _ page: LoopbackReply) {
    guard answer == nil else { return }
    answer = received
    self.page = page
  }
}

extension LoopbackRequest {
  /// What it says at a redirect URI.
  fileprivate func answer(at redirectURI: String) -> AuthorizationAnswer {
    guard method == "POST" else {
      return .address(Secret(query.map { "\(redirectURI)?\($0)" } ?? redirectURI))
    }
    return .form(Secret(String(decoding: body, as: UTF8.self)))
  }
}
