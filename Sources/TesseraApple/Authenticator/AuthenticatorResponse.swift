// SPDX-License-Identifier: MIT
// The verification of a Microsoft Authenticator response: redirect URI, version, decryption, hash and nonce, in this order.

package import TesseraWire

/// The values that a Microsoft Authenticator response is checked against.
package struct AuthenticatorExpectation: Sendable {
  /// The redirect URI at which the response must arrive.
  package var redirectURI: String
  /// The nonce of the request.
  package var nonce: Secret
  /// The key of the request; nil if the stored sign-in has no valid key.
  package var key: AuthenticatorKey?

  package init(redirectURI: String, nonce: Secret, key: AuthenticatorKey?) {
    self.redirectURI = redirectURI
    self.nonce = nonce
    self.key = key
  }
}

/// A response with a valid hash and the nonce of the request.
package struct AuthenticatorResponse: Sendable {
  /// The decrypted fields.
  package let fields: AuthenticatorFields

  /// The maximum size of a response URL, in bytes.
  package static let limit = 262_144

  /// Verifies and decrypts a response.
  ///
  /// The order of the checks is that of MSAL for Apple, with two differences. The nonce is always compared. Version 1
  /// is rejected, because its key is printable text.
  ///
  /// - Throws: ``WireError`` with `authenticator_…`: `missing`, `elsewhere`, `no_key`, `version`, `no_hash`,
  ///   `corrupted`, `undecryptable`, `hash`, `nonce`, in this order.
  package init(
    _ address: Secret, to expected: AuthenticatorExpectation
  ) throws(WireError) {
    let text = address.reveal()
    guard !text.trimmed.isEmpty else {
      throw WireError("authenticator_missing", "The broker sent no response.")
    }
    guard text.utf8.count <= AuthenticatorResponse.limit,
      text.matchesRedirectURI(at: expected.redirectURI)
    else {
      throw WireError(
        "authenticator_elsewhere",
        "The URL does not start with the redirect URI, or is longer than \(AuthenticatorResponse.limit) bytes."
      )
    }
    guard let key = expected.key else {
      throw WireError("authenticator_no_key", "The sign-in has no key for the broker response.")
    }
    let plain = try AuthenticatorResponse.plaintext(of: AuthenticatorFields(of: text), key)
    fields = AuthenticatorFields(decoding: plain)
    // MSAL for Apple compares the nonce only if the system does not report the application that opened the URL.
    guard let nonce = fields["broker_nonce"], nonce.isSame(as: expected.nonce.reveal()) else {
      throw WireError("authenticator_nonce", "The broker response belongs to another request.")
    }
  }

  private static func plaintext(
    of outer: AuthenticatorFields, _ key: AuthenticatorKey
  ) throws(WireError) -> String {
    guard outer["msg_protocol_ver"] == AuthenticatorRequest.version else {
      throw WireError(
        "authenticator_version",
        "The broker response does not have protocol version \(AuthenticatorRequest.version).")
    }
    guard let hash = outer["hash"] else {
      throw WireError("authenticator_no_hash", "The broker response has no hash.")
    }
    guard let response = outer["response"], let encrypted = Base64URL.decodeAnyAlphabet(response)
    else {
      throw WireError(
        "authenticator_corrupted",
        "The broker response has no response parameter, or it is not valid Base64.")
    }
    guard let bytes = key.decrypt(encrypted), let plain = String(validating: bytes, as: UTF8.self)
    else {
      throw WireError(
        "authenticator_undecryptable",
        "The broker response cannot be decrypted with the key of this sign-in.")
    }
    guard hash.isSame(as: AuthenticatorKey.hash(bytes)) else {
      throw WireError("authenticator_hash", "The broker response does not match its hash.")
    }
    return plain
  }
}

extension String {
  /// Whether the URL is the redirect URI with a query.
  ///
  /// Ignores case, as MSAL for Apple does.
  fileprivate func matchesRedirectURI(at redirectURI: String) -> Bool {
    let (opened, prefix) = (lowercased(), redirectURI.lowercased())
    guard opened.hasPrefix(prefix), !prefix.isEmpty else { return false }
    let next = opened.dropFirst(prefix.count).first
    return next.map { "?/#&".contains($0) } ?? true
  }
}
