// SPDX-License-Identifier: MIT
// What a local client is answered, as it is sent.

/// An answer to a local client; the connection ends with it.
struct LoopbackReply: Sendable {
  /// The status.
  var status: Int
  /// The page.
  var page = ""
  /// The path to which the browser is sent on.
  var location: String?
  /// Whether the page is the host's own, which may show pictures and type of its own site.
  var isOfHost = false

  /// The bytes to send.
  var bytes: [UInt8] {
    let body = Array(page.utf8)
    var lines = ["HTTP/1.1 \(status) \(LoopbackReply.phrases[status] ?? "Answer")"]
    if let location { lines.append("Location: \(location)") }
    if status == 405 { lines.append("Allow: GET, POST") }
    lines += [
      "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.count)",
      // The address of this page may have held a code; what is shown is good for this moment only.
      "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: " + policy, "X-Content-Type-Options: nosniff",
      "Connection: close",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// No scripts at all, no frames around it, and nothing from elsewhere except what the host's own page may show.
  private var policy: String {
    let shown =
      isOfHost
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
