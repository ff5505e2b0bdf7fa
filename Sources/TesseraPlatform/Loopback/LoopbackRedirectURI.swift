// SPDX-License-Identifier: MIT
// A parsed redirect URI on the loopback interface.

import TesseraWire

/// A redirect URI on the loopback interface (RFC 8252 section 7.3).
package struct LoopbackRedirectURI: Sendable, Equatable {
  /// The host as written: `localhost`, `127.0.0.1` or `[::1]`.
  package let host: String
  /// The port; nil for any free port.
  package let port: UInt16?
  /// The path, which begins with a slash.
  package let path: String
  /// The parts before and after the port, as written.
  private let partsAroundPort: (String, String)

  /// Parses a redirect URI.
  ///
  /// Returns nil unless the scheme is http, the host is a loopback host, and there is no query or fragment.
  package init?(_ redirectURI: String) {
    guard let address = WebURL(redirectURI), address.scheme == "http",
      ["localhost", "127.0.0.1", "[::1]", "::1"].contains(address.host),
      !redirectURI.contains("?"), !redirectURI.contains("#")
    else { return nil }
    let rest = redirectURI.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    host = address.host == "::1" ? "[::1]" : address.host
    let digits = authority.count > host.count ? authority.dropFirst(host.count + 1) : ""
    // Port 80 is accepted although it is the default of the scheme. Port 0 is not a valid port.
    let number = digits.isEmpty ? nil : UInt16(digits)
    guard digits.isEmpty || number != nil, number != 0 else { return nil }
    port = number
    self.path = path.isEmpty ? "/" : String(path)
    partsAroundPort = ("http://" + authority.prefix(host.count), String(path))
  }

  /// Returns the redirect URI with a port.
  package func text(port: UInt16) -> String { "\(partsAroundPort.0):\(port)\(partsAroundPort.1)" }

  /// Whether a `Host` header field names this address.
  ///
  /// A page of another site can reach this machine under its own host name (DNS rebinding). The browser then sends that name,
  /// which is rejected here.
  package func matchesHost(_ name: String, port: UInt16) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains { host in
      name == "\(host):\(port)" || port == 80 && name == host
    }
  }

  /// Whether both addresses are the same.
  package static func == (left: LoopbackRedirectURI, right: LoopbackRedirectURI) -> Bool {
    left.partsAroundPort == right.partsAroundPort && left.port == right.port
  }
}
