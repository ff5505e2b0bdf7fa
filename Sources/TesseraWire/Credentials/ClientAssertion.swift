// SPDX-License-Identifier: MIT
// The assertion with which an application authenticates by its private key.

/// A JSON web token that an application signs to authenticate (RFC 7523 section 2.2).
package struct ClientAssertion: Sendable {
  /// The identification of the certificate and the algorithm that a server accepts.
  package enum Form: Sendable {
    /// PS256 with `x5t#S256`: Entra ID, and other providers; ES256 for keys of the curve P-256.
    case sha256Thumbprint
    /// RS256 with `x5t`: AD FS.
    case sha1Thumbprint
  }

  /// The client ID, which is the issuer and the subject.
  package var clientID: String
  /// The audience: the token endpoint of Entra ID and AD FS, the issuer elsewhere (RFC 7523bis).
  package var audience: String
  package var form = Form.sha256Thumbprint
  /// Whether to send the certificates, for servers that trust their issuer.
  package var sendsChain = false

  /// The lifetime, in seconds; that of all MSAL libraries.
  package static let lifetimeSeconds: Int64 = 600

  package init(clientID: String, audience: String) {
    self.clientID = clientID
    self.audience = audience
  }

  /// Returns the signed token; nil if the key cannot sign.
  ///
  /// - Parameter id: The `jti`, which must be unique.
  package func signed(by certificate: ClientCertificate, at now: Instant, id: String) -> Secret? {
    let algorithm: SignatureAlgorithm =
      certificate.key.supports(.es256) ? .es256 : form == .sha1Thumbprint ? .rs256 : .ps256
    var header: JSONObject = ["alg": .string(algorithm.rawValue), "typ": "JWT"]
    switch form {
    case .sha256Thumbprint: header.append("x5t#S256", certificate.x5tS256)
    case .sha1Thumbprint: header.append("x5t", certificate.x5t)
    }
    if sendsChain { header.append("x5c", .strings(certificate.x5c)) }
    let parts = [header, claims(at: now, id: id)].map {
      Base64URL.encode(JSONValue.object($0).bytes)
    }
    let message = parts.joined(separator: ".")
    let signature = certificate.key.sign(Array(message.utf8), algorithm)
    return signature.map { Secret("\(message).\(Base64URL.encode($0))") }
  }

  /// The times are integers, because some servers reject fractions.
  private func claims(at now: Instant, id: String) -> JSONObject {
    [
      "aud": .string(audience), "iss": .string(clientID), "sub": .string(clientID),
      "jti": .string(id), "iat": .integer(now.secondsSince1970),
      "nbf": .integer(now.secondsSince1970),
      "exp": .integer(now.secondsSince1970 + ClientAssertion.lifetimeSeconds),
    ]
  }
}
