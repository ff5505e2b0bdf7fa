// SPDX-License-Identifier: MIT
// The rules of redirect URIs.

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

extension RedirectRules {
  static func authority(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    let scheme = uri.scheme ?? ""
    guard uri.hasAuthority else {
      if uri.isWeb {
        return Problem("has no // after \(scheme): write \(scheme)://host/path.")
      }
      guard uri.path.hasPrefix("/") else {
        return Problem("has neither // nor / after its scheme: register \(scheme)://auth.")
      }
      // RFC 8252 section 7.1 uses one slash, but Microsoft's registration requires a host.
      guard owner.authority.isMicrosoft else { return nil }
      return Problem(
        "has one slash after its scheme, but Entra requires a host: register \(scheme)://auth.")
    }
    guard !uri.path.contains("://"), !uri.authority.hasSuffix(":") || !uri.path.hasPrefix("//")
    else {
      return Problem("contains two schemes: remove the first one.")
    }
    guard !uri.authority.contains("@") else {
      return Problem("has a user name or password before its host: remove everything up to the @.")
    }
    return nil
  }

  static func host(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.hasAuthority else { return nil }
    if uri.isWeb, uri.host.isEmpty {
      return Problem("has no host: add the host after \(uri.scheme ?? "")://.")
    }
    guard !uri.host.contains("*") else {
      return Problem("has a wildcard, which no provider accepts: register each host separately.")
    }
    guard !uri.host.contains("%") else {
      return Problem(
        "has a percent-encoded character in its host, which conceals the host: write the host without encoding."
      )
    }
    guard !uri.host.hasSuffix(".") else {
      return Problem(
        "has a dot at the end of its host, which makes it a different host: remove the dot.")
    }
    return nil
  }

  static func port(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let port = uri.port else { return nil }
    guard uri.isWeb else {
      return Problem("has a port, which a custom scheme does not support: remove :\(port).")
    }
    guard !port.isEmpty else {
      return Problem("has a colon without a port: remove the colon.")
    }
    guard let number = UInt16(port), number > 0,
      port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return Problem("has an invalid port: use a port from 1 to 65535, or none.") }
    return nil
  }

  static func web(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.isWeb, WebURL(uri.text.prefix { $0 != "?" }.description) == nil else {
      return nil
    }
    return Problem("is not a valid web address: write https://host/path.")
  }

  static func loopback(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.scheme == "http" else { return nil }
    let host = uri.host.lowercased()
    let isLoopback = WebURL("http://\(host)")?.isLoopback == true
    if !isLoopback {
      return ["0.0.0.0", "[::]"].contains(host)
        ? Problem(
          "is the address of all network interfaces: register http://localhost, the loopback interface, instead."
        )
        : Problem(
          "uses http to another machine, so the response could be read on the network: use https, or http://localhost."
        )
    }
    // Entra does not support IPv6 loopback addresses in a registration.
    if owner.authority.isMicrosoft, host.hasPrefix("[") {
      return Problem("is [::1], which Entra does not accept: register http://localhost instead.")
    }
    return nil
  }

  static func query(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let query = uri.query else { return nil }
    let own = ["code", "state", "error", "error_description", "iss", "session_state"]
    let fields = FormFields(decoding: query)
    guard let clash = own.first(where: { fields[$0] != nil }) else { return nil }
    return Problem(
      "has \"\(clash)\" in its query, which is a parameter of the response: remove it.")
  }

  static func path(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    let segments = uri.path.lowercased().split(separator: "/").map(String.init)
    guard segments.contains(where: { ["..", ".", "%2e", "%2e%2e"].contains($0) }) else {
      return nil
    }
    return Problem("has . or .. in its path, which browsers resolve: write the resolved path.")
  }
}

extension RedirectRules {
  /// Requires a host, except for B2C, external tenants and personal accounts (MSAL for Apple).
  static func microsoft(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.hasAuthority, !uri.isWeb, uri.host.isEmpty,
      case .entra(let tenant) = owner.authority.kind, tenant != "consumers"
    else { return nil }
    return Problem(
      "has no host after ://, but Entra requires one: register \(uri.scheme ?? "")://auth.")
  }

  /// Checks the fixed form `msauth.[bundle id]://auth`, which names the application.
  static func bundle(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, scheme.hasPrefix("msauth.") else { return nil }
    let named = scheme.dropFirst("msauth.".count)
    guard !named.isEmpty else {
      return Problem("has no bundle ID after \"msauth.\": register msauth.[bundle id]://auth.")
    }
    if let bundle = owner.bundleID?.lowercased(), named != bundle {
      return Problem(
        "contains the bundle ID \(named), but bundle_id is \(bundle): register msauth.\(bundle)://auth."
      )
    }
    guard uri.host == "auth", uri.path.isEmpty || uri.path == "/" else {
      return Problem(
        "starts with msauth. but does not end with ://auth: register \(scheme)://auth.")
    }
    return nil
  }

  /// Checks the form `msauth://code/…`, which is for authentication with a certificate on another device.
  ///
  /// Every other `msauth://` URI is for Android.
  static func certificate(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.scheme == "msauth" else { return nil }
    guard uri.host == "code" else {
      return Problem(
        "has the form for Android (msauth://package/hash): register msauth.[bundle id]://auth.")
    }
    guard uri.path.count > 1 else {
      return Problem(
        "has no redirect URI after msauth://code/, for certificate authentication: append it, percent-encoded."
      )
    }
    return nil
  }

  /// Checks that a URI of the form `msal[client id]://auth` names this application.
  static func client(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, scheme.hasPrefix("msal"), scheme.utf8.count == 40,
      scheme.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4,
      scheme.dropFirst(4) != owner.clientID.normalised
    else { return nil }
    return Problem(
      "contains the client ID of another application, \(scheme.dropFirst(4)): register msal\(owner.clientID.normalised)://auth."
    )
  }

  /// Checks that the scheme is registered.
  ///
  /// Otherwise the redirect opens no application, or another one.
  static func registration(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let schemes = owner.schemes, let scheme = uri.scheme, !uri.isWeb,
      !schemes.contains(where: { $0.normalised == scheme })
    else { return nil }
    return Problem(
      "has the scheme \(scheme), which is not registered for this application: register it, or use http://localhost.",
      code: .redirectSchemeNotRegistered)
  }
}
