// SPDX-License-Identifier: MIT
// An absolute http(s) address taken apart, with the one rule of trust that holds for all of them.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An absolute address of an authority or an endpoint.
package struct WebAddress: Sendable, Hashable {
  /// `https` or `http`.
  package let scheme: String
  /// The host in lower case, without a port.
  package let host: String
  /// The port, if one was written that is not the scheme's own.
  package let port: Int?
  /// The segments of the path that are not empty, as they were written.
  package let pathSegments: [String]

  /// Reads an absolute http or https address without user information; nil for anything else.
  package init?(_ text: String) {
    // RFC 3986 has printable ASCII only; what else comes along would end up on somebody's terminal.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      scheme == "https" || scheme == "http", parts.user == nil, parts.password == nil,
      let host = parts.host?.lowercased(), !host.isEmpty,
      // An escape hides what the host is: %2F would end it for whoever reads the address again.
      parts.percentEncodedHost?.contains("%") != true,
      (0...65_535).contains(parts.port ?? 0)
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
    pathSegments = parts.percentEncodedPath.split(separator: "/").map(String.init)
  }

  /// Host and port, the form in which a cache record names an environment.
  package var authority: String {
    port.map { "\(host):\($0)" } ?? host
  }

  /// Scheme, host and port, without a slash at the end.
  package var origin: String {
    "\(scheme)://\(authority)"
  }

  /// Whether the host is this machine (RFC 8252 section 7.3).
  package var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || host == "::1" || WebAddress.isLoopbackIPv4(host)
  }

  /// Whether secrets may be sent there: over https, or without it only to this machine.
  package var mayCarrySecrets: Bool {
    scheme == "https" || isLoopback
  }

  /// 127.0.0.0/8 in four decimal parts; a name such as `127.example.com` is somebody else's machine.
  private static func isLoopbackIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127"
      && parts.allSatisfy { part in
        UInt8(part) != nil && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
