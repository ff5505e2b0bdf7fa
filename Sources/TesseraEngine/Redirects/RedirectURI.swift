// SPDX-License-Identifier: MIT
// Redirect URIs.

import TesseraWire

/// The properties of an application that determine its valid redirect URIs.
package struct RedirectOwner: Sendable {
  /// The client ID of the application.
  package var clientID: String
  /// The identifier of the application, such as `com.example.mail`; `nil` for none.
  package var bundleID: String?
  /// The URI schemes that are registered for the application; `nil` if they are unknown.
  package var schemes: [String]?
  /// The authority of the sign-ins.
  package var authority: Authority

  package init(
    clientID: String, bundleID: String? = nil, schemes: [String]? = nil, authority: Authority
  ) {
    self.clientID = clientID
    self.bundleID = bundleID
    self.schemes = schemes
    self.authority = authority
  }
}

/// A valid redirect URI.
package struct RedirectURI: Sendable, Hashable {
  /// The kind of receiver of the authorization response.
  package enum Kind: Sendable, Hashable {
    /// A listener on this machine (RFC 8252 section 7.3).
    case loopback
    /// A website that the application claims, or that forwards the response (RFC 8252 section 7.2).
    case web
    /// The application that has registered the scheme (RFC 8252 section 7.1).
    case scheme
  }

  /// The redirect URI, as it is sent.
  package let text: String
  /// The kind of receiver of the authorization response.
  package let kind: Kind
  /// Whether a Microsoft broker accepts the redirect URI (MSAL for Apple).
  package let isBrokerCapable: Bool

  /// Validates a redirect URI, or uses the default.
  ///
  /// The default is `msauth.[bundle id]://auth`, or `http://localhost` without a bundle ID. If only the scheme `msal[client
  /// id]` is registered, it is `msal[client id]://auth` (MSAL for Apple).
  ///
  /// - Throws: `fixConfiguration` with a message that names the URI to register and configure instead.
  package init(_ text: String?, of owner: RedirectOwner) throws(TesseraError) {
    let text = text ?? RedirectURI.defaultURI(owner)
    let parts = RedirectParts(text)
    for rule in RedirectRules.all {
      guard let problem = rule(parts, owner) else { continue }
      throw TesseraError(.fixConfiguration, problem.code, "redirect_uri " + problem.message)
    }
    self.text = text
    if parts.isWeb {
      kind = parts.scheme == "http" ? .loopback : .web
      isBrokerCapable = false
    } else {
      kind = .scheme
      let host = parts.host.lowercased()
      isBrokerCapable =
        owner.bundleID?.lowercased().nonBlank.map { bundle in
          text == "msauth.\(bundle)://auth" || host == bundle
        } ?? false
    }
  }

  private static func defaultURI(_ owner: RedirectOwner) -> String {
    let own = "msal\(owner.clientID)"
    let hasOwn = owner.schemes?.contains { $0.normalised == own.normalised } == true
    guard let bundle = owner.bundleID?.lowercased() else {
      return hasOwn ? "\(own.lowercased())://auth" : "http://localhost"
    }
    let scheme = "msauth.\(bundle)"
    let isRegistered = owner.schemes?.contains { $0.normalised == scheme } ?? true
    return !isRegistered && hasOwn ? "\(own.lowercased())://auth" : "\(scheme)://auth"
  }
}

/// The parts of a redirect URI, also of an invalid one.
package struct RedirectParts: Sendable {
  package let text: String
  /// The text before the first colon; `nil` if there is none.
  package let scheme: String?
  /// Whether `//` follows the scheme.
  package let hasAuthority: Bool
  /// The text between `//` and the path.
  package let authority: String
  /// The authority without user information and port.
  package let host: String
  /// The port, which is the text after its colon; `nil` without a colon.
  package let port: String?
  /// The path.
  package let path: String
  /// The query; `nil` without one.
  package let query: String?

  package init(_ text: String) {
    self.text = text
    let plain = text.prefix { $0 != "#" }
    let colon = plain.firstIndex(of: ":")
    scheme = colon.map { String(plain[..<$0]) }
    var rest = colon.map { plain[plain.index(after: $0)...] } ?? plain
    query = rest.firstIndex(of: "?").map { String(rest[rest.index(after: $0)...]) }
    rest = rest.prefix { $0 != "?" }
    hasAuthority = rest.hasPrefix("//")
    guard hasAuthority else {
      (authority, host, port) = ("", "", nil)
      path = String(rest)
      return
    }
    rest = rest.dropFirst(2)
    let named = rest.prefix { $0 != "/" }
    authority = String(named)
    path = String(rest.dropFirst(named.count))
    let hostAndPort = named.lastIndex(of: "@").map { named[named.index(after: $0)...] } ?? named
    let end = hostAndPort.hasPrefix("[") ? hostAndPort.lastIndex(of: "]") : hostAndPort.startIndex
    let colonIndex = end.flatMap { hostAndPort[$0...].lastIndex(of: ":") }
    host = String(colonIndex.map { hostAndPort[..<$0] } ?? hostAndPort)
    port = colonIndex.map { String(hostAndPort[hostAndPort.index(after: $0)...]) }
  }

  /// Whether the scheme is http or https.
  package var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}

/// The scheme of an application's redirect URI (RFC 8252 section 7.1).
package struct RedirectScheme: Sendable, Hashable {
  /// The scheme in lower case, without a colon.
  package let name: String

  /// Validates a scheme.
  ///
  /// - Throws: `invalidRedirectURI` for an invalid scheme and for one that belongs to other applications.
  package init(_ name: String) throws(TesseraError) {
    let first = name.utf8.first ?? 0
    guard (0x61...0x7A).contains(first), name.utf8.allSatisfy(RedirectScheme.isAllowed) else {
      throw RedirectScheme.invalidSchemeError(
        "\"\(name)\" is not a valid scheme: use lowercase letters, digits, '+', '-' and '.', starting with a letter, without :, "
          + "such as com.example.app.")
    }
    guard name.utf8.count <= 128 else {
      throw RedirectScheme.invalidSchemeError(
        "The scheme has more than 128 characters: shorten it.")
    }
    let isWellKnown =
      RedirectScheme.reservedSchemes.contains(name)
      || RedirectScheme.reservedPrefixes.contains(where: name.hasPrefix)
    guard !isWellKnown else {
      throw RedirectScheme.invalidSchemeError(
        "Other applications handle the scheme \(name): choose a scheme of your own, such as com.example.app."
      )
    }
    self.name = name
  }

  /// Extracts the scheme of a redirect URI.
  ///
  /// Returns `nil` if it is not an application's own scheme.
  package init?(of redirectURI: String) {
    guard let colonIndex = redirectURI.firstIndex(of: ":"),
      let scheme = try? RedirectScheme(redirectURI[..<colonIndex].lowercased())
    else { return nil }
    self = scheme
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
      || [0x2B, 0x2D, 0x2E].contains(byte)
  }

  private static func invalidSchemeError(_ message: String) -> TesseraError {
    TesseraError(.fixConfiguration, .invalidRedirectURI, message)
  }

  /// The prefixes of schemes that are reserved for browsers and desktops.
  private static let reservedPrefixes = ["chrome", "moz-", "ms-", "x-scheme-handler", "web+"]

  /// Schemes that desktops open with an application chosen by the user, or not at all.
  private static let reservedSchemes: Set<String> = [
    "about", "admin", "afp", "apt", "bitcoin", "blob", "burn", "callto", "cid", "data", "dav",
    "davs", "dns", "file", "fish", "ftp", "ftps", "geo", "git", "gopher", "help", "http", "https",
    "im", "imap", "imaps", "info", "irc", "irc6", "ircs", "javascript", "jar", "ldap", "ldaps",
    "magnet", "mailto", "man", "mms", "mmsh", "mtp", "network", "news", "nfs", "nntp", "pop", "rdp",
    "recent", "resource", "rlogin", "rtmp", "rtsp", "sftp", "sip", "sips", "skype",
    "slack", "smb", "smbs", "sms", "smsto", "snap", "snews", "ssh", "steam", "svn", "tel", "telnet",
    "tg", "trash", "urn", "vbscript", "view-source", "vnc", "vscode", "webcal", "webcals", "ws",
    "wss", "xmpp", "zoommtg",
  ]
}
