// SPDX-License-Identifier: MIT
// Certificates and keys of clients, and assertions that swift-crypto signs.

import Crypto
import CryptoExtras
import TesseraWire
import TestVectors
import Testing

/// The certificates and keys of clients; keys of tests, not secrets.
enum TestCertificates {
  /// A certificate with the subject, the key and the authority of ``leaf``, but another serial number.
  static let renewed = """
    -----BEGIN CERTIFICATE-----
    MIICrzCCAZegAwIBAgIBAzANBgkqhkiG9w0BAQsFADAaMRgwFgYDVQQDDA9UZXNz
    ZXJhIHRlc3QgQ0EwIBcNMjYwMTAxMDAwMDAwWhgPMjA5OTAxMDEwMDAwMDBaMBox
    GDAWBgNVBAMMD3NlcnZpY2UuZXhhbXBsZTCCASIwDQYJKoZIhvcNAQEBBQADggEP
    ADCCAQoCggEBAMi7fHwdM00Ynxcf0WCDubzPq0ZeBctmqSMGm6xihmOxrnPUwZSE
    QUuv/fTRPTjebAO63LxdVlJ9FZ5s/5KdWliKWc94Rwq1d+0OA6Jrzv5kIM5DK0YN
    K+s9JjxPwNtgq/7T4gHrk3uzRBOMggb9+mxBr07MTYZkN3JQrIvCQ2hsWI9CWe4g
    TifwSysrXI8MbF4EPbLscFNI5xz/wATDyy1GVi6M+vFeafbtS9RYpfxhn9F8S76f
    1Ewmb/74nRfSv6WDKHPOGxtVCewZ27ordkNxw0zX9dFYBwSsHTB+4yxng2t0eQdI
    e8v6/DhTD/R/mzrQRRJayT8T4JoQP6SIt+ECAwEAATANBgkqhkiG9w0BAQsFAAOC
    AQEADGs+X+Ff4W3KZrkWSqum120iHwIAqbkWPoQn8m2sg192+lsbMrcj39nI4OJq
    5GAWgYd+oV6BoukDZ00W6sqY0/+iJ0jXLgZumQ6xcAzgZO+reJRRLqmYwDwF86Ro
    A1RJfW8n3OuXY/YZdEdQSKZocF/aFoZzQkuu5hlac7m6l0Xx1ecpd1RP1QYAHhUH
    pRqW4QrwKINrplstecVl1kA+8sz0S0DyMBP3SFu/hiHuP4QjiVlYPUZDgykKSr51
    9sf9yspe6Aq4VaqhkI6yjINRgpl+h3jj9rILzYXvQvenUkmc9l7JJHkKdT6qwfoK
    4nH4NrIL5YyyTBX/TgoZNyHlrg==
    -----END CERTIFICATE-----
    """

  /// A certificate with the subject and the key of ``leaf`` that expired in 2021.
  static let expired = """
    -----BEGIN CERTIFICATE-----
    MIICrTCCAZWgAwIBAgIBBzANBgkqhkiG9w0BAQsFADAaMRgwFgYDVQQDDA9zZXJ2
    aWNlLmV4YW1wbGUwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAaMRgw
    FgYDVQQDDA9zZXJ2aWNlLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAw
    ggEKAoIBAQDIu3x8HTNNGJ8XH9Fgg7m8z6tGXgXLZqkjBpusYoZjsa5z1MGUhEFL
    r/300T043mwDuty8XVZSfRWebP+SnVpYilnPeEcKtXftDgOia87+ZCDOQytGDSvr
    PSY8T8DbYKv+0+IB65N7s0QTjIIG/fpsQa9OzE2GZDdyUKyLwkNobFiPQlnuIE4n
    8EsrK1yPDGxeBD2y7HBTSOcc/8AEw8stRlYujPrxXmn27UvUWKX8YZ/RfEu+n9RM
    Jm/++J0X0r+lgyhzzhsbVQnsGdu6K3ZDccNM1/XRWAcErB0wfuMsZ4NrdHkHSHvL
    +vw4Uw/0f5s60EUSWsk/E+CaED+kiLfhAgMBAAEwDQYJKoZIhvcNAQELBQADggEB
    AEq3tVU/0ett+WS/TkEY5R8O07n20Z8/TtDFupBc6LTO5TkQ/qhv1EKmJNuCx4yR
    4fr65K+J+05ruB3vhGNuN+6B9dFjNmR9UwOTY3dVdudKLp+zBp0/BYbCYy4Eemj3
    TEPEiJ47RT/0VuoTFBv4Z0W2R7MGpB1bLmWSFGMCYhmJH0XPyPFFu6PcyNft3WD5
    r9oJfhULAmuJ458234wRXWNuiC30jbiyzSe6R0Qv7+ef/iaAwfBFFy3Vhbz2z74A
    fcgdrDFpMIsbfudhcuShg4LskmREbCHCFQ0dZ9IXcGfy8rwzHkjr6DdULHJbZ1uU
    sWwQzRWsj60VPFk+s6JHM4U=
    -----END CERTIFICATE-----
    """

  /// A certificate with a key of the curve P-256.
  static let curve = """
    -----BEGIN CERTIFICATE-----
    MIIBHjCBxaADAgECAgEHMAoGCCqGSM49BAMCMBgxFjAUBgNVBAMMDWN1cnZlLmV4
    YW1wbGUwIBcNMjYwMTAxMDAwMDAwWhgPMjA5OTAxMDEwMDAwMDBaMBgxFjAUBgNV
    BAMMDWN1cnZlLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQj2b4a
    8utI3MstpgieK5RtgfvtpBVYT7IUI+hF72R4VMVdZirmAEvV41OlhfLXNcw27Z9O
    BHI8F08VdPX8WcBuMAoGCCqGSM49BAMCA0gAMEUCIQDrWchL84Gicqfcv/IerZiT
    d78qi1uJKwLPTjC7Vc3x5wIgOx3HQIWNn0ZeQkmnPj00pNB9mf6KWWXk3cZQP6Yv
    cDA=
    -----END CERTIFICATE-----
    """

  /// The key of ``curve``.
  static let curveKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRU5XJJT/ZMTjPQ71
    Sb4Qy0pHU3XEYYcD7aE15rUqWYyhRANCAAQj2b4a8utI3MstpgieK5RtgfvtpBVY
    T7IUI+hF72R4VMVdZirmAEvV41OlhfLXNcw27Z9OBHI8F08VdPX8WcBu
    -----END PRIVATE KEY-----
    """

  /// A text of the vectors: a certificate of 2026 to 2099 with an RSA key, and the certificate of its authority.
  static let chain = text("with its issuer")
  /// The certificate alone.
  static var leaf: String { blocks[0] }
  /// The certificate of its authority.
  static var authority: String { blocks[1] }
  /// The key of the certificate.
  static let key = text("the application's certificate")

  private static var blocks: [String] {
    let blocks = (try? PEMBlock.blocks(of: chain)) ?? []
    return blocks.filter { $0.label == "CERTIFICATE" }.map(\.text)
  }

  private static func text(_ name: String) -> String {
    let vector = TestVector.all(in: "services", areas: "certificate").first { $0.name == name }
    return vector?.input["pem"]?.string ?? ""
  }
}

/// An assertion of a client with any header and claims.
struct TestAssertion {
  var header: JSONObject = ["typ": "JWT"]
  var claims: JSONObject

  /// Creates the claims that every issuer accepts.
  init(client: String = "daemon", audience: String, at now: Instant, id: String = "1") {
    claims = [
      "iss": .string(client), "sub": .string(client), "aud": .string(audience), "jti": .string(id),
      "nbf": .integer(now.secondsSince1970), "exp": .integer(now.secondsSince1970 + 600),
    ]
  }

  /// Adds the thumbprint of a certificate: `x5t` or `x5t#S256`.
  mutating func identify(_ pem: String, sha1: Bool = false) throws {
    let der = try #require(PEMBlock.blocks(of: pem).first).bytes
    header[sha1 ? "x5t" : "x5t#S256"] = .string(
      sha1
        ? Base64URL.encode(Insecure.SHA1.hash(data: der))
        : Base64URL.encode(SHA256.hash(data: der)))
  }

  /// Returns the assertion, signed with a key in PEM.
  func signed(_ algorithm: String = "PS256", key: String = TestCertificates.key) throws -> String {
    var header = header
    header["alg"] = .string(algorithm)
    let text = [header, claims].map { Base64URL.encode(JSONValue.object($0).bytes) }
      .joined(separator: ".")
    let message = Array(text.utf8)
    let signature: [UInt8]
    if algorithm == "ES256" {
      let key = try P256.Signing.PrivateKey(pemRepresentation: key)
      signature = [UInt8](try key.signature(for: message).rawRepresentation)
    } else {
      let block = try #require(PEMBlock.blocks(of: key).first { $0.label.hasSuffix("PRIVATE KEY") })
      let key = try _RSA.Signing.PrivateKey(derRepresentation: block.bytes)
      signature = [UInt8](
        try key.signature(
          for: SHA256.hash(data: message),
          padding: algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5
        ).rawRepresentation)
    }
    return "\(text).\(Base64URL.encode(signature))"
  }
}
