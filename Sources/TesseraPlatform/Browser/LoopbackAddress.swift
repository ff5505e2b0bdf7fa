// SPDX-License-Identifier: MIT
// A redirect URI on this machine, taken apart.

import TesseraWire

/// A redirect URI of the loopback interface (RFC 8252 section 7.3).
package struct LoopbackAddress: Sendable, Equatable {
  /// The host as it was written: `localhost`, `127.0.0.1` or `[::1]`.
  package let host: String
  /// The port; nil for any free one.
  package let port: UInt16?
  /// The path, which begins with a slash.
  package let path: String
  /// Everything before the port, and everything after it, as they were written.
  private let halves: (String, String)

  /// Takes a redirect URI apart; nil unless it is one of http on this machine, without a query.
  package init?(_ redirectURI: String) {
    guard let address = WebAddress(redirectURI), address.scheme == "http",
      ["localhost", "127.0.0.1", "[::1]", "::1"].contains(address.host),
      !redirectURI.contains("?"), !redirectURI.contains("#")
    else { return nil }
    let rest = redirectURI.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    host = address.host == "::1" ? "[::1]" : address.host
    let digits = authority.count > host.count ? authority.dropFirst(host.count + 1) : ""
    // 80 is the port of the scheme, and as good as any other; 0 is none.
    let number = digits.isEmpty ? nil : UInt16(digits)
    guard digits.isEmpty || number != nil, number != 0 else { return nil }
    port = number
    self.path = path.isEmpty ? "/" : String(path)
    halves = ("http://" + authority.prefix(host.count), String(path))
  }

  /// The redirect URI with a port.
  package func text(port: UInt16) -> String { "\(halves.0):\(port)\(halves.1)" }

  /// Whether a client means this address by a `Host`.
  ///
  /// A page of another site can reach this machine under a name of its own (DNS rebinding); it cannot make a browser
  /// call it by one of these.
  package func isNamed(_ name: String, port: UInt16) -> Bool {
    ["localhost", "127.0.0.1", "[::1]"].contains { host in
      name == "\(host):\(port)" || port == 80 && name == host
    }
  }

  /// Whether both addresses are the same.
  package static func == (left: LoopbackAddress, right: LoopbackAddress) -> Bool {
    left.halves == right.halves && left.port == right.port
  }
}
