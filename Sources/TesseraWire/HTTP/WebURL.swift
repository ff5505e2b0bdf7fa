// SPDX-License-Identifier: MIT
// A parsed absolute http or https URL, and the rule for sending secrets to it.

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
      let separator = text.firstRange(of: "://")
    else { return nil }
    let scheme = text[..<separator.lowerBound].lowercased()
    let rest = text[separator.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let path = rest.firstIndex(of: "/") ?? rest.endIndex
    guard scheme == "https" || scheme == "http",
      let (host, port) = WebURL.hostAndPort(rest[..<path])
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
    pathSegments = rest[path...].split(separator: "/").map(WebURL.percentEncoded)
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

// RFC 3986 section 3.2 and 3.3.
extension WebURL {
  /// Splits an authority at its colon; nil if it has user information or invalid characters.
  private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
    let host: Substring
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
      let address = host.dropFirst().dropLast()
      guard !address.isEmpty, address.utf8.allSatisfy(isInIPv6Address) else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      // Percent-encoding is invalid too: another parser could decode %2F and see a shorter host.
      guard !host.isEmpty, host.utf8.allSatisfy(isInHostName) else { return nil }
    }
    let rest = authority[host.endIndex...]
    guard rest.isEmpty || rest.first == ":" else { return nil }
    let digits = rest.dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let port = digits.isEmpty ? nil : UInt16(digits)
    guard digits.isEmpty || port != nil else { return nil }
    return (host.lowercased(), port.map { Int($0) })
  }

  /// Percent-encodes the bytes of a path segment that are invalid in one, such as braces.
  private static func percentEncoded(_ segment: Substring) -> String {
    let bytes = Array(segment.utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isEncoding =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count
        && bytes[index + 1...index + 2].allSatisfy(isHexadecimal)
      if isEncoding || isInHostName(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
      {
        text.append(byte)
      } else {
        text += "%\(Hexadecimal.text([byte]).uppercased())".utf8
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isInIPv6Address(_ byte: UInt8) -> Bool {
    isHexadecimal(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  /// Whether a byte is `unreserved` or in `sub-delims`.
  private static func isInHostName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~!$&'()*+,;=".utf8.contains(byte)
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}

extension WebURL {
  /// The environment under which the records of this authority are cached.
  ///
  /// For https it is the host and port. For http it is the origin with its scheme, so that http and https never share
  /// records.
  package var environment: String {
    scheme == "https" ? authority : origin
  }

  /// Whether the host is this machine.
  ///
  /// ``isLoopback`` is true for the usual spellings, for which http is allowed. This property also detects unusual
  /// ones, such as `127.1`, `0.0.0.0`, `localhost.` and `[::ffff:127.0.0.1]`, so that they cannot bypass a rule for
  /// this machine.
  package var isThisMachine: Bool {
    guard !isLoopback else { return true }
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    if name.contains(":") { return WebURL.isThisMachineIPv6(name) }
    return name == "localhost" || name.hasSuffix(".localhost")
      || WebURL.isThisMachineIPv4(name)
  }

  /// Whether the host is an IPv4 address in 127.0.0.0/8 or 0.0.0.0/8, or any numeric host other than four decimal parts.
  private static func isThisMachineIPv4(_ name: Substring) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let digit = last.utf8.first, (0x30...0x39).contains(digit),
      last.hasPrefix("0x") || last.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return false }
    let numbers = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
    guard numbers.count == 4, parts.count == 4 else { return true }
    return numbers[0] == 127 || numbers[0] == 0
  }

  /// Whether the host is `::`, `::1` or an embedded IPv4 address of this machine.
  ///
  /// True as well if it cannot be parsed.
  private static func isThisMachineIPv6(_ name: Substring) -> Bool {
    var text = name.drop { $0 == "[" }.prefix { $0 != "]" }
    if text.contains("."), let colon = text.lastIndex(of: ":") {
      let tail = text[text.index(after: colon)...]
      if isThisMachineIPv4(tail) { return true }
      text = text[...colon] + "1:1"
    }
    guard let groups = groups(ofIPv6: text) else { return true }
    guard groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0 || groups[5] == 0xFFFF else {
      return false
    }
    return groups[6] == 0 || groups[6] >> 8 == 127
  }

  /// Parses the eight groups of an IPv6 address (RFC 4291 section 2.2); nil if it is not one.
  private static func groups(ofIPv6 text: Substring) -> [UInt16]? {
    func parsed(_ part: Substring) -> [UInt16]? {
      let groups = part.split(separator: ":", omittingEmptySubsequences: false)
      let values = groups.compactMap { $0.utf8.count <= 4 ? UInt16($0, radix: 16) : nil }
      return part.isEmpty ? [] : values.count == groups.count ? values : nil
    }
    guard let gap = text.firstRange(of: "::") else {
      return parsed(text).flatMap { $0.count == 8 ? $0 : nil }
    }
    guard let head = parsed(text[..<gap.lowerBound]), let tail = parsed(text[gap.upperBound...]),
      head.count + tail.count < 8
    else { return nil }
    return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }
}
