// SPDX-License-Identifier: MIT
// Where the answer of a sign-in comes to, checked before any network: which form it has, and that it can work.

import TesseraWire

/// What a program says about itself as far as its redirect URI is concerned.
package struct RedirectOwner: Sendable {
  /// The application's id.
  package var clientID: String
  /// The program's identifier, such as `com.example.mail`; nil for none.
  package var bundleID: String?
  /// The schemes that are registered for the program; nil if that is not known.
  package var schemes: [String]?
  /// Who is asked.
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

/// A redirect URI that can work.
package struct RedirectURI: Sendable, Hashable {
  /// What receives the answer.
  package enum Kind: Sendable, Hashable {
    /// A listener on this machine (RFC 8252 section 7.3).
    case loopback
    /// A site that the program claims, or that hands the answer over (RFC 8252 section 7.2).
    case web
    /// Whatever program has registered a scheme (RFC 8252 section 7.1).
    case scheme
  }

  /// The redirect URI, as it is sent.
  package let text: String
  /// What receives the answer.
  package let kind: Kind
  /// Whether a broker of Microsoft's would answer to it (MSAL for Apple).
  package let isBrokerCapable: Bool

  /// Checks a redirect URI, or takes the default.
  ///
  /// The default is `msauth.[bundle id]://auth`, for a program without bundle id `http://localhost`; and
  /// `msal[client id]://auth` if only that scheme is registered (MSAL for Apple).
  ///
  /// - Throws: `fixConfiguration` with a message that says what to register and configure instead.
  package init(_ text: String?, of owner: RedirectOwner) throws(TesseraError) {
    let text = text ?? RedirectURI.usual(owner)
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

  private static func usual(_ owner: RedirectOwner) -> String {
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

/// A redirect URI taken apart as far as it can be, whatever is wrong with it.
package struct RedirectParts: Sendable {
  package let text: String
  /// What stands before the first colon; nil if there is none.
  package let scheme: String?
  /// Whether `//` follows it.
  package let hasAuthority: Bool
  /// What stands between `//` and the path.
  package let authority: String
  /// The authority without user information and port.
  package let host: String
  /// What stands behind the colon of the port; nil without one.
  package let port: String?
  /// The path.
  package let path: String
  /// The query; nil without one.
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
    let place = named.lastIndex(of: "@").map { named[named.index(after: $0)...] } ?? named
    let end = place.hasPrefix("[") ? place.lastIndex(of: "]") : place.startIndex
    let mark = end.flatMap { place[$0...].lastIndex(of: ":") }
    host = String(mark.map { place[..<$0] } ?? place)
    port = mark.map { String(place[place.index(after: $0)...]) }
  }

  /// Whether it is an address of the web, or of this machine.
  package var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
