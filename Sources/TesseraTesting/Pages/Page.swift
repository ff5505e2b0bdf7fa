// SPDX-License-Identifier: MIT
// The common layout of all HTML pages.

import TesseraWire

/// An HTML page: a card with a title and content, without scripts.
struct Page: Sendable {
  /// The title.
  let title: String
  /// The content of the card below the title.
  let content: HTML
  /// The HTTP status.
  var status = 200
  /// The form targets besides this provider, as sources of the content security policy.
  var formTargets: [String] = []

  /// The HTTP response with the page.
  var response: HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Array(html.markup.utf8))
  }

  private var html: HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    <style>\(Page.style)</style>
    </head>
    <body>
    <main>
    <p class="brand">Local provider</p>
    <h1>\(title)</h1>
    \(content)
    </main>
    <footer>A provider for tests. All accounts are fictitious and have no password.</footer>
    </body>
    </html>

    """
  }

  private var headers: [HTTPHeader] {
    [
      HTTPHeader("Content-Type", "text/html; charset=utf-8"),
      // Allow only the inline style, and no embedding in frames (RFC 8628 section 5.4).
      HTTPHeader(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; form-action "
          + (["'self'"] + formTargets).joined(separator: " ") + "; "
          + "frame-ancestors 'none'; base-uri 'none'"),
      HTTPHeader("X-Content-Type-Options", "nosniff"),
      HTTPHeader("Referrer-Policy", "no-referrer"),
    ] + HTTPHeader.noStore
  }

  private static let style: HTML = """

    :root { color-scheme: light dark; --ink: #1c2330; --soft: #5b6575; --line: #d5dae2;
      --card: #fff; --ground: #f2f4f7; --accent: #1f5fbf; --bad: #a4262c; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --soft: #a0a9b8;
      --line: #3a4352; --card: #1d232d; --ground: #12161d; --accent: #6ea8ff; --bad: #ff8f8f; } }
    * { box-sizing: border-box; }
    body { margin: 0; min-height: 100vh; display: flex; flex-direction: column;
      align-items: center; padding: 10vh 16px 24px; background: var(--ground);
      color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    main { width: 100%; max-width: 440px; padding: 32px; background: var(--card);
      border: 1px solid var(--line); border-radius: 12px; }
    footer { max-width: 440px; margin-top: 16px; color: var(--soft); font-size: 13px;
      text-align: center; text-wrap: balance; }
    h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; }
    h2 { margin: 24px 0 8px; font-size: 16px; }
    p { margin: 0 0 16px; overflow-wrap: anywhere; }
    dl { margin: 0 0 16px; overflow-wrap: anywhere; }
    dt { color: var(--soft); font-size: 14px; }
    dd { margin: 0 0 8px; }
    a { color: var(--accent); }
    ul { margin: 0 0 24px; padding-left: 20px; overflow-wrap: anywhere; }
    form { margin: 0; }
    .brand { margin-bottom: 24px; color: var(--soft); font-size: 13px; font-weight: 600;
      letter-spacing: .04em; text-transform: uppercase; }
    .bad { color: var(--bad); }
    .code { font: 600 20px/1.4 ui-monospace, monospace; letter-spacing: .12em; }
    label { display: block; margin-bottom: 6px; font-weight: 600; }
    input[type=text] { width: 100%; margin-bottom: 20px; padding: 12px; color: inherit;
      background: transparent; border: 1px solid var(--soft); border-radius: 8px;
      text-transform: uppercase; }
    input.name { text-transform: none; }
    .or { margin: 20px 0 12px; color: var(--soft); font-size: 14px; }
    button { width: 100%; padding: 12px 16px; font: inherit; font-weight: 600; color: inherit;
      background: transparent; border: 1px solid var(--line); border-radius: 8px;
      cursor: pointer; }
    button:hover { border-color: var(--accent); }
    button:focus-visible, input:focus-visible { outline: 3px solid var(--accent);
      outline-offset: 1px; }
    button.main { color: var(--card); background: var(--accent); border-color: var(--accent); }
    button.account { text-align: left; }
    button.account + button.account { margin-top: 12px; }
    button.account span { display: block; color: var(--soft); font-weight: 400; font-size: 14px;
      overflow-wrap: anywhere; }
    .row { display: flex; gap: 12px; }

    """
}
