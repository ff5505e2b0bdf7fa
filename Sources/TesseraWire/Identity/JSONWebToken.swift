// SPDX-License-Identifier: MIT
// The decoding of a JWT (RFC 7519). It verifies nothing; see IDTokenValidator for the validation.

/// The decoded header and claims of a compact JWT.
package struct JSONWebToken: Sendable {
  /// The JOSE header.
  package let header: JSONObject
  /// The claims.
  package let claims: JSONObject
  private let token: Secret

  /// Decodes a compact JWT, without verifying its signature.
  ///
  /// - Throws: ``WireError`` `id_token_malformed`.
  package init(_ token: Secret) throws(WireError) {
    // An array, not a string: a token is long, and each step of a string index takes 50 instructions.
    let parts = Array(token.reveal().utf8).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = JSONWebToken.object(parts[0]),
      let claims = JSONWebToken.object(parts[1], displayMembers: IDTokenClaims.displayMembers)
    else {
      throw WireError("id_token_malformed", "The ID token is not a valid JWT.")
    }
    self.header = header
    self.claims = claims
    self.token = token
  }

  /// Whether the third part can be a signature, which is base64url that is not empty.
  ///
  /// Decoded only when it is checked: readers of a stored token need only its claims.
  package var hasSignature: Bool {
    let text = token.reveal()
    guard let last = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return Base64URL.decode(text[text.utf8.index(after: last)...])?.isEmpty == false
  }

  private static func object(
    _ part: ArraySlice<UInt8>, displayMembers: Set<String> = []
  ) -> JSONObject? {
    guard let bytes = Base64URL.decode(part) else { return nil }
    return (try? JSONValue(parsing: bytes, displayMembers: displayMembers))?.object
  }
}
