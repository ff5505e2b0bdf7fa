// SPDX-License-Identifier: MIT
// The RSA key of a provider: signs JWTs with RS256 (RFC 7518 section 3.3), and is published as a JWK.

import Crypto
import CryptoExtras
import TesseraWire

/// The signing key of a provider.
struct SigningKey: Sendable {
  /// The public key with its ID (RFC 7517 section 4, RFC 7518 section 6.3.1).
  let publicJWK: JSONObject
  private let privateKey: _RSA.Signing.PrivateKey
  private let keyID: String

  /// The lifetime of an ID token in seconds, independent of that of the access token.
  static let idTokenLifetimeSeconds: Int64 = 3600

  /// Creates a 2048-bit key.
  init() throws(ErrorResponse) {
    guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048),
      let numbers = try? key.publicKey.getKeyPrimitives()
    else { throw .serverError }
    let modulus = Base64URL.encode(numbers.modulus)
    let exponent = Base64URL.encode(numbers.publicExponent)
    // RFC 7638 section 3: the members in this order, without white space.
    let thumbprintInput: JSONValue = [
      "e": .string(exponent), "kty": "RSA", "n": .string(modulus),
    ]
    privateKey = key
    keyID = Base64URL.encode(SHA256.hash(data: thumbprintInput.bytes))
    publicJWK = [
      "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID),
      "n": .string(modulus), "e": .string(exponent),
    ]
  }

  /// Whether the key signed a compact JWT.
  func signed(_ token: String) -> Bool {
    guard let dot = token.lastIndex(of: "."),
      let signature = Base64URL.decode(token[token.index(after: dot)...])
    else { return false }
    return privateKey.publicKey.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature),
      for: SHA256.hash(data: Array(token[..<dot].utf8)), padding: .insecurePKCS1v1_5)
  }

  /// Signs claims.
  ///
  /// Returns a compact JWT.
  func sign(_ claims: JSONObject) throws(ErrorResponse) -> String {
    let header: JSONValue = ["typ": "JWT", "alg": "RS256", "kid": .string(keyID)]
    let text =
      Base64URL.encode(header.bytes) + "." + Base64URL.encode(JSONValue.object(claims).bytes)
    let digest = SHA256.hash(data: Array(text.utf8))
    guard let signature = try? privateKey.signature(for: digest, padding: .insecurePKCS1v1_5) else {
      throw .serverError
    }
    return text + "." + Base64URL.encode(signature.rawRepresentation)
  }
}
