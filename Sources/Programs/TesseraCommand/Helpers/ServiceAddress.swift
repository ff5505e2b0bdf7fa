// SPDX-License-Identifier: MIT
// The address of a service that gets a token: strict parsing, and the comparison of addresses.

/// The error of an invalid address.
struct AddressError: Error {
  /// The problem and its correction.
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// The address of a service: the scheme, the host, the port, and the segments of the path.
///
/// A host is compared byte by byte, after its ASCII letters were converted to lower case, and so are the segments of a
/// path as they are. An address in any form that programs interpret differently is invalid.
struct ServiceAddress: Hashable {
  /// The scheme, `https` or `http`.
  let scheme: String
  /// The host in lower case; an IPv6 address is in brackets.
  let host: String
  /// The port, which is the default one of the scheme if the address has none.
  let port: Int
  /// The segments of the path.
  let path: [String]

  /// Whether a request to the address stays on this machine.
  var isLoopback: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

  /// The host, with the port if it is not the default one.
  var authority: String {
    port == ServiceAddress.defaultPort(of: scheme) ? host : "\(host):\(port)"
  }

  /// The address without the path.
  var origin: String { "\(scheme)://\(authority)" }

  /// The address without the default port.
  var text: String { origin + path.map { "/\($0)" }.joined() }

  /// Parses a URL.
  init(parsing text: String) throws(AddressError) {
    guard let end = text.firstRange(of: "://") else {
      throw AddressError("The URL must start with https://.")
    }
    let rest = text[end.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    try self.init(
      scheme: String(text[..<end.lowerBound]), authority: String(rest[..<slash]),
      path: String(rest[slash...].dropFirst()))
  }

  /// Creates an address from the parts of a URL (RFC 3986 section 3).
  ///
  /// - Parameter authority: The host, with the port if it is not the default one.
  init(scheme: String, authority: String, path: String = "") throws(AddressError) {
    guard let standard = ServiceAddress.defaultPort(of: scheme) else {
      throw AddressError("The URL must start with https://.")
    }
    let (host, port) = try ServiceAddress.split(authority)
    self.scheme = scheme
    self.host = try ServiceAddress.normalized(host)
    self.port =
      try port.map { text throws(AddressError) in try ServiceAddress.port(text) } ?? standard
    self.path = try ServiceAddress.segments(path)
    guard scheme == "https" || isLoopback else {
      throw AddressError("The URL must start with https://: http is for this machine only.")
    }
  }

  /// Whether this address covers another one: the same scheme, host and port, and a path below this one.
  func covers(_ other: ServiceAddress) -> Bool {
    // Strings are also equal in another Unicode normalization form, which servers distinguish.
    scheme == other.scheme && host == other.host && port == other.port
      && other.path.starts(with: path) { $0.utf8.elementsEqual($1.utf8) }
  }

  private static func defaultPort(of scheme: String) -> Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }

  /// Splits an authority into the host and the port.
  private static func split(
    _ authority: String
  ) throws(AddressError) -> (host: Substring, port: Substring?) {
    guard !authority.contains("@") else {
      throw AddressError("The URL must not contain a user name. Remove the part before \"@\".")
    }
    let end =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map { authority.index(after: $0) } ?? authority.endIndex
      : authority.firstIndex(of: ":") ?? authority.endIndex
    let rest = authority[end...]
    guard !rest.isEmpty else { return (authority[..<end], nil) }
    guard rest.first == ":" else { throw AddressError("The host of the URL is invalid.") }
    return (authority[..<end], rest.dropFirst())
  }

  private static func port(_ text: Substring) throws(AddressError) -> Int {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.first != "0",
      text.utf8.count <= 5, let port = Int(text), port <= 65535
    else { throw AddressError("The port of the URL is invalid.") }
    return port
  }

  /// Returns a host in lower case.
  private static func normalized(_ host: Substring) throws(AddressError) -> String {
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw AddressError(
        "The host of the URL is not ASCII. Write an international name in its form with xn--.")
    }
    guard host.utf8.count <= 253 else { throw AddressError("The host of the URL is too long.") }
    let name = host.lowercased()
    guard !name.hasSuffix(".") else {
      throw AddressError("The host of the URL ends with a dot. Remove it.")
    }
    let isValid =
      name.hasPrefix("[")
      ? name.utf8.dropFirst().dropLast().allSatisfy(\.isInIPv6Address) && name.utf8.count > 3
        && name.hasSuffix("]")
      : name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(\.isHostLabel)
    guard isValid else { throw AddressError("The host of the URL is invalid.") }
    return name
  }

  private static func segments(_ path: String) throws(AddressError) -> [String] {
    let excluded: Set<Unicode.Scalar> = ["%", "?", "#", "\\", "\u{7F}"]
    guard path.unicodeScalars.allSatisfy({ $0 >= " " && !excluded.contains($0) }) else {
      throw AddressError(
        "The path of the URL contains a control character, or one of % ? # \\. Remove it.")
    }
    // A slash and a combining character are one character, so the bytes are split.
    var segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if segments.last == "" { segments.removeLast() }
    guard segments.allSatisfy({ !["", ".", ".."].contains($0) }) else {
      throw AddressError("The path of the URL contains an empty segment, or one of dots.")
    }
    return segments
  }
}

extension Substring {
  /// Whether the text is a label of a host name (RFC 1123 section 2.1).
  fileprivate var isHostLabel: Bool {
    (1...63).contains(utf8.count) && first != "-" && last != "-"
      && utf8.allSatisfy { $0.isHostLetter }
  }
}

extension UInt8 {
  fileprivate var isHostLetter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  fileprivate var isInIPv6Address: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
