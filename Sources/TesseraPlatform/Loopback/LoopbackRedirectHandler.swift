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

  /// Whether the browser has requested the final page.
  package private(set) var isOver = false

  private let address: LoopbackRedirectURI
  private let port: UInt16
  private let pages: LoopbackPages
  /// The `state` of the redirect that ended the sign-in, and the final page.
  private var end: (state: Secret, page: LoopbackReply)?

  /// Creates the logic for a redirect URI and the port on which it is served.
  package init(
    _ address: LoopbackRedirectURI, port: UInt16, preferences: BrowserPreferences,
    messages: UserMessages = UserMessages()
  ) {
    self.address = address
    self.port = port
    pages = LoopbackPages(preferences: preferences, messages: messages)
  }

  /// Handles a request.
  package mutating func handle(_ request: LoopbackRequest) -> HandledRequest {
    if let refusal = refusal(of: request) { return .reply(refusal.bytes) }
    if let end, request.path == LoopbackRedirectHandler.pagePath, request.query == nil {
      isOver = true
      return .reply(end.page.bytes)
    }
    guard request.path == address.path else { return .reply(pages.notFound.bytes) }
    guard request.method == "GET" || request.mediaType == "application/x-www-form-urlencoded" else {
      return .reply(pages.errorPage(415).bytes)
    }
    let redirect = request.response(at: address.text(port: port))
    guard let end else { return .redirect(redirect) }
    // A browser that sends the response again is redirected to the same page.
    let isOwn = AuthorizationResponse.matchesState(redirect, to: end.state)
    return .reply((isOwn ? LoopbackRedirectHandler.redirection : pages.foreign).bytes)
  }

  /// Returns the serialized reply to a redirect.
  package mutating func reply(
    _ reply: BrowserReply, to redirect: RawAuthorizationResponse
  ) -> [UInt8] {
    let state = AuthorizationResponse.state(of: redirect) ?? Secret("")
    switch reply {
    case .foreign: return pages.foreign.bytes
    case .success: end = (state, pages.success)
    case .failure(let error): end = (state, pages.failure(error))
    }
    return LoopbackRedirectHandler.redirection.bytes
  }

  /// Returns the serialized reply to bytes that are not a valid request.
  package func reply(to error: LoopbackRequestError) -> [UInt8] {
    pages.errorPage(error.rawValue).bytes
  }

  private static var redirection: LoopbackReply {
    LoopbackReply(status: 303, location: pagePath)
  }

  /// Returns the reply to a request for another host or with another method.
  private func refusal(of request: LoopbackRequest) -> LoopbackReply? {
    guard address.matchesHost(request.host, port: port) else { return pages.errorPage(421) }
    guard request.method == "GET" || request.method == "POST" else { return pages.errorPage(405) }
    return nil
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
