// SPDX-License-Identifier: MIT
// What a web view tells the library: lines, of which each is one event.

/// One line of a web view.
package enum WebViewMessage: Equatable, Sendable {
  /// A page wanted to go to the redirect URI; with that address.
  case answer(String)
  /// A page wanted to post a form to the redirect URI, of which the web view learns no field.
  case posted
  /// A page wanted to go where no web view goes; with the scheme of the address.
  case refused(String)
  /// The certificate of a host is not trusted; with the host and the name of the issuer, as far as it is known.
  case untrusted(host: String, issuer: String?)
  /// The person has closed the window.
  case closed
  /// There can be no window here; with the reason.
  case unavailable(String)
  /// It cannot go on; with the reason.
  case failed(String)

  /// Reads a line; nil for one that no web view says.
  package init?(_ line: String) {
    let word = line.prefix { $0 != " " }
    let value = String(line.dropFirst(word.count + 1))
    guard !value.isEmpty || word.count == line.count else { return nil }
    switch (word, value.isEmpty) {
    case ("answer", false): self = .answer(value)
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

/// The bytes of a web view, taken apart into lines.
package struct WebViewLines {
  /// The most bytes of a line: an address of 64 KB, and the word before it.
  package static let limit = 66 * 1024

  private var rest: [UInt8] = []
  /// Whether something came that no web view says; then nothing is read any more.
  package private(set) var isBroken = false

  /// Nothing has come yet.
  package init() {}

  /// The messages that bytes complete.
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
