// SPDX-License-Identifier: MIT
// The rules for redirect URIs, in the order in which they are checked. Each message contains the correction.

import TesseraWire

/// The rules for redirect URIs (RFC 6749 section 3.1.2, RFC 8252, MSAL for Apple).
enum RedirectRules {
  /// A violated rule.
  ///
  /// The message continues a sentence that starts with the name of the setting.
  struct Problem {
    var code = TesseraError.Code.invalidRedirectURI
    let message: String

    init(_ message: String, code: TesseraError.Code = .invalidRedirectURI) {
      self.message = message
      self.code = code
    }
  }

  typealias Rule = @Sendable (RedirectParts, RedirectOwner) -> Problem?

  /// All rules.
  ///
  /// The first violation is reported.
  static let all: [Rule] = [
    text, characters, escapes, fragment, scheme, spelling, outOfBand, foreignScheme, authority,
    host, port, web, loopback, query, path, microsoft, bundle, certificate, client, registration,
  ]

  /// Returns the recommended redirect URI.
  private static func recommended(_ owner: RedirectOwner) -> String {
    owner.bundleID?.nonBlank.map { "msauth.\($0.lowercased())://auth" } ?? "http://localhost"
  }

  private static func text(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard !uri.text.isEmpty else {
      return Problem("is empty: remove it, and register \(recommended(owner)).")
    }
    let limit = owner.authority.isMicrosoft ? 256 : 2048
    guard uri.text.utf8.count <= limit else {
      return Problem("has more than \(limit) bytes, which no provider accepts: shorten its path.")
    }
    return nil
  }

  private static func characters(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    let bytes = uri.text.utf8
    if bytes.contains(0x20) {
      return Problem("contains a space: encode it as %20, as in the registration.")
    }
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      return Problem("contains a line break or another control character: remove it.")
    }
    if bytes.contains(where: { $0 >= 0x80 }) {
      return Problem(
        "contains non-ASCII characters: encode the host in Punycode (xn--…), and the path with %XX."
      )
    }
    let isIPv6Literal = uri.host.hasPrefix("[") && uri.host.hasSuffix("]")
    let placeholders = isIPv6Literal ? "<>{}" : "<>{}[]"
    if uri.text.contains(where: placeholders.contains) {
      return Problem(
        "contains a placeholder: replace the brackets and their content with your own value.")
    }
    if let bad = uri.text.first(where: { "\\\"^`|".contains($0) }) {
      return Problem("contains \(bad), which is not allowed in a URI (RFC 3986): use / or %XX.")
    }
    return nil
  }

  private static func escapes(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    for piece in uri.text.split(separator: "%", omittingEmptySubsequences: false).dropFirst() {
      let digits = piece.utf8.prefix(2)
      guard digits.count == 2,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else {
        return Problem("has a % that is not followed by two hexadecimal digits: encode it as %25.")
      }
    }
    return nil
  }

  private static func fragment(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.text.contains("#") else { return nil }
    return Problem("has a fragment, which RFC 6749 forbids: remove the # and everything after it.")
  }

  private static func scheme(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, !scheme.contains("/"), !scheme.contains("?") else {
      return Problem(
        "has no scheme: start it with https://, http://localhost or your own scheme://.")
    }
    if scheme.isEmpty {
      return Problem(
        "starts with a colon: add a scheme before it, as in \(recommended(owner)).")
    }
    if scheme.lowercased() == "localhost" || WebURL("http://\(scheme)")?.isLoopback == true {
      return Problem("has no scheme: register http://\(scheme) (any port is accepted).")
    }
    guard let first = scheme.first, first.isASCII, first.isLetter else {
      return Problem(
        "has a scheme that does not start with a letter (RFC 3986): rename the scheme.")
    }
    return nil
  }

  private static func spelling(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme else { return nil }
    if let bad = scheme.first(where: { !($0.isLetter || $0.isNumber || "+-.".contains($0)) }) {
      return Problem(
        "has \(bad) in its scheme, where only letters, digits, '+', '-' and '.' are allowed: rename the scheme."
      )
    }
    guard scheme == scheme.lowercased() else {
      return Problem(
        "has uppercase letters in its scheme, which browsers convert to lowercase: register \(scheme.lowercased()):// instead."
      )
    }
    return nil
  }

  private static func outOfBand(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.scheme == "urn" else { return nil }
    return uri.text.hasPrefix("urn:ietf:wg:oauth:2.0:oob")
      ? Problem(
        "is the out-of-band URI, which providers no longer support: register \(recommended(owner)) instead."
      )
      : Problem(
        "is a URN, to which a browser cannot redirect: register \(recommended(owner)).")
  }

  private static func foreignScheme(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    switch uri.scheme {
    case "javascript", "vbscript", "data", "about", "blob", "view-source":
      return Problem(
        "has the scheme \(uri.scheme ?? ""), which the browser handles itself: register \(recommended(owner))."
      )
    case "file":
      return Problem(
        "is a file URI, which cannot receive a response: register \(recommended(owner)) instead.")
    case "mailto", "tel", "sms", "ftp", "sftp", "ssh", "ws", "wss", "ldap", "news", "irc", "smb":
      return Problem(
        "has the scheme \(uri.scheme ?? ""), which other applications handle: choose a scheme of your own, such as com.example.app."
      )
    default: return nil
    }
  }
}
