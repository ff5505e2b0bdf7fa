// SPDX-License-Identifier: MIT
// The messages of the web view program: one event per line.

/// A message of the web view program.
package enum WebViewMessage: Equatable, Sendable {
  /// A page redirected to the redirect URI; with the URL.
  case redirected(String)
  /// A page posted a form to the redirect URI.
  ///
  /// The web view does not read its fields.
  case posted
  /// A page navigated to a URL that the web view does not open; with the scheme.
  case refused(String)
  /// The certificate of a host is not trusted; with the host, and with the name of the issuer if it is known.
  case untrusted(host: String, issuer: String?)
  /// The user closed the window.
  case closed
  /// No window can be shown; with the reason.
  case unavailable(String)
  /// The web view failed; with the reason.
  case failed(String)

  /// Parses a line; nil if it is not a valid message.
  package init?(_ line: String) {
    let word = line.prefix { $0 != " " }
    let value = String(line.dropFirst(word.count + 1))
    guard !value.isEmpty || word.count == line.count else { return nil }
    switch (word, value.isEmpty) {
    case ("answer", false): self = .redirected(value)
    case ("posted", true): self = .posted
    case ("refused", false): self = .refused(value)
    case ("closed", true): self = .closed
    case ("unavailable", false): self = .unavailable(value)
    case ("failed", false): self = .failed(value)
    case ("untrusted", false):
      let host = value.prefix { $0 != " " }
      let issuer = value.dropFirst(host.count + 1)
      self = .untrusted(host: String(host), issuer: issuer.isEmpty ? nil : String(issuer))
    default: return nil
    }
  }
}

/// An incremental parser that splits the output of a web view into messages.
package struct WebViewLines {
  /// The maximum size of a line in bytes: a URL of 64 KB and the name of the message.
  package static let limit = 66 * 1024

  private var rest: [UInt8] = []
  /// Whether an invalid message was received.
  ///
  /// Everything after it is ignored.
  package private(set) var isBroken = false

  /// Creates a parser without input.
  package init() {}

  /// Parses bytes and returns the messages that they complete.
  package mutating func messages(of bytes: some Sequence<UInt8>) -> [WebViewMessage] {
    rest += bytes
    var found: [WebViewMessage] = []
    while !isBroken, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest.removeSubrange(...end)
      guard line.count <= WebViewLines.limit, let text = String(validating: line, as: UTF8.self),
        !line.contains(where: { $0 < 0x20 || $0 == 0x7F }), let message = WebViewMessage(text)
      else {
        isBroken = true
        break
      }
      found.append(message)
    }
    if rest.count > WebViewLines.limit { isBroken = true }
    return found
  }
}
