// SPDX-License-Identifier: MIT
// An HTTP reply to a local client, and its serialization.

/// An HTTP reply to a local client, after which the connection is closed.
struct LoopbackReply: Sendable {
  /// The status.
  var status: Int
  /// The page.
  var page = ""
  /// The path to which the browser is redirected; nil for no redirect.
  var location: String?
  /// Whether the host application supplied the page, which may then load images and fonts from its own site.
  var isFromHostApplication = false

  /// The serialized reply.
  var bytes: [UInt8] {
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
