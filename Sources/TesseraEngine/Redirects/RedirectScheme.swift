// SPDX-License-Identifier: MIT
// The URI schemes that an application may register for its redirect URI.

import TesseraWire

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
