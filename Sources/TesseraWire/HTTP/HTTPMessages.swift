// SPDX-License-Identifier: MIT
// HTTP requests and responses, and their URLs.

/// An HTTP request.
package struct HTTPRequest: Sendable, Equatable {
  /// The method, such as `GET` or `POST`.
  package var method: String
  /// The absolute URL.
  package var url: String
  /// The header fields, in the order in which they are sent.
  package var headers: [HTTPHeader]
  /// The body; empty if there is none.
  package var body: [UInt8]
  /// Whether the request contains a credential that can be redeemed once, so that its response must not be lost.
  package var spendsCredential = false

  /// Creates a request.
  package init(method: String, url: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A header field of an HTTP message.
package struct HTTPHeader: Sendable, Equatable {
  /// The name, which is compared without regard to case.
  package var name: String
  /// The value.
  package var value: String

  /// Creates a header field.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPRequest {
  /// Creates a GET request that accepts JSON.
  package static func get(_ url: String) -> HTTPRequest {
    HTTPRequest(method: "GET", url: url, headers: [HTTPHeader("Accept", "application/json")])
  }

  /// Creates a POST request with a form body that accepts JSON.
  package static func post(_ url: String, _ form: FormFields) -> HTTPRequest {
    HTTPRequest(
      method: "POST", url: url,
      headers: [
        HTTPHeader("Accept", "application/json"),
        HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
      ],
      body: Array(form.encoded.utf8))
  }
}

extension [HTTPHeader] {
  /// Returns the first value of a header field; nil if there is none.
  ///
  /// Ignores the case of the name.
  package subscript(_ name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// An HTTP response.
package struct HTTPResponse: Sendable, Equatable {
  /// The status code.
  package var status: Int
  /// The header fields, in the order in which they were received.
  package var headers: [HTTPHeader]
  /// The body.
  package var body: [UInt8]

  /// Creates a response.
  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension HTTPResponse {
  /// The maximum size of a body, in bytes.
  ///
  /// Discovery documents and token responses are a hundred times smaller.
  package static let bodyLimit = 1 << 20

  /// Creates a response with a JSON body.
  package static func json(
    _ body: JSONValue, status: Int = 200, headers: [HTTPHeader] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
      body: body.bytes)
  }

  /// The body as a JSON object; nil if it is not one, or exceeds ``bodyLimit``.
  package var json: JSONObject? {
    (try? JSONValue(parsing: body, limits: .init(bytes: HTTPResponse.bodyLimit)))?.object
  }

  /// The delay that the server requests in `Retry-After`, in seconds (RFC 9110 section 10.2.3); nil if it requests none.
  ///
  /// A date is compared with the server's own `Date` and ignored without it. A delay that has passed counts as absent.
  /// The maximum is one hour (MSAL).
  package var retryAfterSeconds: Int64? {
    guard let text = headers["Retry-After"]?.trimmed else { return nil }
    let seconds: Int64?
    if let end = HTTPDate.instant(text) {
      seconds = date.map { end.seconds(since: $0) }
    } else {
      seconds = Int64(text)
    }
    guard let seconds, seconds > 0 else { return nil }
    return min(seconds, 3600)
  }
}

/// A JSON object that was received from a server.
package struct ReceivedDocument: Sendable {
  package let json: JSONObject
  package let responseTime: ResponseTime
  /// The secrets of the request, which errors about this document must not contain.
  package let sent: RequestSecrets

  package init(
    _ json: JSONObject, _ responseTime: ResponseTime, sent: RequestSecrets = RequestSecrets()
  ) {
    self.json = json
    self.responseTime = responseTime
    self.sent = sent
  }
}

/// The time at which a response arrived.
package struct ResponseTime: Sendable, Hashable {
  /// The wall-clock time of this machine.
  package let at: Instant
  /// The boot-time clock, which users cannot set; nil if the system has none that keeps running during sleep.
  package let bootTime: BootTime?
  /// The seconds by which the server's clock is ahead of this machine's; 0 if they agree or the server sent no time.
  package let serverAheadSeconds: Int64

  /// Creates an arrival time with a known clock difference.
  package init(at now: Instant, bootTime: BootTime? = nil, serverAheadSeconds: Int64 = 0) {
    at = now
    self.bootTime = bootTime
    self.serverAheadSeconds = serverAheadSeconds
  }

  /// Computes the arrival time of a response, with the clock difference from its `Date` header field.
  package init(of response: HTTPResponse, at now: Instant, bootTime: BootTime?) {
    let ahead = response.date?.seconds(since: now) ?? 0
    // Ignore small differences, which come from rounding and latency, and those of 100 years or more.
    let isPlausible = (10..<3_153_600_000).contains(ahead.magnitude)
    self.init(at: now, bootTime: bootTime, serverAheadSeconds: isPlausible ? ahead : 0)
  }

  /// The wall-clock time of the server.
  package var atServer: Instant { at.adding(seconds: serverAheadSeconds) }
}

extension HTTPResponse {
  /// The time at which the server created the response (RFC 9110 section 6.6.1); nil if it came from an HTTP cache.
  package var date: Instant? {
    guard headers["Age"].flatMap({ Int64($0.trimmed) }) ?? 0 == 0 else { return nil }
    return headers["Date"].flatMap { HTTPDate.instant($0.trimmed) }
  }
}

/// Parameters that the application adds to requests.
package struct ExtraParameters: Sendable, Hashable {
  /// Additional form fields of token requests.
  package var tokenFields: [String: String] = [:]
  /// Additional query parameters of the authorization, device authorization and token endpoints.
  package var query: [String: String] = [:]

  /// Creates an empty set.
  package init() {}

  /// Returns the endpoint with the query parameters.
  ///
  /// They replace parameters of the same name. Spaces are encoded as `%20` (MSAL for Apple).
  package func endpoint(_ address: String) -> String {
    guard !query.isEmpty else { return address }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var fields = FormFields()
    for field in FormFields(decoding: parts.dropFirst().first ?? "").fields
    where query[field.name] == nil {
      fields.add(field.name, evenIfBlank: field.value)
    }
    for (name, value) in query.sorted(by: { $0.key < $1.key }) {
      fields.add(name, evenIfBlank: value)
    }
    let text = fields.encoded.replacing("+", with: "%20")
    return String(parts.first ?? "") + (text.isEmpty ? "" : "?" + text)
  }

  /// Returns the first problem, as the rest of a sentence that starts with the member's name; nil if all are valid.
  package static func problem(in parameters: [String: String]) -> String? {
    guard parameters.count <= 50 else { return "has more than 50 parameters: remove some." }
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard (1...100).contains(name.utf8.count),
        name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        return "has an invalid name: use 1 to 100 printable ASCII characters without spaces."
      }
      guard name.lowercased() != "client_secret" else {
        return
          "has \"client_secret\", but a public client has no secret, and confidential clients are not supported: remove it."
      }
      guard !reservedFields.contains(name.lowercased()) else {
        return "has \"\(name)\", which the library sends itself: remove it."
      }
      guard value.utf8.count <= 4096,
        !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        return
          "has an invalid value for \"\(name)\": use at most 4096 bytes, without control characters."
      }
    }
    return nil
  }

  /// The parameters that the library sends itself.
  ///
  /// Replacing one of them could sign in a different account, or send a secret to another destination.
  package static let reservedFields: Set<String> = [
    "assertion", "claims", "client_assertion", "client_assertion_type", "client_id", "client_info",
    "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier",
    "device_code", "grant_type", "instance_aware", "nonce", "password", "redirect_uri",
    "refresh_token", "req_cnf",
    "requested_token_use", "response_mode", "response_type", "scope", "state", "token_type",
    "username",
  ]
}

/// The secret values of a request.
///
/// Some servers repeat the request in `error_description`. This text appears in errors, logs and pages, which must not
/// contain tokens.
package struct RequestSecrets: Sendable {
  private let secrets: [[UInt8]]

  /// Creates an empty set.
  package init() {
    secrets = []
  }

  /// Collects the secrets in the form body of a request, and in its header field `Authorization`.
  package init(_ request: HTTPRequest) {
    let form = FormFields(decoding: String(decoding: request.body, as: UTF8.self))
    let values = form.fields.filter { RequestSecrets.isSecret($0.name) }.map(\.value)
    secrets = (values + RequestSecrets.credentials(request.headers["Authorization"]))
      .map { Array($0.utf8) }.filter { $0.count >= RequestSecrets.minimumLength }
      .sorted { $0.count > $1.count }
  }

  /// Returns the credentials of an `Authorization` field (RFC 9110 section 11.4), also decoded if the scheme is `Basic`.
  private static func credentials(_ field: String?) -> [String] {
    guard let parts = field?.split(separator: " ", maxSplits: 1), let encoded = parts.last,
      parts.count == 2
    else { return [] }
    let pair = Base64URL.decodeAnyAlphabet(String(encoded)).map {
      String(decoding: $0, as: UTF8.self).split(separator: ":", maxSplits: 1)
    }
    return [String(encoded)] + (pair?.dropFirst().map(FormFields.unescape) ?? [])
  }

  /// Returns the text with all secrets replaced.
  ///
  /// Matches secrets that are unencoded, percent-encoded (once or several times), form-encoded or escaped with
  /// backslashes. The beginning of a long secret is replaced as well, because a server may truncate it.
  package func removed(from text: String) -> String {
    guard !secrets.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let ends = secrets.lazy.flatMap { secret in
        [true, false].compactMap { end(of: secret, in: bytes, at: position, decoding: $0) }
      }
      if let end = ends.max() {
        kept += RequestSecrets.replacement.utf8
        position = end
      } else {
        kept.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Returns the text with all secrets replaced; nil for nil.
  package func removed(from text: String?) -> String? {
    text.map { removed(from: $0) }
  }

  /// Returns the end of a complete or truncated secret that starts at a position; nil if there is none.
  ///
  /// - Parameter decoding: Whether to decode a percent sign if it starts an escape.
  private func end(
    of secret: [UInt8], in bytes: [UInt8], at start: Int, decoding: Bool
  ) -> Int? {
    var position = start
    var matched = 0
    while matched < secret.count,
      let next = RequestSecrets.next(secret[matched], in: bytes, at: position, decoding: decoding)
    {
      position = next
      matched += 1
    }
    return matched == secret.count || matched >= RequestSecrets.recognizedPrefix ? position : nil
  }

  /// Returns the position after a byte, which may be encoded; nil if the byte is not at the position.
  private static func next(
    _ byte: UInt8, in bytes: [UInt8], at position: Int, decoding: Bool
  ) -> Int? {
    guard position < bytes.count else { return nil }
    let found = bytes[position]
    let isEscape = found == UInt8(ascii: "%")
    if decoding, isEscape, let end = escaped(byte, in: bytes, at: position) { return end }
    if found == byte || found == UInt8(ascii: "+") && byte == UInt8(ascii: " ") {
      return position + 1
    }
    if found == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == byte {
      return position + 2
    }
    return isEscape ? escaped(byte, in: bytes, at: position) : nil
  }

  /// Returns the position after a percent-encoded byte; nil if the byte is not at the position.
  ///
  /// Accepts repeated encoding.
  private static func escaped(_ byte: UInt8, in bytes: [UInt8], at position: Int) -> Int? {
    var digits = position + 1
    while digits + 1 < bytes.count {
      let value = UInt8(String(decoding: bytes[digits...digits + 1], as: UTF8.self), radix: 16)
      if value == byte { return digits + 2 }
      // An encoded percent sign: the text was encoded more than once.
      guard value == UInt8(ascii: "%") else { return nil }
      digits += 2
    }
    return nil
  }

  /// Whether the value of a form field is secret: a token, a code, a verifier, an assertion or a password.
  private static func isSecret(_ name: String) -> Bool {
    let name = name.normalised
    let isDescription = ["_type", "_type_hint", "_method", "_use"].contains(where: name.hasSuffix)
    return !isDescription && secretFieldNames.contains(where: name.contains)
  }

  private static let secretFieldNames = [
    "token", "code", "verifier", "assertion", "secret", "passw", "credential", "otp", "pin",
    "nonce", "state",
  ]
  private static let replacement = "<removed>"
  /// The minimum size of a secret, in bytes.
  ///
  /// A shorter value could match parts of ordinary words.
  private static let minimumLength = 4
  /// The minimum size of a truncated secret, in bytes.
  private static let recognizedPrefix = 16
}

/// The reason why a message is invalid.
///
/// It does not quote the message.
package struct WireError: Error, Sendable, Equatable {
  /// The stable error code, in snake case.
  package let code: String
  /// The reason, for a developer.
  package let message: String

  /// Creates an error from its code and message.
  package init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }
}

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
