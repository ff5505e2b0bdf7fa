// SPDX-License-Identifier: MIT
// The pages that the browser shows after the redirect from the provider.

import TesseraEngine
import TesseraWire

/// The pages of one sign-in.
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
