// SPDX-License-Identifier: MIT
// The certificates of clients, with the parts that authentication needs.

import Crypto
import TesseraWire

/// An X.509 certificate (RFC 5280 section 4.1).
struct Certificate: Sendable {
  /// The whole certificate in DER.
  let der: [UInt8]
  /// The public key.
  let key: VerificationKey
  /// The issuer and the subject in DER.
  private let issuer: [UInt8]
  private let subject: [UInt8]
  /// The signed part in DER, and its signature.
  private let signedPart: [UInt8]
  private let signature: [UInt8]
  /// The first and the last second of its validity.
  let validity: ClosedRange<Instant>

  /// Parses a certificate; nil if it is invalid or has a key of another kind than ``VerificationKey``.
  init?(der: [UInt8]) {
    var outer = DERReader(der[...])
    guard var certificate = outer.nextSequence(),
      let signed = certificate.next(DERReader.Tag.sequence),
      certificate.next(DERReader.Tag.sequence) != nil,
      let signature = certificate.next(DERReader.Tag.bitString),
      let fields = Fields(DERReader(signed.contents)),
      let key = VerificationKey(subjectPublicKeyInfo: Array(fields.keyInfo))
    else { return nil }
    self.der = der
    self.key = key
    issuer = Array(fields.issuer)
    subject = Array(fields.subject)
    validity = fields.validity
    signedPart = Array(signed.encoding)
    // The first byte of a bit string is the number of unused bits.
    self.signature = Array(signature.contents.dropFirst())
  }

  /// Returns the certificates of a PEM text (RFC 7468); nil if a block is not base64 or not a certificate.
  static func parse(pem: String) -> [Certificate]? {
    let marker = "-----BEGIN CERTIFICATE-----"
    var certificates: [Certificate] = []
    var rest = pem[...]
    while let begin = rest.firstRange(of: marker) {
      rest = rest[begin.upperBound...]
      guard let end = rest.firstRange(of: "-----END CERTIFICATE-----"),
        let certificate = Certificate(base64: String(rest[..<end.lowerBound]))
      else { return nil }
      certificates.append(certificate)
      rest = rest[end.upperBound...]
    }
    return certificates
  }

  /// Parses a certificate in base64, with or without line breaks; nil if it is invalid.
  ///
  /// MSAL Python keeps the line breaks of PEM in `x5c`, unlike RFC 7515 section 4.1.6.
  init?(base64: String) {
    let text = String(base64.filter { !$0.isWhitespace })
    guard let der = Base64URL.decodeAnyAlphabet(text), !der.isEmpty else { return nil }
    self.init(der: der)
  }

  /// The SHA-1 thumbprint, for `x5t` (RFC 7515 section 4.1.7).
  var sha1Thumbprint: [UInt8] { Array(Insecure.SHA1.hash(data: der)) }

  /// The SHA-256 thumbprint, for `x5t#S256` (RFC 7515 section 4.1.8).
  var sha256Thumbprint: [UInt8] { Array(SHA256.hash(data: der)) }

  /// Whether another certificate has the same subject.
  func hasSubject(of other: Certificate) -> Bool {
    subject == other.subject
  }

  /// Whether an authority issued and signed this certificate.
  func isIssued(by authority: Certificate) -> Bool {
    issuer == authority.subject
      && authority.key.verifies(certificate: signedPart, signature: signature)
  }
}

extension Certificate {
  /// The fields of the signed part that are used.
  private struct Fields {
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>
    let keyInfo: ArraySlice<UInt8>
    let validity: ClosedRange<Instant>

    init?(_ reader: DERReader) {
      var reader = reader
      _ = reader.next(DERReader.Tag.version)
      guard reader.next(DERReader.Tag.integer) != nil,
        reader.next(DERReader.Tag.sequence) != nil,
        let issuer = reader.next(DERReader.Tag.sequence),
        var times = reader.nextSequence(),
        let subject = reader.next(DERReader.Tag.sequence),
        let keyInfo = reader.next(DERReader.Tag.sequence),
        let start = times.next().flatMap(Fields.instant),
        let end = times.next().flatMap(Fields.instant), start <= end
      else { return nil }
      self.issuer = issuer.encoding
      self.subject = subject.encoding
      self.keyInfo = keyInfo.encoding
      validity = start...end
    }

    /// Parses `YYMMDDhhmmssZ` or `YYYYMMDDhhmmssZ` (RFC 5280 section 4.1.2.5); nil if it is invalid.
    private static func instant(_ value: DERReader.Value) -> Instant? {
      var digits = String(decoding: value.contents, as: UTF8.self)
      switch value.tag {
      case DERReader.Tag.utcTime: digits = (digits < "5" ? "20" : "19") + digits
      case DERReader.Tag.generalizedTime: break
      default: return nil
      }
      let characters = Array(digits)
      guard characters.count == 15, characters.last == "Z" else { return nil }
      func part(_ range: Range<Int>) -> String { String(characters[range]) }
      return ISODate.instant(
        "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
          + "T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z")
    }
  }
}
