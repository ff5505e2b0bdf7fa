// SPDX-License-Identifier: MIT
// Detection of hosts that resolve to this machine, in every spelling that a resolver accepts.

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
