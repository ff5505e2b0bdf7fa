// SPDX-License-Identifier: MIT
// A JWT taken apart (RFC 7519). Decoding proves nothing; see IDTokenCheck for what is proven.

/// The header and claims of a compact JWT.
package struct JSONWebToken: Sendable {
  /// The JOSE header.
  package let header: JSONObject
  /// The claims.
  package let claims: JSONObject
  /// Whether it has a third part that can be a signature.
  package let hasSignature: Bool

  /// Takes a compact JWT apart; its signature is not looked at.
  package init(_ token: Secret) throws(WireError) {
    // Bytes, not characters: a token is long, and characters have to be searched for.
    let parts = token.reveal().utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = JSONWebToken.object(parts[0]),
      let claims = JSONWebToken.object(parts[1])
    else {
      throw WireError("id_token_malformed", "The ID token is not a JWT of three parts.")
    }
    self.header = header
    self.claims = claims
    hasSignature = Base64URL.decode(Substring(parts[2]))?.isEmpty == false
  }

  private static func object(_ part: Substring.UTF8View) -> JSONObject? {
    guard let bytes = Base64URL.decode(Substring(part)) else { return nil }
    return (try? JSONValue(parsing: bytes))?.object
  }
}
