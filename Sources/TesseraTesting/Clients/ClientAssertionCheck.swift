// SPDX-License-Identifier: MIT
// The validation of the assertions with which clients authenticate (RFC 7523 section 3).

import TesseraWire

/// The validation of an assertion that a client signed with its key.
///
/// Generic issuers are strict: times are integers, and each assertion is valid once. Entra and ADFS also accept the times
/// of MSAL for Python (fractions) and for .NET (strings), and the same assertion again.
struct ClientAssertionCheck {
  /// The client.
  let client: RegisteredClient
  /// The issuer that received the assertion.
  let issuer: Issuer
  /// The accepted audiences.
  let audiences: [String]
  /// The current time.
  let now: Instant

  /// The identifier of an assertion that is valid once.
  struct OneTimeID {
    let id: String
    let expiresAt: Instant
  }

  private var isStrict: Bool {
    if case .plain = issuer { true } else { false }
  }

  /// Validates an assertion; returns its identifier if it must not be used again.
  func check(_ text: String) throws(ErrorResponse) -> OneTimeID? {
    guard let token = try? JSONWebToken(Secret(text)) else { throw .malformedAssertion }
    let claims = token.claims
    guard claims["iss"]?.string == client.client.clientID else {
      throw .foreignAssertion(claims["iss"]?.string ?? "")
    }
    guard claims["sub"]?.string == client.client.clientID else { throw .otherAssertionSubject }
    let certificate = try signingCertificate(text, token.header)
    guard certificate.validity.contains(now) else { throw .certificateNotValid }
    let expiresAt = try checkTimes(claims)
    let audience = claims["aud"].map { $0.array ?? [$0] } ?? []
    guard audience.compactMap(\.string).contains(where: { audiences.contains($0) }) else {
      throw .otherAssertionAudience
    }
    guard isStrict else { return nil }
    guard let id = claims["jti"]?.string?.nonBlank else { throw .assertionWithoutID }
    return OneTimeID(id: id, expiresAt: expiresAt)
  }

  /// Returns the certificate with the key that signed the assertion.
  private func signingCertificate(
    _ text: String, _ header: JSONObject
  ) throws(ErrorResponse) -> Certificate {
    let certificates = client.certificates(for: header, at: issuer)
    guard !certificates.isEmpty else {
      throw .unknownKey(header["x5t#S256"]?.string ?? header["x5t"]?.string ?? "")
    }
    guard let algorithm = header["alg"]?.string.flatMap(VerificationAlgorithm.init),
      issuer.assertionAlgorithms.contains(algorithm),
      let dot = text.lastIndex(of: "."),
      let signature = Base64URL.decode(text[text.index(after: dot)...])
    else { throw .wrongAssertionSignature }
    let message = Array(text[..<dot].utf8)
    let signing = certificates.first { $0.key.verifies(signature, of: message, algorithm) }
    guard let signing else { throw .wrongAssertionSignature }
    return signing
  }

  /// Checks `exp` and `nbf` (RFC 7523 section 3); returns the expiry.
  private func checkTimes(_ claims: JSONObject) throws(ErrorResponse) -> Instant {
    guard let expiresAt = try time(claims["exp"]) else { throw .assertionWithoutExpiry }
    let start = try time(claims["nbf"])
    guard expiresAt > now, start.map({ $0 <= now.adding(seconds: 300) }) ?? true else {
      throw .assertionNotValid(now: now, from: start, until: expiresAt)
    }
    return expiresAt
  }

  private func time(_ value: JSONValue?) throws(ErrorResponse) -> Instant? {
    guard let value else { return nil }
    let isInteger = if case .number(let text) = value { Int64(text) != nil } else { false }
    guard !isStrict || isInteger, let seconds = value.integer else { throw .assertionTimeFormat }
    return Instant(secondsSince1970: seconds)
  }
}

extension Issuer {
  /// The algorithms of assertions that the issuer accepts.
  var assertionAlgorithms: [VerificationAlgorithm] {
    switch self {
    // AD FS does not support PSS.
    case .adfs: [.rs256]
    case .entra, .b2c, .ciam: [.rs256, .ps256]
    case .plain: VerificationAlgorithm.allCases
    }
  }
}
