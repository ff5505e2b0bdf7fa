// SPDX-License-Identifier: MIT
// A parsed absolute http or https URL, and the rule for sending secrets to it.

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The absolute URL of an authority or an endpoint.
package struct WebURL: Sendable, Hashable {
  /// The scheme: `https` or `http`.
  package let scheme: String
  /// The host in lower case, without a port.
  package let host: String
  /// The port; nil if it is absent or the default of the scheme.
  package let port: Int?
  /// The path segments that are not empty, still percent-encoded.
  package let pathSegments: [String]

  /// Parses an absolute http or https URL; nil if it is anything else, or contains user information.
  package init?(_ text: String) {
    // RFC 3986 allows printable ASCII only. Other characters could reach a terminal in a message.
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      scheme == "https" || scheme == "http", parts.user == nil, parts.password == nil,
      let host = parts.host?.lowercased(), !host.isEmpty,
      // Reject percent-encoding in the host: another parser could decode %2F and see a shorter host.
      parts.percentEncodedHost?.contains("%") != true,
      (0...65_535).contains(parts.port ?? 0)
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
    pathSegments = parts.percentEncodedPath.split(separator: "/").map(String.init)
  }

  /// The host and port, as in the environment of cache records.
  package var authority: String {
    port.map { "\(host):\($0)" } ?? host
  }

  /// The scheme, host and port, without a trailing slash.
  package var origin: String {
    "\(scheme)://\(authority)"
  }

  /// Whether the host is this machine (RFC 8252 section 7.3).
  package var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || host == "::1" || WebURL.isLoopbackIPv4(host)
  }

  /// Whether secrets may be sent to this URL: over https, or over http to this machine.
  package var mayCarrySecrets: Bool {
    scheme == "https" || isLoopback
  }

  /// Whether the host is in 127.0.0.0/8, in four decimal parts.
  ///
  /// A name such as `127.example.com` is not.
  private static func isLoopbackIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127"
      && parts.allSatisfy { part in
        UInt8(part) != nil && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
