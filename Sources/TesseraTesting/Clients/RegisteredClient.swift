// SPDX-License-Identifier: MIT
// A registered client with its parsed certificates.

import TesseraWire

/// A registered client with its parsed certificates.
struct RegisteredClient: Sendable {
  /// The registration.
  let client: LocalClient
  /// The certificates with which it signs assertions.
  private let certificates: [Certificate]
  private let authorities: [Certificate]

  /// Parses the certificates of a client.
  ///
  /// - Throws: `invalid_member` for a text without a usable certificate, and for an empty client ID.
  init(_ client: LocalClient) throws(ProviderCommandError) {
    guard client.clientID.nonBlank != nil else {
      throw ProviderCommandError("invalid_member", "The client ID must not be empty.")
    }
    self.client = client
    certificates = try RegisteredClient.parsed(client.certificates)
    authorities = try RegisteredClient.parsed(client.certificateAuthorities)
  }

  private static func parsed(_ texts: [String]) throws(ProviderCommandError) -> [Certificate] {
    var certificates: [Certificate] = []
    for text in texts {
      guard let parsed = Certificate.parse(pem: text), !parsed.isEmpty else {
        throw ProviderCommandError(
          "invalid_member",
          "A certificate must be a PEM text with an RSA key of at least 2048 bits or a key of the curve P-256."
        )
      }
      certificates += parsed
    }
    return certificates
  }

  /// Whether a text is one of the client secrets.
  func hasSecret(_ text: String) -> Bool {
    client.secrets.contains { $0.reveal() == text }
  }

  /// Whether a text is one of the accepted assertions of other issuers.
  func hasAssertion(_ text: String) -> Bool {
    client.assertions.contains { $0.reveal() == text }
  }

  /// Returns the certificates that the header of an assertion identifies; none if they are unknown.
  ///
  /// ADFS supports `x5t` only. A generic issuer needs no identification, and then accepts each certificate.
  func certificates(for header: JSONObject, at issuer: Issuer) -> [Certificate] {
    if let chain = RegisteredClient.chain(header), issuer.isEntra, let leaf = chain.first,
      isTrusted(leaf)
    {
      return [leaf]
    }
    if issuer != .adfs, let thumbprint = RegisteredClient.bytes(header["x5t#S256"]) {
      return certificates.filter { $0.sha256Thumbprint == thumbprint }
    }
    if let thumbprint = RegisteredClient.bytes(header["x5t"]) {
      return certificates.filter { $0.sha1Thumbprint == thumbprint }
    }
    if case .plain = issuer { return certificates }
    return []
  }

  /// Whether a trusted authority issued a certificate for the subject of one of the client.
  private func isTrusted(_ leaf: Certificate) -> Bool {
    certificates.contains(where: leaf.hasSubject) && authorities.contains(where: leaf.isIssued)
  }

  /// Returns the certificates of `x5c`; nil if one of them is invalid or there are none.
  ///
  /// Entra accepts a single string as well, which MSAL for .NET sends.
  private static func chain(_ header: JSONObject) -> [Certificate]? {
    let texts = header["x5c"]?.array?.map(\.string) ?? [header["x5c"]?.string]
    let chain = texts.map { $0.flatMap { Certificate(base64: $0) } }
    return chain.contains { $0 == nil } ? nil : chain.compactMap(\.self)
  }

  /// Decodes a thumbprint in base64url or base64, with or without padding, as the MSAL libraries send it.
  private static func bytes(_ value: JSONValue?) -> [UInt8]? {
    value?.string.map { Base64URL.decodeAnyAlphabet($0) ?? [] }
  }
}
