// SPDX-License-Identifier: MIT
// The replies to requests at the loopback redirect URI, with the pages that the browser shows; without sockets or clock.

package import TesseraEngine
package import TesseraWire

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
    if let refusal = refusal(of: request) { return .reply(refusal) }
    if let end, request.path == LoopbackRedirectHandler.pagePath, request.query == nil {
      isOver = true
      return .reply(end.page)
    }
    guard request.path == address.path else { return .reply(pages.notFound) }
    guard request.method == "GET" || request.mediaType == "application/x-www-form-urlencoded" else {
      return .reply(pages.errorPage(415))
    }
    let redirect = request.response(at: address.text(port: port))
    guard let end else { return .redirect(redirect) }
    // A browser that sends the response again is redirected to the same page.
    let isOwn = AuthorizationResponse.matchesState(redirect, to: end.state)
    return .reply(isOwn ? LoopbackRedirectHandler.redirection : pages.foreign)
  }

  /// Returns the reply to a redirect.
  package mutating func reply(
    _ reply: BrowserReply, to redirect: RawAuthorizationResponse
  ) -> LoopbackReply {
    let state = AuthorizationResponse.state(of: redirect) ?? Secret("")
    switch reply {
    case .foreign: return pages.foreign
    case .success: end = (state, pages.success)
    case .failure(let error): end = (state, pages.failure(error))
    }
    return LoopbackRedirectHandler.redirection
  }

  /// Returns the reply to bytes that are not a valid request.
  package func reply(to error: LoopbackRequestError) -> LoopbackReply {
    pages.errorPage(error.rawValue)
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

package struct LoopbackReply: Sendable {
  /// The status.
  var status: Int
  /// The page.
  var page = ""
  /// The path to which the browser is redirected; nil for no redirect.
  var location: String?
  /// Whether the host application supplied the page, which may then load images and fonts from its own site.
  var isFromHostApplication = false

  /// The serialized reply.
  package var bytes: [UInt8] {
    let body = Array(page.utf8)
    var lines = ["HTTP/1.1 \(status) \(LoopbackReply.phrases[status] ?? "Answer")"]
    if let location { lines.append("Location: \(location)") }
    if status == 405 { lines.append("Allow: GET, POST") }
    lines += [
      "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.count)",
      // The URL of this page may have contained a code, and the page is valid for this sign-in only.
      "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: " + policy, "X-Content-Type-Options: nosniff",
      "Connection: close",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// The content security policy: no scripts, no framing, and no external content except styles, images and fonts of the host
  /// application's page.
  private var policy: String {
    let shown =
      isFromHostApplication
      ? "style-src 'unsafe-inline' https:; img-src data: https:; font-src data: https:"
      : "style-src 'unsafe-inline'"
    return "default-src 'none'; \(shown); form-action 'none'; frame-ancestors 'none'; "
      + "base-uri 'none'"
  }

  private static let phrases = [
    200: "OK", 303: "See Other", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 411: "Length Required", 413: "Content Too Large",
    415: "Unsupported Media Type", 421: "Misdirected Request",
    431: "Request Header Fields Too Large", 501: "Not Implemented",
    505: "HTTP Version Not Supported",
  ]
}

struct LoopbackPages: Sendable {
  /// The preferences of the host application, which may contain its own pages.
  var preferences = BrowserPreferences()
  /// The texts for users.
  var messages = UserMessages()

  /// The page after a successful sign-in.
  var success: LoopbackReply {
    if let page = preferences.successPage {
      return LoopbackReply(status: 200, page: page, isFromHostApplication: true)
    }
    return reply(200, .signedInTitle, "<p>\(messages[.signedInText])</p>")
  }

  /// The page after an error response of the provider.
  func failure(_ error: TesseraError) -> LoopbackReply {
    if let page = preferences.failurePage {
      return LoopbackReply(status: 200, page: page, isFromHostApplication: true)
    }
    return reply(
      200, .signInFailedTitle,
      """
      <p>\(messages[.signInFailedReason])</p>
      <p class="words">\(LoopbackPages.providerMessage(of: error).plain(atMost: 500))</p>
      <p>\(messages[.signInFailedText])</p>
      """)
  }

  /// Returns the provider's error description, without the text that the library adds for developers.
  private static func providerMessage(of error: TesseraError) -> String {
    guard let name = error.oauthError, let found = error.message.firstRange(of: "\(name): ") else {
      return error.message
    }
    return String(error.message[found.upperBound...])
  }

  /// The page for a response with the `state` of another sign-in, or without one.
  var foreign: LoopbackReply { errorReply(400, .otherSignInTitle, .otherSignInText) }

  /// The page for a path other than that of the redirect URI.
  var notFound: LoopbackReply { errorReply(404, .pageNotFoundTitle, .pageNotFoundText) }

  /// Returns the page for a request that a browser would not send.
  func errorPage(_ status: Int) -> LoopbackReply {
    errorReply(status, .invalidRequestTitle, .invalidRequestText)
  }

  private func errorReply(
    _ status: Int, _ title: UserMessage, _ text: UserMessage
  ) -> LoopbackReply {
    reply(status, title, "<p>\(messages[text])</p>\n<p>\(messages[.returnToSignIn])</p>")
  }

  private func reply(_ status: Int, _ title: UserMessage, _ content: HTML) -> LoopbackReply {
    let page: HTML = """
      <!doctype html>
      <html lang="\(messages[.pageLanguage])">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(messages[title])</title>
      <style>\(LoopbackPages.style)</style>
      </head>
      <body>
      <main>
      <h1>\(messages[title])</h1>
      \(content)
      </main>
      </body>
      </html>

      """
    return LoopbackReply(status: status, page: page.markup)
  }

  private static let style: HTML = """

    :root { color-scheme: light dark; --ink: #1c2330; --line: #d5dae2; --card: #fff;
      --ground: #f2f4f7; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --line: #3a4352;
      --card: #1d232d; --ground: #12161d; } }
    * { box-sizing: border-box; }
    body { margin: 0; min-height: 100vh; padding: 15vh 16px 24px; background: var(--ground);
      color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 480px; margin: 0 auto; padding: 32px; background: var(--card);
      border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere; }
    h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.25; text-wrap: balance; }
    p { margin: 0 0 12px; }
    p:last-child { margin-bottom: 0; }
    .words { padding: 12px 16px; border-left: 4px solid var(--line); }

    """
}
