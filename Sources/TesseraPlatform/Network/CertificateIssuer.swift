// SPDX-License-Identifier: MIT
// The issuer name of a server's certificate chain, parsed for use in error messages only.

import TesseraWire

/// A parser for the issuer name in a TLS certificate message.
///
/// It validates nothing.
package enum CertificateIssuer {
  /// Returns the issuer of the last certificate in a TLS `Certificate` message, at which a chain of trust would have to start.
  ///
  /// RFC 8446 section 4.4.2, RFC 5246 section 7.4.2.
  ///
  /// - Parameter message: The whole message, with its type and length.
  /// - Returns: The name, or nil if the message cannot be parsed.
  package static func name(inMessage message: some Sequence<UInt8>) -> String? {
    var reader = ByteReader(Array(message))
    guard reader.take() == 11, var body = reader.piece(lengthBytes: 3) else { return nil }
    // Since TLS 1.3, the message starts with a context, which servers leave empty, and each certificate is followed by
    // extensions.
    var later = body
    let isTLS13 = later.take() == 0 && later.piece(lengthBytes: 3) != nil && later.isAtEnd
    if isTLS13 { _ = body.take() }
    guard var list = body.piece(lengthBytes: 3) else { return nil }
    var last: ByteReader?
    while !list.isAtEnd, let certificate = list.piece(lengthBytes: 3) {
      last = certificate
      if isTLS13, list.piece(lengthBytes: 2) == nil { break }
    }
    return last.flatMap { name(inCertificate: $0) }
  }

  /// Returns the issuer of a certificate in DER (RFC 5280 section 4.1).
  private static func name(inCertificate certificate: ByteReader) -> String? {
    var reader = certificate
    guard var content = reader.element(0x30), var signed = content.element(0x30) else { return nil }
    // An optional version precedes the serial number and the algorithm.
    _ = signed.element(0xA0)
    guard signed.element(0x02) != nil, signed.element(0x30) != nil,
      var issuer = signed.element(0x30)
    else { return nil }
    var parts: [String] = []
    while parts.count < 16, var set = issuer.element(0x31) {
      while parts.count < 16, let attribute = set.element(0x30) {
        if let part = part(of: attribute) { parts.append(part) }
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ").plain(atMost: 300)
  }

  /// The attributes that are shown (RFC 4519), by the last byte of their identifiers 2.5.4.x.
  private static let names: [UInt8: String] = [3: "CN", 6: "C", 10: "O", 11: "OU"]

  private static func part(of attribute: ByteReader) -> String? {
    var reader = attribute
    guard let identifier = reader.element(0x06)?.rest, identifier.count == 3,
      identifier.starts(with: [0x55, 0x04]), let name = identifier.last.flatMap({ names[$0] }),
      let tag = reader.next, let value = reader.element(tag)?.rest
    else { return nil }
    switch tag {
    // UTF8String, PrintableString, T61String, IA5String.
    case 0x0C, 0x13, 0x14, 0x16: return "\(name)=\(String(decoding: value, as: UTF8.self))"
    default: return nil
    }
  }
}

/// A bounds-checked reader of bytes.
private struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  var next: UInt8? { rest.first }

  mutating func take() -> UInt8? { rest.popFirst() }

  /// Reads a length of `lengthBytes` bytes and returns the bytes that it counts; nil without reading if there are too few.
  mutating func piece(lengthBytes: Int) -> ByteReader? {
    var copy = self
    var length = 0
    for _ in 0..<lengthBytes {
      guard let byte = copy.take() else { return nil }
      length = length << 8 | Int(byte)
    }
    guard let piece = copy.cut(length) else { return nil }
    self = copy
    return piece
  }

  /// Returns the content of a DER element with the given tag; nil without reading if the next element has another one.
  mutating func element(_ tag: UInt8) -> ByteReader? {
    var copy = self
    guard copy.take() == tag, let first = copy.take() else { return nil }
    let piece: ByteReader?
    if first < 0x80 {
      piece = copy.cut(Int(first))
    } else {
      guard (0x81...0x83).contains(first) else { return nil }
      piece = copy.piece(lengthBytes: Int(first & 0x7F))
    }
    guard let piece else { return nil }
    self = copy
    return piece
  }

  private mutating func cut(_ length: Int) -> ByteReader? {
    guard length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return ByteReader(rest.prefix(length))
  }
}
