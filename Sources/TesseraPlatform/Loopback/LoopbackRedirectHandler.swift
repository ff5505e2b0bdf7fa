// SPDX-License-Identifier: MIT
// The decision about each request to the loopback redirect URI, without sockets or clock.

package import TesseraEngine
package import TesseraWire

/// The HTTP server logic for a loopback redirect URI, until the response is received and the browser has its final page.
///
/// The authorization response is answered with a redirect to the final page (RFC 9110 section 15.4.4). This removes the code from
/// the address bar and the history, and reloading the page does not repeat a POST.
package struct LoopbackRedirectHandler: RedirectHandler {
  /// The path of the final page.
  package static let pagePath = "/signed-in"

  /// The authorization response; nil until it is received.
  package private(set) var response: RawAuthorizationResponse?
  /// Whether the browser has requested the final page.
  package private(set) var isOver = false

  private let address: LoopbackRedirectURI
  private let port: UInt16
  private let pages: LoopbackPages
  private let classify: @Sendable (RawAuthorizationResponse) -> RedirectClassification
  private var page: LoopbackReply?

  /// Creates the logic for a redirect URI and the port on which it is served.
  package init(
    _ address: LoopbackRedirectURI, port: UInt16, preferences: BrowserPreferences,
    messages: UserMessages = UserMessages(),
    classify: @escaping @Sendable (RawAuthorizationResponse) -> RedirectClassification
  ) {
    self.address = address
    self.port = port
    self.classify = classify
    pages = LoopbackPages(preferences: preferences, messages: messages)
  }

  /// Returns the serialized reply to a request.
  package mutating func reply(to request: LoopbackRequest) -> [UInt8] {
    decide(request).bytes
  }

  /// Returns the serialized reply to bytes that are not a valid request.
  package func reply(to error: LoopbackRequestError) -> [UInt8] {
    pages.errorPage(error.rawValue).bytes
  }

  private mutating func decide(_ request: LoopbackRequest) -> LoopbackReply {
    guard address.matchesHost(request.host, port: port) else { return pages.errorPage(421) }
    guard request.method == "GET" || request.method == "POST" else {
      return pages.errorPage(405)
    }
    if let page, request.path == LoopbackRedirectHandler.pagePath, request.query == nil {
      isOver = true
      return page
    }
    guard request.path == address.path else { return pages.notFound }
    guard request.method == "GET" || request.mediaType == "application/x-www-form-urlencoded" else {
      return pages.errorPage(415)
    }
    return handleResponse(request.response(at: address.text(port: port)))
  }

  private mutating func handleResponse(_ received: RawAuthorizationResponse) -> LoopbackReply {
    switch classify(received) {
    case .foreign: return pages.foreign
    case .success: take(received, pages.success)
    case .failure(let error): take(received, pages.failure(error))
    }
    return LoopbackReply(status: 303, location: LoopbackRedirectHandler.pagePath)
  }

  /// Accepts the first authorization response.
  ///
  /// A browser that sends it again is redirected to the same page.
  private mutating func take(_ received: RawAuthorizationResponse, _ page: LoopbackReply) {
    guard response == nil else { return }
    response = received
    self.page = page
  }
}

extension LoopbackRequest {
  /// Returns the authorization response that the request delivers to a redirect URI.
  fileprivate func response(at redirectURI: String) -> RawAuthorizationResponse {
    guard method == "POST" else {
      return .address(Secret(query.map { "\(redirectURI)?\($0)" } ?? redirectURI))
    }
    return .form(Secret(String(decoding: body, as: UTF8.self)))
  }
}
